// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the code that reads a BlockContext, for those who generate code.
// On the data's way: used by Retarget and BlockFunction.
// Threads: stateless.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_CONTEXTCODE_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_CONTEXTCODE_H

#include "llvm/IR/IRBuilder.h"

namespace blockmaestro {

/// The address \p Offset bytes after \p Base.
inline llvm::Value *byteOffset(llvm::IRBuilder<> &B, llvm::Value *Base,
                               uint64_t Offset) {
  return B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Base, Offset);
}

/// Loads a \p T from \p Offset bytes after \p Base, which does not change while
/// a block runs.
inline llvm::LoadInst *loadConstant(llvm::IRBuilder<> &B, llvm::Type *T,
                                    llvm::Value *Base, uint64_t Offset) {
  llvm::LoadInst *Load =
      B.CreateAlignedLoad(T, byteOffset(B, Base, Offset), llvm::MaybeAlign(1));
  Load->setMetadata(llvm::LLVMContext::MD_invariant_load,
                    llvm::MDNode::get(B.getContext(), {}));
  return Load;
}

/// Loads number \p D of the three at \p Offset of the context \p Context: a
/// grid's or a block's extent, or a place in it.
inline llvm::LoadInst *loadDimension(llvm::IRBuilder<> &B, llvm::Value *Context,
                                     uint64_t Offset, unsigned D) {
  return loadConstant(B, B.getInt32Ty(), Context,
                      Offset + sizeof(uint32_t) * D);
}

} // namespace blockmaestro

#endif
