// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Facts.h"

#include "Polynomials.h"

#include <algorithm>
#include <utility>

// Note [Facts]
// A fact says where it is needed by the constraints themselves. They stay with
// it whatever becomes of the conditions they were taken from: these may be
// simplified, joined, reordered or dropped, and the fact is needed at the same
// points. To need it at more points is always sound, and is what everywhere
// stands for; to need it at fewer is done by inside() alone, with constraints
// that hold around whatever the fact was needed for.

namespace blockmaestro {

bool contains(const Conjunction &In, const Constraint &C) {
  return std::any_of(In.begin(), In.end(),
                     [&](const Constraint &D) { return equal(C, D); });
}

FactScope::FactScope(Conjunction All)
    : Held(All.empty() ? nullptr
                       : std::make_shared<const Conjunction>(std::move(All))) {}

const Conjunction &FactScope::constraints() const {
  static const Conjunction None;
  return Held ? *Held : None;
}

bool FactScope::covers(const FactScope &Other) const {
  return Held == Other.Held ||
         std::all_of(constraints().begin(), constraints().end(),
                     [&](const Constraint &C) { return Other.has(C); });
}

FactScope FactScope::inside(const Conjunction &Outer) const {
  Conjunction All = Outer;
  for (const Constraint &C : constraints())
    if (!contains(All, C))
      All.push_back(C);
  return FactScope(std::move(All));
}

bool sameClaim(const Fact &A, const Fact &B) {
  return A.Bits == B.Bits && A.Signed == B.Signed && equal(A.Value, B.Value);
}

bool equal(const Fact &A, const Fact &B) {
  return sameClaim(A, B) && A.Where.covers(B.Where) && B.Where.covers(A.Where);
}

bool provable(const Fact &A, const Footprint &F) {
  Range R = rangeOf(A.Value, F);
  __int128 Half = __int128(1) << (A.Bits - 1);
  return R.Known && (A.Signed ? R.Low >= -Half && R.High < Half
                              : R.Low >= 0 && R.High < Half * 2);
}

/// An assumption of bits: a number of none is 0, and so is its double of one.
static void giveBits(Fact &A) {
  if (A.Bits > 0)
    return;
  const CheckedPolynomial Double = A.Value + A.Value;
  A = {Double ? *Double : constantPolynomial(-1), 1, false, A.Where};
}

void addFact(std::vector<Fact> &To, Fact A, const Footprint &F) {
  giveBits(A);
  auto SaysIt = [&](const Fact &B) {
    return sameClaim(A, B) && B.Where.covers(A.Where);
  };
  if (!provable(A, F) && std::none_of(To.begin(), To.end(), SaysIt))
    To.push_back(std::move(A));
}

void addEverywhere(std::vector<Fact> &To, const std::vector<Fact> &From,
                   const Footprint &F) {
  for (Fact A : From) {
    A.Where = {};
    addFact(To, std::move(A), F);
  }
}

} // namespace blockmaestro
