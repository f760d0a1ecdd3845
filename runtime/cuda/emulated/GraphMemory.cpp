// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GraphMemory.h"

#include "Graph.h"
#include "State.h"

#include <algorithm>

namespace blockmaestro::emulated {

using Guard = std::lock_guard<std::mutex>;

GraphMemory &GraphMemory::the() {
  static auto *Memory = new GraphMemory;
  return *Memory;
}

/// Bytes that executable graphs or the program hold.
size_t GraphMemory::used() const {
  size_t Sum = 0;
  for (const auto &[Address, Each] : Known)
    if (Each.Live || Each.Executables > 0)
      Sum += Each.Bytes;
  return Sum;
}

void GraphMemory::noteHigh() {
  size_t Used = used();
  UsedHigh = std::max(UsedHigh, Used);
  ReservedHigh = std::max(ReservedHigh, Used + SpareBytes);
}

cudaError_t GraphMemory::reserve(size_t Bytes, void **Out) {
  if (Bytes == 0)
    return cudaErrorInvalidValue;
  Guard Held(Lock);
  auto Fits = Spare.lower_bound(Bytes);
  if (Fits != Spare.end() && Fits->first <= 2 * Bytes) {
    *Out = Fits->second;
    Known[*Out].Bytes = Fits->first;
    SpareBytes -= Fits->first;
    Spare.erase(Fits);
    return cudaSuccess;
  }
  cudaError_t Wrong =
      emulatedState().Heap.allocate(HeapKind::Device, Bytes, Out);
  if (Wrong == cudaSuccess)
    Known[*Out].Bytes = Bytes;
  return Wrong;
}

/// Puts the bytes aside when nobody holds them.
void GraphMemory::retire(Areas::iterator Which) {
  const Area &What = Which->second;
  if (What.HasNode || What.Live || What.Executables > 0)
    return;
  Spare.emplace(What.Bytes, Which->first);
  SpareBytes += What.Bytes;
  Known.erase(Which);
}

void GraphMemory::dropped(void *Address) {
  Guard Held(Lock);
  auto Found = Known.find(Address);
  if (Found == Known.end())
    return;
  Found->second.HasNode = false;
  retire(Found);
}

cudaError_t GraphMemory::claimFree(void *Address, bool ByOwner) {
  Guard Held(Lock);
  auto Found = Known.find(Address);
  if (Found == Known.end())
    return cudaErrorInvalidValue;
  FreedBy &Freed = Found->second.Freed;
  if (Freed == FreedBy::Owner || (ByOwner && Freed == FreedBy::Other))
    return cudaErrorInvalidValue;
  Freed = ByOwner ? FreedBy::Owner : FreedBy::Other;
  return cudaSuccess;
}

void GraphMemory::instantiated(const MemorySteps &Steps) {
  Guard Held(Lock);
  for (void *Each : Steps.Allocated)
    if (auto Found = Known.find(Each); Found != Known.end())
      ++Found->second.Executables;
  noteHigh();
}

void GraphMemory::destroyed(const MemorySteps &Steps) {
  Guard Held(Lock);
  for (void *Each : Steps.Allocated)
    if (auto Found = Known.find(Each); Found != Known.end()) {
      --Found->second.Executables;
      retire(Found);
    }
}

cudaError_t GraphMemory::launch(const MemorySteps &Steps, bool FreeFirst) {
  Guard Held(Lock);
  auto IsLive = [&](void *Address) {
    auto Found = Known.find(Address);
    return Found != Known.end() && Found->second.Live;
  };
  auto IsAllocated = [&](void *Address) {
    return std::find(Steps.Allocated.begin(), Steps.Allocated.end(), Address) !=
           Steps.Allocated.end();
  };
  for (void *Each : Steps.Allocated)
    if (!Known.count(Each) || (IsLive(Each) && !FreeFirst))
      return cudaErrorInvalidValue;
  for (void *Each : Steps.Freed)
    if (!IsLive(Each) && !IsAllocated(Each))
      return cudaErrorInvalidValue;
  for (void *Each : Steps.Allocated)
    Known[Each].Live = true;
  noteHigh();
  for (void *Each : Steps.Freed) {
    auto Found = Known.find(Each);
    Found->second.Live = false;
    retire(Found);
  }
  return cudaSuccess;
}

bool GraphMemory::free(void *Address, cudaError_t &Out) {
  Guard Held(Lock);
  auto Found = Known.find(Address);
  if (Found == Known.end())
    return false;
  bool Freeable = Found->second.Live && Found->second.Freed != FreedBy::Owner;
  Out = Freeable ? cudaSuccess : cudaErrorInvalidValue;
  if (Freeable) {
    Found->second.Live = false;
    retire(Found);
  }
  return true;
}

void GraphMemory::trim() {
  Guard Held(Lock);
  for (const auto &[Bytes, Address] : Spare)
    (void)emulatedState().Heap.release(HeapKind::Device, Address);
  Spare.clear();
  SpareBytes = 0;
}

cudaError_t GraphMemory::attribute(cudaGraphMemAttributeType Which,
                                   uint64_t &Out) const {
  Guard Held(Lock);
  switch (Which) {
  case cudaGraphMemAttrUsedMemCurrent:
    Out = used();
    return cudaSuccess;
  case cudaGraphMemAttrUsedMemHigh:
    Out = UsedHigh;
    return cudaSuccess;
  case cudaGraphMemAttrReservedMemCurrent:
    Out = used() + SpareBytes;
    return cudaSuccess;
  case cudaGraphMemAttrReservedMemHigh:
    Out = ReservedHigh;
    return cudaSuccess;
  }
  return cudaErrorInvalidValue;
}

cudaError_t GraphMemory::resetHigh(cudaGraphMemAttributeType Which) {
  Guard Held(Lock);
  if (Which == cudaGraphMemAttrUsedMemHigh)
    UsedHigh = 0;
  else if (Which == cudaGraphMemAttrReservedMemHigh)
    ReservedHigh = 0;
  else
    return cudaErrorInvalidValue;
  return cudaSuccess;
}

void GraphMemory::clear() {
  Guard Held(Lock);
  Known.clear();
  Spare.clear();
  SpareBytes = UsedHigh = ReservedHigh = 0;
}

static void addSteps(const Graph &Of, MemorySteps &Out) {
  for (const GraphNode *Each : Of.nodes()) {
    if (auto *Taken = std::get_if<AllocateWork>(&Each->What))
      Out.Allocated.push_back(Taken->What.dptr);
    if (auto *Given = std::get_if<FreeWork>(&Each->What))
      Out.Freed.push_back(Given->Address);
    if (Each->Child)
      addSteps(*Each->Child, Out);
  }
}

MemorySteps memorySteps(const Graph &Of) {
  MemorySteps Out;
  addSteps(Of, Out);
  return Out;
}

cudaError_t claimGraphFree(const Graph &Of, void *Address) {
  MemorySteps Own = memorySteps(Of);
  bool ByOwner = std::find(Own.Allocated.begin(), Own.Allocated.end(),
                           Address) != Own.Allocated.end();
  return GraphMemory::the().claimFree(Address, ByOwner);
}

} // namespace blockmaestro::emulated
