// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelAnalysis.h"
#include "LoopShapes.h"
#include "Polynomials.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

// Note [Exits]
// What the conditions to stay of three kinds of loops say; see Note [Loops].
// "Stay where d(k) = 0", and d moves by a number that is not 0: it is 0 once at
// most, so there is a second iteration where d(0) = 0, and never a third.
// "Leave where d(k) = 0", and d falls by s >= 1, which is assumed of a number
// of the launch: the loop ends only if it meets 0 and does not step over it, so
// d(0) is assumed to be a multiple of s, and not negative. Where the loop is
// not entered with d(0) = -s, that is as good: there are no iterations. "Stay
// where c(k) >= 0", and c rises: once it is so, the loop does not end any more.
// It is assumed that it never is: that c(0) < 0, or c(-1) < 0 where the loop is
// entered only with c(-1) >= 0. There is one iteration at most.

namespace blockmaestro {

/// See Note [Exits]: C, an equality, holds in one iteration at most.
bool LoopShapes::addEquality(unsigned Counter, const Constraint &C,
                             Ending &To) {
  const std::optional<Course> Way = courseOf(Counter, C.Value);
  if (!Way)
    return false;
  const CheckedPolynomial Up = Way->Step - 1, Down = -1 - Way->Step;
  if (!Up || !Down ||
      (!provablyNonNegative(Up, K.F) && !provablyNonNegative(Down, K.F)))
    return false;
  const CheckedPolynomial Second = 1 - K.Symbols.counter(Counter);
  blockmaestro::addConstraint(To.Runs, {Way->First, true});
  blockmaestro::addConstraint(To.Runs, {*Second, false});
  To.Bounds.push_back({constantPolynomial(2), false});
  return true;
}

/// Whether L is entered only where one of Values is at least 0.
bool LoopShapes::guarded(const Loop &L, ArrayRef<Polynomial> Values) {
  const Condition &Entered = K.Guards.find(L.getHeader());
  return all_of(Entered.Any, [&](const Conjunction &All) {
    Access Inside;
    Inside.Domain = All;
    return any_of(Values, [&](const Polynomial &Value) {
      return K.Simplifier.implies(Inside, Value, K.F, Iterations::Any);
    });
  });
}

/// See Note [Exits]: L is left where an equality holds, and by no step beyond.
bool LoopShapes::addStepsTo(const Loop &L, unsigned Counter,
                            const Condition &Leave, LoopShape &To) {
  if (Leave.Inexact || Leave.Pruned || Leave.Any.size() != 1 ||
      Leave.Any[0].size() != 1 || !Leave.Any[0][0].Equality)
    return false;
  Polynomial Left = Leave.Any[0][0].Value;
  std::optional<Course> Way = courseOf(Counter, Left);
  if (Way && Way->Step.Terms[0].Coefficient < 0) {
    if (!(-Left).moveTo(Left))
      return false;
    Way = courseOf(Counter, Left);
  }
  if (!Way || Way->Step.Terms[0].Coefficient < 0)
    return false;
  Ending One;
  const CheckedPolynomial Least = Way->Step - CheckedPolynomial(1);
  if (!Least)
    return false;
  addFact(One.Assumptions, {*Least, 63, false}, K.F);
  const CheckedPolynomial Extent =
      K.Symbols.quotient(Way->First, Way->Step, One.Assumptions) + 1;
  const CheckedPolynomial Whole =
      -K.Symbols.remainder(Way->First, Way->Step, One.Assumptions);
  const CheckedPolynomial Before = Way->First + Way->Step;
  const CheckedPolynomial Above = Before - 1, Below = -1 - Before;
  if (!Extent || !Whole || !Above || !Below)
    return false;
  bool NotAtEnd = guarded(L, {*Above, *Below});
  addFact(One.Assumptions, {*Whole, 63, false}, K.F);
  addFact(One.Assumptions, {NotAtEnd ? *Before : Way->First, 63, false}, K.F);
  bool Counted = !mentions(*Extent, K.F, AtPoints);
  if (!Counted)
    blockmaestro::addConstraint(One.Runs, {Left, false});
  One.Bounds.push_back({*Extent, Counted});
  addEverywhere(One.Assumptions, Leave.Assumptions, K.F);
  return addEndings({std::move(One)}, To);
}

/// That Stay, of the branch that ends L, does not hold: none when it may.
std::optional<Fact> LoopShapes::neverStays(const Loop &L, unsigned Counter,
                                           const Conjunction &Stay) {
  for (const Constraint &C : Stay) {
    const std::optional<Course> Way =
        C.Equality ? std::nullopt : courseOf(Counter, C.Value);
    if (!Way)
      continue;
    const CheckedPolynomial Before = Way->First + Way->Step;
    if (!Before || !provablyNonNegative(-(Way->Step + 1), K.F) ||
        provablyNonNegative(Way->First, K.F))
      continue;
    if (const CheckedPolynomial Needed =
            -1 - (guarded(L, {*Before}) ? *Before : Way->First))
      return Fact{*Needed, 63, false};
  }
  return std::nullopt;
}

/// See Note [Exits]: a loop with no other exit that does not end once it goes
/// on.
bool LoopShapes::addUnending(const Loop &L, unsigned Counter,
                             const BasicBlock &Exiting, LoopShape &To) {
  const auto *Branch = dyn_cast<BranchInst>(Exiting.getTerminator());
  if (!Branch || !Branch->isConditional())
    return false;
  Condition Stay = K.Tests.translate(Branch->getCondition(),
                                     L.contains(Branch->getSuccessor(0)), &L);
  LoopShape Once;
  for (const Conjunction &All : Stay.Any) {
    std::optional<Fact> Never = neverStays(L, Counter, All);
    if (!Never)
      return false;
    addFact(Once.Assumptions, *Never, K.F);
  }
  addEverywhere(Once.Assumptions, Stay.Assumptions, K.F);
  Once.KnownExtent = constantPolynomial(1);
  Once.Counted = true;
  To = std::move(Once);
  return true;
}

} // namespace blockmaestro
