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
// The constant is shared out from the largest stride down, by floor, such that
// all that lies below a stride begins inside its first step; whatever then does
// not end inside it wraps around, and the access falls back to one range of
// bytes per block.

#include "Coordinates.h"

#include <algorithm>
#include <array>

namespace blockmaestro {

namespace {

struct Term {
  int64_t Coefficient = 0;
  unsigned Index = 0;
  bool block() const { return isBlock(Index); }
  int64_t size() const { return std::abs(Coefficient); }
};

/// A coordinate before its share of the constant: u = sum of Terms / Stride.
struct Part {
  int64_t Stride = 1;
  std::vector<Term> Terms; ///< By ascending size; coefficients over Stride.
  bool HasBlock = false;
  int64_t Count = 1;     ///< Values per block.
  int64_t ThreadLow = 0; ///< Lowest value of the thread and counter terms.
  Interval All;          ///< Values over all blocks.
  bool Clipped = false;
  Interval Clip; ///< Inside All.
};

} // namespace

static Interval rangeOfTerms(const std::vector<Term> &Terms, size_t Begin,
                             size_t End, const IndexBox &Box) {
  Interval Sum;
  for (size_t I = Begin; I < End; ++I) {
    const Interval &Of = Box[Terms[I].Index];
    int64_t C = Terms[I].Coefficient;
    Sum.Low += C * (C > 0 ? Of.Low : Of.High);
    Sum.High += C * (C > 0 ? Of.High : Of.Low);
  }
  return Sum;
}

static std::vector<Term> sortedTerms(const Affine &Offset,
                                     const IndexBox &Box) {
  std::vector<Term> Terms;
  for (unsigned I = 0; I < MaxIndices; ++I)
    if (Offset.Of[I] != 0 && !Box[I].single())
      Terms.push_back({Offset.Of[I], I});
  std::sort(Terms.begin(), Terms.end(), [](const Term &A, const Term &B) {
    if (A.size() != B.size())
      return A.size() < B.size();
    return A.block() != B.block() ? B.block() : A.Index < B.Index;
  });
  return Terms;
}

/// Whether the term can join the coordinate without gaps.
static bool joins(const Term &T, const Part &P) {
  if (P.HasBlock || T.size() % P.Stride != 0)
    return false;
  return T.block() || T.size() / P.Stride <= P.Count;
}

static std::vector<Part> split(const std::vector<Term> &Terms,
                               const IndexBox &Box) {
  std::vector<Part> Parts;
  for (const Term &T : Terms) {
    if (Parts.empty() || !joins(T, Parts.back())) {
      Parts.emplace_back();
      Parts.back().Stride = T.size();
    }
    Part &P = Parts.back();
    int64_t Coefficient = T.Coefficient / P.Stride;
    P.Terms.push_back({Coefficient, T.Index});
    if (T.block()) {
      P.HasBlock = true;
      continue;
    }
    P.Count += std::abs(Coefficient) * (Box[T.Index].High - Box[T.Index].Low);
    P.ThreadLow +=
        Coefficient * (Coefficient > 0 ? Box[T.Index].Low : Box[T.Index].High);
  }
  for (Part &P : Parts)
    P.Clip = P.All = rangeOfTerms(P.Terms, 0, P.Terms.size(), Box);
  return Parts;
}

/// The first term of P that the guard mentions when the guard is a multiple of
/// P's terms from there up and of nothing else; else the number of terms.
static size_t suffixOf(const Affine &Guard, const Part &P,
                       const IndexBox &Box) {
  std::array<bool, MaxIndices> Seen{};
  size_t First = P.Terms.size();
  while (First > 0 && Guard.Of[P.Terms[First - 1].Index] != 0)
    Seen[P.Terms[--First].Index] = true;
  for (unsigned I = 0; I < MaxIndices; ++I)
    if (Guard.Of[I] != 0 && !Box[I].single() && !Seen[I])
      return P.Terms.size();
  if (First == P.Terms.size())
    return First;
  const Term &Unit = P.Terms[First];
  for (size_t I = First; I < P.Terms.size(); ++I)
    if (P.Terms[I].Coefficient % Unit.Coefficient != 0 ||
        Wide(Guard.Of[P.Terms[I].Index]) * Unit.Coefficient !=
            Wide(Guard.Of[Unit.Index]) * P.Terms[I].Coefficient)
      return P.Terms.size();
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
static ClipResult clip(const Affine &Guard, Part &P, const IndexBox &Box) {
  size_t First = suffixOf(Guard, P, Box);
  if (First == P.Terms.size())
    return {};
  Wide Constant = Guard.Constant;
  for (unsigned I = 0; I < MaxIndices; ++I)
    if (Box[I].single())
      Constant += Wide(Guard.Of[I]) * Box[I].Low;
  const Term &Unit = P.Terms[First];
  int64_t Step = Unit.size();
  Wide Slope = Wide(Guard.Of[Unit.Index]) * (Unit.Coefficient > 0 ? 1 : -1);
  Interval Rest = rangeOfTerms(P.Terms, 0, First, Box);
  P.Clipped = true;
  if (Slope > 0) {
    Wide Low = -floorDivWide(Constant, Slope) * Step + Rest.Low;
    P.Clip.Low = std::max(P.Clip.Low, clamp(Low, P.All.Low, P.All.High + 1));
  } else {
    Wide High = floorDivWide(Constant, -Slope) * Step + Rest.High;
    P.Clip.High = std::min(P.Clip.High, clamp(High, P.All.Low - 1, P.All.High));
  }
  return {true, Rest.High - Rest.Low < Step};
}

/// Clips the parts by the guards. False when no block is left.
static bool applyGuards(std::vector<Part> &Parts, const Guards &Conditions,
                        const IndexBox &Box, BlockAccess &Out) {
  for (const Affine &Guard : Conditions) {
    ClipResult Result;
    for (Part &P : Parts)
      if (!Result.Applied)
        Result = clip(Guard, P, Box);
    if (!Result.Exact)
      notExact(Out, "a condition around it does not follow the shape of what "
                    "it touches and was left out");
  }
  for (const Part &P : Parts)
    if (P.Clip.Low > P.Clip.High)
      return false;
  return true;
}

static Coordinate finish(const Part &P, int64_t Constant) {
  Coordinate C;
  C.Stride = P.Stride;
  C.Base = Constant + P.ThreadLow;
  C.Count = P.Count;
  for (const Term &T : P.Terms)
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
static bool place(const std::vector<Part> &Parts, int64_t Constant,
                  uint32_t ElementBytes, BlockAccess &Out) {
  int64_t Low = 0, High = int64_t(ElementBytes) - 1;
  for (const Part &P : Parts) {
    Low += P.Clip.Low * P.Stride;
    High += P.Clip.High * P.Stride;
  }
  bool Dense =
      Parts.empty() || Parts[0].Stride <= ElementBytes || Parts[0].Count == 1;
  Out.Coordinates.resize(Parts.size());
  for (size_t K = Parts.size(); K-- > 0;) {
    const Part &P = Parts[K];
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
  if (Parts.empty())
    Out.Coordinates.resize(1);
  if (Dense)
    Out.Coordinates[0] =
        finishDense(Parts.empty() ? Part() : Parts[0], Constant, ElementBytes);
  Out.ByteLow = Dense ? 0 : Constant;
  Out.ByteHigh = Dense ? 0 : Constant + int64_t(ElementBytes) - 1;
  return true;
}

/// One range of bytes per block, from its lowest to its highest.
static void placeAsRange(const std::vector<Term> &Terms, int64_t Constant,
                         uint32_t ElementBytes, const IndexBox &Box,
                         BlockAccess &Out) {
  Coordinate C;
  C.Base = Constant;
  C.Count = ElementBytes;
  for (const Term &T : Terms) {
    const Interval &Of = Box[T.Index];
    if (T.block()) {
      C.PerBlock[T.Index - FirstBlock] = T.Coefficient;
      continue;
    }
    C.Base += T.Coefficient * (T.Coefficient > 0 ? Of.Low : Of.High);
    C.Count += T.size() * (Of.High - Of.Low);
  }
  Out.Coordinates.assign(1, C);
  Out.ByteLow = Out.ByteHigh = 0;
}

void notExact(BlockAccess &Out, const char *Why) {
  if (Out.Exact)
    Out.Reason = Why;
  Out.Exact = false;
}

bool makeCoordinates(const Affine &Offset, uint32_t ElementBytes,
                     const IndexBox &Box, const Guards &Conditions,
                     BlockAccess &Out) {
  int64_t Constant = Offset.Constant;
  for (unsigned I = 0; I < MaxIndices; ++I)
    if (Box[I].single())
      Constant += Offset.Of[I] * Box[I].Low;
  std::vector<Term> Terms = sortedTerms(Offset, Box);
  std::vector<Part> Parts = split(Terms, Box);
  if (!applyGuards(Parts, Conditions, Box, Out))
    return false;
  if (!Parts.empty() && Parts[0].Clipped && Parts[0].Stride < ElementBytes)
    notExact(Out, "its elements overlap each other");
  if (place(Parts, Constant, ElementBytes, Out))
    return true;
  placeAsRange(Terms, Constant, ElementBytes, Box, Out);
  notExact(Out, "its rows overlap or wrap around: taken as one range of bytes "
                "per block");
  return true;
}

} // namespace blockmaestro
