// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DeviceModules.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace blockmaestro {

std::optional<unsigned>
DeviceModules::ordinalOf(const KernelRecord &Record) const {
  for (unsigned Ordinal = 0; Ordinal < count(); ++Ordinal)
    for (const KernelRecord &K : record(Ordinal).Kernels)
      if (&K == &Record)
        return Ordinal;
  return std::nullopt;
}

Result<std::unique_ptr<Module>>
DeviceModules::open(unsigned Ordinal, LLVMContext &Context) const {
  const ModuleRecord &From = record(Ordinal);
  StringRef Bytes(reinterpret_cast<const char *>(From.Bitcode.data()),
                  From.Bitcode.size());
  Expected<std::unique_ptr<Module>> M =
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
void DeviceModules::indexModule(unsigned Ordinal) {
  LLVMContext Context;
  Result<std::unique_ptr<Module>> M = open(Ordinal, Context);
  if (!M.ok())
    return;
  for (const GlobalValue &G : (*M)->global_values())
    if (!G.isDeclaration() && !G.hasLocalLinkage())
      Definers.try_emplace(G.getName().str(), Ordinal);
}

std::optional<unsigned> DeviceModules::definerOf(const std::string &Name) {
  std::lock_guard<std::mutex> Guard(Indexing);
  while (Indexed < count())
    indexModule(Indexed++);
  auto Found = Definers.find(Name);
  return Found == Definers.end() ? std::nullopt
                                 : std::optional<unsigned>(Found->second);
}

} // namespace blockmaestro
