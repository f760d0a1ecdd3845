// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Costs.h"

#include "BlockContext.h"
#include "Refusal.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

#include <algorithm>

using namespace llvm;

namespace blockmaestro {

namespace {

using CostClass = uint64_t BlockCost::*;

enum AddressSpace : unsigned { Generic = 0, Global = 1, Shared = 3 };

/// The class of a memory access through \p Pointer; thread-private memory and
/// kernel parameters are Other.
CostClass classOfMemory(const Value *Pointer, CostClass IfGlobal) {
  const Value *Object = getUnderlyingObject(Pointer, /*MaxLookup=*/0);
  unsigned Space = Object->getType()->getPointerAddressSpace();
  if (Space == Shared)
    return &BlockCost::SharedAccesses;
  bool Private = isa<AllocaInst>(Object);
  if (const auto *A = dyn_cast<Argument>(Object))
    Private = A->hasByValAttr();
  if (Private || (Space != Generic && Space != Global))
    return &BlockCost::Other;
  return IfGlobal;
}

CostClass classOfCall(const CallInst &Call) {
  if (isBlockBarrier(Call))
    return &BlockCost::Barriers;
  if (Call.isLifetimeStartOrEnd() || isa<AssumeInst>(Call) ||
      Call.isDebugOrPseudoInst())
    return nullptr;
  const Function *F = Call.getCalledFunction();
  bool Special = F && F->getName().starts_with("llvm.nvvm.read.ptx.sreg.");
  return !Special && !Call.mayWriteToMemory() ? &BlockCost::Arithmetic
                                              : &BlockCost::Other;
}

/// The class of \p I, or null where the GPU issues no instruction for it.
CostClass classOf(const Instruction &I) {
  if (const auto *Load = dyn_cast<LoadInst>(&I))
    return classOfMemory(Load->getPointerOperand(), &BlockCost::GlobalReads);
  if (const auto *Store = dyn_cast<StoreInst>(&I))
    return classOfMemory(Store->getPointerOperand(), &BlockCost::GlobalWrites);
  if (const auto *Atomic = dyn_cast<AtomicRMWInst>(&I))
    return classOfMemory(Atomic->getPointerOperand(), &BlockCost::GlobalWrites);
  if (const auto *Swap = dyn_cast<AtomicCmpXchgInst>(&I))
    return classOfMemory(Swap->getPointerOperand(), &BlockCost::GlobalWrites);
  if (const auto *Call = dyn_cast<CallInst>(&I))
    return classOfCall(*Call);
  if (isa<PHINode, AllocaInst, UnreachableInst, FreezeInst, ExtractValueInst,
          InsertValueInst>(I))
    return nullptr;
  if (const auto *Cast = dyn_cast<CastInst>(&I))
    if (isa<AddrSpaceCastInst>(Cast) ||
        Cast->isNoopCast(I.getModule()->getDataLayout()))
      return nullptr;
  return I.isTerminator() || I.isFenceLike() ? &BlockCost::Other
                                             : &BlockCost::Arithmetic;
}

void addScaled(BlockCost &Sum, const BlockCost &One, uint64_t Times) {
  for (CostClass C : {&BlockCost::Arithmetic, &BlockCost::GlobalReads,
                      &BlockCost::GlobalWrites, &BlockCost::SharedAccesses,
                      &BlockCost::Barriers, &BlockCost::Other})
    Sum.*C += One.*C * Times;
}

} // namespace

std::vector<BlockCost> markVisits(Module &M) {
  LLVMContext &Context = M.getContext();
  Type *Int = Type::getInt32Ty(Context);
  FunctionCallee Marker =
      M.getOrInsertFunction(VisitMarker, Type::getVoidTy(Context), Int);
  std::vector<BlockCost> Weights;
  for (Function &F : M)
    for (BasicBlock &B : F) {
      BlockCost Weight;
      for (const Instruction &I : B)
        if (CostClass C = classOf(I))
          ++(Weight.*C);
      IRBuilder<> Builder(&B, B.getFirstInsertionPt());
      Builder.CreateCall(Marker, ConstantInt::get(Int, Weights.size()));
      Weights.push_back(Weight);
    }
  return Weights;
}

BlockCost costOfVisits(const std::vector<BlockCost> &Weights,
                       const uint32_t *Visits, uint64_t Threads) {
  BlockCost Sum;
  for (uint64_t First = 0; First < Threads; First += WarpSize) {
    uint64_t End = std::min<uint64_t>(First + WarpSize, Threads);
    for (size_t K = 0; K < Weights.size(); ++K) {
      uint32_t Most = 0;
      for (uint64_t T = First; T < End; ++T)
        Most = std::max(Most, Visits[T * Weights.size() + K]);
      addScaled(Sum, Weights[K], Most);
    }
  }
  return Sum;
}

} // namespace blockmaestro
