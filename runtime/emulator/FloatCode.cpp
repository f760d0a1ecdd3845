// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FloatCode.h"

#include "FloatLayout.h"
#include "VectorMath.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace blockmaestro {

namespace {

/// Operations whose result, correctly rounded to single, is still right when
/// rounded again to \p Type.
bool singleIsEnough(FloatOp Op, PtxType Type) {
  switch (Op) {
  case FloatOp::Mul:
    return !Type.isBFloat();
  case FloatOp::Fma:
  case FloatOp::Div:
  case FloatOp::Rcp:
  case FloatOp::Sqrt:
    return false;
  default:
    return true;
  }
}

/// Operations whose result depends on a rounding.
bool isRounded(FloatOp Op) {
  switch (Op) {
  case FloatOp::Add:
  case FloatOp::Sub:
  case FloatOp::Mul:
  case FloatOp::Fma:
  case FloatOp::Div:
  case FloatOp::Rcp:
  case FloatOp::Sqrt:
    return true;
  default:
    return false;
  }
}

} // namespace

Value *FloatCode::hostCall(const char *Name, Type *Result,
                           ArrayRef<Value *> Operands) {
  SmallVector<Type *> Types;
  for (Value *V : Operands)
    Types.push_back(V->getType());
  Module &M = *B.GetInsertBlock()->getModule();
  FunctionCallee Callee =
      M.getOrInsertFunction(Name, FunctionType::get(Result, Types, false));
  auto *F = cast<Function>(Callee.getCallee());
  F->setDoesNotAccessMemory();
  F->setDoesNotThrow();
  F->setWillReturn();
  return B.CreateCall(Callee, Operands);
}

Value *FloatCode::perLane(PtxType Type, ArrayRef<Value *> Operands,
                          function_ref<Value *(ArrayRef<Value *>)> Each) {
  if (Type.Lanes == 1)
    return Each(Operands);
  Type.Bits = Type.total() / Type.Lanes;
  Value *Whole = nullptr;
  for (unsigned Lane = 0; Lane < Type.Lanes; ++Lane) {
    SmallVector<Value *> Parts;
    for (Value *V : Operands)
      Parts.push_back(B.CreateTrunc(B.CreateLShr(V, Lane * Type.Bits),
                                    B.getIntNTy(Type.Bits)));
    Value *Part = Each(Parts);
    unsigned LaneBits = Part->getType()->getIntegerBitWidth();
    Value *Placed =
        B.CreateShl(B.CreateZExt(Part, B.getIntNTy(LaneBits * Type.Lanes)),
                    Lane * LaneBits);
    Whole = Whole ? B.CreateOr(Whole, Placed) : Placed;
  }
  return Whole;
}

Value *FloatCode::canonicalNan(PtxType Type) {
  return B.getIntN(Type.Bits, layoutOf(Type).nan());
}

Value *FloatCode::isNan(Value *Bits, PtxType Type) {
  Value *Magnitude = B.CreateAnd(Bits, ~layoutOf(Type).sign());
  return B.CreateICmpUGT(Magnitude,
                         B.getIntN(Type.Bits, layoutOf(Type).infinity()));
}

Value *FloatCode::widen(Value *Bits, PtxType Type) {
  if (isMini(Type))
    return fromMini(Bits, Type);
  if (Type.isBFloat())
    return B.CreateBitCast(B.CreateShl(B.CreateZExt(Bits, B.getInt32Ty()), 16),
                           B.getFloatTy());
  if (Type.Bits == 16)
    return B.CreateFPExt(B.CreateBitCast(Bits, B.getHalfTy()), B.getFloatTy());
  return B.CreateBitCast(Bits,
                         Type.Bits == 64 ? B.getDoubleTy() : B.getFloatTy());
}

/// Subnormals become zeros of their sign.
Value *FloatCode::flush(Value *Bits, PtxType Type) {
  FloatLayout L = layoutOf(Type);
  Value *Magnitude = B.CreateAnd(Bits, ~L.sign());
  Value *Small =
      B.CreateICmpULT(Magnitude, B.getIntN(Type.Bits, L.leastNormal()));
  return B.CreateSelect(Small, B.CreateAnd(Bits, L.sign()), Bits);
}

/// 0..1, NaN to 0.
Value *FloatCode::limit(Value *Bits, PtxType Type) {
  Value *X = widen(Bits, Type);
  Value *Zero = B.getIntN(Type.Bits, 0);
  Value *One = B.getIntN(Type.Bits, layoutOf(Type).one());
  Value *Low = B.CreateSelect(
      B.CreateFCmpOGT(X, ConstantFP::get(X->getType(), 0)), Bits, Zero);
  return B.CreateSelect(B.CreateFCmpOGE(X, ConstantFP::get(X->getType(), 1)),
                        One, Low);
}

/// What is done to a result after it has been rounded.
Value *FloatCode::finish(Value *Bits, PtxType Type, const FloatForm &Form) {
  if (Form.Flush)
    Bits = flush(Bits, Type);
  if (Form.SatFinite) {
    FloatLayout L = layoutOf(Type);
    Value *Magnitude = B.CreateAnd(Bits, ~L.sign());
    Value *Most = B.CreateOr(B.CreateAnd(Bits, L.sign()),
                             B.getIntN(Type.Bits, L.greatest()));
    Bits = B.CreateSelect(
        B.CreateICmpEQ(Magnitude, B.getIntN(Type.Bits, L.infinity())), Most,
        Bits);
  }
  if (Form.Saturate)
    Bits = limit(Bits, Type);
  if (Form.Relu) {
    Value *X = widen(Bits, Type);
    Value *Above = B.CreateFCmpOGT(X, ConstantFP::get(X->getType(), 0));
    Value *Kept = B.CreateSelect(Above, Bits, B.getIntN(Type.Bits, 0));
    Bits = B.CreateSelect(isNan(Bits, Type), canonicalNan(Type), Kept);
  }
  return Bits;
}

/// The operation itself, to nearest.
Value *FloatCode::simple(FloatOp Op, ArrayRef<Value *> X) {
  Type *T = X[0]->getType();
  auto Unary = [&](Intrinsic::ID Id) {
    return B.CreateUnaryIntrinsic(Id, X[0]);
  };
  switch (Op) {
  case FloatOp::Add:
    return B.CreateFAdd(X[0], X[1]);
  case FloatOp::Sub:
    return B.CreateFSub(X[0], X[1]);
  case FloatOp::Mul:
    return B.CreateFMul(X[0], X[1]);
  case FloatOp::Fma:
    return B.CreateIntrinsic(Intrinsic::fma, {T}, X);
  case FloatOp::Div:
    return B.CreateFDiv(X[0], X[1]);
  case FloatOp::Rcp:
    return B.CreateFDiv(ConstantFP::get(T, 1), X[0]);
  case FloatOp::Sqrt:
    return Unary(Intrinsic::sqrt);
  case FloatOp::Rsqrt:
    return B.CreateFDiv(ConstantFP::get(T, 1), Unary(Intrinsic::sqrt));
  case FloatOp::Sin:
    return T->isFloatTy() ? emitFastSin(B, X[0]) : Unary(Intrinsic::sin);
  case FloatOp::Cos:
    return T->isFloatTy() ? emitFastCos(B, X[0]) : Unary(Intrinsic::cos);
  case FloatOp::Ex2:
    return T->isFloatTy() ? emitExp2(B, X[0]) : Unary(Intrinsic::exp2);
  case FloatOp::Lg2:
    return T->isFloatTy() ? emitLog2(B, X[0]) : Unary(Intrinsic::log2);
  case FloatOp::Tanh:
    return T->isFloatTy() ? emitFastTanh(B, X[0]) : Unary(Intrinsic::tanh);
  case FloatOp::Floor:
    return Unary(Intrinsic::floor);
  case FloatOp::Ceil:
    return Unary(Intrinsic::ceil);
  case FloatOp::Trunc:
    return Unary(Intrinsic::trunc);
  case FloatOp::Round:
    return Unary(Intrinsic::roundeven);
  case FloatOp::Min:
    return B.CreateBinaryIntrinsic(Intrinsic::minimumnum, X[0], X[1]);
  case FloatOp::Max:
    return B.CreateBinaryIntrinsic(Intrinsic::maximumnum, X[0], X[1]);
  case FloatOp::Abs:
    return Unary(Intrinsic::fabs);
  case FloatOp::Neg:
    return B.CreateFNeg(X[0]);
  case FloatOp::Copysign:
    return B.CreateBinaryIntrinsic(Intrinsic::copysign, X[0], X[1]);
  }
  return nullptr;
}

/// min and max with their rules for NaN and for signs.
Value *FloatCode::minMax(FloatOp Op, PtxType Type, const FloatForm &Form,
                         ArrayRef<Value *> Operands) {
  FloatLayout L = layoutOf(Type);
  SmallVector<Value *> X;
  for (Value *V : Operands)
    X.push_back(widen(Form.XorSign ? B.CreateAnd(V, ~L.sign()) : V, Type));
  Value *Wide = X[0];
  for (Value *Next : drop_begin(X)) {
    if (!Form.Nan)
      Wide = simple(Op, {Wide, Next});
    else
      Wide = B.CreateBinaryIntrinsic(Op == FloatOp::Min ? Intrinsic::minimum
                                                        : Intrinsic::maximum,
                                     Wide, Next);
  }
  Value *Bits = narrowNearest(Wide, Type);
  if (Form.Nan)
    Bits = B.CreateSelect(isNan(Bits, Type), canonicalNan(Type), Bits);
  if (Form.XorSign) {
    Value *Sign = B.CreateAnd(B.CreateXor(Operands[0], Operands[1]), L.sign());
    Bits = B.CreateOr(B.CreateAnd(Bits, ~L.sign()), Sign);
  }
  return finish(Bits, Type, Form);
}

/// What changes nothing but the sign.
Value *FloatCode::signOnly(FloatOp Op, PtxType Type,
                           ArrayRef<Value *> Operands) {
  uint64_t Sign = layoutOf(Type).sign();
  switch (Op) {
  case FloatOp::Abs:
    return B.CreateAnd(Operands[0], ~Sign);
  case FloatOp::Neg:
    return B.CreateXor(Operands[0], Sign);
  default:
    return B.CreateOr(B.CreateAnd(Operands[0], ~Sign),
                      B.CreateAnd(Operands[1], Sign));
  }
}

Value *FloatCode::applyLane(FloatOp Op, PtxType Type, const FloatForm &Form,
                            ArrayRef<Value *> Operands) {
  SmallVector<Value *> Bits(Operands);
  if (Form.Flush)
    for (Value *&V : Bits)
      V = flush(V, Type);
  if (Op == FloatOp::Min || Op == FloatOp::Max)
    return minMax(Op, Type, Form, Bits);
  if (Op == FloatOp::Abs || Op == FloatOp::Neg || Op == FloatOp::Copysign)
    return finish(signOnly(Op, Type, Bits), Type, Form);
  SmallVector<Value *> X;
  for (Value *V : Bits)
    X.push_back(widen(V, Type));
  bool Directed = Form.Rounding != PtxRounding::Nearest && isRounded(Op);
  if (Type.Bits == 64) {
    Value *Wide =
        Directed ? directedDouble(Op, Form.Rounding, X) : simple(Op, X);
    return finish(B.CreateBitCast(Wide, B.getInt64Ty()), Type, Form);
  }
  bool Single = !Directed && (Type.Bits == 32 || singleIsEnough(Op, Type));
  if (Single)
    return narrow(simple(Op, X), Type, Form);
  for (Value *&V : X)
    V = B.CreateFPExt(V, B.getDoubleTy());
  return narrow(exactInDouble(Op, X, Form.Rounding), Type, Form);
}

Value *FloatCode::apply(FloatOp Op, PtxType Type, const FloatForm &Form,
                        ArrayRef<Value *> Operands) {
  return perLane(Type, Operands, [&](ArrayRef<Value *> Lane) {
    return applyLane(Op, Type.lane(), Form, Lane);
  });
}

/// \p Wide to an integral number.
Value *FloatCode::integral(Value *Wide, PtxRounding Rounding) {
  switch (Rounding) {
  case PtxRounding::Zero:
    return simple(FloatOp::Trunc, {Wide});
  case PtxRounding::Down:
    return simple(FloatOp::Floor, {Wide});
  case PtxRounding::Up:
    return simple(FloatOp::Ceil, {Wide});
  default:
    return simple(FloatOp::Round, {Wide});
  }
}

Value *FloatCode::toInteger(Value *Bits, PtxType From, PtxType To,
                            const FloatForm &Form) {
  if (Form.Flush)
    Bits = flush(Bits, From);
  Value *Wide = widen(Bits, From);
  Value *Whole = integral(Wide, Form.Rounding);
  Type *Int = B.getIntNTy(To.Bits);
  Value *Result = B.CreateIntrinsic(To.isSigned() ? Intrinsic::fptosi_sat
                                                  : Intrinsic::fptoui_sat,
                                    {Int, Whole->getType()}, {Whole});
  bool ZeroForNan = From.Bits != 64 && To.Bits != 64;
  if (ZeroForNan)
    return Result;
  Value *Nan = ConstantInt::get(Int, APInt::getSignMask(To.Bits));
  return B.CreateSelect(B.CreateFCmpUNO(Wide, Wide), Nan, Result);
}

Value *FloatCode::fromInteger(Value *Bits, PtxType From, PtxType To,
                              const FloatForm &Form) {
  bool Signed = From.isSigned();
  auto ToFloat = [&](Value *V, Type *T) {
    return Signed ? B.CreateSIToFP(V, T) : B.CreateUIToFP(V, T);
  };
  bool Nearest = Form.Rounding == PtxRounding::Nearest;
  if (Nearest && To.Bits >= 32)
    return finish(narrowNearest(ToFloat(Bits, To.Bits == 64 ? B.getDoubleTy()
                                                            : B.getFloatTy()),
                                To),
                  To, Form);
  if (From.Bits < 64)
    return narrow(ToFloat(Bits, B.getDoubleTy()), To, Form);
  if (To.Bits == 64)
    return B.CreateBitCast(hostCall("bm_directed_f64_i64", B.getDoubleTy(),
                                    {B.getInt32(unsigned(Form.Rounding)), Bits,
                                     B.getInt32(Signed)}),
                           B.getInt64Ty());
  Value *Low = B.CreateAnd(Bits, 0xfff);
  Value *Sticky = B.CreateSelect(B.CreateICmpNE(Low, B.getInt64(0)),
                                 B.getInt64(0x800), B.getInt64(0));
  Value *Cut = B.CreateOr(B.CreateAnd(Bits, ~0xfffULL), Sticky);
  Value *Magnitude =
      Signed ? B.CreateBinaryIntrinsic(Intrinsic::abs, Bits, B.getFalse())
             : Bits;
  Value *Exact = B.CreateICmpULT(Magnitude, B.getInt64(1ULL << 53));
  return narrow(ToFloat(B.CreateSelect(Exact, Bits, Cut), B.getDoubleTy()), To,
                Form);
}

/// To 10 bits of fraction.
Value *FloatCode::roundTf32(Value *Float, const FloatForm &Form) {
  constexpr unsigned Dropped = 13;
  constexpr uint32_t Mask = (1U << Dropped) - 1;
  Value *Bits = B.CreateBitCast(Float, B.getInt32Ty());
  Value *Added = Bits;
  if (Form.Rounding == PtxRounding::NearestAway)
    Added = B.CreateAdd(Bits, B.getInt32((Mask + 1) / 2));
  else if (Form.Rounding == PtxRounding::Nearest)
    Added = B.CreateAdd(B.CreateAdd(Bits, B.getInt32(Mask / 2)),
                        B.CreateAnd(B.CreateLShr(Bits, Dropped), 1));
  Value *Rounded = B.CreateAnd(Added, ~Mask);
  PtxType Single{PtxKind::Float, 32, 1};
  Value *Result =
      B.CreateSelect(isNan(Bits, Single), canonicalNan(Single), Rounded);
  return finish(Result, Single, Form);
}

/// The 8-bit formats are converted by the host (SoftMath).
Value *FloatCode::toMini(Value *Wide, PtxType To) {
  return B.CreateTrunc(
      hostCall(To.Kind == PtxKind::E4M3 ? "bm_to_e4m3" : "bm_to_e5m2",
               B.getInt32Ty(), {Wide}),
      B.getInt8Ty());
}

Value *FloatCode::fromMini(Value *Bits, PtxType From) {
  return hostCall(From.Kind == PtxKind::E4M3 ? "bm_from_e4m3" : "bm_from_e5m2",
                  B.getFloatTy(), {B.CreateZExt(Bits, B.getInt32Ty())});
}

Value *FloatCode::convert(Value *Bits, PtxType From, PtxType To,
                          const FloatForm &Form) {
  if (Form.Flush && From.Bits == 32)
    Bits = flush(Bits, From);
  Value *Wide = widen(Bits, From);
  if (To.Kind == PtxKind::Tf32)
    return roundTf32(Wide, Form);
  if (isMini(To)) {
    FloatForm Clamp;
    Clamp.Relu = Form.Relu;
    PtxType Single{PtxKind::Float, 32, 1};
    return toMini(
        widen(finish(narrowNearest(Wide, Single), Single, Clamp), Single), To);
  }
  return narrow(Wide, To, Form);
}

} // namespace blockmaestro
