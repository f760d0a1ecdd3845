// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Costs.h"

#include "AccessMarks.h"
#include "BlockContext.h"
#include "Chains.h"
#include "IssuedSequences.h"
#include "Predication.h"
#include "Refusal.h"
#include "TextureLowering.h"
#include "WarpLowering.h"
#include "blockmaestro/WarpCosts.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

#include <algorithm>

using namespace llvm;

namespace blockmaestro {

namespace {

/// Functions of a warp; see also the prefixes of KernelForm.
const char *const ExchangeNames[] = {
    "llvm.nvvm.activemask", "llvm.nvvm.bar.warp.", "llvm.nvvm.elect.",
    "llvm.nvvm.match.",     "llvm.nvvm.redux.",    "llvm.nvvm.shfl.",
    "llvm.nvvm.vote.",      CollectMarker,
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
  return Register || isImageMarker(Name) || Call.mayWriteToMemory()
             ? &BlockCost::Other
             : classOfFunction(Call);
}

/// Accesses that have a marker are counted by what it tells.
CostClass classOfAccess(std::initializer_list<const Value *> Pointers) {
  return all_of(Pointers, isPrivate) ? &BlockCost::Private : nullptr;
}

/// Whether the units of integers and floats convert, not that of functions: to
/// floats from what has 32 bits, and between floats of 16 and of 32.
bool isMadeByArithmetic(const CastInst &Cast) {
  const Type *From = Cast.getSrcTy()->getScalarType();
  const Type *To = Cast.getDestTy()->getScalarType();
  return !To->isDoubleTy() && !From->isDoubleTy() &&
         ((isa<SIToFPInst, UIToFPInst>(Cast) &&
           From->getIntegerBitWidth() <= 32) ||
          isa<FPTruncInst, FPExtInst>(Cast));
}

CostClass classOfConversion(const CastInst &Cast, const DataLayout &Layout) {
  if (isa<AddrSpaceCastInst>(Cast) || Cast.isNoopCast(Layout))
    return nullptr;
  bool Floating = Cast.getSrcTy()->isFPOrFPVectorTy() ||
                  Cast.getDestTy()->isFPOrFPVectorTy();
  return Floating && !isMadeByArithmetic(Cast) ? &BlockCost::Special
                                               : &BlockCost::Integer;
}

CostClass classOfArithmetic(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::FDiv:
  case Instruction::FRem:
    return &BlockCost::Special;
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
    return isa<Constant>(I.getOperand(1)) ? &BlockCost::Integer
                                          : &BlockCost::Special;
  case Instruction::FCmp:
    return classOfType(I.getOperand(0)->getType());
  default:
    return classOfType(I.getType());
  }
}

} // namespace

CostClass costClassOf(const Instruction &I) {
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

namespace {

void addScaled(BlockCost &Sum, const BlockCost &One, uint64_t Times) {
  for (const CostField &F : CostFields)
    Sum.*F.Value += One.*F.Value * Times;
}

/// Counts one instruction that is issued.
void addIssued(BlockCost &To, CostClass Counted, WarpClass Class) {
  ++(To.*Counted);
  To.Products += Class == WarpClass::Product;
  To.Approximations += Class == WarpClass::Approximation;
  To.Conversions += Class == WarpClass::Conversion;
}

/// What a GPU issues for \p I, which costs some.
void addInstruction(BlockCost &To, const Instruction &I, CostClass Counted) {
  if (const StringRef Sequence = issuedSequenceOf(I); !Sequence.empty())
    for (const char Letter : Sequence)
      addIssued(To, costFieldOf(classOfLetter(Letter)), classOfLetter(Letter));
  else
    for (unsigned Left = issuesOf(I); Left--;)
      addIssued(To, Counted, issuedClassOf(I, Counted));
}

/// What a visit costs without accesses that are told of, and without chains.
BlockCost weightOf(const BasicBlock &B) {
  BlockCost Weight;
  uint64_t Told = 0;
  for (const Instruction &I : B) {
    if (isReplacedByPredicate(I))
      continue;
    if (const CostClass Counted = costClassOf(I))
      addInstruction(Weight, I, Counted);
    else
      Told += I.mayReadOrWriteMemory();
  }
  Weight.ChainInstructions = Weight.instructions() + Told;
  return Weight;
}

/// All warps together; of the chains those of the slowest.
void addWarp(BlockCost &Sum, const BlockCost &Warp) {
  const bool Slower = chainCycles(Warp) > chainCycles(Sum);
  for (const CostField &F : CostFields)
    if (!isOfSlowestWarp(F.Value))
      Sum.*F.Value += Warp.*F.Value;
    else if (Slower)
      Sum.*F.Value = Warp.*F.Value;
}

/// Before each of the block a marker.
void markBarriers(Module &M) {
  FunctionCallee Marker =
      M.getOrInsertFunction(AheadMarker, Type::getVoidTy(M.getContext()));
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (const auto *Call = dyn_cast<CallBase>(&I);
          Call && isWholeBlockBarrier(*Call))
        IRBuilder<>(&I).CreateCall(Marker);
}

} // namespace

std::vector<BlockCost> markVisits(Module &M) {
  LLVMContext &Context = M.getContext();
  Type *Int = Type::getInt32Ty(Context);
  FunctionCallee Marker =
      M.getOrInsertFunction(VisitMarker, Type::getVoidTy(Context), Int);
  std::vector<BlockCost> Weights;
  for (Function &F : M) {
    const size_t First = Weights.size();
    DenseMap<const BasicBlock *, size_t> Numbers;
    for (BasicBlock &B : F) {
      Numbers[&B] = Weights.size();
      Weights.push_back(weightOf(B));
    }
    if (!F.isDeclaration())
      addChains(F, costClassOf, [&](const BasicBlock &B) -> BlockCost & {
        return Weights[Numbers.lookup(&B)];
      });
    for (auto [Number, B] : enumerate(F)) {
      IRBuilder<> Builder(&B, B.getFirstInsertionPt());
      Builder.CreateCall(Marker, ConstantInt::get(Int, First + Number));
    }
  }
  markBarriers(M);
  markAccesses(M);
  return Weights;
}

BlockCost costOfVisits(const std::vector<BlockCost> &Weights,
                       std::span<const uint64_t> Visits) {
  BlockCost Sum;
  for (; !Visits.empty(); Visits = Visits.subspan(Weights.size())) {
    BlockCost Warp;
    for (size_t K = 0; K < Weights.size(); ++K)
      if (Visits[K])
        addScaled(Warp, Weights[K], Visits[K]);
    addWarp(Sum, Warp);
  }
  return Sum;
}

} // namespace blockmaestro
