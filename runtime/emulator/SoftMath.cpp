// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SoftMath.h"

#include "FloatForm.h"

#include <cfenv>
#include <cmath>
#include <cstdlib>

#pragma STDC FENV_ACCESS ON

using namespace blockmaestro;

namespace {

/// Rounds in a direction while it lives.
class DirectedRounding {
public:
  explicit DirectedRounding(uint32_t Rounding) : Before(std::fegetround()) {
    static constexpr int Modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD,
                                    FE_UPWARD, FE_TONEAREST};
    std::fesetround(Modes[Rounding]);
  }
  ~DirectedRounding() { std::fesetround(Before); }
  DirectedRounding(const DirectedRounding &) = delete;
  DirectedRounding &operator=(const DirectedRounding &) = delete;

private:
  int Before;
};

/// An 8-bit format: bits of its fraction, its bias, its greatest finite number
/// and its NaN, as bits.
struct MiniFormat {
  int Fraction;
  int Bias;
  uint32_t Greatest;
  uint32_t Nan;
};
constexpr MiniFormat E4M3 = {3, 7, 0x7e, 0x7f};
constexpr MiniFormat E5M2 = {2, 15, 0x7b, 0x7f};

uint32_t toMini(float X, const MiniFormat &F) {
  uint32_t Sign = std::signbit(X) ? 0x80 : 0;
  if (std::isnan(X))
    return F.Nan;
  double Magnitude = std::fabs(double(X));
  if (std::isinf(Magnitude))
    return Sign | F.Greatest;
  int Exponent = Magnitude == 0 ? 0 : std::ilogb(Magnitude);
  Exponent = std::max(Exponent, 1 - F.Bias);
  double Steps = std::nearbyint(std::ldexp(Magnitude, F.Fraction - Exponent));
  uint32_t Above = uint32_t(Exponent + F.Bias - 1) << F.Fraction;
  uint32_t Bits = Above + uint32_t(Steps);
  return Sign | std::min(Bits, F.Greatest);
}

float fromMini(uint32_t Bits, const MiniFormat &F) {
  uint32_t Magnitude = Bits & 0x7f;
  uint32_t Least = 1U << F.Fraction;
  uint32_t Field = Magnitude >> F.Fraction;
  uint32_t Digits = Magnitude & (Least - 1);
  float Value = std::ldexp(float(Field ? Digits + Least : Digits),
                           int(Field ? Field : 1) - F.Bias - F.Fraction);
  if (Magnitude > F.Greatest)
    Value = F.Fraction == 2 && Digits == 0 ? INFINITY : NAN;
  return Bits & 0x80 ? -Value : Value;
}

} // namespace

double bm_directed_f64(uint32_t Op, uint32_t Rounding, double X, double Y,
                       double Z) {
  DirectedRounding Guard(Rounding);
  volatile double A = X;
  volatile double B = Y;
  volatile double C = Z;
  volatile double Result = 0;
  switch (FloatOp(Op)) {
  case FloatOp::Add:
    Result = A + B;
    break;
  case FloatOp::Sub:
    Result = A - B;
    break;
  case FloatOp::Mul:
    Result = A * B;
    break;
  case FloatOp::Div:
    Result = A / B;
    break;
  case FloatOp::Rcp:
    Result = 1.0 / A;
    break;
  case FloatOp::Sqrt:
    Result = std::sqrt(A);
    break;
  default:
    Result = std::fma(A, B, C);
    break;
  }
  return Result;
}

double bm_directed_f64_i64(uint32_t Rounding, uint64_t Bits, uint32_t Signed) {
  DirectedRounding Guard(Rounding);
  volatile int64_t Integer = int64_t(Bits);
  volatile double High = double(uint32_t(Bits >> 32)) * 0x1p32;
  volatile double Low = double(uint32_t(Bits));
  volatile double Result = Signed ? double(Integer) : High + Low;
  return Result;
}

uint32_t bm_to_e4m3(float X) { return toMini(X, E4M3); }
uint32_t bm_to_e5m2(float X) { return toMini(X, E5M2); }
float bm_from_e4m3(uint32_t Bits) { return fromMini(Bits, E4M3); }
float bm_from_e5m2(uint32_t Bits) { return fromMini(Bits, E5M2); }

uint32_t bm_find_nth(uint32_t Mask, uint32_t Base, int32_t Offset) {
  if (Base > 31)
    return ~0U;
  if (Offset == 0)
    return Mask >> Base & 1 ? Base : ~0U;
  int Step = Offset > 0 ? 1 : -1;
  int Left = std::abs(Offset);
  for (int At = int(Base); At >= 0 && At < 32; At += Step)
    if (Mask >> At & 1 && --Left == 0)
      return uint32_t(At);
  return ~0U;
}
