// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FloatCode.h"

#include "VectorMath.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace blockmaestro {

namespace {

/// Bits of the exponent and the fraction of a type.
struct Layout {
  unsigned Exponent;
  unsigned Fraction;

  uint64_t sign() const { return 1ULL << (Exponent + Fraction); }
  uint64_t infinity() const { return ((1ULL << Exponent) - 1) << Fraction; }
  uint64_t leastNormal() const { return 1ULL << Fraction; }
  uint64_t one() const { return ((1ULL << (Exponent - 1)) - 1) << Fraction; }
  uint64_t nan() const { return sign() - 1; }
  uint64_t greatest() const { return infinity() - 1; }
};

Layout layoutOf(PtxType T) {
  if (T.isBFloat())
    return {8, 7};
  switch (T.Bits) {
  case 16:
    return {5, 10};
  case 64:
    return {11, 52};
  default:
    return {8, 23};
  }
}

bool isMini(PtxType T) {
  return T.Kind == PtxKind::E4M3 || T.Kind == PtxKind::E5M2;
}

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
  Layout L = layoutOf(Type);
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
    Layout L = layoutOf(Type);
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

/// One bit of \p Rounded's last place towards \p Error when it was cut off and
/// its last bit is even; see Note [Exact results of narrow types].
Value *FloatCode::roundToOdd(Value *Rounded, Value *Error) {
  bool Double = Rounded->getType()->isDoubleTy();
  Type *Int = B.getIntNTy(Double ? 64 : 32);
  Value *Zero = ConstantFP::get(Error->getType(), 0);
  Value *ZeroResult = ConstantFP::get(Rounded->getType(), 0);
  Value *Bits = B.CreateBitCast(Rounded, Int);
  Value *Even = B.CreateICmpEQ(B.CreateAnd(Bits, 1), ConstantInt::get(Int, 0));
  Value *Outward = B.CreateICmpEQ(B.CreateFCmpOGT(Error, Zero),
                                  B.CreateFCmpOGT(Rounded, ZeroResult));
  Value *Step = B.CreateSelect(Outward, ConstantInt::get(Int, 1),
                               ConstantInt::getSigned(Int, -1));
  Value *Cut = B.CreateAnd(B.CreateFCmpONE(Error, Zero), Even);
  Value *Moved = B.CreateSelect(Cut, B.CreateAdd(Bits, Step), Bits);
  return B.CreateBitCast(Moved, Rounded->getType());
}

/// An exact sum of zero is negative when it is rounded down, but for +0 + +0.
Value *FloatCode::zeroOfSum(Value *Sum, Value *X, Value *Y) {
  Value *Zero = ConstantFP::get(Sum->getType(), 0);
  auto Bits = [&](Value *V) { return B.CreateBitCast(V, B.getInt64Ty()); };
  Value *Negative =
      B.CreateICmpSLT(B.CreateOr(Bits(X), Bits(Y)), B.getInt64(0));
  Value *Cancelled = B.CreateAnd(B.CreateFCmpOEQ(Sum, Zero), Negative);
  return B.CreateSelect(Cancelled, ConstantFP::getNegativeZero(Sum->getType()),
                        Sum);
}

/// X + Y rounded to odd, by the exact error of the sum.
Value *FloatCode::oddSum(Value *X, Value *Y, PtxRounding Rounding) {
  Value *Sum = B.CreateFAdd(X, Y);
  Value *Virtual = B.CreateFSub(Sum, X);
  Value *ErrorX = B.CreateFSub(X, B.CreateFSub(Sum, Virtual));
  Value *ErrorY = B.CreateFSub(Y, Virtual);
  Value *Odd = roundToOdd(Sum, B.CreateFAdd(ErrorX, ErrorY));
  return Rounding == PtxRounding::Down ? zeroOfSum(Odd, X, Y) : Odd;
}

/// A double as a float, rounded to odd.
Value *FloatCode::oddFloat(Value *Double) {
  Value *Near = B.CreateFPTrunc(Double, B.getFloatTy());
  Value *Back = B.CreateFPExt(Near, B.getDoubleTy());
  Type *Int = B.getInt32Ty();
  Value *Bits = B.CreateBitCast(Near, Int);
  Value *Even = B.CreateICmpEQ(B.CreateAnd(Bits, 1), B.getInt32(0));
  Value *Cut = B.CreateAnd(B.CreateFCmpONE(Back, Double), Even);
  Value *Beyond =
      B.CreateFCmpOGT(B.CreateUnaryIntrinsic(Intrinsic::fabs, Back),
                      B.CreateUnaryIntrinsic(Intrinsic::fabs, Double));
  Value *Step = B.CreateSelect(Beyond, B.getInt32(-1), B.getInt32(1));
  Value *Moved = B.CreateSelect(Cut, B.CreateAdd(Bits, Step), Bits);
  return B.CreateBitCast(Moved, B.getFloatTy());
}

/// \p Op on doubles that are exactly narrower numbers, so that rounding the
/// result to a narrower type is right.
Value *FloatCode::exactInDouble(FloatOp Op, ArrayRef<Value *> X,
                                PtxRounding Rounding) {
  switch (Op) {
  case FloatOp::Add:
    return oddSum(X[0], X[1], Rounding);
  case FloatOp::Sub:
    return oddSum(X[0], B.CreateFNeg(X[1]), Rounding);
  case FloatOp::Mul:
    return B.CreateFMul(X[0], X[1]);
  case FloatOp::Fma:
    return oddSum(B.CreateFMul(X[0], X[1]), X[2], Rounding);
  case FloatOp::Rcp:
    return exactInDouble(FloatOp::Div,
                         {ConstantFP::get(X[0]->getType(), 1), X[0]}, Rounding);
  case FloatOp::Div: {
    Value *Quotient = B.CreateFDiv(X[0], X[1]);
    Value *Rest = B.CreateIntrinsic(Intrinsic::fma, {Quotient->getType()},
                                    {B.CreateFNeg(Quotient), X[1], X[0]});
    Value *Error = B.CreateBinaryIntrinsic(Intrinsic::copysign, Rest,
                                           B.CreateFMul(Rest, X[1]));
    return roundToOdd(Quotient, Error);
  }
  case FloatOp::Sqrt: {
    Value *Root = B.CreateUnaryIntrinsic(Intrinsic::sqrt, X[0]);
    Value *Rest = B.CreateIntrinsic(Intrinsic::fma, {Root->getType()},
                                    {B.CreateFNeg(Root), Root, X[0]});
    return roundToOdd(Root, Rest);
  }
  default:
    return simple(Op, X);
  }
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

/// A double has nothing wider to be computed in: the host's rounding mode is
/// changed for the operation (SoftMath).
Value *FloatCode::directedDouble(FloatOp Op, PtxRounding Rounding,
                                 ArrayRef<Value *> X) {
  Value *Zero = ConstantFP::get(B.getDoubleTy(), 0);
  return hostCall("bm_directed_f64", B.getDoubleTy(),
                  {B.getInt32(unsigned(Op)), B.getInt32(unsigned(Rounding)),
                   X[0], X.size() > 1 ? X[1] : Zero,
                   X.size() > 2 ? X[2] : Zero});
}

/// Corrects \p Bits, which is \p Wide rounded to nearest, to another direction.
Value *FloatCode::direct(Value *Bits, Value *Wide, PtxType Type,
                         PtxRounding Rounding) {
  Value *Back = widen(Bits, Type);
  if (Wide->getType()->isDoubleTy() && !Back->getType()->isDoubleTy())
    Back = B.CreateFPExt(Back, B.getDoubleTy());
  Value *Above = B.CreateFCmpOGT(Back, Wide);
  Value *Below = B.CreateFCmpOLT(Back, Wide);
  Value *Negative = B.CreateICmpNE(B.CreateAnd(Bits, layoutOf(Type).sign()),
                                   B.getIntN(Type.Bits, 0));
  Value *Outer = B.CreateSelect(Negative, Below, Above);
  Value *Inward = B.CreateSub(Bits, B.getIntN(Type.Bits, 1));
  Value *Outward = B.CreateAdd(Bits, B.getIntN(Type.Bits, 1));
  switch (Rounding) {
  case PtxRounding::Zero:
    return B.CreateSelect(Outer, Inward, Bits);
  case PtxRounding::Down:
    return B.CreateSelect(Above, B.CreateSelect(Negative, Outward, Inward),
                          Bits);
  case PtxRounding::Up:
    return B.CreateSelect(Below, B.CreateSelect(Negative, Inward, Outward),
                          Bits);
  default:
    return Bits;
  }
}

/// \p Wide, a float or a double, to the nearest \p To.
Value *FloatCode::narrowNearest(Value *Wide, PtxType To) {
  bool Double = Wide->getType()->isDoubleTy();
  if (isMini(To))
    return toMini(Wide, To);
  if (To.Bits == 64)
    return B.CreateBitCast(Double ? Wide : B.CreateFPExt(Wide, B.getDoubleTy()),
                           B.getInt64Ty());
  if (To.Bits == 32)
    return B.CreateBitCast(
        Double ? B.CreateFPTrunc(Wide, B.getFloatTy()) : Wide, B.getInt32Ty());
  Value *Single = Double ? oddFloat(Wide) : Wide;
  Value *Bits;
  if (To.isBFloat()) {
    Value *Raw = B.CreateBitCast(Single, B.getInt32Ty());
    Value *Odd = B.CreateAnd(B.CreateLShr(Raw, 16), 1);
    Value *Rounded = B.CreateAdd(B.CreateAdd(Raw, B.getInt32(0x7fff)), Odd);
    Bits = B.CreateTrunc(B.CreateLShr(Rounded, 16), B.getInt16Ty());
  } else {
    Bits =
        B.CreateBitCast(B.CreateFPTrunc(Single, B.getHalfTy()), B.getInt16Ty());
  }
  return B.CreateSelect(B.CreateFCmpUNO(Single, Single), canonicalNan(To),
                        Bits);
}

Value *FloatCode::narrow(Value *Wide, PtxType To, const FloatForm &Form) {
  Value *Bits = narrowNearest(Wide, To);
  if (Form.Rounding != PtxRounding::Nearest)
    Bits = direct(Bits, Wide, To, Form.Rounding);
  return finish(Bits, To, Form);
}

/// min and max with their rules for NaN and for signs.
Value *FloatCode::minMax(FloatOp Op, PtxType Type, const FloatForm &Form,
                         ArrayRef<Value *> Operands) {
  Layout L = layoutOf(Type);
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
