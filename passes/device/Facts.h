// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what the passes rest on: that a number fits so many bits, and the
// constraints where it has to.
// On the data's way: made where arithmetic of the program is taken for that of
// the integers, carried by conditions, numbers and cases; at the end an
// access's Assumption, which says its constraints by their places (Drafts.h).
// Invariants: see Note [Facts] in the source.
// Ownership and threads: plain values; constraints are shared and never change.

#ifndef BLOCKMAESTRO_PASSES_DEVICE_FACTS_H
#define BLOCKMAESTRO_PASSES_DEVICE_FACTS_H

#include "blockmaestro/Footprint.h"

#include <memory>
#include <vector>

namespace blockmaestro {

/// All of them hold.
using Conjunction = std::vector<Constraint>;

/// Whether In has C.
bool contains(const Conjunction &In, const Constraint &C);

/// The points where a fact is needed: everywhere, or where constraints hold.
class FactScope {
public:
  FactScope() = default;
  /// Where all of these hold.
  explicit FactScope(Conjunction All);

  bool isEverywhere() const { return !Held; }
  /// None for everywhere.
  const Conjunction &constraints() const;
  bool has(const Constraint &C) const { return contains(constraints(), C); }
  /// Whether it has all points of Other, as far as constraints show that.
  bool covers(const FactScope &Other) const;
  /// Where Outer holds as well.
  FactScope inside(const Conjunction &Outer) const;

private:
  std::shared_ptr<const Conjunction> Held; ///< Null for everywhere.
};

/// Value, as an integer, must fit Bits bits (two's complement when Signed)
/// wherever Where holds.
struct Fact {
  Polynomial Value;
  uint8_t Bits = 32;
  bool Signed = true;
  FactScope Where = {};
};

/// Whether they say the same of a number, wherever that is.
bool sameClaim(const Fact &A, const Fact &B);
/// Whether they say the same, at the same points.
bool equal(const Fact &A, const Fact &B);

/// Whether A holds whatever the launch is.
bool provable(const Fact &A, const Footprint &F);

/// Appends A unless it is provable or already there, for as many points.
void addFact(std::vector<Fact> &To, Fact A, const Footprint &F);

/// Adds From to To, to hold everywhere.
void addEverywhere(std::vector<Fact> &To, const std::vector<Fact> &From,
                   const Footprint &F);

} // namespace blockmaestro

#endif
