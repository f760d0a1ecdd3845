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

#include <algorithm>
#include <array>
#include <optional>

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

static bool bySize(const Term &A, const Term &B) {
  if (A.size() != B.size())
    return A.size() < B.size();
  return A.block() != B.block() ? B.block() : A.Index < B.Index;
}

static std::vector<Term> sortedTerms(const Affine &Offset,
                                     const IndexBox &Box) {
  std::vector<Term> Terms;
  Terms.reserve(MaxIndices);
  for (unsigned I = 0; I < MaxIndices; ++I)
    if (Offset.Of[I] != 0 && !Box[I].single())
      Terms.push_back({Offset.Of[I], I});
  std::sort(Terms.begin(), Terms.end(), bySize);
  return Terms;
}

/// Whether the term can join the coordinate without gaps.
static bool joins(const Term &T, const Part &P) {
  if (P.HasBlock || T.size() % P.Stride != 0)
    return false;
  return T.block() || T.size() / P.Stride <= P.Count;
}

/// Puts T behind the terms of P.
static void append(Part &P, const Term &T, const IndexBox &Box) {
  P.Terms.push_back(T);
  if (T.block()) {
    P.HasBlock = true;
    return;
  }
  const int64_t Coefficient = T.Coefficient;
  const Interval &Of = Box[T.Index];
  P.Count += std::abs(Coefficient) * (Of.High - Of.Low);
  P.ThreadLow += Coefficient * (Coefficient > 0 ? Of.Low : Of.High);
}

static void setRanges(std::vector<Part> &Parts, const IndexBox &Box) {
  for (Part &P : Parts)
    P.Clip = P.All = rangeOfTerms(P.Terms, 0, P.Terms.size(), Box);
}

static std::vector<Part> split(const std::vector<Term> &Terms,
                               const IndexBox &Box) {
  std::vector<Part> Parts;
  Parts.reserve(Terms.size());
  for (const Term &T : Terms) {
    if (Parts.empty() || !joins(T, Parts.back())) {
      Parts.emplace_back();
      Parts.back().Terms.reserve(Terms.size());
      Parts.back().Stride = T.size();
    }
    append(Parts.back(), {T.Coefficient / Parts.back().Stride, T.Index}, Box);
  }
  setRanges(Parts, Box);
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

/// Takes Times the block index I in P, and out of Rest.
static bool give(Part &P, unsigned I, int64_t Times, Affine &Rest) {
  int64_t Bytes = 0;
  if (Times == 0)
    return true;
  P.Terms.push_back({Times, I});
  return !__builtin_mul_overflow(Times, P.Stride, &Bytes) &&
         !__builtin_sub_overflow(Rest.Of[I], Bytes, &Rest.Of[I]);
}

/// The part that Guard follows as far as threads and counters go; Times is what
/// the guard has to be multiplied with, over By. Null where there is none.
static Part *followed(const Affine &Guard, std::vector<Part> &Parts,
                      const IndexBox &Box, int64_t &Times, int64_t &By) {
  Affine Inside = Guard;
  for (unsigned D = 0; D < 3; ++D)
    Inside.Of[FirstBlock + D] = 0;
  for (Part &P : Parts)
    if (size_t First = suffixOf(Inside, P, Box); First < P.Terms.size()) {
      Times = P.Terms[First].Coefficient;
      By = Guard.Of[P.Terms[First].Index];
      return &P;
    }
  return nullptr;
}

/// Gives the parts what the guards with block indices say; Given remembers
/// which have had theirs.
static bool giveByGuards(const Guards &Conditions, std::vector<Part> &Parts,
                         const IndexBox &Box, Affine &Rest,
                         std::vector<std::array<bool, 3>> &Given) {
  for (const Affine &Guard : Conditions) {
    int64_t Times = 0, By = 1;
    Part *P = followed(Guard, Parts, Box, Times, By);
    for (unsigned D = 0; P && D < 3; ++D) {
      const unsigned I = FirstBlock + D;
      bool &Had = Given[size_t(P - Parts.data())][D];
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

/// The parts of the threads and counters with the block indices shared out
/// among them; see Note [Building coordinates]. None where that gives nothing
/// new.
static std::optional<std::vector<Part>>
shareBlocks(const std::vector<Term> &Terms, const Guards &Conditions,
            const IndexBox &Box) {
  std::vector<Term> Inside;
  Affine Rest;
  for (const Term &T : Terms)
    if (T.block())
      Rest.Of[T.Index] = T.Coefficient;
    else
      Inside.push_back(T);
  if (Inside.empty() || Inside.size() == Terms.size())
    return std::nullopt;
  std::vector<Part> Parts = split(Inside, Box);
  std::vector<std::array<bool, 3>> Given(Parts.size());
  if (!giveByGuards(Conditions, Parts, Box, Rest, Given))
    return std::nullopt;
  for (unsigned D = 0; D < 3; ++D) {
    const unsigned I = FirstBlock + D;
    for (size_t K = Parts.size(); Rest.Of[I] != 0 && K-- > 0;)
      if (!Given[K][D] &&
          !give(Parts[K], I,
                int64_t(floorDivWide(2 * Wide(Rest.Of[I]) + Parts[K].Stride,
                                     2 * Wide(Parts[K].Stride))),
                Rest))
        return std::nullopt;
    if (Rest.Of[I] == 0)
      continue;
    Part Own;
    Own.Stride = std::abs(Rest.Of[I]);
    Own.Terms.push_back({Rest.Of[I] / Own.Stride, I});
    Parts.push_back(std::move(Own));
    Given.emplace_back(std::array<bool, 3>{true, true, true});
  }
  std::sort(Parts.begin(), Parts.end(),
            [](const Part &A, const Part &B) { return A.Stride < B.Stride; });
  for (Part &P : Parts)
    std::sort(P.Terms.begin(), P.Terms.end(), bySize);
  setRanges(Parts, Box);
  return Parts;
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

/// Clips Parts and gives Out its coordinates. None where no block is left, else
/// whether the parts could be placed.
static std::optional<bool> fill(std::vector<Part> Parts, const Affine &Offset,
                                uint32_t ElementBytes, const IndexBox &Box,
                                const Guards &Conditions, BlockAccess &Out) {
  if (!applyGuards(Parts, Conditions, Box, Out))
    return std::nullopt;
  if (!Parts.empty() && Parts[0].Clipped && Parts[0].Stride < ElementBytes)
    notExact(Out, "its elements overlap each other");
  return place(Parts, Offset.Constant, ElementBytes, Out);
}

bool makeCoordinates(const Affine &Offset, uint32_t ElementBytes,
                     const IndexBox &Box, const Guards &Conditions,
                     BlockAccess &Out) {
  Affine Moved = Offset;
  for (unsigned I = 0; I < MaxIndices; ++I)
    if (Box[I].single())
      Moved.Constant += Offset.Of[I] * Box[I].Low;
  const std::vector<Term> Terms = sortedTerms(Offset, Box);
  BlockAccess Plain = Out;
  Plain.Exact = true;
  std::optional<bool> Placed =
      fill(split(Terms, Box), Moved, ElementBytes, Box, Conditions, Plain);
  if (!Placed)
    return false;
  if (!*Placed || !Plain.Exact) {
    std::optional<std::vector<Part>> Parts =
        shareBlocks(Terms, Conditions, Box);
    BlockAccess Shared = Out;
    Shared.Exact = true;
    if (Parts &&
        fill(std::move(*Parts), Moved, ElementBytes, Box, Conditions, Shared)
            .value_or(false) &&
        (Shared.Exact || !*Placed)) {
      Plain = std::move(Shared);
      Placed = true;
    }
  }
  if (!*Placed) {
    placeAsRange(Terms, Moved.Constant, ElementBytes, Box, Plain);
    notExact(Plain, "its rows overlap or wrap around: taken as one range of "
                    "bytes per block");
  }
  Plain.Reason = Out.Exact ? Plain.Reason : Out.Reason;
  Plain.Exact &= Out.Exact;
  Out = std::move(Plain);
  return true;
}

} // namespace blockmaestro
