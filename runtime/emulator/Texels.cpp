// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Texels.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace blockmaestro {

namespace {

template <typename T> T load(const uint8_t *Address) {
  T Value;
  std::memcpy(&Value, Address, sizeof Value);
  return Value;
}

/// A float of 16 bits as one of 32.
float halfAsFloat(uint16_t Half) {
  constexpr unsigned MostExponent = 31, FractionBits = 10;
  const int Exponent = Half >> FractionBits & MostExponent;
  const uint32_t Fraction = Half & ((1u << FractionBits) - 1);
  const float Sign = Half & 0x8000 ? -1.0F : 1.0F;
  if (Exponent == int(MostExponent))
    return std::bit_cast<float>(uint32_t(Half & 0x8000) << 16 | 0x7f800000 |
                                Fraction << 13);
  if (Exponent == 0)
    return Sign * std::ldexp(float(Fraction), -24);
  return Sign * std::ldexp(float(Fraction | 1u << FractionBits), Exponent - 25);
}

/// An integer of \p Bits bits as a float of 0..1 or -1..1; of the two lowest
/// signed numbers both are -1.
float normalized(int Value, unsigned Bits, bool Signed) {
  const int Most = (1 << (Signed ? Bits - 1 : Bits)) - 1;
  return std::max(float(Value) / float(Most), -1.0F);
}

float linearOfSrgb(float C) {
  return C <= 0.04045F ? C / 12.92F
                       : float(std::pow((double(C) + 0.055) / 1.055, 2.4));
}

/// One component of an integer format of 8 or 16 bits.
int integerAt(const TexelFormat &Format, const uint8_t *Address) {
  const bool Signed = Format.Kind == ComponentKind::Signed;
  if (Format.Bits == 8)
    return Signed ? int(load<int8_t>(Address)) : *Address;
  return Signed ? int(load<int16_t>(Address)) : load<uint16_t>(Address);
}

/// One component of 8 or 16 bits.
uint32_t componentAt(const ImageView &View, const uint8_t *Address,
                     unsigned Number) {
  const TexelFormat &Format = View.Format;
  if (Format.Kind == ComponentKind::Float)
    return std::bit_cast<uint32_t>(halfAsFloat(load<uint16_t>(Address)));
  const int Value = integerAt(Format, Address);
  if (!givesFloats(View))
    return uint32_t(Value);
  float Float =
      normalized(Value, Format.Bits, Format.Kind == ComponentKind::Signed);
  constexpr unsigned Alpha = 3;
  if (View.Srgb && Number != Alpha)
    Float = linearOfSrgb(Float);
  return std::bit_cast<uint32_t>(Float);
}

} // namespace

bool givesFloats(const ImageView &View) {
  return View.Format.Kind == ComponentKind::Float ||
         (View.NormalizedValue && View.Format.Bits < 32);
}

Texel emptyTexel(const ImageView &View) {
  return {0, 0, 0, givesFloats(View) ? std::bit_cast<uint32_t>(1.0F) : 1};
}

Texel anyTexelAt(const ImageView &View, const uint8_t *Address) {
  Texel Out = emptyTexel(View);
  if (View.Format.Bits == 32) {
    constexpr size_t Word = sizeof(uint32_t);
    Out[0] = load<uint32_t>(Address);
    if (View.Format.Count > 1)
      Out[1] = load<uint32_t>(Address + Word);
    if (View.Format.Count > 2) {
      Out[2] = load<uint32_t>(Address + 2 * Word);
      Out[3] = load<uint32_t>(Address + 3 * Word);
    }
    return Out;
  }
  const unsigned Bytes = View.Format.Bits / 8;
  for (unsigned N = 0; N < View.Format.Count; ++N)
    Out[N] = componentAt(View, Address + size_t(N) * Bytes, N);
  return Out;
}

Texel borderOf(const ImageView &View) {
  const Texel Given = std::bit_cast<Texel>(View.Border);
  Texel Out = emptyTexel(View);
  for (unsigned N = 0; N < View.Format.Count; ++N)
    Out[N] = Given[N];
  return Out;
}

} // namespace blockmaestro
