// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: every kernel the emulator has compiled, and how a kernel is
// compiled: KernelSource, Refusal, Costs, Retarget, BlockFunction, Compiler, in
// that order.
// On the data's way: asked by the emulator at a kernel's first launch.
// Invariants: a compiled kernel keeps its address; a refusal is remembered, but
// a kernel no module had is looked for again.
// Threads: any; one lock.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_KERNELCACHE_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_KERNELCACHE_H

#include "BlockContext.h"
#include "Compiler.h"

#include "blockmaestro/Event.h"
#include "blockmaestro/Metadata.h"

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace blockmaestro {

struct CompiledKernel {
  BlockFunctionType Run = nullptr;
  uint64_t StaticShared = 0;
  uint32_t ArgumentBytes = 0;
  std::vector<BlockCost> Weights; ///< Empty when visits are not counted.
  Status Refused;
};

class KernelCache {
public:
  explicit KernelCache(std::unique_ptr<Compiler> Host)
      : Host(std::move(Host)) {}

  void addModule(const ModuleRecord *M);
  /// The kernel of \p Record, compiled if it was not; look at Refused.
  const CompiledKernel &get(const KernelRecord &Record, bool Counted);
  Result<uint64_t> globalAddress(const std::string &Symbol,
                                 const ModuleRecord *Of);

private:
  struct DeviceModule {
    const ModuleRecord *Record;
    bool GlobalsDefined = false;
  };

  void compile(const KernelRecord &Record, bool Counted, CompiledKernel &Out);
  Status compileFrom(unsigned Ordinal, const KernelRecord &Record, bool Counted,
                     CompiledKernel &Out);
  Status defineGlobals(unsigned Ordinal);
  Result<uint64_t> addressIn(unsigned Ordinal, const std::string &Symbol);

  std::mutex Lock;
  std::unique_ptr<Compiler> Host;
  std::vector<DeviceModule> Modules;
  std::set<std::string> KnownGlobals;
  std::map<std::pair<const KernelRecord *, bool>,
           std::unique_ptr<CompiledKernel>>
      Kernels;
};

} // namespace blockmaestro

#endif
