// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FootprintBuilder.h"

#include "AccessCollection.h"
#include "DomainSimplifier.h"
#include "Drafts.h"
#include "KernelAnalysis.h"
#include "KernelModel.h"
#include "PointerMoves.h"
#include "Pointers.h"
#include "Polynomials.h"
#include "SymbolOrder.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Operator.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

using namespace llvm;

// Note [Building]
// A draft is one case of an access on its way: root, offset, domain, and two
// lists of assumptions: of the conditions it stands under, and its own, which
// its offset rests on; see Note [Resting]. It goes through these
// steps, each of which keeps it a superset of the truth:
// 1. A remainder of a value, or a quotient of one, becomes a value of its own:
//    only its range counts.
// 2. Constraints on values that the offset does not have, or on counters of
//    loops of which nothing is known, say nothing: they go, together with the
//    assumptions that only they rest on. (Every value and counter in what a
//    comparison assumes is in its constraint; see Note [Comparisons].) Where
//    alternatives were pruned these assumptions stay: where one fails, a
//    pruned alternative may be the one that happens.
// 3. Counters, the inner first, bring their loop's condition. Where the guards
//    do not imply that in the first iteration, that iteration is a draft of its
//    own.
// 4. An offset with a value of which only the type is known, and that no guard
//    bounds, is anywhere in the allocation; anywhere at all where the value may
//    be a distance between allocations, see Note [Distances].
// 5. What the domain implies is not assumed; what is implied is not said.
// A root all of whose cases were pruned has one draft that never happens, for
// the assumptions that this rests on.

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

/// Whether M is a multiple of value Index.
bool mentionsValueAlone(const Monomial &M, const Footprint &F, unsigned Index) {
  if (M.Factors.size() != 1)
    return false;
  const Symbol &S = F.Symbols[M.Factors.front()];
  return S.Kind == SymbolKind::Value && S.Index == Index;
}

class Builder {
public:
  Builder(const Function &F, ScalarEvolution &SE, LoopInfo &LI,
          DominatorTree &DT, AssumptionCache &AC)
      : K(SE, LI, DT, AC), Moves(F) {}

  void add(const RawAccess &Raw);
  Footprint take();

private:
  void addPlaced(const RawAccess &Raw, Access A);
  void addRoots(const RawAccess &Raw, Access A, const Rejection &Why);
  bool addLength(const RawAccess &Raw, Draft &D);
  void addPieces(const PointerTranslation &Pointer, Condition Guard, Draft D);
  void addNever(const RawAccess &Raw, const PointerTranslation &Pointer,
                const Draft &D);
  CheckedPolynomial folded(const Polynomial &P, uint16_t Q);
  CheckedPolynomial ranged(const Polynomial &P, uint16_t Q);
  std::optional<uint16_t> lastQuotient(const std::vector<Polynomial *> &Parts,
                                       size_t Below) const;
  void dropGiven(Draft &D);
  void foldRemainders(Draft &D);
  bool isUseless(const Polynomial &P, const Polynomial &Offset);
  void dropUseless(Draft &D);
  void addNested(std::vector<Fact> &To, const std::vector<Fact> &From,
                 const Conjunction &Reached);
  std::optional<unsigned> innermost(const Draft &D, unsigned Below) const;
  Conjunction reachedUnder(unsigned Counter, const Conjunction &Guard);
  void applyCounters(Draft D, unsigned Below);
  std::vector<Draft> running(const Draft &D,
                             const std::vector<Conjunction> &Runs);
  bool holdsAtFirst(const Conjunction &Runs, const Access &A, uint16_t Counter);
  Draft firstIteration(const Draft &D, uint16_t Counter);
  std::set<unsigned> valuesIn(const Polynomial &P) const;
  bool isBounded(Access &A);
  bool isConfined(const Access &A);
  bool isTooLarge() const;
  bool isMoved(const RawAccess &Raw) const;
  void finish(Draft D);
  Fact guarded(Fact Needed, const Draft &D);

  KernelAnalysis K;
  PointerMoves Moves;
  Pointers Roots{K};
  std::map<uint16_t, Polynomial> Remainders; ///< Of quotients of values.
  std::map<uint16_t, Polynomial> Ranged;     ///< Those quotients themselves.
  std::vector<Draft> Pieces;                 ///< Of the instruction at hand.
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

void Builder::add(const RawAccess &Raw) {
  Access A;
  A.Kind = Raw.Kind;
  A.Where = locate(*Raw.At);
  if (!Raw.Pointer) {
    widen(A, Exactness::Unknown, Raw.Why);
    return addAccess(K.F.Accesses, std::move(A));
  }
  if (objectsOf(Raw.Pointer).empty())
    return;
  if (Moves.of(Raw.Pointer) == PointerMoves::Move::Address) {
    widen(A, Exactness::Unknown, {ReasonKind::PointerFromInteger, ""});
    return addAccess(K.F.Accesses, std::move(A));
  }
  if (Raw.Bytes == 0 && !Raw.Length)
    return addRoots(Raw, std::move(A), Raw.Why);
  if (isTooLarge())
    return addRoots(Raw, std::move(A), {ReasonKind::KernelTooLarge, ""});
  addPlaced(Raw, std::move(A));
}

/// Whether a limit is reached beyond which no access is looked into.
bool Builder::isTooLarge() const {
  return K.Effort.isSpent() || K.F.Symbols.size() >= MaxSymbols ||
         K.F.Accesses.size() >= MaxAccesses || K.Loops.count() >= MaxCounters;
}

/// Whether Raw's pointer may be moved out of its allocation. Bytes one by one
/// are what a distance in bytes is an index of.
bool Builder::isMoved(const RawAccess &Raw) const {
  return Moves.of(Raw.Pointer) == PointerMoves::Move::Distance &&
         Raw.Bytes != 1 && !Raw.Length;
}

/// Anywhere in what Raw's pointer may point into.
void Builder::addRoots(const RawAccess &Raw, Access A, const Rejection &Why) {
  if (isMoved(Raw)) {
    widen(A, Exactness::Unknown, {ReasonKind::PointerMoved, ""});
    return addAccess(K.F.Accesses, std::move(A));
  }
  for (const Object &O : objectsOf(Raw.Pointer)) {
    A.Base = O.Base;
    if (O.What == Object::Kind::Unknown)
      widen(A, Exactness::Unknown, O.Why);
    else
      widen(A, Exactness::Allocation, Why);
    addAccess(K.F.Accesses, A);
  }
}

void Builder::addPlaced(const RawAccess &Raw, Access A) {
  const BasicBlock *Block = Raw.At->getParent();
  PointerTranslation Pointer =
      Roots.translate(Raw.Pointer, K.LI.getLoopFor(Block));
  Draft D;
  A.ElementBytes = static_cast<uint32_t>(Raw.Bytes);
  A.How = Exactness::Exact;
  D.Piece = A;
  if (Pointer.Cases.empty())
    return addRoots(Raw, std::move(A), Pointer.Why);
  if (Raw.Bytes == 0 && !addLength(Raw, D))
    return addRoots(Raw, std::move(A), Raw.Why);
  const Condition &Guard = K.Guards.find(Block);
  D.OfConditions = Guard.Assumptions;
  addNested(D.OfConditions, Pointer.Assumptions, sharedFirst(Guard.Any));
  D.Pruned = Guard.Pruned || Pointer.Pruned;
  addPieces(Pointer, Guard, D);
  if (D.Pruned)
    addNever(Raw, Pointer, D);
  dropImpossible(Pieces, K.Simplifier, K.F);
  for (Draft &Each : Pieces) {
    if (isMoved(Raw) && !isConfined(Each.Piece))
      widen(Each.Piece, Exactness::Unknown, {ReasonKind::PointerMoved, ""});
    addAccess(K.F.Accesses, std::move(Each.Piece));
  }
  Pieces.clear();
}

/// One byte for each value of a counter of its own below the length.
bool Builder::addLength(const RawAccess &Raw, Draft &D) {
  Translation Length =
      K.Scev.translate(Raw.Length, K.LI.getLoopFor(Raw.At->getParent()));
  if (Length.Cases.size() != 1 || !Length.Cases[0].Where.empty() ||
      Length.Pruned ||
      mentions(Length.Cases[0].Value, K.F, kindBit(SymbolKind::Value)))
    return false;
  unsigned Bits = Raw.Length->getType()->getIntegerBitWidth();
  const Polynomial &Bytes = Length.Cases[0].Value;
  LoopShape Shape;
  Shape.KnownExtent = Bytes;
  Shape.Inexact = Length.Inexact;
  Shape.Assumptions = Length.Cases[0].Assumptions;
  addFact(Shape.Assumptions,
          {Bytes, static_cast<uint8_t>(std::min(Bits, 63u)), false}, K.F);
  unsigned Counter = K.Loops.addCounter(Shape);
  Polynomial Number = K.Symbols.counter(Counter);
  const CheckedPolynomial Room = Bytes - Number - 1;
  if (!Room)
    return false;
  D.Piece.ElementBytes = 1;
  D.Piece.Offset = Number;
  if (mentions(Bytes, K.F, AtPoints))
    addConstraint(D.Piece.Domain, {*Room, false});
  return true;
}

/// Every case of the pointer under every alternative of the guard.
void Builder::addPieces(const PointerTranslation &Pointer, Condition Guard,
                        Draft D) {
  if (Guard.Any.size() * Pointer.Cases.size() > MaxAlternatives) {
    Guard.Any = {sharedBy(Guard.Any)};
    loosen(D.Piece, {ReasonKind::CasesTooMany, ""});
  }
  if (Pointer.Inexact)
    loosen(D.Piece, *Pointer.Inexact);
  if (Guard.Inexact)
    loosen(D.Piece, *Guard.Inexact);
  for (const PointerCase &From : Pointer.Cases)
    for (const Conjunction &All : Guard.Any) {
      Draft Next = D;
      Next.Piece.Base = From.Base;
      Next.Own = From.Bytes.Assumptions;
      Next.Guard = All;
      Next.Piece.Domain = All;
      for (const Constraint &C : From.Bytes.Where)
        addConstraint(Next.Piece.Domain, C);
      for (const Constraint &C : D.Piece.Domain)
        addConstraint(Next.Piece.Domain, C);
      dropGiven(Next);
      if (From.Base.Kind == RootKind::None)
        continue;
      if (!(D.Piece.Offset + From.Bytes.Value).moveTo(Next.Piece.Offset)) {
        widen(Next.Piece, Exactness::Allocation,
              {ReasonKind::IndexTooLarge, ""});
        Pieces.push_back(Next);
        continue;
      }
      foldRemainders(Next);
      dropUseless(Next);
      applyCounters(std::move(Next), K.Loops.count());
    }
}

/// Through a pointer that is null nothing is touched, so that it is not null
/// need not be said.
void Builder::dropGiven(Draft &D) {
  const Root &Base = D.Piece.Base;
  if (Base.Kind != RootKind::Argument)
    return;
  const auto Address = llvm::find_if(K.F.Symbols, [&](const Symbol &S) {
    return S.Kind == SymbolKind::Argument && S.Index == Base.Argument &&
           S.Offset == Base.Offset && S.Bytes == 8;
  });
  if (Address == K.F.Symbols.end())
    return;
  const auto Number = static_cast<uint16_t>(Address - K.F.Symbols.begin());
  const Polynomial Pointer = symbolPolynomial(Number);
  auto Given = [&](const Constraint &C) {
    const CheckedPolynomial Above = Pointer - CheckedPolynomial(1);
    return Above && equal(C, Constraint{*Above, false});
  };
  auto Uses = [&](const Constraint &C) {
    return symbolsIn(C.Value, K.F, kindBit(SymbolKind::Argument))
        .contains(Number);
  };
  if (std::erase_if(D.Piece.Domain, Given) &&
      llvm::none_of(D.Piece.Domain, Uses))
    std::erase_if(D.OfConditions, [&](const Fact &Needed) {
      return equal(Needed.Value, Pointer);
    });
}

/// For each root of the pointer without a piece, one that never happens where
/// D's assumptions hold, and may be anywhere in its allocation where one does
/// not.
void Builder::addNever(const RawAccess &Raw, const PointerTranslation &Pointer,
                       const Draft &D) {
  auto Add = [&](const Root &Base) {
    if (Base.Kind == RootKind::None ||
        llvm::any_of(Pieces, [&](const Draft &D) {
          return sameRoot(D.Piece.Base, Base);
        }))
      return;
    Draft Never = D;
    Never.Piece.Base = Base;
    Never.Piece.Offset = {};
    Never.Piece.Domain = {{constantPolynomial(-1), false}};
    applyCounters(std::move(Never), K.Loops.count());
  };
  for (const PointerCase &Each : Pointer.Cases)
    Add(Each.Base);
  if (!Pointer.Pruned)
    return;
  for (const Object &O : objectsOf(Raw.Pointer)) {
    if (O.What == Object::Kind::Known) {
      Add(O.Base);
    } else if (!D.OfConditions.empty()) {
      Access Anywhere = D.Piece;
      widen(Anywhere, Exactness::Unknown, O.Why);
      addAccess(K.F.Accesses, std::move(Anywhere));
    }
  }
}

/// P with the remainder of quotient Q in it as a value; none when P has not
/// just the multiples of a remainder.
CheckedPolynomial Builder::folded(const Polynomial &P, uint16_t Q) {
  const Quotient Of = K.F.Quotients[Q];
  Symbol S;
  S.Kind = SymbolKind::Quotient;
  S.Index = Q;
  uint16_t Symbol = K.Symbols.index(S);
  if (Of.Denominator.Terms.size() != 1)
    return NoPolynomial();
  CheckedPolynomial Factor = 0;
  for (const Monomial &M : P.Terms) {
    if (llvm::count(M.Factors, Symbol) == 0)
      continue;
    std::optional<Monomial> Times = divided(M, Of.Denominator.Terms[0]);
    if (!Times || llvm::count(Times->Factors, Symbol) != 1)
      return NoPolynomial();
    llvm::erase(Times->Factors, Symbol);
    Polynomial One;
    One.Terms.push_back({-Times->Coefficient, Times->Factors});
    Factor += std::move(One);
  }
  auto Known = Remainders.find(Q);
  if (Known == Remainders.end()) {
    CheckedPolynomial Value = K.Unfollowed.make(
        0, Of.Denominator - 1, {K.Unfollowed.whyOf(Of.Numerator), true});
    if (!Value)
      return Value;
    Known = Remainders.emplace(Q, *std::move(Value)).first;
  }
  return replaced(P, K.F, Symbol, {}) - Factor * Of.Numerator +
         Factor * Known->second;
}

/// P with quotient Q as a value of its constant range; none without one.
CheckedPolynomial Builder::ranged(const Polynomial &P, uint16_t Q) {
  Symbol S;
  S.Kind = SymbolKind::Quotient;
  S.Index = Q;
  uint16_t Symbol = K.Symbols.index(S);
  Range R = rangeOf(symbolPolynomial(Symbol), K.F);
  if (!R.Known || R.High - R.Low >= UsefulSpan || R.High > INT64_MAX ||
      R.Low < INT64_MIN)
    return NoPolynomial();
  auto Known = Ranged.find(Q);
  if (Known == Ranged.end()) {
    CheckedPolynomial Value = K.Unfollowed.make(
        static_cast<int64_t>(R.Low), static_cast<int64_t>(R.High),
        {K.Unfollowed.whyOf(K.F.Quotients[Q].Numerator), true});
    if (!Value)
      return Value;
    Known = Ranged.emplace(Q, *std::move(Value)).first;
  }
  return replaced(P, K.F, Symbol, Known->second);
}

/// The quotient with the highest number below Below in Parts.
std::optional<uint16_t>
Builder::lastQuotient(const std::vector<Polynomial *> &Parts,
                      size_t Below) const {
  std::optional<uint16_t> Found;
  for (const Polynomial *Part : Parts)
    for (uint16_t S : symbolsIn(*Part, K.F, kindBit(SymbolKind::Quotient)))
      if (const uint16_t I = K.F.Symbols[S].Index;
          I < Below && (!Found || I > *Found))
        Found = I;
  return Found;
}

/// Step 1.
void Builder::foldRemainders(Draft &D) {
  std::vector<Polynomial *> Parts{&D.Piece.Offset};
  for (Fact &A : D.Own)
    Parts.push_back(&A.Value);
  for (size_t Below = K.F.Quotients.size();;) {
    const std::optional<uint16_t> Last = lastQuotient(Parts, Below);
    if (!Last)
      return;
    const uint16_t Index = *Last;
    Below = Index;
    if (!mentions(K.F.Quotients[Index].Numerator, K.F,
                  kindBit(SymbolKind::Value)))
      continue;
    for (Polynomial *Part : Parts)
      if (mentions(*Part, K.F, SymbolKind::Quotient, Index) &&
          !folded(*Part, Index).moveTo(*Part))
        ranged(*Part, Index).moveTo(*Part);
  }
}

/// Whether P is about something Note [Building] calls useless to an access with
/// this offset.
bool Builder::isUseless(const Polynomial &P, const Polynomial &Offset) {
  for (uint16_t S : symbolsIn(P, K.F, kindBit(SymbolKind::Value)))
    if (!mentions(Offset, K.F, SymbolKind::Value, K.F.Symbols[S].Index))
      return true;
  for (uint16_t S : symbolsIn(P, K.F, kindBit(SymbolKind::Counter)))
    if (!K.Loops.shape(K.F.Symbols[S].Index).KnownExtent)
      return true;
  return false;
}

/// Step 2.
void Builder::dropUseless(Draft &D) {
  auto Useless = [&](const auto &C) {
    return isUseless(C.Value, D.Piece.Offset);
  };
  Conjunction All = D.Piece.Domain;
  if (std::erase_if(D.Piece.Domain, Useless))
    loosen(D.Piece, {ReasonKind::GuardNotPolynomial, ""});
  if (D.Pruned || !std::erase_if(D.OfConditions, Useless))
    D.Known = std::move(All);
}

/// What the loop of Counter rests on is needed where that is reached.
void Builder::addNested(std::vector<Fact> &To, const std::vector<Fact> &From,
                        const Conjunction &Reached) {
  for (Fact Needed : From) {
    Needed.Where = FactScope(Reached);
    addFact(To, std::move(Needed), K.F);
  }
}

/// The constraints of Guard, from the first, that hold wherever the loop of
/// Counter is reached.
Conjunction Builder::reachedUnder(unsigned Counter, const Conjunction &Guard) {
  const auto Loops = K.LI.getLoopsInPreorder();
  if (Counter >= Loops.size())
    return {};
  const Condition &Reached = K.Guards.find(Loops[Counter]->getHeader());
  return sharedFirst({sharedFirst(Reached.Any), Guard});
}

/// The highest counter below Below that D is about.
std::optional<unsigned> Builder::innermost(const Draft &D,
                                           unsigned Below) const {
  std::optional<unsigned> Found;
  auto See = [&](const Polynomial &P) {
    for (uint16_t S : symbolsIn(P, K.F, kindBit(SymbolKind::Counter)))
      if (const unsigned I = K.F.Symbols[S].Index;
          I < Below && (!Found || I > *Found))
        Found = I;
  };
  See(D.Piece.Offset);
  for (const Constraint &C : D.Piece.Domain)
    See(C.Value);
  for (const Fact &A : D.OfConditions)
    See(A.Value);
  for (const Fact &A : D.Own)
    See(A.Value);
  return Found;
}

/// Step 3, for the counters below Below, from the inner to the outer.
void Builder::applyCounters(Draft D, unsigned Below) {
  while (const std::optional<unsigned> Inner = innermost(D, Below)) {
    const unsigned I = Below = *Inner;
    const LoopShape &Shape = K.Loops.shape(I);
    if (!Shape.KnownExtent) {
      widen(D.Piece, Exactness::Allocation, {ReasonKind::TripCountUnknown, ""});
      Pieces.push_back(std::move(D));
      return;
    }
    addNested(D.OfConditions, Shape.Assumptions, reachedUnder(I, D.Guard));
    if (Shape.Inexact)
      loosen(D.Piece, *Shape.Inexact);
    uint16_t Counter = K.Symbols.counter(I).Terms[0].Factors[0];
    bool First = llvm::any_of(Shape.Runs, [&](const Conjunction &Runs) {
      return holdsAtFirst(Runs, D.Piece, Counter);
    });
    if (!First) {
      Draft Alone = firstIteration(D, Counter);
      if (Alone.Piece.How == Exactness::Allocation)
        return Pieces.push_back(std::move(Alone));
      applyCounters(std::move(Alone), I);
    }
    std::vector<Draft> Cases{D};
    if (!Shape.Counted)
      Cases = running(D, Shape.Runs);
    if (!First)
      for (Draft &Case : Cases)
        addConstraint(Case.Piece.Domain,
                      {*(symbolPolynomial(Counter) - 1), false});
    D = std::move(Cases.back());
    Cases.pop_back();
    for (Draft &Case : Cases)
      applyCounters(std::move(Case), I);
  }
  finish(std::move(D));
}

/// D in the cases of Runs; at least one, for what D assumes.
std::vector<Draft> Builder::running(const Draft &D,
                                    const std::vector<Conjunction> &Runs) {
  std::vector<Draft> Cases;
  for (const Conjunction &All : Runs) {
    Draft Next = D;
    for (const Constraint &C : All)
      addConstraint(Next.Piece.Domain, C);
    if (!contradicts(Next.Piece.Domain) ||
        (Cases.empty() && &All == &Runs.back()))
      Cases.push_back(std::move(Next));
  }
  return Cases;
}

/// Whether A's domain implies Runs in the first iteration.
bool Builder::holdsAtFirst(const Conjunction &Runs, const Access &A,
                           uint16_t Counter) {
  Access First;
  std::vector<Fact> Needed;
  for (const Constraint &C : A.Domain)
    if (const auto Value = K.Symbols.replaced(C.Value, Counter, 0, Needed))
      addConstraint(First.Domain, {*Value, C.Equality});
  return llvm::all_of(Runs, [&](const Constraint &C) {
    const auto Value = K.Symbols.replaced(C.Value, Counter, 0, Needed);
    if (!Value || !Needed.empty())
      return false;
    bool Said = llvm::any_of(First.Domain, [&](const Constraint &D) {
      return equal(D, {*Value, C.Equality});
    });
    if (Said || C.Equality)
      return Said;
    return provablyNonNegative(Value, K.F) ||
           K.Simplifier.implies(First, *Value, K.F, Iterations::Any);
  });
}

/// D where Counter is 0: it is in no constraint and not in the offset any more,
/// for it may have no value at a launch.
Draft Builder::firstIteration(const Draft &D, uint16_t Counter) {
  const unsigned Number = K.F.Symbols[Counter].Index;
  Draft Result = D;
  auto At0 = [&](const Polynomial &P, std::vector<Fact> &Needed) {
    auto Value = K.Symbols.replaced(P, Counter, 0, Needed);
    return Value && !mentionsCounter(*Value, K.F, Number) ? Value
                                                          : NoPolynomial();
  };
  Result.Piece.Domain.clear();
  Result.Known.clear();
  bool Done = At0(D.Piece.Offset, Result.Own).moveTo(Result.Piece.Offset);
  for (const Constraint &C : D.Piece.Domain) {
    const CheckedPolynomial Value = At0(C.Value, Result.OfConditions);
    Done &= bool(Value);
    if (Value)
      addConstraint(Result.Piece.Domain, {*Value, C.Equality});
  }
  if (!Done)
    widen(Result.Piece, Exactness::Allocation,
          {ReasonKind::IndexNotPolynomial, ""});
  return Result;
}

/// The values in P, as places in Footprint::Values.
std::set<unsigned> Builder::valuesIn(const Polynomial &P) const {
  std::set<unsigned> Found;
  for (uint16_t S : symbolsIn(P, K.F, kindBit(SymbolKind::Value)))
    Found.insert(K.F.Symbols[S].Index);
  return Found;
}

/// Step 4: whether something is known of every value in A's offset.
bool Builder::isBounded(Access &A) {
  const ValueFact *Last = nullptr;
  for (unsigned I : valuesIn(A.Offset)) {
    Last = &K.Unfollowed.fact(I);
    if (!Last->Bounded && llvm::none_of(A.Domain, [&](const Constraint &C) {
          return mentions(C.Value, K.F, SymbolKind::Value, I);
        })) {
      widen(A, Exactness::Allocation, Last->Why);
      return false;
    }
  }
  if (Last)
    loosen(A, {Last->Why.Kind, "within known bounds"});
  return true;
}

/// Whether the guards of A bound the values in its offset from both sides.
bool Builder::isConfined(const Access &A) {
  if (A.How == Exactness::Allocation)
    return false;
  for (unsigned I : valuesIn(A.Offset)) {
    if (K.Unfollowed.fact(I).Bounded)
      continue;
    bool Above = false, Below = false;
    for (const Constraint &C : A.Domain)
      for (const Monomial &M : C.Value.Terms)
        if (mentionsValueAlone(M, K.F, I)) {
          Below |= M.Coefficient > 0 || C.Equality;
          Above |= M.Coefficient < 0 || C.Equality;
        }
    if (!Above || !Below)
      return false;
  }
  return true;
}

/// Nothing, in a way that any launch sees, with what A's assumptions hold
/// under.
static void makeEmpty(Access &A) {
  std::map<uint16_t, uint16_t> Places;
  for (const Assumption &Each : A.Assumptions)
    for (uint16_t Place : Each.Under)
      Places[Place] = 0;
  Conjunction Kept;
  for (auto &[Old, New] : Places) {
    New = static_cast<uint16_t>(Kept.size());
    Kept.push_back(std::move(A.Domain[Old]));
  }
  for (Assumption &Each : A.Assumptions)
    for (uint16_t &Place : Each.Under)
      Place = Places.at(Place);
  A.Domain = std::move(Kept);
  A.Domain.push_back({constantPolynomial(-1), false});
  A.Offset = {};
}

/// Steps 4 and 5. A piece that never happens is left out, unless that rests on
/// an assumption.
void Builder::finish(Draft D) {
  Access &A = D.Piece;
  if (isBounded(A)) {
    for (Fact &Needed : D.Own)
      Needed = guarded(std::move(Needed), D);
    const bool Never = !K.Simplifier.simplify(A, K.F, Iterations::Applied);
    setAssumptions(D, Never, K.F);
    if (Never && A.Assumptions.empty())
      return;
    if (Never)
      makeEmpty(A);
  }
  Pieces.push_back(std::move(D));
}

/// Needed, without its lower bound where the domain implies that: in
/// "if (i > 0) a[i - 1u]" the index is negative in a thread that never gets
/// there. What the conditions rest on holds everywhere, so the domain is true;
/// so are the useless constraints if nothing that they rest on was dropped. But
/// what a range rests on is not implied by that range, nor is anything by that
/// of a counter which the access does not have.
Fact Builder::guarded(Fact Needed, const Draft &D) {
  if (Needed.Signed || Needed.Bits >= 64 ||
      provablyNonNegative(Needed.Value, K.F))
    return Needed;
  Access Known;
  Known.Domain = D.Piece.Domain;
  for (const Constraint &C : D.Known)
    addConstraint(Known.Domain, C);
  Access Whole = Known;
  Whole.Offset = D.Piece.Offset;
  if (!hasIndicesOf(Whole, Needed.Value, K.F))
    return Needed;
  std::erase_if(Known.Domain, [&](const Constraint &C) {
    return hasAssumedRange(C.Value, K.F, Needed.Value);
  });
  if (K.Simplifier.implies(Known, Needed.Value, K.F, Iterations::Applied)) {
    Needed.Signed = true;
    ++Needed.Bits;
  }
  return Needed;
}

Footprint Builder::take() {
  orderSymbols(K.F);
  return std::move(K.F);
}

} // namespace

Footprint buildFootprint(const Function &F, ScalarEvolution &SE, LoopInfo &LI,
                         DominatorTree &DT, AssumptionCache &AC) {
  Builder B(F, SE, LI, DT, AC);
  for (const RawAccess &Raw : collectAccesses(F))
    B.add(Raw);
  return B.take();
}

} // namespace blockmaestro
