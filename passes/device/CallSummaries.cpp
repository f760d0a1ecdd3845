// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CallSummaries.h"

#include "AccessCollection.h"
#include "Calls.h"
#include "KernelModel.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Argument.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

#include <algorithm>

using namespace llvm;

namespace blockmaestro {

namespace {

void addAnywhere(CallSummary &To, KindSet Kinds, const Rejection &Why) {
  if (Kinds.Bits && !To.Anywhere.Bits)
    To.Why = Why;
  To.Anywhere.add(Kinds);
}

/// Adds accesses of Kinds to what Pointer may point to; of single bytes, or of
/// any size.
void addThrough(CallSummary &To, const Value *Pointer, KindSet Kinds,
                PointerMoves::Move Moved, bool Bytewise) {
  if (!Kinds.Bits)
    return;
  if (Moved == PointerMoves::Move::Address)
    return addAnywhere(To, Kinds, {ReasonKind::PointerFromInteger, ""});
  if (Moved == PointerMoves::Move::Distance && !Bytewise)
    return addAnywhere(To, Kinds, {ReasonKind::PointerMoved, ""});
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Pointer, Objects, nullptr, 0);
  for (const Value *V : Objects) {
    const auto *A = dyn_cast<Argument>(V);
    if (A && !A->hasByValAttr()) {
      To.Parameters[A->getArgNo()].add(Kinds);
      continue;
    }
    Object O = classifyObject(V);
    if (O.What == Object::Kind::Unknown)
      addAnywhere(To, Kinds, O.Why);
    else if (O.What == Object::Kind::Known)
      To.Globals[V].add(Kinds);
  }
}

/// Whether A reaches the same as B; reasons aside.
bool same(const CallSummary &A, const CallSummary &B) {
  return A.Parameters == B.Parameters && A.Anywhere == B.Anywhere &&
         A.Globals.size() == B.Globals.size() &&
         std::equal(A.Globals.begin(), A.Globals.end(), B.Globals.begin());
}

} // namespace

/// The summary of Call in terms of its own arguments, from what is known of its
/// targets so far.
CallSummary CallSummaries::ofTargets(const CallBase &Call) {
  CallSummary Sum;
  Sum.Parameters.resize(Call.arg_size());
  CallTargets Targets = targetsOf(Call);
  for (const Function *Target : Targets.Functions) {
    const CallSummary &Part = Known[Target];
    for (unsigned I = 0; I < Sum.Parameters.size(); ++I)
      if (I < Part.Parameters.size())
        Sum.Parameters[I].add(Part.Parameters[I]);
    for (const auto &[Global, Kinds] : Part.Globals)
      Sum.Globals[Global].add(Kinds);
    addAnywhere(Sum, Part.Anywhere, Part.Why);
  }
  if (!Targets.Complete) {
    KindSet All;
    All.add(AccessKind::Read);
    All.add(AccessKind::Write);
    addAnywhere(Sum, All, {ReasonKind::CallIndirect, ""});
  }
  return Sum;
}

const PointerMoves &CallSummaries::movesIn(const Function &F) {
  auto Found = Moves.find(&F);
  if (Found == Moves.end())
    Found = Moves.emplace(&F, PointerMoves(F)).first;
  return Found->second;
}

/// Computes F's summary anew; whether it has grown.
bool CallSummaries::update(const Function &F) {
  const PointerMoves &In = movesIn(F);
  CallSummary Sum;
  Sum.Parameters.resize(F.arg_size());
  auto OnAccess = [&](const RawAccess &A) {
    KindSet Kinds;
    Kinds.add(A.Kind);
    if (A.Pointer)
      addThrough(Sum, A.Pointer, Kinds, In.of(A.Pointer),
                 A.Bytes == 1 || A.Length);
    else
      addAnywhere(Sum, Kinds, A.Why);
  };
  auto OnCall = [&](const CallBase &Call) {
    CallSummary Part = ofTargets(Call);
    for (unsigned I = 0; I < Part.Parameters.size(); ++I)
      addThrough(Sum, Call.getArgOperand(I), Part.Parameters[I],
                 In.of(Call.getArgOperand(I)), false);
    for (const auto &[Global, Kinds] : Part.Globals)
      Sum.Globals[Global].add(Kinds);
    addAnywhere(Sum, Part.Anywhere, Part.Why);
  };
  collectOwnAccesses(F, OnAccess, OnCall);
  CallSummary &Old = Known[&F];
  bool Changed = !same(Old, Sum);
  Old = std::move(Sum);
  return Changed;
}

const CallSummary &CallSummaries::of(const Function &F) {
  if (auto Found = Known.find(&F); Found != Known.end())
    return Found->second;
  std::vector<const Function *> Functions = reachableFrom(F);
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (auto It = Functions.rbegin(); It != Functions.rend(); ++It)
      Changed |= update(**It);
  }
  return Known[&F];
}

CallSummary CallSummaries::of(const CallBase &Call) {
  for (const Function *Target : targetsOf(Call).Functions)
    of(*Target);
  return ofTargets(Call);
}

} // namespace blockmaestro
