// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: from a module's bitcode to one kernel as a single function of
// canonical IR: library calls mapped to the host, everything inlined, promoted
// and simplified.
// On the data's way: the first step of compiling; Costs, Retarget and
// BlockFunction follow.
// Invariants: afterwards every call left in the kernel is to an intrinsic or to
// a declared function. Threads: one module and its context, one thread.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_KERNELSOURCE_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_KERNELSOURCE_H

#include "blockmaestro/Metadata.h"
#include "blockmaestro/Status.h"

#include <memory>
#include <string>

namespace llvm {
class Function;
class GlobalVariable;
class LLVMContext;
class Module;
class TargetMachine;
} // namespace llvm

namespace blockmaestro {

/// Parses the bitcode of \p Record and retargets the module to \p Host.
Result<std::unique_ptr<llvm::Module>>
parseDeviceModule(const ModuleRecord &Record, llvm::LLVMContext &Context,
                  const llvm::TargetMachine &Host);

/// Reduces \p M to the kernel \p Symbol in canonical form. Refuses with a
/// reason what cannot be brought into one function.
Result<llvm::Function *> isolateKernel(llvm::Module &M,
                                       const std::string &Symbol);

/// The address under which a device global of module number \p Ordinal is known
/// to all compiled code; internal globals of two modules stay apart.
std::string globalName(const llvm::GlobalVariable &G, unsigned Ordinal);

/// Whether \p G is a variable in device memory, as opposed to shared memory or
/// a private constant such as a string.
bool isDeviceGlobal(const llvm::GlobalVariable &G);

} // namespace blockmaestro

#endif
