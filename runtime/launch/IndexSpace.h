// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the indices one access ranges over at one launch, and every
// symbol it uses as an affine form of them. Loop counters, values and
// quotients become indices of their own; where a quotient is of threads or
// counters, those are split so that the quotient is exact.
// On the data's way: inside Evaluate, once per access, between SymbolValues and
// the guards. Invariants: the points of the access are those of the box that
// meet the bounds, seen through the forms; Note [Splitting indices] in
// IndexSpace.cpp. Ownership: refers to the footprint and the numbers. Threads:
// one.

#ifndef BLOCKMAESTRO_RUNTIME_LAUNCH_INDEXSPACE_H
#define BLOCKMAESTRO_RUNTIME_LAUNCH_INDEXSPACE_H

#include "SymbolValues.h"

#include <cstdint>
#include <vector>

namespace blockmaestro {

/// Index is floor(Of / By), and only its bounds say so.
struct LooseQuotient {
  unsigned Index = 0;
  Affine Of;
  int64_t By = 1;
};

class IndexSpace {
public:
  IndexSpace(const Footprint &Bytes, const SymbolValues &Of, const Launch &At);

  /// Gives every symbol of Value its form. To be called for all polynomials of
  /// an access before the first substitute(): an index that one result
  /// mentions may be split by the next.
  void add(const Polynomial &Value);

  /// Whether add(Value) would change nothing, and nothing that was added is of
  /// no concern to one who uses Value instead of another.
  bool servesToo(const Polynomial &Value) const;

  /// Out = Value over the indices. Null when it worked, else why not.
  const char *substitute(const Polynomial &Value, Affine &Out) const;

  /// Writes the loose quotients that Offset, whose elements have Unit bytes,
  /// mentions as multiples of the other indices and a rest that is an index of
  /// its own, where that brings the bytes of a block closer together. Box is
  /// box(), narrowed. Offset and Box then stand for a superset. Whether Offset
  /// mentions any that has more than one value.
  bool spread(Affine &Offset, int64_t Unit, IndexBox &Box) const;

  const IndexBox &box() const { return Box; }
  /// What the indices meet beyond the box, each >= 0.
  const Guards &bounds() const { return Bounds; }
  const std::vector<LooseQuotient> &looseQuotients() const { return Loose; }
  /// Why there are more points than those of the access, or null.
  const char *grown() const { return Grown; }

private:
  /// The form of a symbol that varies: an index, or Forms[Form].
  struct Place {
    int Index = -1;
    int Form = -1;
    const char *Unknown = nullptr; ///< Why it has none.
    bool known() const { return Index >= 0 || Form >= 0 || Unknown; }
  };

  void addSymbol(uint16_t Which, unsigned Depth);
  void addAll(const Polynomial &Value, unsigned Depth);
  Place value(const ValueRange &What, const Interval &Range);
  Place quotient(const Quotient &What, const Interval &Range);
  Place divide(Affine Of, int64_t By);
  bool reduce(Affine &Of, int64_t &By, Affine &Whole) const;
  Place splitIndex(unsigned Index, const Affine &Of, int64_t By, Affine Whole);
  Place looseQuotient(const Affine &Of, int64_t By, Affine Whole);
  bool replace(unsigned Index, const Affine &By);

  int newIndex(const Interval &Range);
  Place indexPlace(const Interval &Range);
  Place formPlace(const Affine &Value);
  void bound(const Affine &Value);

  const Footprint &Bytes;
  const SymbolValues &Of;
  IndexBox Box{};
  std::vector<Place> Places; ///< By symbol.
  std::vector<Affine> Forms;
  Guards Bounds;
  std::vector<LooseQuotient> Loose;
  const char *Grown = nullptr;
  const char *Broken = nullptr; ///< Why nothing can be said any more.
};

} // namespace blockmaestro

#endif
