// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: copies of device functions that may run while other launches
// are still writing what they read.
// On the data's way: used by BlockVariants on the user's device module.
// Invariants: the originals stay as they are; a copy calls only copies; nothing
// in a copy allows a load to be served stale or moved before a wait (noalias,
// invariant and alias-scope marks are gone).

#ifndef BLOCKMAESTRO_PASSES_DEVICE_VARIANTCLONES_H
#define BLOCKMAESTRO_PASSES_DEVICE_VARIANTCLONES_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

namespace llvm {
class CallInst;
class Function;
class Type;
} // namespace llvm

namespace blockmaestro {

enum class IndexSource {
  Hardware, ///< threadIdx and the rest are read from the hardware's registers.
  Memory,   ///< From a BlockIds, passed as one more last parameter.
};

/// Makes and remembers the copies of one module for one IndexSource.
class VariantClones {
public:
  VariantClones(IndexSource Source, llvm::StringRef Suffix)
      : Source(Source), Suffix(Suffix) {}

  /// A copy of F named Name with the parameter types Extra appended, linkage
  /// and calling convention as F's; the caller adjusts those.
  llvm::Function *copy(llvm::Function &F, const llvm::Twine &Name,
                       llvm::ArrayRef<llvm::Type *> Extra);

  /// The internal copy of F that other copies call.
  llvm::Function *body(llvm::Function &F);

private:
  llvm::Function *duplicate(llvm::Function &F, const llvm::Twine &Name,
                            llvm::ArrayRef<llvm::Type *> Extra);
  void redirectCalls(llvm::Function &Copy);
  void redirectCall(llvm::CallInst &Call, llvm::Function &Copy);
  void readIdsFromMemory(llvm::CallInst &Call, llvm::Function &Copy);

  IndexSource Source;
  llvm::StringRef Suffix;
  llvm::DenseMap<llvm::Function *, llvm::Function *> Bodies;
};

} // namespace blockmaestro

#endif
