// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a footprint at one launch, by trying every thread, iteration and
// value: what the contract in Footprint.h says, with no cleverness of the
// launch path's.
// On the data's way: tests only; stands between the compiler's footprint and
// the interpreter's truth.
// Invariants, see Note [Instance] in the source: never smaller than what the
// contract says; equal to it unless the answer is marked Loose.
// Ownership: refers to the footprint. Threads: one.

#ifndef BLOCKMAESTRO_TEST_SOUNDNESS_INSTANCE_H
#define BLOCKMAESTRO_TEST_SOUNDNESS_INSTANCE_H

#include "Bytes.h"
#include "Integers.h"

#include "blockmaestro/Footprint.h"
#include "blockmaestro/Launch.h"

#include <functional>
#include <optional>
#include <vector>

namespace blockmaestro::soundness {

/// What an access is at a launch.
enum class Meaning {
  Points,     ///< The bytes given.
  Allocation, ///< As compiled, or since an assumption or denominator fails.
  Anywhere,
  TooMany, ///< Not followed: too many points. Taken as the allocation.
};

struct AccessBytes {
  Meaning How = Meaning::Points;
  bool Loose = false; ///< Some bytes too many: a hull was taken.
  Bytes Set;
};

/// A polynomial with the launch's numbers in it.
struct Reduced {
  struct Term {
    Wide Coefficient;
    std::vector<uint16_t> Factors; ///< Sorted symbols that are no numbers.
  };
  std::vector<Term> Terms;
  bool Usable = true; ///< False when a number left 64 bits.
};

/// A / B, rounded down; B > 0. The oracle's own, not the code's under test.
constexpr Wide floorDivide(Wide A, Wide B) {
  const Wide Quotient = A / B;
  return A % B < 0 ? Quotient - 1 : Quotient;
}

struct Interval {
  Wide Low = 0, High = -1;
  bool Known = false;
};

class Instance {
public:
  /// L's Arguments and Kernel are those of the footprint's kernel.
  Instance(const Footprint &F, const Launch &L);

  /// Whether A must be taken as its allocation at this launch.
  bool degraded(const Access &A) const;
  AccessBytes bytes(const Access &A, Dim3 Block) const;

  // For the comparison with isl.
  const Launch &launch() const { return L; }
  const Footprint &footprint() const { return F; }
  const Reduced &denominator(unsigned Quotient) const {
    return Denominators[Quotient];
  }
  Reduced reduce(const Polynomial &P) const;
  /// Marks the symbols in P, those inside of others (but not of extents) too.
  void use(const Polynomial &P, std::vector<bool> &Used) const;
  bool isNumber(uint16_t Id) const { return Numbers[Id].has_value(); }
  /// The largest extent of a counter; none when it was not found.
  std::optional<int64_t> extent(unsigned Counter) const {
    return Extents[Counter];
  }

  /// Numbers of the symbols that vary and are no quotients, by symbol.
  using Point = std::vector<Wide>;
  Wide value(uint16_t Id, const Point &At, bool &Bad) const;
  Wide value(const Reduced &P, const Point &At, bool &Bad) const;
  const Reduced &low(unsigned Value) const { return Lows[Value]; }
  const Reduced &high(unsigned Value) const { return Highs[Value]; }

private:
  std::optional<Wide> launchNumber(const Symbol &S) const;
  void findNumbers();
  std::optional<Wide> constant(const Polynomial &P) const;
  bool holds(const Assumption &A, const Access &Of) const;
  std::optional<int64_t> largest(const Polynomial &P) const;
  Interval rangeOfSymbol(uint16_t Id) const;
  Interval rangeOf(const Polynomial &P) const;
  /// Calls Visit with P's value at points that have its extremes, of those at
  /// which all of Where hold.
  bool extremes(const Polynomial &P, const std::vector<Constraint> &Where,
                const std::function<void(Wide)> &Visit) const;

  const Footprint &F;
  const Launch &L;
  std::vector<std::optional<Wide>> Numbers; ///< By symbol.
  std::vector<bool> Broken; ///< By symbol: its denominator or exponent is bad.
  std::vector<Reduced> Numerators, Denominators, Lows, Highs;
  std::vector<std::optional<int64_t>> Extents;
};

} // namespace blockmaestro::soundness

#endif
