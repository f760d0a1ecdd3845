// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: from the program's device modules to one module with all that a
// kernel, or a function whose address is taken, reaches; then to canonical IR:
// inlined, promoted and simplified.
// On the data's way: the first steps of compiling, see Note [Steps] in
// KernelCache.h.
// Invariants: every name is the program's own, so that compiled modules agree
// on it without knowing each other:
//   device.N.x    a variable of device memory that module N defines
//   device.x      one that no module defines
//   fn.N.f        a function that module N defines
// Variables are declarations, but for constants that no one may change: those
// keep their value for the optimiser (available_externally). Functions that are
// not inlined keep their calls. Threads: one module and its context, one
// thread.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_KERNELSOURCE_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_KERNELSOURCE_H

#include "DeviceModules.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"

#include <memory>
#include <string>

namespace llvm {
class Function;
class GlobalValue;
class GlobalVariable;
class LLVMContext;
class Module;
class TargetMachine;
} // namespace llvm

namespace blockmaestro {

/// Which module defines what the code of one module names.
class Definers {
public:
  /// Of \p Source, module \p Ordinal, as it was read.
  Definers(const llvm::Module &Source, unsigned Ordinal,
           DeviceModules &Modules);
  /// Nothing when no module defines it.
  std::optional<unsigned> find(llvm::StringRef Name) const;
  /// Whether the module has a definition of its own that counts.
  bool isOwn(llvm::StringRef Name) const { return Own.contains(Name); }

private:
  DeviceModules &Modules;
  const unsigned Ordinal;
  llvm::StringSet<> Own;
};

/// What code generation begins with.
struct KernelSource {
  std::unique_ptr<llvm::Module> M;
  llvm::Function *Root = nullptr; ///< The kernel or function asked for.
};

/// Links into one module for \p Host what function \p Symbol of module
/// \p Ordinal reaches, in that module and in others.
Result<KernelSource> linkReached(DeviceModules &Modules, unsigned Ordinal,
                                 const std::string &Symbol,
                                 llvm::LLVMContext &Context,
                                 const llvm::TargetMachine &Host);

/// Inlines into \p Root what can be inlined and brings everything left into
/// canonical form. Root is the only function others can name. With
/// \p KeepAccesses no access is dropped that others could see.
void canonicalize(llvm::Function &Root, bool KeepAccesses = false);

/// The name for all compiled code of a device global that module \p Owner
/// defines, or none.
std::string globalName(llvm::StringRef Symbol, std::optional<unsigned> Owner);
/// Whether \p Name is a globalName().
bool isGlobalName(llvm::StringRef Name);
/// The variable of a globalName(), and the module that defines it.
std::pair<std::string, std::optional<unsigned>>
splitGlobalName(llvm::StringRef Name);
/// The same of a function, by its name in the module.
std::string functionName(llvm::StringRef Symbol, unsigned Ordinal);
/// Whether \p Name is a functionName().
bool isFunctionName(llvm::StringRef Name);
/// The function and module of a functionName().
std::pair<std::string, unsigned> splitFunctionName(llvm::StringRef Name);

/// Whether \p G is a variable of each block.
bool isShared(const llvm::GlobalVariable &G);

/// Whether \p G is a variable in device memory, as opposed to shared memory or
/// a private constant such as a string.
bool isDeviceGlobal(const llvm::GlobalVariable &G);

/// Whether \p G keeps its value for the whole run of the program.
bool isFixed(const llvm::GlobalVariable &G);

} // namespace blockmaestro

#endif
