// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: polynomials and conditions over a footprint's symbols as text,
// close to what isl reads: "4*tx + 4*bx*Dx", "tx + bx*Dx < arg2".
// On the data's way: below FootprintText, which shows whole accesses.
// Invariants: the text is a function of the footprint alone. Quotients and
// powers are written out where they are used, but for long ones, which have a
// name and a definition; so the text stays linear in the footprint's size, even
// if its quotients refer to each other in a circle. Ownership: SymbolNames
// refers to the footprint it was made from. Threads: immutable.

#ifndef BLOCKMAESTRO_PRINT_SYMBOLNAMES_H
#define BLOCKMAESTRO_PRINT_SYMBOLNAMES_H

#include "blockmaestro/Footprint.h"

#include <string>
#include <vector>

namespace blockmaestro {

/// "tx", "by", "Dz" (blockDim), "Gx" (gridDim), "arg3", "arg0@8" (the scalar 8
/// bytes into argument 0), "i0" (a loop counter), "q0", "p0", "v0" (the first
/// quotient, power, value).
std::string shortName(const Symbol &S);

/// How one footprint's symbols, and what is made of them, are written.
class SymbolNames {
public:
  explicit SymbolNames(const Footprint &F);

  /// "4*tx + 4*bx*Dx - 8"; "0" without terms.
  std::string text(const Polynomial &P) const;

  /// "tx + bx*Dx < arg3" or "tx = 0": what depends on thread, block or loop is
  /// on the left, and nothing but a constant has a minus.
  std::string text(const Constraint &C) const;

  /// "i32(arg3 + 1)" or "u32(...)": the value must fit so many bits.
  std::string text(const Assumption &A) const;

  /// "floor(tx/16)", "floor((tx + bx*Dx)/arg2)".
  std::string text(const Quotient &Q) const;

  /// "0 <= v1 <= 255" for the value numbered Index.
  std::string rangeText(uint16_t Index) const;

  /// "q3 = floor(...)" for each quotient and power that is not written out.
  const std::vector<std::string> &definitions() const { return Definitions; }

private:
  /// Finds Names and Varies of S, and of the symbols it uses up to a depth.
  void resolve(uint16_t S, unsigned Depth);
  void resolveParts(const Polynomial &P, uint16_t User, unsigned Depth);
  std::string definition(const Symbol &S) const;
  bool varies(const Monomial &M) const;
  std::string magnitude(const Monomial &M) const;
  std::string factorText(const Polynomial &P) const;

  enum class State : uint8_t { Untouched, Open, Resolved };

  const Footprint &F;
  std::vector<std::string> Names; ///< Of each symbol.
  std::vector<bool> Varies;       ///< Not one number for the whole launch.
  std::vector<bool> UsedByName;   ///< Somewhere only the short name stands.
  std::vector<State> States;      ///< Of the search that fills the others.
  std::vector<std::string> Definitions;
};

} // namespace blockmaestro

#endif
