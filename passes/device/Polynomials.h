// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what is in the contract's polynomials, how large they can be, and
// what they are with a symbol replaced.
// On the data's way: used by the device analysis only.
// Threads: no state.

#ifndef BLOCKMAESTRO_PASSES_DEVICE_POLYNOMIALS_H
#define BLOCKMAESTRO_PASSES_DEVICE_POLYNOMIALS_H

#include "CheckedPolynomial.h"

#include "blockmaestro/Footprint.h"

#include <optional>
#include <set>

namespace blockmaestro {

/// Term / Divisor where that has no remainder.
std::optional<Monomial> divided(const Monomial &Term, const Monomial &Divisor);

bool equal(const Polynomial &A, const Polynomial &B);
bool equal(const Constraint &A, const Constraint &B);

constexpr unsigned kindBit(SymbolKind Kind) {
  return 1u << static_cast<unsigned>(Kind);
}

/// What makes a polynomial more than one number of the launch.
inline constexpr unsigned AtPoints =
    kindBit(SymbolKind::ThreadIdx) | kindBit(SymbolKind::BlockIdx) |
    kindBit(SymbolKind::Counter) | kindBit(SymbolKind::Value);

/// Whether a symbol of one of the kinds in Kinds (bits of kindBit) is in P, or
/// in the numerator of a quotient or the range of a value in P.
bool mentions(const Polynomial &P, const Footprint &F, unsigned Kinds);

/// The same for the symbol of kind Kind and index Index.
bool mentions(const Polynomial &P, const Footprint &F, SymbolKind Kind,
              unsigned Index);

/// The symbols of these kinds that mentions() finds, as places in F.Symbols.
std::set<uint16_t> symbolsIn(const Polynomial &P, const Footprint &F,
                             unsigned Kinds);

/// The same for loop counter Counter.
bool mentionsCounter(const Polynomial &P, const Footprint &F, unsigned Counter);

/// Whether P has a symbol, not in Except, whose range rests on an assumption: a
/// quotient by what may be below 1, or a value whose bounds are not constant.
bool hasAssumedRange(const Polynomial &P, const Footprint &F,
                     const Polynomial &Except = {});

/// P with By in place of Symbol; none on overflow or when Symbol is inside a
/// quotient.
CheckedPolynomial replaced(const Polynomial &P, const Footprint &F,
                           uint16_t Symbol, const Polynomial &By);

/// Bounds of a polynomial over everything its symbols can ever be. Known is
/// false when they leave 64 bits.
struct Range {
  __int128 Low = 0;
  __int128 High = 0;
  bool Known = false;
};

Range rangeOf(const Polynomial &P, const Footprint &F);

bool provablyNonNegative(const Polynomial &P, const Footprint &F);

/// The same; of no polynomial nothing is provable.
bool provablyNonNegative(const CheckedPolynomial &P, const Footprint &F);

} // namespace blockmaestro

#endif
