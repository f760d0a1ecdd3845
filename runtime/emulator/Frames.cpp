// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Frames.h"

#include "BlockContext.h"
#include "ContextCode.h"

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Module.h"

#include <cstddef>

using namespace llvm;

namespace blockmaestro {

namespace {

/// A bit is kept as a byte, so that a row of them can be read as a vector.
Type *frameType(IRBuilder<> &B, Type *T) {
  return T->isIntegerTy(1) ? B.getInt8Ty() : T;
}

} // namespace

unsigned Frames::add(uint64_t PerThread) {
  Bytes.push_back(PerThread);
  return Bytes.size() - 1;
}

void Frames::allocate(IRBuilder<> &B, Value *Context, Value *Threads) {
  if (Bytes.empty())
    return;
  SmallVector<Value *> Offsets;
  Value *Total = B.getInt64(0);
  for (uint64_t PerThread : Bytes) {
    Offsets.push_back(Total);
    Value *Size = B.CreateAdd(B.CreateMul(Threads, B.getInt64(PerThread)),
                              B.getInt64(FrameAlignment - 1));
    Total = B.CreateAdd(
        Total, B.CreateAnd(Size, B.getInt64(-int64_t(FrameAlignment))));
  }
  Value *Allocate =
      loadConstant(B, B.getPtrTy(), Context, offsetof(BlockContext, Allocate));
  auto *FT =
      FunctionType::get(B.getPtrTy(), {B.getPtrTy(), B.getInt64Ty()}, false);
  CallInst *Memory = B.CreateCall(FT, Allocate, {Context, Total});
  Memory->addRetAttr(Attribute::NoAlias);
  Memory->addRetAttr(Attribute::NonNull);
  Memory->addRetAttr(
      Attribute::getWithAlignment(B.getContext(), Align(FrameAlignment)));
  for (Value *Offset : Offsets)
    Bases.push_back(B.CreateInBoundsGEP(B.getInt8Ty(), Memory, Offset));
}

void Frames::placeForWarp(IRBuilder<> &Slots) {
  for (uint64_t PerLane : Bytes) {
    AllocaInst *Place = Slots.CreateAlloca(
        ArrayType::get(Slots.getInt8Ty(), PerLane * WarpSize));
    Place->setAlignment(Align(FrameAlignment));
    Bases.push_back(Place);
  }
}

Value *Frames::address(IRBuilder<> &B, unsigned Number, Value *Linear) const {
  auto *Element = ArrayType::get(B.getInt8Ty(), Bytes[Number]);
  return B.CreateInBoundsGEP(Element, Bases[Number], Linear);
}

void Frames::store(IRBuilder<> &B, unsigned Number, Value *Linear,
                   Value *What) const {
  Type *T = frameType(B, What->getType());
  if (T != What->getType())
    What = B.CreateZExt(What, T);
  B.CreateStore(What, B.CreateInBoundsGEP(T, Bases[Number], Linear));
}

Value *Frames::load(IRBuilder<> &B, unsigned Number, Value *Linear,
                    Type *T) const {
  Type *Kept = frameType(B, T);
  Value *Found =
      B.CreateLoad(Kept, B.CreateInBoundsGEP(Kept, Bases[Number], Linear));
  return Kept == T ? Found : B.CreateTrunc(Found, T);
}

uint64_t frameBytes(const DataLayout &Layout, Type *T) {
  return Layout.getTypeAllocSize(T);
}

} // namespace blockmaestro
