// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Images.h"

#include "blockmaestro/LinkedParts.h"

#include <cstring>
#include <utility>
#include <vector_types.h>

extern "C" {
void **__cudaRegisterFatBinary(void *FatBinary);
void __cudaRegisterFatBinaryEnd(void **Handle);
void __cudaUnregisterFatBinary(void **Handle);
void __cudaRegisterFunction(void **Handle, const char *Stub, char *DeviceStub,
                            const char *Symbol, int ThreadLimit, uint3 *,
                            uint3 *, dim3 *, dim3 *, int *);
void __cudaRegisterVar(void **Handle, char *Host, char *DeviceAddress,
                       const char *Symbol, int Extern, size_t Bytes,
                       int Constant, int Global);
}

namespace blockmaestro::openmp {
namespace {

using Guard = std::lock_guard<std::mutex>;

bool isPart(const OffloadEntry &Entry) {
  return std::strncmp(Entry.Symbol, PartPrefix, std::strlen(PartPrefix)) == 0;
}

std::vector<ImageBytes> imagesOf(const LinkedBinary &Binary) {
  std::vector<ImageBytes> Out;
  for (int32_t I = 0; I < Binary.ImageCount; ++I)
    Out.emplace_back(Binary.Images[I].Begin, Binary.Images[I].End);
  return Out;
}

} // namespace

void Images::addRegion(const OffloadEntry &Entry,
                       const std::vector<ImageBytes> &All, Binary &To) {
  __cudaRegisterFunction(To.Handle, static_cast<const char *>(Entry.Address),
                         const_cast<char *>(Entry.Symbol), Entry.Symbol, -1,
                         nullptr, nullptr, nullptr, nullptr, nullptr);
  To.Regions.push_back(Entry.Address);
  for (const ImageBytes &Each : All)
    if (const auto Environment = environmentOf(Each, Entry.Symbol)) {
      Kernels[Entry.Address] = {Entry.Address, Entry.Symbol, *Environment};
      return;
    }
  WithoutEnvironment[Entry.Address] = Entry.Symbol;
}

void Images::addVariable(const OffloadEntry &Entry, Binary &To) {
  __cudaRegisterVar(To.Handle, static_cast<char *>(Entry.Address),
                    const_cast<char *>(Entry.Symbol), Entry.Symbol, 0,
                    Entry.Bytes, 0, 0);
  if (!isPart(Entry))
    To.Variables.push_back({Entry.Address, Entry.Bytes, Entry.Symbol});
}

void Images::addRequirements(uint64_t Flags) {
  if (Flags & (RequiresUnifiedSharedMemory | RequiresUnifiedAddress))
    Refusal = "`requires unified_shared_memory` and `unified_address` are not "
              "supported";
  if (Flags & RequiresReverseOffload)
    Refusal = "`requires reverse_offload` is not supported";
}

void Images::addEntry(const OffloadEntry &Entry,
                      const std::vector<ImageBytes> &All, Binary &To) {
  if (Entry.Kind != EntryOfOpenMP)
    return;
  if (Entry.Flags & EntryRequires)
    addRequirements(Entry.Data);
  else if (Entry.Flags & (EntryIndirect | EntryVirtualTable))
    Refusal = std::string("calls of ") + Entry.Symbol +
              " through host pointers (`declare target indirect`) are not "
              "supported";
  else if (Entry.Address && Entry.Bytes == 0)
    addRegion(Entry, All, To);
  else if (Entry.Address)
    addVariable(Entry, To);
}

/// clang gives code that runs before all kernels a kernel of this name.
void Images::refuseConstructors(ImageBytes Image) {
  if (hasSymbol(Image, "nvptx$device$init"))
    Refusal = "variables of the device with constructors are not supported";
}

void Images::addBinary(const LinkedBinary &Added) {
  const std::vector<ImageBytes> All = imagesOf(Added);
  Guard Held(Lock);
  Binary &To = Binaries[&Added];
  To.Code = std::make_unique<FatBinary>(All);
  To.Handle = __cudaRegisterFatBinary(To.Code->wrapper());
  for (const ImageBytes &Each : All)
    refuseConstructors(Each);
  for (const OffloadEntry *Each = Added.FirstEntry; Each != Added.EntriesEnd;
       ++Each)
    addEntry(*Each, All, To);
  __cudaRegisterFatBinaryEnd(To.Handle);
}

std::vector<SharedVariable> Images::removeBinary(const LinkedBinary &Removed) {
  Guard Held(Lock);
  const auto Found = Binaries.find(&Removed);
  if (Found == Binaries.end())
    return {};
  for (const void *Each : Found->second.Regions) {
    Kernels.erase(Each);
    WithoutEnvironment.erase(Each);
  }
  __cudaUnregisterFatBinary(Found->second.Handle);
  std::vector<SharedVariable> Gone = std::move(Found->second.Variables);
  Gone.resize(Found->second.Taken);
  Binaries.erase(Found);
  return Gone;
}

bool Images::mayRun() {
  Guard Held(Lock);
  return !Binaries.empty() && Refusal.empty();
}

std::optional<RegionKernel> Images::kernelOf(const void *Region) {
  Guard Held(Lock);
  const auto Found = Kernels.find(Region);
  if (Found == Kernels.end())
    return std::nullopt;
  return Found->second;
}

std::string Images::nameOf(const void *Region) {
  Guard Held(Lock);
  if (const auto Found = Kernels.find(Region); Found != Kernels.end())
    return Found->second.Symbol;
  const auto Found = WithoutEnvironment.find(Region);
  return Found == WithoutEnvironment.end() ? "" : Found->second;
}

std::vector<SharedVariable> Images::takeVariables() {
  Guard Held(Lock);
  std::vector<SharedVariable> Out;
  for (auto &[Linked, Each] : Binaries)
    for (; Each.Taken < Each.Variables.size(); ++Each.Taken)
      Out.push_back(Each.Variables[Each.Taken]);
  return Out;
}

std::string Images::refusal() {
  Guard Held(Lock);
  return Refusal;
}

} // namespace blockmaestro::openmp
