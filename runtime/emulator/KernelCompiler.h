// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: from the program's device modules to compiled units, by the steps
// of Note [Steps] in KernelCache.h.
// On the data's way: between DeviceModules and KernelCache, which links.
// Invariants: a unit depends on nothing but the modules, the request and this
// library, so it can be kept on disk.
// Threads: any number of requests at the same time, as long as no module is
// added.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_KERNELCOMPILER_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_KERNELCOMPILER_H

#include "BlockFunction.h"
#include "CompiledUnit.h"
#include "Compiler.h"
#include "DeviceModules.h"

#include "blockmaestro/Metadata.h"

#include <optional>
#include <string>

namespace blockmaestro {

/// What is counted of a kernel's blocks.
enum class Counting : uint8_t {
  Nothing,
  Costs, ///< Visits of basic blocks, and accesses.
  Warps, ///< Both, and what warps do step by step.
};

/// How a kernel is compiled.
struct KernelVariant {
  Counting Counts = Counting::Nothing;
  bool Observed = false; ///< Accesses tell an AccessObserver.
  BlockShape Shape;      ///< Of the launches, where they are known.
};

/// What all compiled code calls the kernel \p Record of module \p Ordinal.
std::string entryName(unsigned Ordinal, const KernelRecord &Record,
                      const KernelVariant &Variant);

Result<CompiledUnit> compileKernel(DeviceModules &Modules, Compiler &Host,
                                   unsigned Ordinal, const KernelRecord &Record,
                                   const KernelVariant &Variant);

/// Compiles a function whose address somebody takes. Whoever calls it does not
/// know it, so it is of form Fibers, as every kernel that calls through a
/// pointer.
Result<CompiledUnit> compileFunction(DeviceModules &Modules, Compiler &Host,
                                     unsigned Ordinal,
                                     const std::string &Symbol, bool Observed);

/// Compiles the variables of a module that hold no functions, or the variable
/// \p Symbol alone.
Result<CompiledUnit> compileGlobals(DeviceModules &Modules, Compiler &Host,
                                    unsigned Ordinal,
                                    std::optional<std::string> Symbol);

} // namespace blockmaestro

#endif
