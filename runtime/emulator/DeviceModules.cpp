// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DeviceModules.h"

#include "KernelSource.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace blockmaestro {

void DeviceModules::add(const std::vector<const ModuleRecord *> &Linked) {
  Units.emplace_back();
  Units.back().First = count();
  Units.back().Count = Linked.size();
  for (const ModuleRecord *Each : Linked)
    Modules.push_back({Each, &Units.back()});
}

std::optional<unsigned>
DeviceModules::ordinalOf(const KernelRecord &Record) const {
  for (unsigned Ordinal = 0; Ordinal < count(); ++Ordinal)
    for (const KernelRecord &K : record(Ordinal).Kernels)
      if (&K == &Record)
        return Ordinal;
  return std::nullopt;
}

std::optional<unsigned>
DeviceModules::ordinalOf(const ModuleRecord &Record) const {
  for (unsigned Ordinal = 0; Ordinal < count(); ++Ordinal)
    if (&record(Ordinal) == &Record)
      return Ordinal;
  return std::nullopt;
}

Result<std::unique_ptr<llvm::Module>>
DeviceModules::open(unsigned Ordinal, LLVMContext &Context) const {
  const ModuleRecord &From = record(Ordinal);
  StringRef Bytes(reinterpret_cast<const char *>(From.Bitcode.data()),
                  From.Bitcode.size());
  Expected<std::unique_ptr<llvm::Module>> M =
      getLazyBitcodeModule(MemoryBufferRef(Bytes, From.Source), Context,
                           /*ShouldLazyLoadMetadata=*/true);
  if (!M)
    return Status(StatusCode::Corrupt,
                  "the device code of '" + From.Source +
                      "' cannot be read: " + toString(M.takeError()));
  return std::move(*M);
}

/// Notes what module \p Ordinal defines for others; nothing when it cannot be
/// read, which its own kernels report.
void DeviceModules::indexModule(unsigned Ordinal, Unit &To) const {
  LLVMContext Context;
  Result<std::unique_ptr<llvm::Module>> M = open(Ordinal, Context);
  if (!M.ok())
    return;
  for (const GlobalValue &G : (*M)->global_values()) {
    if (G.isDeclaration() || G.hasLocalLinkage())
      continue;
    const Definition Mine = {Ordinal, G.isWeakForLinker()};
    auto [Known, New] = To.Definitions.try_emplace(G.getName().str(), Mine);
    if (!New && Known->second.Weak && !Mine.Weak)
      Known->second = Mine;
  }
}

std::optional<unsigned> DeviceModules::definerOf(const std::string &Name,
                                                 unsigned Ordinal) {
  Unit &Of = *Modules[Ordinal].Unit;
  if (Of.Count == 1)
    return std::nullopt;
  std::lock_guard<std::mutex> Guard(Indexing);
  if (!Of.Indexed)
    for (unsigned I = 0; I < Of.Count; ++I)
      indexModule(Of.First + I, Of);
  Of.Indexed = true;
  auto Found = Of.Definitions.find(Name);
  return Found == Of.Definitions.end()
             ? std::nullopt
             : std::optional<unsigned>(Found->second.Ordinal);
}

bool DeviceModules::isUsed(const GlobalValue &G, unsigned Ordinal) {
  if (G.isDeclaration())
    return false;
  const auto *Variable = dyn_cast<GlobalVariable>(&G);
  const bool Promised = (G.hasLinkOnceODRLinkage() || G.hasWeakODRLinkage()) &&
                        (!Variable || isFixed(*Variable));
  const bool OfBlocks = Variable && isShared(*Variable);
  return G.hasLocalLinkage() || Promised || OfBlocks ||
         Modules[Ordinal].Unit->Count == 1 ||
         definerOf(G.getName().str(), Ordinal) == Ordinal;
}

} // namespace blockmaestro
