// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: every kernel the emulator has compiled, and how a kernel is
// compiled, see Note [Steps].
// On the data's way: asked by the emulator at a kernel's first launch.
// Invariants: a compiled kernel keeps its address; a refusal is remembered, but
// a kernel no module had is looked for again. Code is for one block shape as
// long as a kernel has few of them. What was compiled is kept on disk.
// Threads: any; different kernels are compiled at the same time.

// Note [Steps]: a kernel is compiled by these steps, in this order; each is one
// call in KernelCompiler.cpp, KernelSource.cpp or Retarget.cpp. M is the module
// of the kernel, T its ThreadCode.
//   parse           KernelSource    bitcode to M, the host's data layout
//   assembly        PtxLowering     every inline assembly of M becomes IR and
//                                   NVVM intrinsics; names what it cannot
//   isolate         KernelSource    libdevice to MathTable; M keeps what the
//                                   kernel reaches; inlined, promoted
//   form            KernelForm      which of the three ways
//   count           Costs           only when costs are asked for
//   steps           WarpCoding      only when warps are traced
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

#include "CompiledUnit.h"
#include "DiskCache.h"
#include "KernelCompiler.h"

#include "blockmaestro/AccessObserver.h"
#include "blockmaestro/Launch.h"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace blockmaestro {

struct CompiledKernel : KernelFacts {
  KernelVariant Variant;
  BlockFunctionType Run = nullptr;     ///< Of the forms ThreadLoop and Regions.
  ThreadFunctionType Thread = nullptr; ///< Of the form Fibers.
  Status Refused;
  bool NoModule = false; ///< No module had it when it was asked for.

  /// Whether launches with blocks of \p Block can use it.
  bool fits(Dim3 Block) const {
    const BlockShape &Made = Variant.Shape;
    return !Made.known() ||
           (Made.Extent[0] == Block.X && Made.Extent[1] == Block.Y &&
            Made.Extent[2] == Block.Z);
  }
};

class KernelCache {
public:
  KernelCache(std::unique_ptr<Compiler> Host, std::string Folder)
      : Host(std::move(Host)), Disk(std::move(Folder)) {}

  /// See Emulator.
  void addModules(const std::vector<const ModuleRecord *> &Linked);
  /// Before anything else: kernels are compiled so that accesses tell an
  /// observer, and \p Who is told of device variables.
  void observe(AccessObserver *Who) { Observer = Who; }
  /// Code for \p What, compiled if there was none; look at Refused. It may be
  /// code that other block shapes cannot use.
  const CompiledKernel &get(const Launch &What, Counting Counts);
  Result<Allocation> findGlobal(const std::string &Symbol,
                                const ModuleRecord *Of);
  /// Gives every variable that is linked its initial value. Nothing runs.
  void resetVariables();

private:
  /// The code of one kernel, for different shapes and purposes.
  struct Variants {
    std::mutex Compiling;
    std::vector<std::unique_ptr<CompiledKernel>> Known;
  };

  Variants &variantsOf(const KernelRecord &Record);
  void compile(const KernelRecord &Record, CompiledKernel &Out);
  Status compileFrom(unsigned Ordinal, const KernelRecord &Record,
                     CompiledKernel &Out);
  Result<CompiledUnit>
  obtain(const std::string &What,
         const std::function<Result<CompiledUnit>()> &Compile);
  std::string programKey();
  Status install(const CompiledUnit &Unit);
  void keepInitials();
  Status provide(const std::string &Name);
  Status provideFunction(const std::string &Name);
  Status provideGlobal(const std::string &Name);
  Status defineGlobals(unsigned Ordinal);
  Result<Allocation> variableOf(unsigned Ordinal, const std::string &Symbol);

  std::unique_ptr<Compiler> Host;
  DiskCache Disk;
  AccessObserver *Observer = nullptr;

  std::mutex Lock; ///< Of the next three.
  DeviceModules Modules;
  std::vector<uint64_t> Hashes; ///< Of the modules' code, as far as asked for.
  std::map<const KernelRecord *, std::unique_ptr<Variants>> Kernels;

  /// What a variable held before any kernel ran.
  struct InitialValue {
    uint8_t *Address;
    uint64_t Bytes;
    std::string Value; ///< Empty: zeros.
  };

  std::mutex Linking; ///< Of the next four, and of linking.
  /// Functions and variables linked, with the size of a variable.
  std::map<std::string, uint64_t> Provided;
  std::set<unsigned> GlobalsDefined;         ///< By module.
  std::vector<DefinedVariable> NewVariables; ///< Not yet in Initials.
  std::vector<InitialValue> Initials;
};

} // namespace blockmaestro

#endif
