// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FootprintBuilder.h"

#include "AccessCollection.h"
#include "DomainSimplifier.h"
#include "Guards.h"
#include "KernelModel.h"
#include "Polynomials.h"
#include "SymbolOrder.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Operator.h"

#include <algorithm>
#include <map>
#include <utility>

using namespace llvm;

namespace blockmaestro {

namespace {

/// Where the access is in the kernel's own file: the innermost place of the
/// chain of inlined calls that is in it, else the outermost.
SourceLocation locate(const Instruction &I) {
  const DILocation *Where = I.getDebugLoc();
  const DISubprogram *Kernel = I.getFunction()->getSubprogram();
  if (!Where || !Kernel)
    return {};
  while (Where->getFilename() != Kernel->getFilename() && Where->getInlinedAt())
    Where = Where->getInlinedAt();
  return {Where->getFilename().str(), Where->getLine(), Where->getColumn()};
}

bool sameRoot(const Root &A, const Root &B) {
  return A.Kind == B.Kind && A.Argument == B.Argument && A.Offset == B.Offset &&
         A.Global == B.Global;
}

template <typename T>
bool sameList(const std::vector<T> &A, const std::vector<T> &B) {
  return std::equal(A.begin(), A.end(), B.begin(), B.end(),
                    [](const T &X, const T &Y) { return equal(X, Y); });
}

/// Whether A and B touch the same bytes in every launch.
bool sameBytes(const Access &A, const Access &B) {
  return A.Kind == B.Kind && sameRoot(A.Base, B.Base) &&
         A.ElementBytes == B.ElementBytes && A.How == B.How &&
         equal(A.Offset, B.Offset) && sameList(A.Domain, B.Domain) &&
         sameList(A.Assumptions, B.Assumptions);
}

class Builder {
public:
  Builder(ScalarEvolution &SE, LoopInfo &LI, DominatorTree &DT)
      : SE(SE), LI(LI), Scev(SE, LI, Result), Finder(SE, LI, DT, Scev, Result) {
  }

  void add(const RawAccess &Raw);
  Footprint take();

private:
  const Guards &guardsOf(const BasicBlock *Block);
  Translation offsetOf(const Value *Pointer, const Loop *Scope);
  void addPlaced(const RawAccess &Raw, Access A);
  void applyGuards(const Guards &G, Access &A);
  bool hasExtents(const Polynomial &P);
  bool applyCounters(Access &A, const std::vector<Assumption> &OfOffset);
  Assumption guarded(Assumption Needed, const Access &A);
  void place(Access A);

  ScalarEvolution &SE;
  LoopInfo &LI;
  Footprint Result;
  ScevPolynomials Scev;
  GuardFinder Finder;
  DomainSimplifier Simplifier;
  std::map<const BasicBlock *, Guards> Known;
};

/// Forgets what only a placed access has.
void widen(Access &A, Exactness How, const Rejection &Why) {
  A.How = How;
  A.Reason = toText(Why);
  A.ElementBytes = 0;
  A.Offset = {};
  A.Domain.clear();
  A.Assumptions.clear();
  if (How == Exactness::Unknown)
    A.Base = {};
}

/// Exact becomes bounded; the first reason stays.
void loosen(Access &A, const Rejection &Why) {
  if (A.How != Exactness::Exact)
    return;
  A.How = Exactness::Bounded;
  A.Reason = toText(Why);
}

const Guards &Builder::guardsOf(const BasicBlock *Block) {
  auto Found = Known.find(Block);
  if (Found == Known.end())
    Found = Known.emplace(Block, Finder.find(Block)).first;
  return Found->second;
}

void Builder::add(const RawAccess &Raw) {
  Access A;
  A.Kind = Raw.Kind;
  A.Where = locate(*Raw.At);
  if (!Raw.Pointer) {
    widen(A, Exactness::Unknown, Raw.Why);
    return place(std::move(A));
  }
  std::vector<Object> Objects = objectsOf(Raw.Pointer);
  for (const Object &O : Objects) {
    A.Base = O.Base;
    if (O.What == Object::Kind::Unknown)
      widen(A, Exactness::Unknown, O.Why);
    else if (Objects.size() > 1)
      widen(A, Exactness::Allocation, {ReasonKind::SeveralPointers, ""});
    else if (Raw.Bytes == 0)
      widen(A, Exactness::Allocation, Raw.Why);
    else
      return addPlaced(Raw, std::move(A));
    place(A);
  }
}

/// The offset of Pointer from its only root, looking through address space
/// casts; Scope is the innermost loop around the access.
Translation Builder::offsetOf(const Value *Pointer, const Loop *Scope) {
  Translation Sum;
  Sum.Value = constantPolynomial(0);
  for (;;) {
    const SCEV *S = SE.getSCEVAtScope(const_cast<Value *>(Pointer), Scope);
    const auto *Base = dyn_cast<SCEVUnknown>(SE.getPointerBase(S));
    const SCEV *Offset = Base ? SE.removePointerBase(S) : S;
    if (!Base || isa<SCEVCouldNotCompute>(Offset))
      return {};
    Translation Part = Scev.translate(Offset);
    if (!Part.Value)
      return Part;
    for (const Assumption &A : Part.Assumptions)
      addAssumption(Sum.Assumptions, A, Result);
    Sum.Value = blockmaestro::add(*Sum.Value, *Part.Value);
    if (!Sum.Value)
      return {std::nullopt, {}, {ReasonKind::IndexTooLarge, ""}};
    Pointer = Base->getValue();
    if (Operator::getOpcode(Pointer) != Instruction::AddrSpaceCast)
      break;
    Pointer = cast<Operator>(Pointer)->getOperand(0);
  }
  if (classifyObject(Pointer).What != Object::Kind::Known)
    return {std::nullopt, {}, {ReasonKind::SeveralPointers, ""}};
  return Sum;
}

/// An access with one known root and a fixed number of bytes. One that never
/// happens is left out, unless that rests on an assumption.
void Builder::addPlaced(const RawAccess &Raw, Access A) {
  const BasicBlock *Block = Raw.At->getParent();
  Translation Offset = offsetOf(Raw.Pointer, LI.getLoopFor(Block));
  if (!Offset.Value) {
    widen(A, Exactness::Allocation, Offset.Why);
    return place(std::move(A));
  }
  A.ElementBytes = static_cast<uint32_t>(Raw.Bytes);
  A.Offset = *Offset.Value;
  A.How = Exactness::Exact;
  applyGuards(guardsOf(Block), A);
  if (applyCounters(A, Offset.Assumptions)) {
    for (Assumption &Needed : Offset.Assumptions)
      addAssumption(A.Assumptions, guarded(std::move(Needed), A), Result);
    bool Happens = Simplifier.simplify(A, Result);
    if (!Happens && A.Assumptions.empty())
      return;
  }
  place(std::move(A));
}

/// Needed, without its lower bound where the domain implies that: in
/// "if (i > 0) a[i - 1u]" the index is negative in a thread that never gets
/// there. The guards' own assumptions hold everywhere, so the domain is true.
Assumption Builder::guarded(Assumption Needed, const Access &A) {
  if (!Needed.Signed && Needed.Bits < 64 &&
      !provablyNonNegative(Needed.Value, Result) &&
      Simplifier.implies(A, Needed.Value, Result)) {
    Needed.Signed = true;
    ++Needed.Bits;
  }
  return Needed;
}

/// Whether every counter in P belongs to a loop of known length.
bool Builder::hasExtents(const Polynomial &P) {
  for (unsigned I = 0; I < Scev.counterCount(); ++I)
    if (mentionsCounter(P, Result, I) && !Scev.extent(I).Count)
      return false;
  return true;
}

/// Takes over the guards, or none of them when one is about a loop of unknown
/// length.
void Builder::applyGuards(const Guards &G, Access &A) {
  if (G.Inexact)
    loosen(A, *G.Inexact);
  bool Usable = true;
  for (const Constraint &C : G.Constraints)
    Usable &= hasExtents(C.Value);
  for (const Assumption &Needed : G.Assumptions)
    Usable &= hasExtents(Needed.Value);
  if (!Usable)
    return loosen(
        A, {ReasonKind::GuardNotPolynomial, "in a loop of unknown length"});
  A.Domain = G.Constraints;
  for (const Assumption &Needed : G.Assumptions)
    addAssumption(A.Assumptions, Needed, Result);
}

/// Adds what the extents of the counters in A rest on. False when A had to be
/// widened because a counter in its offset has no extent.
bool Builder::applyCounters(Access &A,
                            const std::vector<Assumption> &OfOffset) {
  std::vector<Polynomial> Values{A.Offset};
  for (const Constraint &C : A.Domain)
    Values.push_back(C.Value);
  for (const auto *Assumptions : {&std::as_const(A.Assumptions), &OfOffset})
    for (const Assumption &Needed : *Assumptions)
      Values.push_back(Needed.Value);
  for (unsigned I = Scev.counterCount(); I-- > 0;) {
    if (std::none_of(Values.begin(), Values.end(), [&](const Polynomial &P) {
          return mentionsCounter(P, Result, I);
        }))
      continue;
    const LoopExtent &Extent = Scev.extent(I);
    if (!Extent.Count) {
      widen(A, Exactness::Allocation, {ReasonKind::TripCountUnknown, ""});
      return false;
    }
    Values.push_back(*Extent.Count);
    Result.CounterExtents.resize(Scev.counterCount());
    Result.CounterExtents[I] = *Extent.Count;
    for (const Assumption &Needed : Extent.Assumptions) {
      Values.push_back(Needed.Value);
      addAssumption(A.Assumptions, Needed, Result);
    }
    if (Extent.MayLeaveEarly)
      loosen(A, {ReasonKind::LoopLeftEarly, ""});
  }
  return true;
}

/// Keeps A unless the footprint has its bytes already.
void Builder::place(Access A) {
  for (const Access &Other : Result.Accesses)
    if (sameBytes(A, Other))
      return;
  Result.Accesses.push_back(std::move(A));
}

Footprint Builder::take() {
  orderSymbols(Result);
  return std::move(Result);
}

} // namespace

Footprint buildFootprint(const Function &F, ScalarEvolution &SE, LoopInfo &LI,
                         DominatorTree &DT) {
  Builder B(SE, LI, DT);
  for (const RawAccess &Raw : collectAccesses(F))
    B.add(Raw);
  return B.take();
}

} // namespace blockmaestro
