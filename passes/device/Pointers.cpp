// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Pointers.h"

#include "KernelAnalysis.h"
#include "KernelModel.h"
#include "Polynomials.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

// Note [Pointers]
// LLVM writes a pointer as a base plus an offset. A base that is a select, or a
// phi after a branch, has the cases of its arms, each under its condition. A
// phi that heads a loop has the cases of everything that comes into it from
// outside, in any iteration: no condition, so inexact. So an exchange of two
// pointers is known. Where something comes into it that is computed in the loop
// nothing is known but the roots: it would be that of an earlier iteration.
// A pointer that is read from an aggregate argument, at an index that is not
// constant, has a case for each place in the aggregate that may hold a pointer:
// where the index leads there. What the aggregate's type says of the place does
// not count. A place that no index of the launch leads to may hold anything.

namespace blockmaestro {

namespace {

PointerTranslation unknownPointer(const Rejection &Why) {
  PointerTranslation Result;
  Result.Why = Why;
  return Result;
}

/// What V, a phi that heads a loop, may be, looking through all phis and
/// selects: values from outside of all loops that are headed by these. None
/// when there is another, or a cycle that is no loop.
std::vector<const Value *> enteringValues(const Value *V,
                                          const KernelAnalysis &K) {
  SetVector<const Value *> Seen;
  Seen.insert(V);
  std::vector<const Value *> Leaves;
  std::vector<const Loop *> Headed;
  for (unsigned I = 0; I < Seen.size(); ++I) {
    const Value *Next = Seen[I];
    if (const auto *Phi = dyn_cast<PHINode>(Next)) {
      if (K.LI.isLoopHeader(Phi->getParent()))
        Headed.push_back(K.LI.getLoopFor(Phi->getParent()));
      else if (!K.Guards.parting(*Phi))
        return {};
      for (const Value *Arm : Phi->incoming_values())
        Seen.insert(Arm);
    } else if (const auto *Select = dyn_cast<SelectInst>(Next)) {
      Seen.insert(Select->getTrueValue());
      Seen.insert(Select->getFalseValue());
    } else {
      Leaves.push_back(Next);
    }
  }
  for (const Value *Leaf : Leaves)
    if (const auto *I = dyn_cast<Instruction>(Leaf))
      if (any_of(Headed, [&](const Loop *L) { return L->contains(I); }))
        return {};
  return Leaves;
}

} // namespace

PointerTranslation Pointers::translate(const Value *Pointer,
                                       const Loop *Scope) {
  const SCEV *S = K.SE.getSCEVAtScope(const_cast<Value *>(Pointer), Scope);
  const auto *Base = dyn_cast<SCEVUnknown>(K.SE.getPointerBase(S));
  const SCEV *Offset = Base ? K.SE.removePointerBase(S) : S;
  if (!Base || isa<SCEVCouldNotCompute>(Offset))
    return unknownPointer({ReasonKind::IndexNotPolynomial, ""});
  PointerTranslation Result = base(Base->getValue(), Scope);
  if (Result.Cases.empty())
    return Result;
  Translation Bytes = K.Scev.translate(Offset, Scope);
  if (Bytes.Cases.empty())
    return unknownPointer(Bytes.Why);
  std::vector<PointerCase> Bases = std::move(Result.Cases);
  Result.Cases.clear();
  addEverywhere(Result.Assumptions, Bytes.Assumptions, K.F);
  Result.Pruned |= Bytes.Pruned;
  if (!Result.Inexact)
    Result.Inexact = Bytes.Inexact;
  for (const PointerCase &From : Bases) {
    Translation Start;
    Start.Cases = {From.Bytes};
    Translation Sum = combine(Start, Bytes, K.F,
                              [](const Polynomial &A, const Polynomial &B,
                                 const Case & /*Out*/) { return A + B; });
    if (Sum.Cases.empty())
      return unknownPointer(Sum.Why);
    for (Case &C : Sum.Cases)
      Result.Cases.push_back({From.Base, std::move(C)});
  }
  if (Result.Cases.size() > MaxAlternatives)
    return unknownPointer({ReasonKind::CasesTooMany, ""});
  return Result;
}

/// Of a value that is no sum of a pointer and an offset.
PointerTranslation Pointers::base(const Value *V, const Loop *Scope) {
  if (Operator::getOpcode(V) == Instruction::AddrSpaceCast)
    return translate(cast<Operator>(V)->getOperand(0), Scope);
  if (isa<PHINode>(V) || isa<SelectInst>(V)) {
    if (Open.size() >= MaxChoices || !K.Effort.spend())
      return unknownPointer({ReasonKind::KernelTooLarge, ""});
    if (!Open.insert(V).second)
      return unknownPointer({ReasonKind::SeveralPointers, ""});
    PointerTranslation Result = merged(V, Scope);
    Open.erase(V);
    return Result;
  }
  if (const auto *Load = dyn_cast<LoadInst>(V))
    if (PointerTranslation Result = chosen(*Load, Scope); !Result.Cases.empty())
      return Result;
  Object O = classifyObject(V);
  if (O.What == Object::Kind::Unknown)
    return unknownPointer(O.Why);
  PointerTranslation Result;
  Result.Cases.push_back({O.Base, {}});
  return Result;
}

/// Of a pointer read from an aggregate argument at an index; see Note
/// [Pointers].
PointerTranslation Pointers::chosen(const LoadInst &Load, const Loop *Scope) {
  const PointerChoice Choice = pointerChoice(Load);
  if (!Choice.From)
    return {};
  const Loop *Own = K.LI.getLoopFor(Load.getParent());
  Scope = !Own || Own->contains(Scope) ? Own : Scope;
  const SCEV *At =
      K.SE.getSCEVAtScope(const_cast<Value *>(Load.getPointerOperand()), Scope);
  const auto *Base = dyn_cast<SCEVUnknown>(K.SE.getPointerBase(At));
  if (!Base || Base->getValue()->stripPointerCasts() != Choice.From)
    return {};
  const SCEV *Offset = K.SE.removePointerBase(At);
  const ConstantRange Offsets = K.SE.getUnsignedRange(Offset);
  const Translation Index = K.Scev.translate(Offset, Scope);
  PointerTranslation Result;
  Result.Assumptions = Index.Assumptions;
  Result.Pruned = Index.Pruned;
  Result.Inexact = Index.Inexact;
  for (const Case &C : Index.Cases) {
    addEverywhere(Result.Assumptions, C.Assumptions, K.F);
    addFact(Result.Assumptions, {C.Value, 64, true}, K.F);
    for (uint64_t Place : Choice.Offsets)
      if (Offsets.contains(APInt(Offsets.getBitWidth(), Place)) &&
          !addPlace(Result, C, argumentObject(*Choice.From, Place).Base))
        return {};
  }
  return Result;
}

/// Adds the case of Base where Index is its offset in the aggregate. False
/// where there are too many.
bool Pointers::addPlace(PointerTranslation &To, const Case &Index,
                        const Root &Base) {
  const CheckedPolynomial Room =
      Index.Value - static_cast<int64_t>(Base.Offset);
  if (!Room || To.Cases.size() == MaxAlternatives)
    return false;
  PointerCase There{Base, {Index.Where, {}, {}}};
  addConstraint(There.Bytes.Where, {*Room, true});
  To.Cases.push_back(std::move(There));
  return true;
}

/// Adds the cases of Arm where When holds.
bool Pointers::addArm(PointerTranslation &To, const Condition &When,
                      const Value *Arm, const Loop *Scope) {
  PointerTranslation Cases = translate(Arm, Scope);
  To.Why = Cases.Why;
  addEverywhere(To.Assumptions, When.Assumptions, K.F);
  addEverywhere(To.Assumptions, Cases.Assumptions, K.F);
  To.Pruned |= When.Pruned || Cases.Pruned;
  if (!To.Inexact)
    To.Inexact = When.Inexact ? When.Inexact : Cases.Inexact;
  if (!K.Effort.spend(To.Assumptions.size()) ||
      To.Assumptions.size() > MaxAssumptions) {
    To.Why = {ReasonKind::KernelTooLarge, ""};
    return false;
  }
  for (const PointerCase &One : Cases.Cases) {
    Translation Placed;
    Translation Bytes;
    Bytes.Cases = {One.Bytes};
    addCases(Placed, When, Bytes, K.F);
    To.Pruned |= Placed.Pruned;
    for (Case &C : Placed.Cases)
      To.Cases.push_back({One.Base, std::move(C)});
  }
  if (To.Cases.size() > MaxAlternatives)
    To.Why = {ReasonKind::CasesTooMany, ""};
  return !Cases.Cases.empty() && To.Cases.size() <= MaxAlternatives;
}

/// See Note [Pointers].
PointerTranslation Pointers::merged(const Value *V, const Loop *Scope) {
  PointerTranslation Result;
  bool Done = true;
  const auto *Phi = dyn_cast<PHINode>(V);
  if (const auto *Select = dyn_cast<SelectInst>(V)) {
    for (bool Holds : {true, false})
      Done = Done &&
             addArm(Result,
                    K.Tests.translate(Select->getCondition(), Holds, Scope),
                    Select->getOperand(Holds ? 1 : 2), Scope);
  } else if (K.LI.isLoopHeader(Phi->getParent())) {
    Condition Any = unknownCondition({ReasonKind::SeveralPointers, ""});
    std::vector<const Value *> Leaves = enteringValues(V, K);
    for (const Value *Leaf : Leaves)
      Done = Done && addArm(Result, Any, Leaf, Scope);
    if (Leaves.empty())
      return unknownPointer({ReasonKind::SeveralPointers, ""});
  } else if (const BasicBlock *Top = K.Guards.parting(*Phi)) {
    for (unsigned I = 0; I < Phi->getNumIncomingValues(); ++I)
      Done = Done && addArm(Result,
                            K.Guards.along(Top, Phi->getIncomingBlock(I),
                                           Phi->getParent(), Scope),
                            Phi->getIncomingValue(I), Scope);
  } else {
    return unknownPointer({ReasonKind::SeveralPointers, ""});
  }
  return Done ? Result : unknownPointer(Result.Why);
}

} // namespace blockmaestro
