// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: which definitions of a device module are those that run.
// On the data's way: before everything else of the device analysis, which then
// sees only definitions it can rely on; and asked when variants are made.
// Invariants: device code that is not relocatable is linked with nothing, so
// every definition is final. Of relocatable code the linker keeps one
// definition of each name, and a weak one may give way to that of another file.
// Definitions that C++ promises to be the same in every file (inline functions,
// templates) count as final; CodeIdentity finds broken promises.
// Threads: one per LLVMContext.

#ifndef BLOCKMAESTRO_PASSES_DEVICE_LINKAGE_H
#define BLOCKMAESTRO_PASSES_DEVICE_LINKAGE_H

#include <string>
#include <vector>

namespace llvm {
class Function;
class GlobalValue;
class Module;
} // namespace llvm

namespace blockmaestro {

/// Whether the linker of relocatable device code may take another definition in
/// the place of G.
bool isReplaceable(const llvm::GlobalValue &G);

/// Puts in the place of each alias what it stands for, where no other file can
/// change that. The aliases stay for other files.
void resolveAliases(llvm::Module &M, bool Relocatable);

/// Makes M, a copy made for analysis, a module of final definitions: functions
/// that may be replaced, and aliases of them, become declarations that
/// wasReplaceable() knows again.
/// Kernels keep their bodies.
void settleLinkage(llvm::Module &M, bool Relocatable);

/// Whether F, a declaration, had a body before settleLinkage().
bool wasReplaceable(const llvm::Function &F);

/// Kernel or a function it may run that another file may replace, or null.
const llvm::Function *findReplaceable(const llvm::Function &Kernel);

/// Makes kernels of the declarations of kernels that host code of this file
/// launches and another file defines: clang leaves them functions, which no
/// linker takes for the kernels.
void declareKernels(llvm::Module &M);

/// Puts a static variable of relocatable code in the place of the declaration
/// that clang 22 leaves of it where device code uses it before the host's does:
/// clang gives it its name for all files only then.
void joinRenamedVariables(llvm::Module &M);

/// Names of definitions that M, relocatable device code, offers to other files,
/// and of those that it takes from them where they have them: "any.F" of any
/// definition of F, "strong.F" of one that takes the place of a weak one.
struct OfferedNames {
  std::vector<std::string> Offered;
  std::vector<std::string> Wanted;
};

OfferedNames namesForLinker(const llvm::Module &M);

} // namespace blockmaestro

#endif
