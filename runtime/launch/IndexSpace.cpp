// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Note [Splitting indices]
// ~~~~~~~~~~~~~~~~~~~~~~~~
// floor(N / D) with N affine, D a number, becomes affine step by step.
//
//   Whole multiples of D come out: N = D * M + R, floor(N / D) is
//   M + floor(R / D).
//   Low terms go. Let g divide D and all terms of R but some, P, that together
//   with the constant stay in one step of g: R = g * S + P, floor(P / g) = k
//   everywhere. Then floor(R / D) = floor((S + k) / (D / g)).
//   A thread index or counter x that is a term of what is left, Y, with
//   coefficient 1 (or -1), is split: new indices q and r, 0 <= r < D', and
//   x = D' * q + r - (Y - x). So Y = D' * q + r, and floor(Y / D') = q. This
//   is another name for the same points as long as x keeps its bounds, which
//   become guards unless they always hold. r takes the place of x.
//
// Example: tx / 32 and tx % 32 with 256 threads: tx = 32 q + r, the quotient is
// q in 0..7, the remainder tx - 32 q is r in 0..31. With tx / 64 as well: the
// numerator is 32 q + r, r goes (g = 32, k = 0), q / 2 splits q.
//
// blockIdx cannot be split: what an access touches is affine in it. There, and
// where no coefficient is 1, the quotient becomes an index q of its own with
// the guards 0 <= Y - D' * q <= D' - 1: a superset as soon as one is left out.

#include "IndexSpace.h"

#include <algorithm>
#include <numeric>

namespace blockmaestro {

static constexpr const char *ManyIndices =
    "it depends on more loops, quotients and values than are followed";

IndexSpace::IndexSpace(const Footprint &Bytes, const SymbolValues &Of,
                       const Launch &At)
    : Bytes(Bytes), Of(Of), Places(Bytes.Symbols.size()) {
  Box.Count = FirstOther;
  for (unsigned D = 0; D < 3; ++D) {
    Box[D] = {0, int64_t(At.Block[D]) - 1};
    Box[FirstBlock + D] = Of.blocks()[D];
  }
  for (size_t I = 0; I < Places.size(); ++I) {
    const Symbol &S = Bytes.Symbols[I];
    int Dimension = std::min<int>(S.Dimension, 2);
    if (S.Kind == SymbolKind::ThreadIdx)
      Places[I].Index = Dimension;
    else if (S.Kind == SymbolKind::BlockIdx)
      Places[I].Index = int(FirstBlock) + Dimension;
  }
}

int IndexSpace::newIndex(const Interval &Range) {
  if (Box.Count == MaxIndices)
    return -1;
  Box[Box.Count] = Range;
  return int(Box.Count++);
}

IndexSpace::Place IndexSpace::indexPlace(const Interval &Range) {
  Place P;
  P.Index = newIndex(Range);
  if (P.Index < 0)
    P.Unknown = ManyIndices;
  return P;
}

IndexSpace::Place IndexSpace::formPlace(const Affine &Value) {
  Place P;
  P.Form = int(Forms.size());
  Forms.push_back(Value);
  return P;
}

/// Keeps Value >= 0 unless the box says so.
void IndexSpace::bound(const Affine &Value) {
  WideInterval Range = rangeOf(Value, Box);
  if (Range.Low < 0)
    Bounds.push_back(Value);
}

void IndexSpace::add(const Polynomial &Value) { addAll(Value, 0); }

void IndexSpace::addAll(const Polynomial &Value, unsigned Depth) {
  for (const Monomial &Term : Value.Terms)
    for (uint16_t Factor : Term.Factors)
      if (Factor < Places.size() && !Places[Factor].known())
        addSymbol(Factor, Depth);
}

bool IndexSpace::servesToo(const Polynomial &Value) const {
  auto Settled = [this](uint16_t Factor) {
    return Factor >= Places.size() || Places[Factor].Index >= 0 ||
           Of.meaningOf(Factor).Unknown || Of.meaningOf(Factor).number();
  };
  return Forms.empty() && Bounds.empty() && !Grown && !Broken &&
         std::all_of(Value.Terms.begin(), Value.Terms.end(),
                     [&](const Monomial &Term) {
                       return std::all_of(Term.Factors.begin(),
                                          Term.Factors.end(), Settled);
                     });
}

/// Which has no place yet. SymbolValues has seen that what is known is not
/// circular.
void IndexSpace::addSymbol(uint16_t Which, unsigned Depth) {
  const SymbolUse &M = Of.meaningOf(Which);
  if (M.Unknown || M.number())
    return;
  const Symbol &S = Bytes.Symbols[Which];
  Place New;
  switch (S.Kind) {
  case SymbolKind::Counter:
    New = indexPlace(M.Range);
    break;
  case SymbolKind::Quotient:
    addAll(Bytes.Quotients[S.Index].Numerator, Depth + 1);
    New = quotient(Bytes.Quotients[S.Index], M.Range);
    break;
  case SymbolKind::Value:
    addAll(Bytes.Values[S.Index].Low, Depth + 1);
    addAll(Bytes.Values[S.Index].High, Depth + 1);
    New = value(Bytes.Values[S.Index], M.Range);
    break;
  default:
    New.Unknown = reasons::NoSymbol;
    break;
  }
  Places[Which] = New;
}

const char *IndexSpace::substitute(const Polynomial &Value, Affine &Out) const {
  Out = Affine();
  if (Broken)
    return Broken;
  for (const Monomial &Term : Value.Terms) {
    int64_t Coefficient = Term.Coefficient;
    const Place *Varying = nullptr;
    for (uint16_t Factor : Term.Factors) {
      if (Factor >= Places.size())
        return reasons::NoSymbol;
      const SymbolUse &M = Of.meaningOf(Factor);
      if (M.Unknown)
        return M.Unknown;
      if (M.number()) {
        if (__builtin_mul_overflow(Coefficient, M.Range.Low, &Coefficient))
          return reasons::Overflows;
        continue;
      }
      if (Varying)
        return reasons::NotAffine;
      Varying = &Places[Factor];
      if (Varying->Unknown)
        return Varying->Unknown;
    }
    bool Fits = true;
    if (Varying && Varying->Form >= 0)
      Fits = addScaled(Out, Coefficient, Forms[size_t(Varying->Form)]);
    else {
      int64_t &To = Varying ? Out.Of[size_t(Varying->Index)] : Out.Constant;
      Fits = !__builtin_add_overflow(To, Coefficient, &To);
    }
    if (!Fits)
      return reasons::Overflows;
  }
  return nullptr;
}

/// Gives the index the value By, which may mention another of that number.
static bool replaceIn(Affine &In, unsigned Index, const Affine &By) {
  int64_t Coefficient = In.Of[Index];
  In.Of[Index] = 0;
  return Coefficient == 0 || addScaled(In, Coefficient, By);
}

static int64_t width(const WideInterval &Range) {
  return int64_t(std::min<Wide>(Range.High - Range.Low, LargestValue));
}

/// A value is an index, counted from its lower bound where that follows the
/// threads or blocks closely.
IndexSpace::Place IndexSpace::value(const ValueRange &What,
                                    const Interval &Range) {
  Affine Low, High, Room;
  bool Follows = !substitute(What.Low, Low) && !substitute(What.High, High);
  Room = High;
  Follows = Follows && addScaled(Room, -1, Low) && rangeOf(Low, Box).usable();
  WideInterval Most = rangeOf(Room, Box);
  if (!Follows || Most.High < 0)
    return indexPlace(Range);
  if (Most.High == 0) {
    bound(Room);
    return formPlace(Low);
  }
  bool FromLow = width({0, Most.High}) < width({Range.Low, Range.High});
  Place P = indexPlace(FromLow ? Interval{0, int64_t(Most.High)} : Range);
  if (P.Index < 0)
    return P;
  Affine Value = FromLow ? Low : Affine();
  Value.Of[size_t(P.Index)] += 1;
  Affine Above = Value, Below = High;
  if (!addScaled(Above, -1, Low) || !addScaled(Below, -1, Value))
    return P.Unknown = reasons::Overflows, P;
  bound(Above);
  bound(Below);
  return FromLow ? formPlace(Value) : P;
}

IndexSpace::Place IndexSpace::quotient(const Quotient &What,
                                       const Interval &Range) {
  Affine Numerator;
  WideInterval By;
  const char *Why = substitute(What.Numerator, Numerator);
  if (!Why)
    Why = Of.range(What.Denominator, By);
  if (Why == reasons::NotAffine) {
    Grown = Why;
    return indexPlace(Range);
  }
  Place P;
  P.Unknown = Why;
  if (!Why && !usableFromZero(Numerator, Box))
    P.Unknown = reasons::Overflows;
  return P.Unknown ? P : divide(Numerator, int64_t(By.Low));
}

/// floor(Of / By); see Note [Splitting indices].
IndexSpace::Place IndexSpace::divide(Affine Of, int64_t By) {
  Affine Whole;
  for (unsigned I = 0; I < MaxIndices; ++I)
    if (Of.Of[I] != 0 && Box[I].single()) {
      Of.Constant += Of.Of[I] * Box[I].Low;
      Of.Of[I] = 0;
    }
  while (reduce(Of, By, Whole))
    ;
  if (By == 1)
    return formPlace(Whole);
  bool Blocks = false;
  unsigned Unit = MaxIndices;
  for (unsigned I = MaxIndices; I-- > 0;) {
    Blocks |= Of.Of[I] != 0 && isBlock(I);
    if (std::abs(Of.Of[I]) == 1)
      Unit = I;
  }
  if (Blocks || Unit == MaxIndices)
    return looseQuotient(Of, By, Whole);
  return splitIndex(Unit, Of, By, Whole);
}

/// Takes whole multiples of By out of Of into Whole, then drops low terms with
/// a divisor of By. Whether it dropped any; By is then smaller.
bool IndexSpace::reduce(Affine &Of, int64_t &By, Affine &Whole) const {
  int64_t Multiple = floorDiv(Of.Constant, By);
  Whole.Constant += Multiple;
  Of.Constant -= Multiple * By;
  std::vector<unsigned> Terms;
  for (unsigned I = 0; I < MaxIndices; ++I) {
    Whole.Of[I] += Of.Of[I] / By;
    Of.Of[I] %= By;
    if (Of.Of[I] != 0)
      Terms.push_back(I);
  }
  std::sort(Terms.begin(), Terms.end(), [&](unsigned A, unsigned B) {
    return std::abs(Of.Of[A]) > std::abs(Of.Of[B]);
  });
  int64_t Step = By;
  Affine Low = Of;
  for (size_t Kept = 0; Kept <= Terms.size(); ++Kept) {
    if (Kept > 0) {
      Step = std::gcd(Step, Of.Of[Terms[Kept - 1]]);
      Low.Of[Terms[Kept - 1]] = 0;
    }
    WideInterval Rest = rangeOf(Low, Box);
    Wide Steps = floorDivWide(Rest.Low, Step);
    if (Step == 1 || Steps != floorDivWide(Rest.High, Step))
      continue;
    Affine Shorter;
    Shorter.Constant = int64_t(Steps);
    for (size_t I = 0; I < Kept; ++I)
      Shorter.Of[Terms[I]] = Of.Of[Terms[I]] / Step;
    Of = Shorter;
    By /= Step;
    return true;
  }
  return false;
}

static Interval dividedRange(const Affine &Of, int64_t By,
                             const IndexBox &Box) {
  WideInterval Range = rangeOf(Of, Box);
  return {int64_t(floorDivWide(Range.Low, By)),
          int64_t(floorDivWide(Range.High, By))};
}

/// floor(Of / By) + Whole with index Index of Of, of coefficient 1 or -1,
/// split.
IndexSpace::Place IndexSpace::splitIndex(unsigned Index, const Affine &Of,
                                         int64_t By, Affine Whole) {
  Place P = indexPlace(dividedRange(Of, By, Box));
  if (P.Unknown)
    return P;
  const int64_t Sign = Of.Of[Index];
  const Interval Old = Box[Index];
  Affine Same;
  bool Fits = addScaled(Same, -Sign, Of);
  Same.Of[Index] = Sign;
  Same.Of[size_t(P.Index)] = Sign * By;
  Box[Index] = {0, By - 1};
  if (!Fits || !replaceIn(Whole, Index, Same) || !replace(Index, Same))
    Broken = reasons::Overflows;
  Affine Above = Same, Below = negated(Same);
  Above.Constant -= Old.Low;
  Below.Constant += Old.High;
  bound(Above);
  bound(Below);
  Whole.Of[size_t(P.Index)] += 1;
  return formPlace(Whole);
}

IndexSpace::Place IndexSpace::looseQuotient(const Affine &Of, int64_t By,
                                            Affine Whole) {
  Place P = indexPlace(dividedRange(Of, By, Box));
  if (P.Unknown)
    return P;
  Affine Above = Of;
  Above.Of[size_t(P.Index)] = -By;
  Affine Below = negated(Above);
  Below.Constant += By - 1;
  bound(Above);
  bound(Below);
  Loose.push_back({unsigned(P.Index), Of, By});
  Whole.Of[size_t(P.Index)] += 1;
  return formPlace(Whole);
}

/// Gives index Index the value By, which may mention another of that number,
/// wherever it is used; a loose quotient that is split stands in the bounds
/// only. False when a number leaves 64 bits.
bool IndexSpace::replace(unsigned Index, const Affine &By) {
  bool Fits = true;
  for (Affine &Form : Forms)
    Fits &= replaceIn(Form, Index, By);
  for (Affine &Bound : Bounds)
    Fits &= replaceIn(Bound, Index, By);
  std::erase_if(Loose, [Index](const LooseQuotient &Quotient) {
    return Quotient.Index == Index;
  });
  for (LooseQuotient &Quotient : Loose)
    Fits &= replaceIn(Quotient.Of, Index, By);
  for (Place &Of : Places)
    if (Of.Index == int(Index))
      Of = formPlace(By);
  return Fits;
}

static Wide spanOfBlock(const Affine &Offset, const IndexBox &Box) {
  Affine Inside = Offset;
  for (unsigned D = 0; D < 3; ++D)
    Inside.Of[FirstBlock + D] = 0;
  WideInterval Range = rangeOf(Inside, Box);
  return Range.High - Range.Low;
}

/// With q = floor(Y / D) and C q in Offset: for any numbers s_j,
///   C q = sum s_j x_j + u,  D u = sum (C k_j - D s_j) x_j + C k_0 - C r
/// for Y = k_0 + sum k_j x_j and 0 <= r < D. The s_j nearest to C k_j / D
/// leave the least for u, which is then taken as free: index Free.
static bool spreadOne(const LooseQuotient &What, int64_t Unit, unsigned Free,
                      Affine &Offset, IndexBox &Box) {
  const int64_t Bytes = Offset.Of[What.Index];
  Unit = Bytes % Unit == 0 ? Unit : 1;
  const Wide C = Bytes / Unit, D = What.By;
  Affine Next = Offset;
  Next.Of[What.Index] = 0;
  Wide Low = C * What.Of.Constant - (C > 0 ? C * (D - 1) : 0);
  Wide High = C * What.Of.Constant - (C < 0 ? C * (D - 1) : 0);
  for (unsigned I = 0; I < MaxIndices; ++I) {
    if (What.Of.Of[I] == 0)
      continue;
    const Wide Times = floorDivWide(2 * C * What.Of.Of[I] + D, 2 * D);
    const Wide Left = C * What.Of.Of[I] - D * Times;
    Low += Left * (Left > 0 ? Box[I].Low : Box[I].High);
    High += Left * (Left > 0 ? Box[I].High : Box[I].Low);
    Affine Term;
    Term.Of[I] = int64_t(Times);
    if (Times != Term.Of[I] || !addScaled(Next, Unit, Term))
      return false;
  }
  const WideInterval Rest{ceilDivWide(Low, D), floorDivWide(High, D)};
  if (!Rest.usable())
    return false;
  Next.Of[Free] = Unit;
  Box[Free] = {int64_t(Rest.Low), int64_t(Rest.High)};
  Box.Count = std::max(Box.Count, Free + 1);
  if (!usableFromZero(Next, Box))
    return false;
  if (spanOfBlock(Next, Box) >= spanOfBlock(Offset, Box))
    return false;
  Offset = Next;
  return true;
}

bool IndexSpace::spread(Affine &Offset, int64_t Unit, IndexBox &Box) const {
  bool Any = false;
  unsigned Free = Box.Count;
  for (const LooseQuotient &Quotient : Loose)
    if (Offset.Of[Quotient.Index] != 0 && !Box[Quotient.Index].single()) {
      Any = true;
      if (Free < MaxIndices && spreadOne(Quotient, Unit, Free, Offset, Box))
        ++Free;
    }
  return Any;
}

} // namespace blockmaestro
