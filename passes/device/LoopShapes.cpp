// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LoopShapes.h"

#include "KernelAnalysis.h"
#include "Polynomials.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
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
// 1: the loop would not end otherwise.
// In the first iteration Runs need not hold: the guards of the loop may imply
// it, and otherwise that iteration is a case of its own (see FootprintBuilder).
// The conditions themselves rest on assumptions over the iterations below the
// extent. By induction those are all: as long as the arithmetic agrees, so do
// the conditions, and at the extent the condition fails.
// "i != n" is no such condition. There LLVM's count e of how often the exit is
// not taken gives d - s*k = e - k.

namespace blockmaestro {

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
  if (!Shape.Extent)
    return;
  if (K.F.CounterExtents.size() <= Counter)
    K.F.CounterExtents.resize(Counter + 1);
  K.F.CounterExtents[Counter] = *Shape.Extent;
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
    if (I == Counter || !Loops[I]->contains(Loops[Counter]) || !shape(I).Extent)
      return false;
  }
  return true;
}

/// Leaves out of Shape what says nothing because of other loops.
void LoopShapes::restrict(unsigned Counter, LoopShape &Shape) {
  bool Usable = Shape.Extent && isUsable(*Shape.Extent, Counter, false);
  for (const Assumption &A : Shape.Assumptions)
    Usable &= isUsable(A.Value, Counter, true);
  for (const Constraint &C : Shape.Runs)
    Usable &= isUsable(C.Value, Counter, true);
  if (!Usable)
    Shape = {};
}

/// From all exits that every iteration passes; any other, and any that is not
/// understood, can only make the loop shorter.
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
    bool Understood = Passed && addExit(L, Counter, *Block, Result);
    All &= Understood;
    Used += Understood;
  }
  if (!All && !Result.Inexact)
    Result.Inexact = Rejection{ReasonKind::LoopLeftEarly, ""};
  if (Used > 1 || Result.Runs.size() > 1 || Result.Inexact)
    Result.Counted = false;
  return Result;
}

/// Whether the condition to stay is all in To now.
bool LoopShapes::addExit(const Loop &L, unsigned Counter,
                         const BasicBlock &Exiting, LoopShape &To) {
  const auto *Branch = dyn_cast<BranchInst>(Exiting.getTerminator());
  if (!Branch || !Branch->isConditional())
    return addTakenCount(L, Counter, Exiting, To);
  Condition Stay = K.Tests.translate(Branch->getCondition(),
                                     L.contains(Branch->getSuccessor(0)), &L);
  if (Stay.Any.size() != 1 || Stay.Any[0].empty())
    return addTakenCount(L, Counter, Exiting, To);
  return addCondition(Counter, Stay, To);
}

/// Takes over the constraints of Stay, moved by one iteration.
bool LoopShapes::addCondition(unsigned Counter, const Condition &Stay,
                              LoopShape &To) {
  bool All = !Stay.Inexact;
  for (const Constraint &C : Stay.Any[0])
    All &= addConstraint(Counter, C, To);
  addAll(To.Assumptions, Stay.Assumptions, K.F);
  return All;
}

/// See Note [Loops]. Whether c falls with the counter.
bool LoopShapes::addConstraint(unsigned Counter, const Constraint &C,
                               LoopShape &To) {
  Polynomial Number = K.Symbols.counter(Counter);
  std::optional<Polynomial> Before = add(Number, constantPolynomial(-1));
  if (C.Equality || mentions(C.Value, K.F, kindBit(SymbolKind::Value)))
    return false;
  uint16_t Symbol = Number.Terms[0].Factors[0];
  std::optional<Polynomial> Moved =
      K.Symbols.replaced(C.Value, Symbol, *Before, To.Assumptions);
  std::optional<Polynomial> First =
      Moved ? K.Symbols.replaced(*Moved, Symbol, {}, To.Assumptions) : Moved;
  std::optional<Polynomial> Step = Moved ? subtract(*Moved, C.Value) : Moved;
  if (!First || !Step)
    return false;
  blockmaestro::addConstraint(To.Runs, {*Moved, false});
  std::optional<Polynomial> Progress = add(*Step, constantPolynomial(-1));
  if (mentionsCounter(*Step, K.F, Counter) || !Progress)
    return provablyNonNegative(*Step, K.F);
  bool Launch = !mentions(*Step, K.F, AtPoints);
  if (!provablyNonNegative(*Progress, K.F)) {
    Range R = rangeOf(*Step, K.F);
    if (!Launch || Step->Terms.empty() || (R.Known && R.High < 1))
      return provablyNonNegative(*Step, K.F);
    addAssumption(To.Assumptions, {*Progress, 63, false}, K.F);
  }
  std::optional<Polynomial> Last =
      Launch ? K.Symbols.quotient(*First, *Step, To.Assumptions) : First;
  std::optional<Polynomial> Extent =
      Last ? add(*Last, constantPolynomial(1)) : Last;
  if (Extent)
    bound(*Extent, Launch && !mentions(*Extent, K.F, AtPoints), To);
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
  if (Count.Cases.size() != 1 || !Count.Cases[0].Where.empty() ||
      Count.Pruned || Count.Inexact || Bits > 64)
    return false;
  const Polynomial &Value = Count.Cases[0].Value;
  if (mentions(Value, K.F, kindBit(SymbolKind::Value)))
    return false;
  bool Signed = K.SE.isKnownNonNegative(K.SE.applyLoopGuards(Taken, &L));
  addAll(To.Assumptions, Count.Cases[0].Assumptions, K.F);
  addAssumption(To.Assumptions, {Value, static_cast<uint8_t>(Bits), Signed},
                K.F);
  std::optional<Polynomial> Extent = add(Value, constantPolynomial(1));
  std::optional<Polynomial> Room = subtract(Value, K.Symbols.counter(Counter));
  if (!Extent || !Room)
    return false;
  blockmaestro::addConstraint(To.Runs, {*Room, false});
  bound(*Extent, !mentions(*Extent, K.F, AtPoints), To);
  return true;
}

/// Takes Extent unless there is a bound that is at least as good to use.
void LoopShapes::bound(const Polynomial &Extent, bool Counted, LoopShape &To) {
  if (To.Extent && (To.Counted || !Counted))
    return;
  To.Extent = Extent;
  To.Counted = Counted;
}

} // namespace blockmaestro
