// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The moves and conversions of PTX: mov, cvt, cvta, isspacep.

#include "PtxCode.h"

using namespace llvm;

namespace blockmaestro {

namespace {

/// Also packs and unpacks: mov.b32 {a, b}, c.
void move(PtxCode &C, PtxInstruction &I) {
  if (I.Operands.size() != 2)
    return C.refuse();
  C.write(I.Operands[0], C.read(I.Operands[1], I.type()), I.type().isSigned());
}

/// .rni, .rzi, .rmi and .rpi round to an integral number.
std::optional<PtxRounding> takeIntegral(PtxInstruction &I) {
  StringRef Word = I.takeAny({"rni", "rzi", "rmi", "rpi"});
  if (Word.empty())
    return std::nullopt;
  return StringSwitch<PtxRounding>(Word)
      .Case("rzi", PtxRounding::Zero)
      .Case("rmi", PtxRounding::Down)
      .Case("rpi", PtxRounding::Up)
      .Default(PtxRounding::Nearest);
}

FloatOp integralOp(PtxRounding Rounding) {
  switch (Rounding) {
  case PtxRounding::Zero:
    return FloatOp::Trunc;
  case PtxRounding::Down:
    return FloatOp::Floor;
  case PtxRounding::Up:
    return FloatOp::Ceil;
  default:
    return FloatOp::Round;
  }
}

/// Between integers: cut off, extended, or limited to the range with .sat.
Value *integerToInteger(IRBuilder<> &B, Value *X, PtxType From, PtxType To,
                        bool Saturate) {
  Type *T = B.getIntNTy(To.Bits);
  if (!Saturate)
    return B.CreateIntCast(X, T, From.isSigned());
  Type *Wide = B.getIntNTy(128);
  Value *V = B.CreateIntCast(X, Wide, From.isSigned());
  APInt Low = To.isSigned() ? APInt::getSignedMinValue(To.Bits).sext(128)
                            : APInt(128, 0);
  APInt High = To.isSigned() ? APInt::getSignedMaxValue(To.Bits).sext(128)
                             : APInt::getMaxValue(To.Bits).zext(128);
  V = B.CreateBinaryIntrinsic(Intrinsic::smax, V, ConstantInt::get(Wide, Low));
  V = B.CreateBinaryIntrinsic(Intrinsic::smin, V, ConstantInt::get(Wide, High));
  return B.CreateTrunc(V, T);
}

/// One number, from \p From to \p To.
Value *convertNumber(PtxCode &C, Value *X, PtxType From, PtxType To,
                     FloatForm Form, std::optional<PtxRounding> Integral) {
  if (From.isInteger() && To.isInteger())
    return integerToInteger(C.B, X, From, To, Form.Saturate);
  if (To.isInteger()) {
    if (Integral)
      Form.Rounding = *Integral;
    return C.Floats.toInteger(X, From, To, Form);
  }
  if (From.isInteger())
    return C.Floats.fromInteger(X, From, To, Form);
  if (Integral) {
    FloatForm Input;
    Input.Flush = Form.Flush;
    X = C.Floats.apply(integralOp(*Integral), From, Input, {X});
  }
  return C.Floats.convert(X, From, To, Form);
}

/// cvt; two operands become the lanes of the result, the first one the upper.
void convert(PtxCode &C, PtxInstruction &I) {
  if (I.Base == "cvt" && I.take("pack"))
    return C.refuse();
  std::optional<PtxRounding> Integral = takeIntegral(I);
  FloatForm Form = I.takeForm();
  if (I.Types.size() != 2 || I.Operands.size() < 2)
    return C.refuse();
  auto [To, From] = std::pair(I.Types[0], I.Types[1]);
  auto One = [&](Value *X) {
    return convertNumber(C, X, From.lane(), To.lane(), Form, Integral);
  };
  if (To.Lanes == From.Lanes) {
    Value *Result =
        C.Floats.perLane(From, {C.read(I.Operands[1], From)},
                         [&](ArrayRef<Value *> L) { return One(L[0]); });
    return C.write(I.Operands[0], Result, To.isSigned());
  }
  if (To.Lanes != 2 || I.Operands.size() != 3)
    return C.refuse();
  Type *Wide = C.B.getIntNTy(To.total());
  Value *High = C.B.CreateZExt(One(C.read(I.Operands[1], From)), Wide);
  Value *Low = C.B.CreateZExt(One(C.read(I.Operands[2], From)), Wide);
  C.write(I.Operands[0], C.B.CreateOr(C.B.CreateShl(High, To.Bits), Low));
}

struct SpaceRow {
  const char *Name;
  unsigned Space;
  Intrinsic::ID Test;
};
const SpaceRow SpaceRows[] = {
    {"global", 1, Intrinsic::nvvm_isspacep_global},
    {"shared", 3, Intrinsic::nvvm_isspacep_shared},
    {"shared::cta", 3, Intrinsic::nvvm_isspacep_shared},
    {"shared::cluster", 3, Intrinsic::nvvm_isspacep_shared_cluster},
    {"const", 4, Intrinsic::nvvm_isspacep_const},
    {"local", 5, Intrinsic::nvvm_isspacep_local},
    {"param", 101, Intrinsic::not_intrinsic},
};

const SpaceRow *takeSpace(PtxInstruction &I) {
  for (const SpaceRow &Row : SpaceRows)
    if (I.take(Row.Name))
      return &Row;
  return nullptr;
}

/// Address spaces other than the shared one have the same addresses here.
void convertAddress(PtxCode &C, PtxInstruction &I) {
  IRBuilder<> &B = C.B;
  bool To = I.take("to");
  const SpaceRow *Row = takeSpace(I);
  if (!Row || I.Operands.size() != 2)
    return C.refuse();
  Value *Bits = C.read(I.Operands[1], {PtxKind::Unsigned, 64, 1});
  if (Row->Space == 3) {
    Type *Generic = B.getPtrTy();
    Type *Shared = B.getPtrTy(3);
    Value *Address = B.CreateIntToPtr(Bits, To ? Generic : Shared);
    Bits = B.CreatePtrToInt(
        B.CreateAddrSpaceCast(Address, To ? Shared : Generic), B.getInt64Ty());
  }
  C.write(I.Operands[0], Bits);
}

void isInSpace(PtxCode &C, PtxInstruction &I) {
  const SpaceRow *Row = takeSpace(I);
  if (!Row || Row->Test == Intrinsic::not_intrinsic || I.Operands.size() != 2)
    return C.refuse();
  Value *Address = C.B.CreateIntToPtr(
      C.read(I.Operands[1], {PtxKind::Unsigned, 64, 1}), C.B.getPtrTy());
  C.write(I.Operands[0], C.intrinsic(Row->Test, {Address}));
}

const PtxRow ConvertRows[] = {
    {"mov", move},
    {"cvt", convert},
    {"cvta", convertAddress},
    {"isspacep", isInSpace},
};

} // namespace

ArrayRef<PtxRow> ptxConvertRows() { return ConvertRows; }

} // namespace blockmaestro
