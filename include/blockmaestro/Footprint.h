// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: which bytes one kernel may touch, symbolically: the compiler's
// whole knowledge of a kernel, before any launch.
// On the data's way: written by passes/device, carried in Metadata, read by
// runtime/launch (evaluation) and by the dumps.
// Invariants:
//  - An access describes a superset of the bytes its instruction touches; only
//    `Exact` says the set is the truth. Every other exactness has a Reason.
//  - Polynomial terms are sorted by Factors, have no zero coefficient and no
//    two equal Factors; Factors are sorted indices into Footprint::Symbols and
//    repeat for powers.
//  - The arithmetic is over the integers. Where the program computes in fewer
//    bits, an Assumption says what must hold for the two to agree; a consumer
//    that finds it false must widen the access to its allocation.
// Ownership and threads: plain values; immutable once built.

#ifndef BLOCKMAESTRO_FOOTPRINT_H
#define BLOCKMAESTRO_FOOTPRINT_H

#include <cstdint>
#include <string>
#include <vector>

namespace blockmaestro {

enum class SymbolKind : uint8_t {
  ThreadIdx,
  BlockIdx,
  BlockDim,
  GridDim,
  Argument, ///< A scalar kernel argument, or a scalar inside a by-value struct.
  Counter,  ///< A loop's iteration number, 0 for the first iteration.
  Quotient, ///< The rounded down Footprint::Quotients[Index].
  Power,    ///< 2 to the power Footprint::Powers[Index].
  Value,    ///< Some integer of the range Footprint::Values[Index].
};

/// A number known at launch (blockDim, gridDim, arguments), one that ranges
/// over block and loop (threadIdx, blockIdx, counters), one computed from such
/// (quotients, powers), or one of which only a range is known (values).
struct Symbol {
  SymbolKind Kind = SymbolKind::ThreadIdx;
  uint8_t Dimension =
      0;               ///< 0, 1, 2 for x, y, z; only for index and size kinds.
  uint16_t Index = 0;  ///< Argument number, or place in the footprint's list.
  uint32_t Offset = 0; ///< Argument: byte offset inside the argument.
  uint8_t Bytes = 4;   ///< Argument: 1, 2, 4 or 8.
  bool Signed = true;  ///< Argument: how its bits become an integer.
};

struct Monomial {
  int64_t Coefficient = 0;
  std::vector<uint16_t> Factors;
};

/// A sum of monomials; no terms means zero.
struct Polynomial {
  std::vector<Monomial> Terms;
};

/// Value >= 0, or Value == 0.
struct Constraint {
  Polynomial Value;
  bool Equality = false;
};

/// Value, as an integer, must fit Bits bits (two's complement when Signed), for
/// all threads, blocks and iterations of the launch at which those constraints
/// of the access's domain hold whose places there Under has, ascending. Where
/// it has none that is everywhere, guards aside: what the first of the guards
/// rest on. What guards further in and the offset rest on need not hold where
/// those before them, true as they then are, keep the access from being made.
/// It must hold even where an extent comes out as zero or less (the counter is
/// then taken as 0): such an extent may itself be the result of a wrap, so an
/// empty loop is believed only after the assumptions have been checked. None of
/// those constraints uses a value: a value's range may rest on it.
struct Assumption {
  Polynomial Value;
  uint8_t Bits = 32;
  bool Signed = true;
  std::vector<uint16_t> Under = {};
};

/// floor(Numerator / Denominator) in the integers. The Denominator uses symbols
/// known at launch only; where it is less than 1 at a launch, every access that
/// uses the quotient, through others too, must be widened to its allocation.
/// A remainder is Numerator - Denominator * quotient.
struct Quotient {
  Polynomial Numerator;
  Polynomial Denominator;
};

/// Low <= the value <= High, both inclusive, at each thread, block and
/// iteration; one value everywhere within such a point. A value stands for what
/// the program reads from memory or computes in a way that is not followed, so
/// an access that uses one is never exact.
struct ValueRange {
  Polynomial Low;
  Polynomial High;
};

enum class AccessKind : uint8_t { Read, Write, Atomic };

constexpr bool reads(AccessKind Kind) { return Kind != AccessKind::Write; }
constexpr bool writes(AccessKind Kind) { return Kind != AccessKind::Read; }

enum class Exactness : uint8_t {
  Exact,      ///< Precisely these bytes.
  Bounded,    ///< A superset of them, by ranges or by a guard left out.
  Allocation, ///< Anywhere in the allocation the root points into.
  Unknown,    ///< Anywhere at all.
};

enum class RootKind : uint8_t {
  Argument, ///< The pointer in a kernel argument, possibly inside a struct.
  Global,   ///< A device global, by symbol.
  None,     ///< Not known; only with Exactness::Unknown.
};

struct Root {
  RootKind Kind = RootKind::None;
  uint16_t Argument = 0;
  uint32_t Offset = 0; ///< Byte offset of the pointer inside the argument.
  std::string Global;
};

struct SourceLocation {
  std::string File; ///< Empty when the program was compiled without lines.
  uint32_t Line = 0;
  uint32_t Column = 0;
};

/// The bytes { root + Offset + i : 0 <= i < ElementBytes } for every thread,
/// block, counter and value in Domain. For Allocation and Unknown, Offset and
/// Domain say nothing and are empty. One instruction may have several accesses:
/// one for each of the cases its index or its guards distinguish.
struct Access {
  AccessKind Kind = AccessKind::Read;
  Root Base;
  uint32_t ElementBytes = 0;
  Polynomial Offset;
  std::vector<Constraint> Domain;
  std::vector<Assumption> Assumptions;
  Exactness How = Exactness::Unknown;
  std::string Reason;
  SourceLocation Where;
};

/// Quotients, powers, values and extents refer to each other without cycles:
/// each uses symbols of the lists only that can be resolved before it.
struct Footprint {
  std::vector<Symbol> Symbols;
  /// Counter k (SymbolKind::Counter, Index k) runs from 0 up to, and without,
  /// the largest number CounterExtents[k] is at any point of the launch. An
  /// extent that uses launch-time symbols only is the number of iterations, or
  /// the most there can be where the domains of the accesses that use the
  /// counter say that it ends earlier, as at a minimum. Any other is an upper
  /// bound, and these domains have all that ends the loop: a larger bound would
  /// give the same bytes. It uses no counter of an inner loop.
  std::vector<Polynomial> CounterExtents;
  std::vector<Quotient> Quotients;
  /// The exponents: of launch-time symbols only. Where one is not in 0 .. 62 at
  /// a launch, every access that uses the power is widened to its allocation.
  std::vector<Polynomial> Powers;
  std::vector<ValueRange> Values;
  std::vector<Access> Accesses;
};

} // namespace blockmaestro

#endif
