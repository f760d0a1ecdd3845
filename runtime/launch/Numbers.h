// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: one launch's numbers put into the polynomials of a footprint,
// which makes them affine in the indices that remain (threads, blocks, loop
// counters); with the checked arithmetic that this and the graph need.
// On the data's way: inside Evaluate.
// Invariants: nothing wraps silently; whatever leaves 64 bits fails with a
// reason. Ownership: refers to the launch it was made from. Threads: values.

#ifndef BLOCKMAESTRO_RUNTIME_LAUNCH_NUMBERS_H
#define BLOCKMAESTRO_RUNTIME_LAUNCH_NUMBERS_H

#include "blockmaestro/Encoding.h"
#include "blockmaestro/Footprint.h"
#include "blockmaestro/Launch.h"

#include <array>
#include <cstdint>
#include <vector>

namespace blockmaestro {

using Wide = __int128;

/// Largest magnitude of an offset, guard or bound that is used: sums of a few
/// such values still fit 64 bits.
inline constexpr int64_t LargestValue = int64_t(1) << 59;

constexpr Wide floorDivWide(Wide Value, Wide Divisor) {
  Wide Quotient = Value / Divisor;
  return Value % Divisor < 0 ? Quotient - 1 : Quotient;
}
constexpr int64_t ceilDiv(int64_t Value, int64_t Divisor) {
  return -floorDiv(-Value, Divisor);
}

/// The indices that range within a launch: 0..2 threadIdx, 3..5 blockIdx, the
/// rest loop counters.
inline constexpr unsigned FirstBlock = 3;
inline constexpr unsigned FirstCounter = 6;
inline constexpr unsigned MaxIndices = 16;

struct Interval {
  int64_t Low = 0;
  int64_t High = 0; ///< Inclusive.
  bool single() const { return Low == High; }
};

using IndexBox = std::array<Interval, MaxIndices>;

struct WideInterval {
  Wide Low = 0;
  Wide High = 0;
  bool usable() const { return Low >= -LargestValue && High <= LargestValue; }
};

/// Constant + sum Of[i] * index i.
struct Affine {
  int64_t Constant = 0;
  std::array<int64_t, MaxIndices> Of{};
};

/// Lowest and highest value over the box.
WideInterval rangeOf(const Affine &Value, const IndexBox &Box);

class Numbers {
public:
  explicit Numbers(const Launch &What);

  /// threadIdx, blockIdx and counters of the launch, before any guard. A
  /// counter that never runs has High < Low.
  const IndexBox &box() const { return Box; }

  /// Out = Value with numbers for everything but the indices of Within that
  /// have more than one value. Null when it worked, else why not.
  const char *substitute(const Polynomial &Value, const IndexBox &Within,
                         Affine &Out) const;

  /// Bounds of Value over box(), affine or not, with a counter that never runs
  /// taken as 0: that it never runs may rest on what is asked here. Null when
  /// it worked.
  const char *range(const Polynomial &Value, WideInterval &Out) const;

  /// Bits of the indices Value mentions, with the outer counters that the
  /// mentioned counters' extents depend on.
  uint32_t mentioned(const Polynomial &Value) const;

  /// Bits of the counters whose number of iterations depends on another.
  uint32_t inexactCounters() const { return Inexact; }

private:
  struct Meaning {
    int Index = -1; ///< Which index it is, or -1 for a number.
    int64_t Number = 0;
    const char *Unknown = nullptr; ///< Why it is neither.
  };
  Meaning meaningOf(const Symbol &What, const Launch &In) const;
  bool resolveCounter(unsigned Counter, const Polynomial &Extent);

  std::vector<Meaning> Symbols;
  IndexBox Box{};
  std::array<uint32_t, MaxIndices> DependsOn{};
  uint32_t Unresolved = 0;
  uint32_t Inexact = 0;
};

} // namespace blockmaestro

#endif
