// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "VectorMath.h"

using namespace llvm;

namespace blockmaestro {

namespace {

/// Coefficients, the highest power first: exp(r) = 1 + r + r^2 P(r), and
/// log(1 + r) = r - r^2/2 + r^3 P(r), sin(r) = r + r^3 P(r^2),
/// cos(r) = 1 - r^2/2 + r^4 P(r^2).
constexpr double ExpTerms[] = {1.9875691500e-4, 1.3981999507e-3,
                               8.3334519073e-3, 4.1665795894e-2,
                               1.6666665459e-1, 5.0000001201e-1};
constexpr double LogTerms[] = {
    7.0376836292e-2,  -1.1514610310e-1, 1.1676998740e-1,
    -1.2420140846e-1, 1.4249322787e-1,  -1.6668057665e-1,
    2.0000714765e-1,  -2.4999993993e-1, 3.3333331174e-1};
constexpr double SinTerms[] = {-1.9515295891e-4, 8.3321608736e-3,
                               -1.6666654611e-1};
constexpr double CosTerms[] = {2.443315711809948e-5, -1.388731625493765e-3,
                               4.166664568298827e-2};
constexpr double Log2E = 1.4426950408889634;
constexpr double Ln2 = 0.6931471805599453;

/// What every function here is made of.
class Single {
public:
  explicit Single(IRBuilder<> &B) : B(B) {}

  Value *number(double V) { return ConstantFP::get(B.getFloatTy(), V); }
  Value *fma(Value *X, Value *Y, Value *Z) {
    return B.CreateIntrinsic(Intrinsic::fma, {X->getType()}, {X, Y, Z});
  }
  Value *polynomial(Value *X, ArrayRef<double> Terms) {
    Value *Sum = ConstantFP::get(X->getType(), Terms.front());
    for (double Term : Terms.drop_front())
      Sum = fma(Sum, X, ConstantFP::get(X->getType(), Term));
    return Sum;
  }
  Value *bits(Value *X) { return B.CreateBitCast(X, B.getInt32Ty()); }
  Value *fromBits(Value *X) { return B.CreateBitCast(X, B.getFloatTy()); }
  Value *absolute(Value *X) {
    return B.CreateUnaryIntrinsic(Intrinsic::fabs, X);
  }
  Value *clamp(Value *X, double Low, double High);
  Value *powerOfTwo(Value *Exponent);
  Value *expOf(Value *Rest, Value *Whole);
  Value *logOf(Value *X, double Scale, Value *&Exponent, Value *&Linear);
  Value *finishLog(Value *X, Value *Result);
  Value *quadrant(Value *X, Value *&Rest);
  Value *fastSine(Value *X, double Quarters);

  IRBuilder<> &B;
};

/// NaN becomes \p Low.
Value *Single::clamp(Value *X, double Low, double High) {
  Type *T = X->getType();
  Value *L = ConstantFP::get(T, Low);
  Value *H = ConstantFP::get(T, High);
  Value *Up = B.CreateSelect(B.CreateFCmpOGT(X, L), X, L);
  return B.CreateSelect(B.CreateFCmpOLT(Up, H), Up, H);
}

/// 2^Exponent, of an integer from -126 to 127.
Value *Single::powerOfTwo(Value *Exponent) {
  return fromBits(B.CreateShl(B.CreateAdd(Exponent, B.getInt32(127)), 23));
}

/// exp(Rest) * 2^Whole; Rest is at most ln(2) / 2. The power is applied in two
/// steps, since it need not be a number itself.
Value *Single::expOf(Value *Rest, Value *Whole) {
  Value *Square = B.CreateFMul(Rest, Rest);
  Value *Tail = fma(polynomial(Rest, ExpTerms), Square, Rest);
  Value *Result = B.CreateFAdd(Tail, number(1));
  Value *N = B.CreateFPToSI(Whole, B.getInt32Ty());
  Value *Half = B.CreateAShr(N, 1);
  Result = B.CreateFMul(Result, powerOfTwo(Half));
  return B.CreateFMul(Result, powerOfTwo(B.CreateSub(N, Half)));
}

/// Splits X = 2^Exponent * (1 + Linear) with 1 + Linear near 1; what log(1 +
/// Linear) has beyond Linear, times \p Scale.
Value *Single::logOf(Value *X, double Scale, Value *&Exponent, Value *&Linear) {
  Value *Small = B.CreateFCmpOLT(X, number(0x1p-126));
  Value *Normal = B.CreateSelect(Small, B.CreateFMul(X, number(0x1p24)), X);
  Value *Word = bits(Normal);
  // Bits of the least significand, sqrt(1/2), so that it comes out as near 1.
  Value *Base = B.getInt32(0x3f3504f3);
  Value *Biased = B.CreateSub(Word, Base);
  Value *N = B.CreateAShr(Biased, 23);
  Value *Significand =
      fromBits(B.CreateAdd(B.CreateAnd(Biased, 0x007fffff), Base));
  Exponent = B.CreateFSub(B.CreateSIToFP(N, B.getFloatTy()),
                          B.CreateSelect(Small, number(24), number(0)));
  Linear = B.CreateFSub(Significand, number(1));
  Value *Square = B.CreateFMul(Linear, Linear);
  Value *Cubic =
      B.CreateFMul(B.CreateFMul(Square, Linear), polynomial(Linear, LogTerms));
  Value *Tail = fma(Square, number(-0.5), Cubic);
  return Scale == 1 ? Tail : B.CreateFMul(Tail, number(Scale));
}

/// The values at 0, infinity, NaN and below 0.
Value *Single::finishLog(Value *X, Value *Result) {
  Value *Infinity = ConstantFP::getInfinity(B.getFloatTy());
  Value *Kept =
      B.CreateSelect(B.CreateFCmpOLT(X, Infinity), Result, B.CreateFAdd(X, X));
  Value *Nan = ConstantFP::getNaN(B.getFloatTy());
  Value *Above = B.CreateSelect(B.CreateFCmpOLT(X, number(0)), Nan, Kept);
  return B.CreateSelect(B.CreateFCmpOEQ(X, number(0)),
                        ConstantFP::getInfinity(B.getFloatTy(), true), Above);
}

/// The multiple of pi/2 nearest to \p X, and what remains.
Value *Single::quadrant(Value *X, Value *&Rest) {
  Type *Double = B.getDoubleTy();
  auto Constant = [&](double V) { return ConstantFP::get(Double, V); };
  Value *Wide = B.CreateFPExt(X, Double);
  Value *N = B.CreateUnaryIntrinsic(
      Intrinsic::roundeven, B.CreateFMul(Wide, Constant(0.6366197723675814)));
  Value *First = fma(N, Constant(-1.5707963267948966), Wide);
  Value *Second = fma(N, Constant(-6.123233995736766e-17), First);
  Rest = B.CreateFPTrunc(clamp(Second, -0.7853982, 0.7853982), B.getFloatTy());
  return N;
}

/// sin(X + Quarters * pi/2).
Value *Single::fastSine(Value *X, double Quarters) {
  Value *Rest;
  Value *N = quadrant(X, Rest);
  Type *Double = B.getDoubleTy();
  Value *Shifted = B.CreateFAdd(N, ConstantFP::get(Double, Quarters));
  Value *Fours = B.CreateUnaryIntrinsic(
      Intrinsic::floor, B.CreateFMul(Shifted, ConstantFP::get(Double, 0.25)));
  Value *Part = clamp(fma(Fours, ConstantFP::get(Double, -4), Shifted), 0, 3);
  Value *Index = B.CreateFPToSI(Part, B.getInt32Ty());
  Value *Square = B.CreateFMul(Rest, Rest);
  Value *Sine =
      fma(B.CreateFMul(Square, Rest), polynomial(Square, SinTerms), Rest);
  Value *Cosine =
      fma(B.CreateFMul(Square, Square), polynomial(Square, CosTerms),
          fma(Square, number(-0.5), number(1)));
  Value *Odd = B.CreateICmpNE(B.CreateAnd(Index, 1), B.getInt32(0));
  Value *Chosen = B.CreateSelect(Odd, Cosine, Sine);
  Value *Sign = B.CreateShl(B.CreateAnd(Index, 2), 30);
  Value *Result = fromBits(B.CreateXor(bits(Chosen), Sign));
  Value *Finite =
      B.CreateFCmpOLT(absolute(X), ConstantFP::getInfinity(B.getFloatTy()));
  return B.CreateSelect(Finite, Result, ConstantFP::getNaN(B.getFloatTy()));
}

} // namespace

Value *emitExp2(IRBuilder<> &B, Value *X) {
  Single S(B);
  Value *Within = S.clamp(X, -152, 130);
  Value *Whole = B.CreateUnaryIntrinsic(Intrinsic::roundeven, Within);
  Value *Rest = B.CreateFMul(B.CreateFSub(Within, Whole), S.number(Ln2));
  return B.CreateSelect(B.CreateFCmpUNO(X, X), X, S.expOf(Rest, Whole));
}

Value *emitExp(IRBuilder<> &B, Value *X) {
  Single S(B);
  Value *Within = S.clamp(X, -105, 90);
  Value *Whole = B.CreateUnaryIntrinsic(Intrinsic::roundeven,
                                        B.CreateFMul(Within, S.number(Log2E)));
  // ln(2) as two numbers; the first has zeros at its end.
  Value *Rest = S.fma(Whole, S.number(-0x1.62e4p-1), Within);
  Rest = S.fma(Whole, S.number(-0x1.7f7d1cp-20), Rest);
  return B.CreateSelect(B.CreateFCmpUNO(X, X), X, S.expOf(Rest, Whole));
}

Value *emitLog(IRBuilder<> &B, Value *X) {
  Single S(B);
  Value *Exponent;
  Value *Linear;
  Value *Tail = S.logOf(X, 1, Exponent, Linear);
  Tail = S.fma(Exponent, S.number(0x1.7f7d1cp-20), Tail);
  Value *Sum = B.CreateFAdd(Linear, Tail);
  return S.finishLog(X, S.fma(Exponent, S.number(0x1.62e4p-1), Sum));
}

Value *emitLog2(IRBuilder<> &B, Value *X) {
  Single S(B);
  Value *Exponent;
  Value *Linear;
  Value *Tail = S.logOf(X, Log2E, Exponent, Linear);
  // 1/ln(2) as two numbers, since its rounding would be a great part of the
  // error near 1.
  Value *Low = S.fma(Linear, S.number(Log2E - double(float(Log2E))), Tail);
  Value *Sum = S.fma(Linear, S.number(float(Log2E)), Low);
  return S.finishLog(X, B.CreateFAdd(Exponent, Sum));
}

Value *emitLog10(IRBuilder<> &B, Value *X) {
  constexpr double Log10E = 0.4342944819032518;
  constexpr double Log10Of2 = 0.3010299956639812;
  Single S(B);
  Value *Exponent;
  Value *Linear;
  Value *Tail = S.logOf(X, Log10E, Exponent, Linear);
  Tail = S.fma(Linear, S.number(Log10E - double(float(Log10E))), Tail);
  constexpr double Head = 0x1.344p-2;
  Tail = S.fma(Exponent, S.number(Log10Of2 - Head), Tail);
  Value *Sum = S.fma(Linear, S.number(float(Log10E)), Tail);
  return S.finishLog(X, S.fma(Exponent, S.number(Head), Sum));
}

Value *emitFastSin(IRBuilder<> &B, Value *X) {
  Single S(B);
  Value *Tiny = B.CreateFCmpOLT(S.absolute(X), S.number(0x1p-12));
  return B.CreateSelect(Tiny, X, S.fastSine(X, 0));
}

Value *emitFastCos(IRBuilder<> &B, Value *X) {
  return Single(B).fastSine(X, 1);
}

Value *emitFastTanh(IRBuilder<> &B, Value *X) {
  Single S(B);
  Value *Magnitude = S.absolute(X);
  Value *Power = emitExp2(B, B.CreateFMul(Magnitude, S.number(-2 * Log2E)));
  Value *Large = B.CreateFDiv(B.CreateFSub(S.number(1), Power),
                              B.CreateFAdd(S.number(1), Power));
  Value *Cube = B.CreateFMul(B.CreateFMul(Magnitude, Magnitude), Magnitude);
  Value *Small = S.fma(Cube, S.number(-1.0 / 3), Magnitude);
  Value *Result =
      B.CreateSelect(B.CreateFCmpOLT(Magnitude, S.number(0.04)), Small, Large);
  return B.CreateBinaryIntrinsic(Intrinsic::copysign, Result, X);
}

} // namespace blockmaestro
