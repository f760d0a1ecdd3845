// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Costs.h"

#include "AccessMarks.h"
#include "BlockContext.h"
#include "Refusal.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

#include <algorithm>

using namespace llvm;

namespace blockmaestro {

namespace {

using CostClass = uint64_t BlockCost::*;

/// Functions of a warp; see also the prefixes of KernelForm.
const char *const ExchangeNames[] = {
    "llvm.nvvm.activemask", "llvm.nvvm.bar.warp.", "llvm.nvvm.elect.",
    "llvm.nvvm.match.",     "llvm.nvvm.redux.",    "llvm.nvvm.shfl.",
    "llvm.nvvm.vote.",
};

/// Intrinsics that are one addition, product, comparison or the like.
bool isSimple(const CallInst &Call) {
  switch (Call.getIntrinsicID()) {
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
  case Intrinsic::fabs:
  case Intrinsic::copysign:
  case Intrinsic::minnum:
  case Intrinsic::maxnum:
  case Intrinsic::minimum:
  case Intrinsic::maximum:
    return true;
  default:
    break;
  }
  const Function *F = Call.getCalledFunction();
  StringRef Name = F ? F->getName() : "";
  return any_of(ArrayRef<StringRef>{"llvm.nvvm.fma.", "llvm.nvvm.fmin.",
                                    "llvm.nvvm.fmax.", "llvm.nvvm.add.",
                                    "llvm.nvvm.mul.", "llvm.nvvm.fabs"},
                [&](StringRef Each) { return Name.starts_with(Each); });
}

/// The class of arithmetic on values of this type.
CostClass classOfType(const Type *T) {
  T = T->getScalarType();
  if (T->isDoubleTy())
    return &BlockCost::Double;
  return T->isFloatingPointTy() ? &BlockCost::Single : &BlockCost::Integer;
}

/// The class of a function that is computed, without effects.
CostClass classOfFunction(const CallInst &Call) {
  bool Floating = Call.getType()->isFPOrFPVectorTy() ||
                  any_of(Call.args(), [](const Use &A) {
                    return A->getType()->isFPOrFPVectorTy();
                  });
  return Floating && !isSimple(Call) ? &BlockCost::Special
                                     : classOfType(Call.getType());
}

CostClass classOfCall(const CallInst &Call) {
  if (isWholeBlockBarrier(Call))
    return &BlockCost::Barriers;
  if (Call.isLifetimeStartOrEnd() || isa<AssumeInst>(Call) ||
      Call.isDebugOrPseudoInst())
    return nullptr;
  const Function *F = Call.getCalledFunction();
  StringRef Name = F ? F->getName() : "";
  if (any_of(ExchangeNames,
             [&](const char *Each) { return Name.starts_with(Each); }))
    return &BlockCost::Exchanges;
  bool Register = Name.starts_with("llvm.nvvm.read.ptx.sreg.");
  return Register || Call.mayWriteToMemory() ? &BlockCost::Other
                                             : classOfFunction(Call);
}

/// Accesses that have a marker are counted by what it tells.
CostClass classOfAccess(std::initializer_list<const Value *> Pointers) {
  return all_of(Pointers, isPrivate) ? &BlockCost::Private : nullptr;
}

CostClass classOfConversion(const CastInst &Cast, const DataLayout &Layout) {
  if (isa<AddrSpaceCastInst>(Cast) || Cast.isNoopCast(Layout))
    return nullptr;
  bool Floating = Cast.getSrcTy()->isFPOrFPVectorTy() ||
                  Cast.getDestTy()->isFPOrFPVectorTy();
  return Floating ? &BlockCost::Special : &BlockCost::Integer;
}

CostClass classOfArithmetic(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::FDiv:
  case Instruction::FRem:
    return &BlockCost::Special;
  case Instruction::FCmp:
    return classOfType(I.getOperand(0)->getType());
  default:
    return classOfType(I.getType());
  }
}

/// The class of \p I, or null where the GPU issues no instruction for it or
/// its marker tells more.
CostClass classOf(const Instruction &I) {
  if (const Value *Pointer = getLoadStorePointerOperand(&I))
    return classOfAccess({Pointer});
  if (const auto *Atomic = dyn_cast<AtomicRMWInst>(&I))
    return classOfAccess({Atomic->getPointerOperand()});
  if (const auto *Swap = dyn_cast<AtomicCmpXchgInst>(&I))
    return classOfAccess({Swap->getPointerOperand()});
  if (const auto *Copy = dyn_cast<MemTransferInst>(&I))
    return classOfAccess({Copy->getRawSource(), Copy->getRawDest()});
  if (const auto *Fill = dyn_cast<MemIntrinsic>(&I))
    return classOfAccess({Fill->getRawDest()});
  if (const auto *Call = dyn_cast<CallInst>(&I))
    return classOfCall(*Call);
  if (isa<PHINode, AllocaInst, UnreachableInst, FreezeInst, ExtractValueInst,
          InsertValueInst>(I))
    return nullptr;
  if (const auto *Cast = dyn_cast<CastInst>(&I))
    return classOfConversion(*Cast, I.getModule()->getDataLayout());
  if (I.isTerminator())
    return &BlockCost::Branches;
  return I.isFenceLike() ? &BlockCost::Other : classOfArithmetic(I);
}

void addScaled(BlockCost &Sum, const BlockCost &One, uint64_t Times) {
  for (const CostField &F : CostFields)
    Sum.*F.Value += One.*F.Value * Times;
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
  markAccesses(M);
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
