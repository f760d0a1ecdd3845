// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the symbols of one footprint while it is built: one entry per
// symbol, with quotients, powers and values in their simplest form.
// On the data's way: between the IR's expressions and Footprint::Symbols.
// Invariants: equal things are one symbol; see Note [Quotients] in the source.
// Ownership: refers to the footprint. Threads: one per kernel.

#ifndef BLOCKMAESTRO_PASSES_DEVICE_SYMBOLTABLE_H
#define BLOCKMAESTRO_PASSES_DEVICE_SYMBOLTABLE_H

#include "CheckedPolynomial.h"
#include "Facts.h"

#include "blockmaestro/Footprint.h"

#include <vector>

namespace blockmaestro {

class SymbolTable {
public:
  explicit SymbolTable(Footprint &F) : F(F) {}

  const Footprint &footprint() const { return F; }

  uint16_t index(const Symbol &S);
  Polynomial symbol(const Symbol &S);

  /// floor(Numerator / Denominator). None when Denominator is not a number of
  /// the launch, a coefficient leaves 64 bits, or a limit is reached. It is
  /// right where Denominator is at least 1: where it simplifies to something
  /// else than a new quotient, that is appended to Needed unless it always is.
  CheckedPolynomial quotient(const CheckedPolynomial &Numerator,
                             const CheckedPolynomial &Denominator,
                             std::vector<Fact> &Needed);

  /// Value - Denominator * floor(Value / Denominator).
  CheckedPolynomial remainder(const CheckedPolynomial &Value,
                              const CheckedPolynomial &Denominator,
                              std::vector<Fact> &Needed);

  /// P with By in place of Symbol, also inside quotients.
  CheckedPolynomial replaced(const CheckedPolynomial &P, uint16_t Symbol,
                             const CheckedPolynomial &By,
                             std::vector<Fact> &Needed);

  /// 2 to the power Exponent; none when that is not a number of the launch, or
  /// at a limit.
  CheckedPolynomial power(const Polynomial &Exponent);

  /// A new value; each call makes one, but at a limit.
  CheckedPolynomial value(const ValueRange &Range);

  /// The counter of loop Loop.
  Polynomial counter(unsigned Loop);

private:
  CheckedPolynomial properQuotient(const Polynomial &Numerator,
                                   const Polynomial &Denominator,
                                   std::vector<Fact> &Needed);
  size_t written(const Polynomial &P);
  bool hasRoomFor(const Polynomial &A, const Polynomial &B);
  void needPositive(const Polynomial &P, std::vector<Fact> &Needed);

  Footprint &F;
  std::vector<size_t> Written; ///< Of each symbol; see Note [Written out].
};

} // namespace blockmaestro

#endif
