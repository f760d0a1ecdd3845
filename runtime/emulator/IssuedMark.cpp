// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IssuedMark.h"

#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"

namespace blockmaestro {

using namespace llvm;

/// Whether it is none of those that cost nothing (costClassOf), among which a
/// computed number may be followed by others of it.
static bool computes(const Instruction &I) {
  const auto *Cast = dyn_cast<CastInst>(&I);
  const bool IsFree = Cast && Cast->isNoopCast(I.getModule()->getDataLayout());
  return !IsFree && !I.isTerminator() &&
         !isa<PHINode, AllocaInst, FreezeInst, ExtractValueInst,
              InsertValueInst, LoadInst, StoreInst>(I);
}

void markIssued(BasicBlock &B, const Instruction *Before, StringRef Letters) {
  LLVMContext &Context = B.getContext();
  const auto Mark = [&](Instruction &I, StringRef As) {
    I.setMetadata(IssuedMark, MDNode::get(Context, MDString::get(Context, As)));
  };
  Instruction *Last = nullptr;
  for (Instruction &I : B) {
    if (Before && !Before->comesBefore(&I))
      continue;
    Mark(I, "");
    Last = computes(I) ? &I : Last;
  }
  if (Last)
    Mark(*Last, Letters);
}

} // namespace blockmaestro
