// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: where the parts of a floating-point number are among its bits.
// On the data's way: inside FloatCode.
// Threads: values.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_FLOATLAYOUT_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_FLOATLAYOUT_H

#include "PtxTypes.h"

#include <cstdint>

namespace blockmaestro {

/// Bits of the exponent and the fraction of a type.
struct FloatLayout {
  unsigned Exponent;
  unsigned Fraction;

  uint64_t sign() const { return 1ULL << (Exponent + Fraction); }
  uint64_t infinity() const { return ((1ULL << Exponent) - 1) << Fraction; }
  uint64_t leastNormal() const { return 1ULL << Fraction; }
  uint64_t one() const { return ((1ULL << (Exponent - 1)) - 1) << Fraction; }
  uint64_t nan() const { return sign() - 1; }
  uint64_t greatest() const { return infinity() - 1; }
};

inline FloatLayout layoutOf(PtxType T) {
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

inline bool isMini(PtxType T) {
  return T.Kind == PtxKind::E4M3 || T.Kind == PtxKind::E5M2;
}

} // namespace blockmaestro

#endif
