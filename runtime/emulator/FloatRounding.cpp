// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// FloatCode's roundings: to odd, in every direction, and to narrower types.

#include "FloatCode.h"

#include "FloatLayout.h"

using namespace llvm;

namespace blockmaestro {

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

} // namespace blockmaestro
