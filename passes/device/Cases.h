// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: conditions as alternatives of constraints, and integers that
// differ from case to case.
// On the data's way: what branches, selects, minima and clamps become before
// they are an access's offset and domain.
// Invariants: see Note [Pieces] in the source. There are never more than
// MaxAlternatives alternatives. Ownership and threads: plain values.

#ifndef BLOCKMAESTRO_PASSES_DEVICE_CASES_H
#define BLOCKMAESTRO_PASSES_DEVICE_CASES_H

#include "CheckedPolynomial.h"
#include "Facts.h"
#include "Reasons.h"

#include "blockmaestro/Footprint.h"

#include <optional>
#include <vector>

namespace blockmaestro {

inline constexpr size_t MaxAlternatives = 16;

/// It holds only where one of Any does; wherever one does unless Inexact.
struct Condition {
  std::vector<Conjunction> Any{{}};
  /// What Any rests on, under constraints that all alternatives have.
  std::vector<Fact> Assumptions;
  bool Pruned = false; ///< Alternatives were dropped that exclude themselves.
  std::optional<Rejection> Inexact;
};

/// A condition about which nothing is known but Why.
Condition unknownCondition(const Rejection &Why);

/// A and B; a part is left out where there would be too many alternatives. What
/// B rests on must hold only where A does; see Note [Nested].
Condition both(Condition A, Condition B, const Footprint &F);

/// A or B.
Condition either(Condition A, Condition B, const Footprint &F);

/// Where A, which is not Inexact, does not hold.
Condition negated(const Condition &A, const Footprint &F);

/// The constraints all alternatives of Any share.
Conjunction sharedBy(const std::vector<Conjunction> &Any);

/// The constraints that all alternatives of Any begin with.
Conjunction sharedFirst(const std::vector<Conjunction> &Any);

/// Whether two constraints of All, or one alone, cannot hold, as is seen at
/// once.
bool contradicts(const Conjunction &All);

/// Adds C, in its shortest form, unless it is there.
void addConstraint(Conjunction &To, const Constraint &C);

/// Where Where holds, the number is Value if Assumptions hold.
struct Case {
  Conjunction Where;
  Polynomial Value;
  std::vector<Fact> Assumptions;
};

/// An integer of the program, what must hold for it to be the program's, or
/// why nothing is known. At each point one of Cases gives it.
struct Translation {
  std::vector<Case> Cases;       ///< None: not known, see Why.
  std::vector<Fact> Assumptions; ///< What the Where of the cases rest on.
  bool Pruned = false; ///< Cases were dropped whose Where excludes itself.
  std::optional<Rejection> Inexact; ///< Set: other points than the program's.
  Rejection Why;
};

Translation notKnown(ReasonKind Kind, const char *Detail = "");
Translation oneCase(Polynomial Value);

/// Combines every case of A with every case of B: Join(a, b, out) is the value
/// of both, as a CheckedPolynomial, and may add to the rest of out.
template <typename Function>
Translation combine(const Translation &A, const Translation &B,
                    const Footprint &F, Function Join) {
  if (A.Cases.empty() || B.Cases.empty())
    return A.Cases.empty() ? A : B;
  if (A.Cases.size() * B.Cases.size() > MaxAlternatives)
    return notKnown(ReasonKind::CasesTooMany);
  Translation Result;
  Result.Inexact = A.Inexact ? A.Inexact : B.Inexact;
  Result.Pruned = A.Pruned || B.Pruned;
  Result.Assumptions = A.Assumptions;
  addEverywhere(Result.Assumptions, B.Assumptions, F);
  for (const Case &X : A.Cases)
    for (const Case &Y : B.Cases) {
      Case Out{X.Where, {}, X.Assumptions};
      for (const Constraint &C : Y.Where)
        addConstraint(Out.Where, C);
      addEverywhere(Out.Assumptions, Y.Assumptions, F);
      if (!Join(X.Value, Y.Value, Out).moveTo(Out.Value))
        return notKnown(ReasonKind::IndexTooLarge);
      Result.Cases.push_back(std::move(Out));
    }
  return Result;
}

/// How many terms, constraints and assumptions these have, together.
size_t sizeOf(const Condition &C);
size_t sizeOf(const Translation &T);

/// Adds the cases of Other where When holds to To's.
void addCases(Translation &To, const Condition &When, const Translation &Other,
              const Footprint &F);

} // namespace blockmaestro

#endif
