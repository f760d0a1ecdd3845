// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the program's device variables as host memory.
// On the data's way: from a DeviceModules' module to a module that only defines
// variables, under their globalName() and writable. Compiled when code or the
// host first asks for one of them.
// Invariants: variables that hold addresses of functions, such as virtual
// tables, get modules of their own, so that the others need no code.
// Threads: one module and its context, one thread.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_DEVICEGLOBALS_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_DEVICEGLOBALS_H

#include "BlockContext.h"
#include "DeviceModules.h"

#include "llvm/ADT/StringRef.h"

#include <memory>
#include <string>
#include <vector>

namespace llvm {
class LLVMContext;
class Module;
class TargetMachine;
} // namespace llvm

namespace blockmaestro {

/// The attribute of definitions that were constants of the program.
inline constexpr const char *ConstantMark = "bm-constant";

/// The definitions of all variables of module \p Ordinal that hold no function.
Result<std::unique_ptr<llvm::Module>>
definePlainGlobals(DeviceModules &Modules, unsigned Ordinal,
                   llvm::LLVMContext &Context, const llvm::TargetMachine &Host);

/// The definition of the variable that module \p Ordinal calls \p Symbol,
/// alone.
Result<std::unique_ptr<llvm::Module>>
defineGlobal(DeviceModules &Modules, unsigned Ordinal, llvm::StringRef Symbol,
             llvm::LLVMContext &Context, const llvm::TargetMachine &Host);

} // namespace blockmaestro

/// What a virtual table has for a function without a definition.
extern "C" [[noreturn]] void
bm_pure_virtual(blockmaestro::BlockContext *Context, uint32_t X, uint32_t Y,
                uint32_t Z);

#endif
