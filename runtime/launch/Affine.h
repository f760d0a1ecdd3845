// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: sums of the indices that range within a launch, with numbers for
// coefficients, over boxes of such indices; and the checked arithmetic that
// evaluation and the graph need.
// On the data's way: inside Evaluate.
// Invariants: nothing wraps silently. Threads: values.

#ifndef BLOCKMAESTRO_RUNTIME_LAUNCH_AFFINE_H
#define BLOCKMAESTRO_RUNTIME_LAUNCH_AFFINE_H

#include "blockmaestro/BlockGraph.h"
#include "blockmaestro/Encoding.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace blockmaestro {

using Wide = __int128;

/// Largest magnitude of an offset, guard or bound that is used: sums of a few
/// such values still fit 64 bits.
inline constexpr int64_t LargestValue = int64_t(1) << 59;

/// Divisor > 0. Most numbers fit 64 bits, where a division costs far less.
constexpr Wide floorDivWide(Wide Value, Wide Divisor) {
  if (Divisor == 1)
    return Value;
  if (Value == int64_t(Value) && Divisor == int64_t(Divisor))
    return floorDiv(int64_t(Value), int64_t(Divisor));
  const Wide Quotient = Value / Divisor;
  return Value < Quotient * Divisor ? Quotient - 1 : Quotient;
}
constexpr Wide ceilDivWide(Wide Value, Wide Divisor) {
  return -floorDivWide(-Value, Divisor);
}

/// The indices of one access: 0..2 threadIdx, 3..5 blockIdx, the rest whatever
/// else the access ranges over: loop counters, quotients, values.
inline constexpr unsigned FirstBlock = 3;
inline constexpr unsigned FirstOther = 6;
inline constexpr unsigned MaxIndices = 16;

constexpr bool isBlock(unsigned Index) {
  return Index >= FirstBlock && Index < FirstOther;
}

struct Interval {
  int64_t Low = 0;
  int64_t High = 0; ///< Inclusive.
  bool single() const { return Low == High; }
};

/// Those from Count on have the value 0 only.
struct IndexBox {
  std::array<Interval, MaxIndices> Of{};
  unsigned Count = MaxIndices;

  Interval &operator[](size_t Index) { return Of[Index]; }
  const Interval &operator[](size_t Index) const { return Of[Index]; }
};

struct WideInterval {
  Wide Low = 0;
  Wide High = 0;
  bool usable() const { return Low >= -LargestValue && High <= LargestValue; }
};

/// Lowest and highest value of Slope . b over the blocks b of In.
inline WideInterval dotOver(const int64_t (&Slope)[3], const Box &In) {
  WideInterval Sum;
  for (unsigned D = 0; D < 3; ++D) {
    if (Slope[D] == 0)
      continue;
    const Wide First = Wide(Slope[D]) * In.Low[D];
    const Wide Last = Wide(Slope[D]) * In.High[D];
    Sum.Low += std::min(First, Last);
    Sum.High += std::max(First, Last);
  }
  return Sum;
}

/// Constant + sum Of[i] * index i.
struct Affine {
  int64_t Constant = 0;
  std::array<int64_t, MaxIndices> Of{};
};

/// Guard >= 0.
using Guards = std::vector<Affine>;

/// Lowest and highest value over the box.
WideInterval rangeOf(const Affine &Value, const IndexBox &Box);

/// To += Scale * From. False when that leaves 64 bits; To is then half done.
bool addScaled(Affine &To, int64_t Scale, const Affine &From);

/// -Value; no coefficient is the smallest number there is.
Affine negated(const Affine &Value);

/// Whether Value is usable over Box with 0 in it, so that its terms are, too.
bool usableFromZero(const Affine &Value, const IndexBox &Box);

} // namespace blockmaestro

#endif
