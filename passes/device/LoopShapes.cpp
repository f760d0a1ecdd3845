// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LoopShapes.h"

#include "KernelAnalysis.h"
#include "Polynomials.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

// Note [Loops]
// Let c(k) >= 0 be the condition, in iteration k, for an exit that every
// iteration passes not to be taken. Iteration k >= 1 runs only if c(k-1) >= 0:
// that is Runs, with the loop's number as k. Where c falls with k, c(k-1) >= 0
// says the same of all earlier iterations, so with one exit it is all that
// iteration k needs. If c(k-1) = d - s*k with s >= 1, the last k is floor(d/s):
// one more is the extent, and where that is one number of the launch it is the
// number of iterations. A step s that is an argument is assumed to be at least
// 1: the loop would not end otherwise. Where a condition falls with s and
// another with -s, as both sides of 0 <= i < n do with a step that is an
// argument, the one that holds in the first iteration stays true.
// In the first iteration Runs need not hold: the guards of the loop may imply
// it, and otherwise that iteration is a case of its own (see FootprintBuilder).
// The conditions themselves rest on assumptions over the iterations below the
// extent. By induction those are all: as long as the arithmetic agrees, so do
// the conditions, and at the extent the condition fails.
// "i != n" is no such condition, nor is "i == 0", which is what is left of a
// loop of two iterations. There LLVM's count e of how often the exit is not
// taken gives d - s*k = e - k. A condition that has cases, as where the loop
// begins at "up ? 0 : 1", is true where one of them is. If all that they say
// falls with k, or does not change with it, then Runs has the same cases, and
// the extent is the largest of theirs, where one of them is known to be. An
// equality does not fall: of "i == 0 || i == n" each case holds once, but where
// n is 1 there are three iterations.

namespace blockmaestro {

/// Cases that a loop's conditions to go on may have.
static constexpr size_t MaxCases = 4;

/// The extent of a loop of which none is known: an extent of 0 would say that
/// the loop does not run.
static constexpr int64_t AnyCount = INT64_MAX;

LoopShapes::LoopShapes(KernelAnalysis &K) : K(K) {
  for (const Loop *L : K.LI.getLoopsInPreorder())
    Loops.push_back(L);
}

unsigned LoopShapes::number(const Loop &L) const {
  return static_cast<unsigned>(llvm::find(Loops, &L) - Loops.begin());
}

const LoopShape &LoopShapes::shape(unsigned Counter) {
  auto Known = Shapes.find(Counter);
  if (Known != Shapes.end())
    return Known->second;
  Shapes[Counter] = {};
  LoopShape Shape = compute(Counter);
  restrict(Counter, Shape);
  setExtent(Counter, Shape);
  return Shapes[Counter] = std::move(Shape);
}

void LoopShapes::setExtent(unsigned Counter, const LoopShape &Shape) {
  if (!Shape.KnownExtent)
    return;
  if (K.F.CounterExtents.size() <= Counter)
    K.F.CounterExtents.resize(Counter + 1, constantPolynomial(AnyCount));
  K.F.CounterExtents[Counter] = *Shape.KnownExtent;
}

unsigned LoopShapes::addCounter(const LoopShape &Shape) {
  unsigned Counter = count();
  ++Added;
  Shapes[Counter] = Shape;
  setExtent(Counter, Shape);
  return Counter;
}

/// Whether all counters in P are of loops around loop Counter that have an
/// extent, or with Own of that loop itself.
bool LoopShapes::isUsable(const Polynomial &P, unsigned Counter, bool Own) {
  for (unsigned I = 0; I < Loops.size(); ++I) {
    if (!mentionsCounter(P, K.F, I) || (Own && I == Counter))
      continue;
    if (I == Counter || !Loops[I]->contains(Loops[Counter]) ||
        !shape(I).KnownExtent)
      return false;
  }
  return true;
}

/// Leaves out of Shape what says nothing because of other loops.
void LoopShapes::restrict(unsigned Counter, LoopShape &Shape) {
  bool Usable =
      Shape.KnownExtent && isUsable(*Shape.KnownExtent, Counter, false);
  for (const Fact &A : Shape.Assumptions)
    Usable &= isUsable(A.Value, Counter, true);
  for (const Conjunction &All : Shape.Runs)
    for (const Constraint &C : All)
      Usable &= isUsable(C.Value, Counter, true);
  if (!Usable)
    Shape = {};
}

/// From all exits that every iteration passes, and those that are taken in the
/// first iteration or never; any other, and any that is not understood, can
/// only make the loop shorter.
LoopShape LoopShapes::compute(unsigned Counter) {
  const Loop &L = *Loops[Counter];
  LoopShape Result;
  SmallVector<BasicBlock *, 4> Exiting;
  L.getExitingBlocks(Exiting);
  const BasicBlock *Latch = L.getLoopLatch();
  bool All = Latch != nullptr;
  unsigned Used = 0;
  for (const BasicBlock *Block : Exiting) {
    bool Passed = Latch && K.DT.dominates(Block, Latch);
    bool Understood = Passed ? addExit(L, Counter, *Block, Result)
                             : addSteadyExit(L, *Block, Result);
    All &= Understood;
    Used += Understood;
  }
  if (!Result.KnownExtent && Latch && Exiting.size() == 1 &&
      K.DT.dominates(Exiting[0], Latch) &&
      addUnending(L, Counter, *Exiting[0], Result))
    return Result;
  if (!All && !Result.Inexact)
    Result.Inexact = Rejection{ReasonKind::LoopLeftEarly, ""};
  if (Used > 1 || Result.Runs.size() > 1 || Result.Runs[0].size() > 1 ||
      Result.Inexact)
    Result.Counted = false;
  return Result;
}

/// Whether all that the edges from Exiting out of L say is in To now: that L
/// goes on only where they are never taken.
bool LoopShapes::addSteadyExit(const Loop &L, const BasicBlock &Exiting,
                               LoopShape &To) {
  for (const BasicBlock *Next : successors(&Exiting)) {
    if (L.contains(Next))
      continue;
    std::optional<Condition> Stay = K.Guards.stays(L, {&Exiting, Next});
    if (!Stay)
      return false;
    if (Stay->Any.empty())
      Stay->Any = {{{constantPolynomial(-1), false}}};
    std::vector<Ending> Any;
    for (Conjunction &All : Stay->Any)
      Any.push_back({std::move(All), {}, {}});
    if (!addEndings(std::move(Any), To))
      return false;
    addEverywhere(To.Assumptions, Stay->Assumptions, K.F);
  }
  return true;
}

/// Whether the condition to stay is all in To now.
bool LoopShapes::addExit(const Loop &L, unsigned Counter,
                         const BasicBlock &Exiting, LoopShape &To) {
  const auto *Branch = dyn_cast<BranchInst>(Exiting.getTerminator());
  if (!Branch || !Branch->isConditional())
    return addTakenCount(L, Counter, Exiting, To);
  Condition Stay = K.Tests.translate(Branch->getCondition(),
                                     L.contains(Branch->getSuccessor(0)), &L);
  auto Ends = [&](const Constraint &C) {
    return C.Equality && mentionsCounter(C.Value, K.F, Counter);
  };
  if (Stay.Any.size() == 1 && any_of(Stay.Any[0], Ends) &&
      addTakenCount(L, Counter, Exiting, To))
    return true;
  if (Stay.Any.size() == 1 && !Stay.Any[0].empty())
    return addCondition(Counter, Stay, To);
  return addCases(Counter, Stay, To) ||
         addTakenCount(L, Counter, Exiting, To) ||
         addStepsTo(L, Counter,
                    K.Tests.translate(Branch->getCondition(),
                                      !L.contains(Branch->getSuccessor(0)), &L),
                    To);
}

/// By how much Value falls in an iteration, and what it is in the first, where
/// the former is a number of the launch.
std::optional<LoopShapes::Course>
LoopShapes::courseOf(unsigned Counter, const Polynomial &Value) {
  if (mentions(Value, K.F, kindBit(SymbolKind::Value)) ||
      !mentionsCounter(Value, K.F, Counter))
    return std::nullopt;
  Polynomial Number = K.Symbols.counter(Counter);
  uint16_t Symbol = Number.Terms[0].Factors[0];
  std::vector<Fact> Needed;
  const CheckedPolynomial Moved =
      K.Symbols.replaced(Value, Symbol, Number + 1, Needed);
  CheckedPolynomial First = K.Symbols.replaced(Value, Symbol, 0, Needed);
  CheckedPolynomial Step = Value - Moved;
  if (!First || !Step || !Needed.empty() || Step->Terms.empty() ||
      mentions(*Step, K.F, AtPoints))
    return std::nullopt;
  return Course{*std::move(First), *std::move(Step)};
}

/// Whether Value is not negative where Rise is not; conditions of rotated loops
/// are about the next iteration.
static bool nonNegativeWith(const Polynomial &Value, const Polynomial &Rise,
                            const Footprint &F) {
  return provablyNonNegative(Value, F) || provablyNonNegative(Value - Rise, F);
}

/// Whether C holds in the first iteration and, as another of All is assumed to
/// fall and C then rises, in all others: of "i < n" without signs, 0 <= i.
bool LoopShapes::staysTrue(unsigned Counter, const Constraint &C,
                           const Conjunction &All) {
  if (C.Equality)
    return false;
  std::optional<Course> Mine = courseOf(Counter, C.Value);
  return Mine && any_of(All, [&](const Constraint &Each) {
           std::optional<Course> Other = courseOf(Counter, Each.Value);
           if (!Other || Each.Equality ||
               nonNegativeWith(Other->First, Mine->Step, K.F) ||
               !nonNegativeWith(Mine->First, Other->Step, K.F))
             return false;
           const Range R = rangeOf(Other->Step, K.F);
           const CheckedPolynomial Sum = Mine->Step + Other->Step;
           return Sum && Sum->Terms.empty() && !(R.Known && R.High < 1);
         });
}

/// Takes over the constraints of Stay's only case that are understood.
bool LoopShapes::addCondition(unsigned Counter, const Condition &Stay,
                              LoopShape &To) {
  bool All = !Stay.Inexact;
  Ending Only;
  for (const Constraint &C : Stay.Any[0])
    if (!staysTrue(Counter, C, Stay.Any[0]))
      All &= addConstraint(Counter, C, Only);
  addEndings({std::move(Only)}, To);
  addEverywhere(To.Assumptions, Stay.Assumptions, K.F);
  return All;
}

/// Takes over the cases of Stay where they are all understood.
bool LoopShapes::addCases(unsigned Counter, const Condition &Stay,
                          LoopShape &To) {
  if (Stay.Inexact || Stay.Any.size() < 2)
    return false;
  std::vector<Ending> Any;
  for (const Conjunction &All : Stay.Any) {
    Ending One;
    for (const Constraint &C : All) {
      if (C.Equality && mentionsCounter(C.Value, K.F, Counter))
        return false;
      if (!staysTrue(Counter, C, All) && !addConstraint(Counter, C, One))
        return false;
    }
    Any.push_back(std::move(One));
  }
  if (!addEndings(std::move(Any), To))
    return false;
  addEverywhere(To.Assumptions, Stay.Assumptions, K.F);
  return true;
}

/// See Note [Loops]: moves C by one iteration. Whether it stays true for all
/// earlier ones.
bool LoopShapes::addConstraint(unsigned Counter, const Constraint &C,
                               Ending &To) {
  if (mentions(C.Value, K.F, kindBit(SymbolKind::Value)))
    return false;
  if (!C.Equality && provablyNonNegative(C.Value, K.F))
    return true;
  if (!mentionsCounter(C.Value, K.F, Counter)) {
    blockmaestro::addConstraint(To.Runs, C);
    return true;
  }
  if (C.Equality)
    return addEquality(Counter, C, To);
  Polynomial Number = K.Symbols.counter(Counter);
  uint16_t Symbol = Number.Terms[0].Factors[0];
  const CheckedPolynomial Moved =
      K.Symbols.replaced(C.Value, Symbol, Number - 1, To.Assumptions);
  const CheckedPolynomial First =
      K.Symbols.replaced(Moved, Symbol, 0, To.Assumptions);
  const CheckedPolynomial Step = Moved - C.Value;
  if (!First || !Step)
    return false;
  blockmaestro::addConstraint(To.Runs, {*Moved, false});
  const CheckedPolynomial Progress = Step - 1;
  if (mentionsCounter(*Step, K.F, Counter) || !Progress)
    return provablyNonNegative(Step, K.F);
  bool Launch = !mentions(*Step, K.F, AtPoints);
  if (!provablyNonNegative(Progress, K.F)) {
    Range R = rangeOf(*Step, K.F);
    if (!Launch || Step->Terms.empty() || (R.Known && R.High < 1))
      return provablyNonNegative(Step, K.F);
    addFact(To.Assumptions, {*Progress, 63, false}, K.F);
  }
  const CheckedPolynomial Extent =
      (Launch ? K.Symbols.quotient(First, Step, To.Assumptions) : First) + 1;
  if (Extent)
    To.Bounds.push_back({*Extent, Launch && !mentions(*Extent, K.F, AtPoints)});
  return true;
}

/// From LLVM's count of how often the exit is passed before it is taken.
bool LoopShapes::addTakenCount(const Loop &L, unsigned Counter,
                               const BasicBlock &Exiting, LoopShape &To) {
  const SCEV *Taken = K.SE.getExitCount(&L, &Exiting);
  if (isa<SCEVCouldNotCompute>(Taken))
    return false;
  Translation Count = K.Scev.translate(Taken, L.getParentLoop());
  unsigned Bits = Taken->getType()->getIntegerBitWidth();
  if (Count.Cases.empty() || Count.Pruned || Count.Inexact || Bits > 64)
    return false;
  bool Signed = K.SE.isKnownNonNegative(K.SE.applyLoopGuards(Taken, &L));
  std::vector<Ending> Any;
  std::vector<Conjunction> Runs;
  for (const Case &C : Count.Cases) {
    const CheckedPolynomial Extent = C.Value + 1;
    const CheckedPolynomial Room = C.Value - K.Symbols.counter(Counter);
    if (!Extent || !Room ||
        mentions(C.Value, K.F, kindBit(SymbolKind::Value)) ||
        any_of(C.Where, [&](const Constraint &W) {
          return mentions(W.Value, K.F, kindBit(SymbolKind::Value));
        }))
      return false;
    Ending One;
    One.Runs = C.Where;
    One.Assumptions = C.Assumptions;
    addFact(One.Assumptions, {C.Value, static_cast<uint8_t>(Bits), Signed},
            K.F);
    blockmaestro::addConstraint(One.Runs, {*Room, false});
    One.Bounds.push_back({*Extent, !mentions(*Extent, K.F, AtPoints)});
    Runs.push_back(One.Runs);
    Any.push_back(std::move(One));
  }
  auto All = Runs.size() > 1 ? K.Simplifier.merged(Runs, K.F) : std::nullopt;
  if (All && any_of(*All, [&](const Constraint &C) {
        return equal(C.Value, Any[0].Runs.back().Value);
      })) {
    Any[0].Runs = *All;
    for (const Ending &One : Any)
      addEverywhere(Any[0].Assumptions, One.Assumptions, K.F);
    Any.resize(1);
  }
  if (!addEndings(std::move(Any), To))
    return false;
  addEverywhere(To.Assumptions, Count.Assumptions, K.F);
  return true;
}

/// The bound of One to use: a number of iterations, if there is one.
const LoopBound *LoopShapes::best(const Ending &One) {
  for (const LoopBound &Each : One.Bounds)
    if (Each.Counted)
      return &Each;
  return One.Bounds.empty() ? nullptr : &One.Bounds.front();
}

/// An extent in Any that some bound of each does not exceed.
std::optional<Polynomial>
LoopShapes::findLargest(const std::vector<Ending> &Any) const {
  auto Below = [&](const Ending &Other, const Polynomial &Extent) {
    return any_of(Other.Bounds, [&](const LoopBound &Each) {
      return provablyNonNegative(Extent - Each.Extent, K.F);
    });
  };
  for (const Ending &One : Any)
    for (const LoopBound &Each : One.Bounds)
      if (all_of(Any, [&](const Ending &Other) {
            return Below(Other, Each.Extent);
          }))
        return Each.Extent;
  return std::nullopt;
}

/// Takes over that an iteration needs one of Any; nothing, and false, where
/// they have no common bound or To would have too many cases.
bool LoopShapes::addEndings(std::vector<Ending> Any, LoopShape &To) {
  const LoopBound *Only = Any.size() == 1 ? best(Any[0]) : nullptr;
  std::optional<Polynomial> Known =
      Only ? std::optional(Only->Extent) : std::nullopt;
  if (Any.size() > 1)
    Known = findLargest(Any);
  bool Steady =
      all_of(Any, [](const Ending &One) { return One.Bounds.empty(); });
  if (Any.size() > 1 &&
      ((!Known && !Steady) || Any.size() * To.Runs.size() > MaxCases))
    return false;
  std::vector<Conjunction> Runs;
  for (const Conjunction &Before : To.Runs)
    for (const Ending &One : Any) {
      Runs.push_back(Before);
      for (const Constraint &C : One.Runs)
        blockmaestro::addConstraint(Runs.back(), C);
    }
  To.Runs = std::move(Runs);
  for (const Ending &One : Any)
    addEverywhere(To.Assumptions, One.Assumptions, K.F);
  bool Counted = Only && Only->Counted;
  if (Known && (!To.KnownExtent || (Counted && !To.Counted))) {
    To.KnownExtent = std::move(Known);
    To.Counted = Counted;
  }
  return true;
}

} // namespace blockmaestro
