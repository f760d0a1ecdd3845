// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: every kernel the emulator has compiled, and how a kernel is
// compiled, see Note [Steps].
// On the data's way: asked by the emulator at a kernel's first launch.
// Invariants: a compiled kernel keeps its address; a refusal is remembered, but
// a kernel no module had is looked for again.
// Threads: any; one lock.

// Note [Steps]: a kernel is compiled by these steps, in this order; each is one
// call in KernelCache.cpp. M is the module of the kernel, T its ThreadCode.
//   parse           KernelSource    bitcode to M, the host's data layout
//   assembly        PtxLowering     every inline assembly of M becomes IR and
//                                   NVVM intrinsics; names what it cannot
//   isolate         KernelSource    libdevice to MathTable; M keeps what the
//                                   kernel reaches; inlined, promoted
//   form            KernelForm      which of the three ways
//   count           Costs           only when costs are asked for
//   retarget        Retarget        M to T: the four parameters, special
//                                   registers, shared memory, globals, traps,
//                                   division
//   arithmetic      NvvmLowering    the NVVM intrinsics of one thread alone
//   warps           WarpLowering    Fibers: what threads do together becomes
//                                   host calls; other forms: block barriers
//                                   stay
//   library         DeviceLibrary   printf, malloc, assert and their like
//                                   become host calls
//   checks          instrumentation only when checks are asked for: accesses
//                                   tell the observer (form Fibers)
//   refuse          Refusal         what is left over cannot run, and is named
//   block           BlockFunction, Regions, or nothing: T.Body is the entry
//   compile         Compiler        -O3 and ORC; host calls are linked by the
//                                   names in HostCalls.def

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_KERNELCACHE_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_KERNELCACHE_H

#include "BlockContext.h"
#include "Compiler.h"
#include "DeviceModules.h"
#include "KernelForm.h"

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
  KernelForm Form = KernelForm::ThreadLoop;
  BlockFunctionType Run = nullptr;     ///< Of the forms ThreadLoop and Regions.
  ThreadFunctionType Thread = nullptr; ///< Of the form Fibers.
  std::vector<std::string> Sites;      ///< See SourceSites.
  uint64_t StaticShared = 0;
  uint32_t ArgumentBytes = 0;
  uint64_t StackBytes = 0; ///< Of a thread's local variables, where known.
  bool DeepStack = false;  ///< Calls may nest to a depth that is not known.
  /// Where in static shared memory what cooperative groups keep there lies,
  /// which is zero when a block begins; ~0 without.
  uint32_t ReservedShared = ~0u;
  bool MayWait = false;    ///< Has loops that wait for other blocks.
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
  void compile(const KernelRecord &Record, bool Counted, CompiledKernel &Out);
  Status compileFrom(unsigned Ordinal, const KernelRecord &Record, bool Counted,
                     CompiledKernel &Out);
  Status compileFunction(unsigned Ordinal, const std::string &Symbol);
  Status finish(std::unique_ptr<llvm::Module> M,
                std::unique_ptr<llvm::LLVMContext> Context);
  Status provide(const std::string &Name);
  Status provideGlobal(const std::string &Name);
  Status defineGlobals(unsigned Ordinal);
  Status addGlobals(Result<std::unique_ptr<llvm::Module>> M,
                    std::unique_ptr<llvm::LLVMContext> Context);
  Result<uint64_t> addressIn(unsigned Ordinal, const std::string &Symbol);

  std::mutex Lock;
  std::unique_ptr<Compiler> Host;
  DeviceModules Modules;
  /// Names of functions and variables that have been compiled.
  std::set<std::string> Provided;
  std::set<unsigned> GlobalsDefined; ///< By module.
  std::map<std::pair<const KernelRecord *, bool>,
           std::unique_ptr<CompiledKernel>>
      Kernels;
};

} // namespace blockmaestro

#endif
