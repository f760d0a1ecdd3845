// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LaneCode.h"

#include "BlockContext.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

#include <numeric>

using namespace llvm;

namespace blockmaestro {

namespace {

VectorType *vectorOf(Type *Element) {
  return FixedVectorType::get(Element, WarpSize);
}

/// What leaves \p Operation on integers as it is.
APInt identityOf(WarpOperation Operation) {
  switch (Operation) {
  case WarpOperation::And:
  case WarpOperation::UnsignedMinimum:
    return APInt::getAllOnes(32);
  case WarpOperation::Minimum:
    return APInt::getSignedMaxValue(32);
  case WarpOperation::Maximum:
    return APInt::getSignedMinValue(32);
  default:
    return APInt::getZero(32);
  }
}

} // namespace

Constant *laneNumbers(LLVMContext &Context) {
  SmallVector<uint32_t> Numbers(WarpSize);
  std::iota(Numbers.begin(), Numbers.end(), 0);
  return ConstantDataVector::get(Context, Numbers);
}

/// A vector of i1 as a mask of lanes.
Value *LaneCode::bits(Value *Set) {
  return B.CreateBitCast(Set, B.getInt32Ty());
}

Value *LaneCode::lanes() { return Present ? bits(Present) : B.getInt32(~0u); }

/// \p Values with \p Absent, which all lanes have, for those that are not here.
Value *LaneCode::orElse(Value *Values, Value *Absent) {
  if (!Present)
    return Values;
  return B.CreateSelect(Present, Values, B.CreateVectorSplat(WarpSize, Absent));
}

/// Element \p From[lane] of \p Offered for every lane.
Value *LaneCode::gather(Value *Offered, Value *From) {
  Type *Element = cast<VectorType>(Offered->getType())->getElementType();
  Value *Source = Slots.CreateAlloca(Offered->getType());
  Value *Index = Slots.CreateAlloca(From->getType());
  Value *Target = Slots.CreateAlloca(Offered->getType());
  B.CreateStore(Offered, Source);
  B.CreateStore(From, Index);
  BasicBlock *Before = B.GetInsertBlock();
  BasicBlock *Loop =
      BasicBlock::Create(B.getContext(), "gather", Before->getParent());
  BasicBlock *After =
      BasicBlock::Create(B.getContext(), "gathered", Before->getParent());
  B.CreateBr(Loop);
  B.SetInsertPoint(Loop);
  PHINode *Lane = B.CreatePHI(B.getInt64Ty(), 2);
  Lane->addIncoming(B.getInt64(0), Before);
  Value *Which = B.CreateLoad(B.getInt32Ty(),
                              B.CreateInBoundsGEP(B.getInt32Ty(), Index, Lane));
  Value *Got = B.CreateLoad(
      Element, B.CreateInBoundsGEP(Element, Source,
                                   B.CreateZExt(Which, B.getInt64Ty())));
  B.CreateStore(Got, B.CreateInBoundsGEP(Element, Target, Lane));
  Value *Next = B.CreateAdd(Lane, B.getInt64(1), "", true, true);
  Lane->addIncoming(Next, Loop);
  B.CreateCondBr(B.CreateICmpULT(Next, B.getInt64(WarpSize)), Loop, After);
  B.SetInsertPoint(After);
  return B.CreateLoad(Offered->getType(), Target);
}

/// See shuffle() of WarpOperations. With a distance and a clamp that are
/// constants everything but the values is, and gather() a shufflevector.
LaneOutcome LaneCode::shuffle(WarpOperation Operation, Value *Own,
                              Value *Second, Value *Third) {
  auto All = [&](Value *V) {
    return V->getType()->isVectorTy() ? V : B.CreateVectorSplat(WarpSize, V);
  };
  auto Number = [&](uint32_t N) {
    return ConstantVector::getSplat(ElementCount::getFixed(WarpSize),
                                    B.getInt32(N));
  };
  Value *Lane = laneNumbers(B.getContext());
  Third = All(Third);
  Value *By = B.CreateAnd(All(Second), Number(31));
  Value *Segment = B.CreateAnd(B.CreateLShr(Third, Number(8)), Number(31));
  Value *First = B.CreateAnd(Lane, Segment);
  Value *Last = B.CreateOr(
      First, B.CreateAnd(B.CreateAnd(Third, Number(31)), B.CreateNot(Segment)));
  Value *From;
  if (Operation == WarpOperation::ShuffleUp)
    From = B.CreateSub(Lane, By);
  else if (Operation == WarpOperation::ShuffleDown)
    From = B.CreateAdd(Lane, By);
  else if (Operation == WarpOperation::ShuffleButterfly)
    From = B.CreateXor(Lane, By);
  else
    From = B.CreateOr(First, B.CreateAnd(By, B.CreateNot(Segment)));
  Value *Inside = Operation == WarpOperation::ShuffleUp
                      ? B.CreateICmpSGE(From, Last)
                      : B.CreateICmpSLE(From, Last);
  From = B.CreateAnd(B.CreateSelect(Inside, From, Lane), Number(31));
  Type *Element = cast<VectorType>(Own->getType())->getElementType();
  Value *Offered = orElse(Own, Constant::getNullValue(Element));
  auto *Known = dyn_cast<ConstantDataVector>(From);
  if (!Known)
    return {gather(Offered, From), Inside};
  SmallVector<int> Sources;
  for (unsigned K = 0; K < WarpSize; ++K)
    Sources.push_back(Known->getElementAsInteger(K));
  return {B.CreateShuffleVector(Offered, Sources), Inside};
}

Value *LaneCode::vote(WarpOperation Operation, Value *Says) {
  Value *Yes = bits(orElse(Says, B.getFalse()));
  switch (Operation) {
  case WarpOperation::VoteAll:
    return B.CreateICmpEQ(Yes, lanes());
  case WarpOperation::VoteAny:
    return B.CreateIsNotNull(Yes);
  case WarpOperation::VoteUniform:
    return B.CreateOr(B.CreateIsNull(Yes), B.CreateICmpEQ(Yes, lanes()));
  default:
    return Yes;
  }
}

Value *LaneCode::reduce(WarpOperation Operation, Value *Values) {
  Value *All = orElse(Values, B.getInt(identityOf(Operation)));
  switch (Operation) {
  case WarpOperation::Add:
    return B.CreateAddReduce(All);
  case WarpOperation::And:
    return B.CreateAndReduce(All);
  case WarpOperation::Or:
    return B.CreateOrReduce(All);
  case WarpOperation::Xor:
    return B.CreateXorReduce(All);
  case WarpOperation::Minimum:
    return B.CreateIntMinReduce(All, /*IsSigned=*/true);
  case WarpOperation::Maximum:
    return B.CreateIntMaxReduce(All, /*IsSigned=*/true);
  case WarpOperation::UnsignedMinimum:
    return B.CreateIntMinReduce(All);
  default:
    return B.CreateIntMaxReduce(All);
  }
}

LaneOutcome LaneCode::elect() {
  Value *Leader =
      B.CreateBinaryIntrinsic(Intrinsic::cttz, lanes(), B.getFalse());
  return {Leader, B.CreateICmpEQ(laneNumbers(B.getContext()),
                                 B.CreateVectorSplat(WarpSize, Leader))};
}

/// Lets bm_lanes() do what has no instructions.
LaneOutcome LaneCode::resolveOutside(WarpOperation Operation, Value *Values) {
  Type *Wide = vectorOf(B.getInt64Ty());
  Type *Element = cast<VectorType>(Values->getType())->getElementType();
  unsigned Width = Element->getPrimitiveSizeInBits();
  Value *In = Slots.CreateAlloca(Wide);
  Value *Out = Slots.CreateAlloca(Wide);
  Values = B.CreateBitCast(Values, vectorOf(B.getIntNTy(Width)));
  B.CreateStore(orElse(B.CreateZExt(Values, Wide), B.getInt64(0)), In);
  Module &M = *B.GetInsertBlock()->getModule();
  FunctionCallee Callee =
      M.getOrInsertFunction("bm_lanes", B.getVoidTy(), B.getInt32Ty(),
                            B.getInt32Ty(), B.getPtrTy(), B.getPtrTy());
  auto *F = cast<Function>(Callee.getCallee());
  F->setOnlyAccessesArgMemory();
  F->setDoesNotThrow();
  for (unsigned K : {2, 3})
    F->addParamAttr(
        K, Attribute::getWithCaptureInfo(B.getContext(), CaptureInfo::none()));
  B.CreateCall(Callee, {B.getInt32(unsigned(Operation)), lanes(), In, Out});
  Value *Packed = B.CreateLoad(Wide, Out);
  Value *Result = B.CreateTrunc(Packed, vectorOf(B.getInt32Ty()));
  auto *Bit = ConstantVector::getSplat(ElementCount::getFixed(WarpSize),
                                       B.getInt64(32));
  return {Result,
          B.CreateTrunc(B.CreateLShr(Packed, Bit), vectorOf(B.getInt1Ty()))};
}

LaneOutcome LaneCode::emit(WarpOperation Operation, ArrayRef<Value *> Brought) {
  using enum WarpOperation;
  auto Vector = [&](Value *V) {
    return V->getType()->isVectorTy() ? V : B.CreateVectorSplat(WarpSize, V);
  };
  if (Operation == Sync)
    return {};
  if (Operation == Active)
    return {lanes()};
  if (Operation == Elect)
    return elect();
  Value *First = Vector(Brought[0]);
  if (Operation <= ShuffleIndex)
    return shuffle(Operation, First, Brought[1], Brought[2]);
  if (Operation <= Ballot)
    return {vote(Operation, First)};
  if (Operation >= Add && Operation <= UnsignedMaximum)
    return {reduce(Operation, First)};
  LaneOutcome All = resolveOutside(Operation, First);
  if (Operation == MatchAny)
    return All;
  Value *Leader =
      B.CreateBinaryIntrinsic(Intrinsic::cttz, lanes(), B.getFalse());
  Type *Float = Brought[0]->getType()->getScalarType();
  Value *Same = B.CreateExtractElement(All.Result, Leader);
  if (Operation > MatchAll)
    Same = B.CreateBitCast(Same, Float);
  return {Same, All.Predicate};
}

} // namespace blockmaestro
