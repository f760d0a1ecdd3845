// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Note [Building coordinates]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~
// The terms of the offset are sorted by the size of their coefficients and
// taken from the smallest up. A coordinate begins with a term; its stride is
// that coefficient. A thread index or counter joins while the sums stay dense
// (its coefficient is a multiple of the stride and at most the number of values
// so far); a block index joins when its coefficient is a multiple, and closes
// the coordinate. Anything else begins the next coordinate.
//
// a[(by*8+ty)*W + bx*32+tx], floats, W = 500, has the terms 4 tx, 128 bx,
// 2000 ty, 16000 by: the coordinates {tx, bx} of stride 4 and {ty, by} of
// stride 2000.
//
// A guard that is a multiple of one coordinate, or of its terms from some term
// up, clips that coordinate. With the terms below worth r in [RLow, RHigh] and
// the others Step * w, u = Step * w + r, the guard w <= H becomes
// u <= Step * H + RHigh, which is exact when RHigh - RLow < Step; likewise
// w >= L becomes u >= Step * L + RLow.
//
// Where a block moves along several strides at once, as along an anti-diagonal
// of tiles, no part has its term as it is. The terms of threads and counters
// then make the parts by themselves, and each block index is shared out among
// them: a part that a guard with that index follows takes what the guard says,
// the others from the largest stride down the nearest multiple; what is left is
// a part of its own. In a[(16*by+ty)*101 + 16*(d-by)+tx], floats, by has the
// coefficient 6400; with 16*(d-by)+tx < 100 the part of stride 4 takes -16 by,
// and that of stride 404 the 16 by that remain.
//
// The constant is shared out from the largest stride down, by floor, such that
// all that lies below a stride begins inside its first step; whatever then does
// not end inside it wraps around, and the access falls back to one range of
// bytes per block.

#include "Coordinates.h"

#include "InPlaceList.h"

#include <algorithm>
#include <array>
#include <optional>

namespace blockmaestro {

namespace {

struct Term {
  int64_t Coefficient;
  unsigned Index;
  bool block() const { return isBlock(Index); }
  int64_t size() const { return std::abs(Coefficient); }
};

/// At most one for each index.
using Terms = InPlaceList<Term, MaxIndices>;

/// One bit for each index.
using IndexMask = uint32_t;
constexpr IndexMask bitOf(unsigned Index) { return IndexMask(1) << Index; }

/// A guard over the indices that have more than one value.
struct OpenGuard {
  const Affine &Of;
  IndexMask Mentions = 0;
  Wide Constant; ///< With the other indices in it.

  OpenGuard(const Affine &Of, const IndexBox &Box);
};

/// What an access becomes, its blocks aside.
struct Placed {
  std::vector<Coordinate> Coordinates;
  int64_t ByteLow = 0;
  int64_t ByteHigh = 0;
  const char *Why = nullptr; ///< It is not exact.

  void notExact(const char *Reason) { Why = Why ? Why : Reason; }
};

/// A coordinate before its share of the constant: u = sum of Terms / Stride.
struct Part {
  int64_t Stride = 1;
  Terms Of; ///< By ascending size; coefficients over Stride.
  bool HasBlock = false;
  int64_t Count = 1;     ///< Values per block.
  int64_t ThreadLow = 0; ///< Lowest value of the thread and counter terms.
  Interval All;          ///< Values over all blocks.
  bool Clipped = false;
  Interval Clip; ///< Inside All.
};

/// Each with a term of its own.
using Parts = InPlaceList<Part, MaxIndices>;

} // namespace

OpenGuard::OpenGuard(const Affine &Of, const IndexBox &Box)
    : Of(Of), Constant(Of.Constant) {
  for (unsigned I = 0; I < Box.Count; ++I) {
    if (Of.Of[I] == 0)
      continue;
    if (Box[I].single())
      Constant += Wide(Of.Of[I]) * Box[I].Low;
    else
      Mentions |= bitOf(I);
  }
}

/// The values of the first Count terms.
static Interval rangeOfTerms(const Terms &Among, size_t Count,
                             const IndexBox &Box) {
  Interval Sum;
  for (size_t I = 0; I < Count; ++I) {
    const Interval &Of = Box[Among[I].Index];
    int64_t C = Among[I].Coefficient;
    Sum.Low += C * (C > 0 ? Of.Low : Of.High);
    Sum.High += C * (C > 0 ? Of.High : Of.Low);
  }
  return Sum;
}

static bool bySize(const Term &A, const Term &B) {
  if (A.size() != B.size())
    return A.size() < B.size();
  return A.block() != B.block() ? B.block() : A.Index < B.Index;
}

static Terms sortedTerms(const Affine &Offset, const IndexBox &Box) {
  Terms Out;
  for (unsigned I = 0; I < Box.Count; ++I)
    if (Offset.Of[I] != 0 && !Box[I].single())
      Out.add({Offset.Of[I], I});
  std::sort(Out.begin(), Out.end(), bySize);
  return Out;
}

/// Whether the term can join the coordinate without gaps.
static bool joins(const Term &T, const Part &P) {
  if (P.HasBlock || T.size() % P.Stride != 0)
    return false;
  return T.block() || T.size() / P.Stride <= P.Count;
}

/// Puts T behind the terms of P.
static void append(Part &P, const Term &T, const IndexBox &Box) {
  P.Of.add(T);
  if (T.block()) {
    P.HasBlock = true;
    return;
  }
  const int64_t Coefficient = T.Coefficient;
  const Interval &Of = Box[T.Index];
  P.Count += std::abs(Coefficient) * (Of.High - Of.Low);
  P.ThreadLow += Coefficient * (Coefficient > 0 ? Of.Low : Of.High);
}

static void setRanges(Parts &All, const IndexBox &Box) {
  for (Part &P : All)
    P.Clip = P.All = rangeOfTerms(P.Of, P.Of.size(), Box);
}

/// Fills Out, which is empty.
static void split(const Terms &Of, const IndexBox &Box, Parts &Out) {
  for (const Term &T : Of) {
    if (Out.empty() || !joins(T, Out.back())) {
      Part New;
      New.Stride = T.size();
      Out.add(New);
    }
    append(Out.back(), {T.Coefficient / Out.back().Stride, T.Index}, Box);
  }
  setRanges(Out, Box);
}

/// The first term of P that the guard mentions when the guard is a multiple of
/// P's terms from there up and of nothing else; else the number of terms.
static size_t suffixOf(const OpenGuard &Guard, const Part &P) {
  IndexMask Seen = 0;
  const Affine &Of = Guard.Of;
  size_t First = P.Of.size();
  for (; First > 0 && Of.Of[P.Of[First - 1].Index] != 0; --First)
    Seen |= bitOf(P.Of[First - 1].Index);
  if (First == P.Of.size() || (Guard.Mentions & ~Seen) != 0)
    return P.Of.size();
  const Term &Unit = P.Of[First];
  for (size_t I = First + 1; I < P.Of.size(); ++I)
    if (P.Of[I].Coefficient % Unit.Coefficient != 0 ||
        Wide(Of.Of[P.Of[I].Index]) * Unit.Coefficient !=
            Wide(Of.Of[Unit.Index]) * P.Of[I].Coefficient)
      return P.Of.size();
  return First;
}

static int64_t clamp(Wide Value, int64_t Low, int64_t High) {
  return Value < Low ? Low : Value > High ? High : int64_t(Value);
}

/// See Note [Building coordinates]. Whether the guard became a clip, and
/// whether that is all the guard says.
struct ClipResult {
  bool Applied = false;
  bool Exact = false;
};
static ClipResult clip(const OpenGuard &Guard, Part &P, const IndexBox &Box) {
  size_t First = suffixOf(Guard, P);
  if (First == P.Of.size())
    return {};
  const Term &Unit = P.Of[First];
  int64_t Step = Unit.size();
  Wide Slope = Wide(Guard.Of.Of[Unit.Index]) * (Unit.Coefficient > 0 ? 1 : -1);
  Interval Rest = rangeOfTerms(P.Of, First, Box);
  P.Clipped = true;
  if (Slope > 0) {
    Wide Low = -floorDivWide(Guard.Constant, Slope) * Step + Rest.Low;
    P.Clip.Low = std::max(P.Clip.Low, clamp(Low, P.All.Low, P.All.High + 1));
  } else {
    Wide High = floorDivWide(Guard.Constant, -Slope) * Step + Rest.High;
    P.Clip.High = std::min(P.Clip.High, clamp(High, P.All.Low - 1, P.All.High));
  }
  return {true, Rest.High - Rest.Low < Step};
}

/// Clips the parts by the guards. False when no block is left.
static bool applyGuards(Parts &All, const Guards &Conditions,
                        const IndexBox &Box, Placed &Out) {
  for (const Affine &Each : Conditions) {
    const OpenGuard Guard(Each, Box);
    ClipResult Result;
    for (Part &P : All)
      if (!Result.Applied)
        Result = clip(Guard, P, Box);
    if (!Result.Exact)
      Out.notExact("a condition around it does not follow the shape of what it "
                   "touches and was left out");
  }
  for (const Part &P : All)
    if (P.Clip.Low > P.Clip.High)
      return false;
  return true;
}

/// Takes Times the block index I in P, and out of Rest.
static bool give(Part &P, unsigned I, int64_t Times, Affine &Rest) {
  int64_t Bytes = 0;
  if (Times == 0)
    return true;
  P.Of.add({Times, I});
  return !__builtin_mul_overflow(Times, P.Stride, &Bytes) &&
         !__builtin_sub_overflow(Rest.Of[I], Bytes, &Rest.Of[I]);
}

/// The part that Guard follows as far as threads and counters go; Times is what
/// the guard has to be multiplied with, over By. Null where there is none.
static Part *followed(const Affine &Guard, Parts &All, const IndexBox &Box,
                      int64_t &Times, int64_t &By) {
  Affine Inside = Guard;
  for (unsigned D = 0; D < 3; ++D)
    Inside.Of[FirstBlock + D] = 0;
  const OpenGuard Open(Inside, Box);
  for (Part &P : All)
    if (size_t First = suffixOf(Open, P); First < P.Of.size()) {
      Times = P.Of[First].Coefficient;
      By = Guard.Of[P.Of[First].Index];
      return &P;
    }
  return nullptr;
}

/// Gives the parts what the guards with block indices say; Given remembers
/// which have had theirs.
static bool giveByGuards(const Guards &Conditions, Parts &All,
                         const IndexBox &Box, Affine &Rest,
                         std::vector<std::array<bool, 3>> &Given) {
  for (const Affine &Guard : Conditions) {
    int64_t Times = 0, By = 1;
    Part *P = followed(Guard, All, Box, Times, By);
    for (unsigned D = 0; P && D < 3; ++D) {
      const unsigned I = FirstBlock + D;
      bool &Had = Given[size_t(P - All.begin())][D];
      const Wide Product = Wide(Guard.Of[I]) * Times;
      if (Guard.Of[I] == 0 || Box[I].single() || Had || Product % By != 0)
        continue;
      Had = true;
      const Wide Share = Product / By;
      if (Share != int64_t(Share) || !give(*P, I, int64_t(Share), Rest))
        return false;
    }
  }
  return true;
}

/// Fills Out, which is empty, with the parts of the threads and counters with
/// the block indices shared out among them; see Note [Building coordinates].
/// False where that gives nothing new.
static bool shareBlocks(const Terms &All, const Guards &Conditions,
                        const IndexBox &Box, Parts &Out) {
  Terms Inside;
  Affine Rest;
  for (const Term &T : All)
    if (T.block())
      Rest.Of[T.Index] = T.Coefficient;
    else
      Inside.add(T);
  if (Inside.empty() || Inside.size() == All.size())
    return false;
  split(Inside, Box, Out);
  const size_t Shared = Out.size();
  std::vector<std::array<bool, 3>> Given(Shared);
  if (!giveByGuards(Conditions, Out, Box, Rest, Given))
    return false;
  for (unsigned D = 0; D < 3; ++D) {
    const unsigned I = FirstBlock + D;
    for (size_t K = Shared; Rest.Of[I] != 0 && K-- > 0;)
      if (!Given[K][D] &&
          !give(Out[K], I,
                int64_t(floorDivWide(2 * Wide(Rest.Of[I]) + Out[K].Stride,
                                     2 * Wide(Out[K].Stride))),
                Rest))
        return false;
    if (Rest.Of[I] == 0)
      continue;
    Part Own;
    Own.Stride = std::abs(Rest.Of[I]);
    Own.Of.add({Rest.Of[I] / Own.Stride, I});
    Out.add(Own);
  }
  std::sort(Out.begin(), Out.end(),
            [](const Part &A, const Part &B) { return A.Stride < B.Stride; });
  for (Part &P : Out)
    std::sort(P.Of.begin(), P.Of.end(), bySize);
  setRanges(Out, Box);
  return true;
}

static Coordinate finish(const Part &P, int64_t Constant) {
  Coordinate C;
  C.Stride = P.Stride;
  C.Base = Constant + P.ThreadLow;
  C.Count = P.Count;
  for (const Term &T : P.Of)
    if (T.block())
      C.PerBlock[T.Index - FirstBlock] = T.Coefficient;
  if (P.Clipped && P.Clip.Low > P.All.Low)
    C.ClipLow = Constant + P.Clip.Low;
  if (P.Clipped && P.Clip.High < P.All.High)
    C.ClipHigh = Constant + P.Clip.High;
  return C;
}

/// The lowest coordinate, in elements that touch each other or of one element
/// per block, in bytes. Constant is in bytes.
static Coordinate finishDense(const Part &P, int64_t Constant,
                              int64_t ElementBytes) {
  Coordinate C = finish(P, 0);
  bool Low = P.Clipped && P.Clip.Low > P.All.Low;
  bool High = P.Clipped && P.Clip.High < P.All.High;
  if (Low)
    C.ClipLow = C.ClipLow * P.Stride + Constant;
  if (High)
    C.ClipHigh = C.ClipHigh * P.Stride + Constant + ElementBytes - 1;
  C.Base = C.Base * P.Stride + Constant;
  C.Count = (C.Count - 1) * P.Stride + ElementBytes;
  for (int64_t &Step : C.PerBlock)
    Step *= P.Stride;
  C.Stride = 1;
  return C;
}

/// Shares Constant out; false when some part wraps around the next stride.
static bool place(const Parts &All, int64_t Constant, uint32_t ElementBytes,
                  Placed &Out) {
  int64_t Low = 0, High = int64_t(ElementBytes) - 1;
  for (const Part &P : All) {
    Low += P.Clip.Low * P.Stride;
    High += P.Clip.High * P.Stride;
  }
  bool Dense =
      All.empty() || All[0].Stride <= ElementBytes || All[0].Count == 1;
  Out.Coordinates.resize(All.size());
  for (size_t K = All.size(); K-- > 0;) {
    const Part &P = All[K];
    Low -= P.Clip.Low * P.Stride;
    High -= P.Clip.High * P.Stride;
    if (K == 0 && Dense)
      break;
    int64_t Share = floorDiv(Constant + Low, P.Stride);
    Constant -= Share * P.Stride;
    if (Constant + High >= P.Stride)
      return false;
    Out.Coordinates[K] = finish(P, Share);
  }
  if (All.empty())
    Out.Coordinates.resize(1);
  if (Dense)
    Out.Coordinates[0] =
        finishDense(All.empty() ? Part() : All[0], Constant, ElementBytes);
  Out.ByteLow = Dense ? 0 : Constant;
  Out.ByteHigh = Dense ? 0 : Constant + int64_t(ElementBytes) - 1;
  return true;
}

/// One range of bytes per block, from its lowest to its highest.
static void placeAsRange(const Terms &Of, int64_t Constant,
                         uint32_t ElementBytes, const IndexBox &Box,
                         Placed &Out) {
  Coordinate C;
  C.Base = Constant;
  C.Count = ElementBytes;
  for (const Term &T : Of) {
    const Interval &Values = Box[T.Index];
    if (T.block()) {
      C.PerBlock[T.Index - FirstBlock] = T.Coefficient;
      continue;
    }
    C.Base += T.Coefficient * (T.Coefficient > 0 ? Values.Low : Values.High);
    C.Count += T.size() * (Values.High - Values.Low);
  }
  Out.Coordinates.assign(1, C);
  Out.ByteLow = Out.ByteHigh = 0;
  Out.notExact("its rows overlap or wrap around: taken as one range of bytes "
               "per block");
}

void notExact(BlockAccess &Out, const char *Why) {
  if (Out.Exact)
    Out.Reason = Why;
  Out.Exact = false;
}

/// Clips the parts and gives Out its coordinates. None where no block is left,
/// else whether the parts could be placed.
static std::optional<bool> fill(Parts &All, const Affine &Offset,
                                uint32_t ElementBytes, const IndexBox &Box,
                                const Guards &Conditions, Placed &Out) {
  if (!applyGuards(All, Conditions, Box, Out))
    return std::nullopt;
  if (!All.empty() && All[0].Clipped && All[0].Stride < ElementBytes)
    Out.notExact("its elements overlap each other");
  return place(All, Offset.Constant, ElementBytes, Out);
}

/// The best of the ways to place the terms of Offset. None where no block is
/// left.
static std::optional<Placed> placeBest(const Affine &Offset,
                                       uint32_t ElementBytes,
                                       const IndexBox &Box,
                                       const Guards &Conditions) {
  const Terms Of = sortedTerms(Offset, Box);
  Parts InOrder, Among;
  Placed Plain, Shared;
  split(Of, Box, InOrder);
  const std::optional<bool> Fits =
      fill(InOrder, Offset, ElementBytes, Box, Conditions, Plain);
  if (!Fits)
    return std::nullopt;
  if (*Fits && !Plain.Why)
    return Plain;
  if (shareBlocks(Of, Conditions, Box, Among) &&
      fill(Among, Offset, ElementBytes, Box, Conditions, Shared)
          .value_or(false) &&
      (!Shared.Why || !*Fits))
    return Shared;
  if (!*Fits)
    placeAsRange(Of, Offset.Constant, ElementBytes, Box, Plain);
  return Plain;
}

bool makeCoordinates(const Affine &Offset, uint32_t ElementBytes,
                     const IndexBox &Box, const Guards &Conditions,
                     BlockAccess &Out) {
  Affine Moved = Offset;
  for (unsigned I = 0; I < Box.Count; ++I)
    if (Box[I].single())
      Moved.Constant += Offset.Of[I] * Box[I].Low;
  std::optional<Placed> Best = placeBest(Moved, ElementBytes, Box, Conditions);
  if (!Best)
    return false;
  Out.Coordinates = std::move(Best->Coordinates);
  Out.ByteLow = Best->ByteLow;
  Out.ByteHigh = Best->ByteHigh;
  if (Best->Why)
    notExact(Out, Best->Why);
  return true;
}

} // namespace blockmaestro
