// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Strides.h"

#include "Affine.h"
#include "Membership.h"

#include <algorithm>

namespace blockmaestro {

static constexpr int64_t NoClipLow = Coordinate().ClipLow;
static constexpr int64_t NoClipHigh = Coordinate().ClipHigh;

bool sameStrides(const std::vector<Coordinate> &A,
                 const std::vector<Coordinate> &B) {
  return std::equal(A.begin(), A.end(), B.begin(), B.end(),
                    [](const Coordinate &X, const Coordinate &Y) {
                      return X.Stride == Y.Stride;
                    });
}

static std::vector<int64_t> allStrides(const StridedSet &A,
                                       const StridedSet &B) {
  std::vector<int64_t> All;
  for (const StridedSet *S : {&A, &B})
    for (const Coordinate &C : S->Coordinates)
      All.push_back(C.Stride);
  std::sort(All.begin(), All.end());
  All.erase(std::unique(All.begin(), All.end()), All.end());
  return All;
}

static void shift(Coordinate &C, int64_t By) {
  C.Base += By;
  if (C.ClipLow != NoClipLow)
    C.ClipLow += By;
  if (C.ClipHigh != NoClipHigh)
    C.ClipHigh += By;
}

/// Dense coordinate Low of whole steps of Stride, in two: all of a step, and
/// the steps. False when it is not made of whole steps.
static bool splitSteps(Coordinate &Low, int64_t Stride, Coordinate &Steps) {
  auto Whole = [&](int64_t Value) { return Value % Stride == 0; };
  if (!Whole(Low.Base) || !Whole(Low.Count) ||
      !std::all_of(Low.PerBlock, Low.PerBlock + 3, Whole) ||
      (Low.ClipLow != NoClipLow && !Whole(Low.ClipLow)) ||
      (Low.ClipHigh != NoClipHigh && !Whole(Low.ClipHigh + 1)))
    return false;
  Steps = Low;
  Steps.Stride = Stride;
  Steps.Base /= Stride;
  Steps.Count /= Stride;
  for (int64_t &Step : Steps.PerBlock)
    Step /= Stride;
  if (Low.ClipLow != NoClipLow)
    Steps.ClipLow /= Stride;
  if (Low.ClipHigh != NoClipHigh)
    Steps.ClipHigh = (Low.ClipHigh + 1) / Stride - 1;
  Low = Coordinate();
  Low.Count = Stride;
  return true;
}

/// What the coordinates of S below place At and its bytes come to.
static WideInterval bytesBelow(const StridedSet &S, size_t At,
                               const BlockAccess &A) {
  Box Blocks;
  std::copy_n(A.BlockLow, 3, Blocks.Low);
  std::copy_n(A.BlockHigh, 3, Blocks.High);
  WideInterval Sum{S.ByteLow, S.ByteHigh};
  for (size_t K = 0; K < At; ++K) {
    const WideInterval V = valuesOf(S.Coordinates[K], Blocks);
    Sum.Low += V.Low * S.Coordinates[K].Stride;
    Sum.High += V.High * S.Coordinates[K].Stride;
  }
  return Sum;
}

/// Moves what Least, which has no clips, moves by from block to block into
/// Steps, to the nearest step of it, Ratio of which is Least's. False when a
/// number would leave what is used.
static bool takeSlopes(Coordinate &Least, int64_t Ratio, Coordinate &Steps) {
  for (unsigned D = 0; D < 3; ++D) {
    const Wide Slope = Least.PerBlock[D];
    const Wide Nearest = floorDivWide(2 * Slope + Ratio, 2 * Wide(Ratio));
    const Wide Left = Slope - Nearest * Ratio;
    if (!WideInterval{std::min(Nearest, Left), std::max(Nearest, Left)}
             .usable())
      return false;
    Steps.PerBlock[D] = int64_t(Nearest);
    Least.PerBlock[D] = int64_t(Left);
  }
  return true;
}

/// Makes Steps say in which of its steps the only coordinate below it is, and
/// this one where in it. False when that is not the same one for all of it.
static bool takeBase(StridedSet &S, const BlockAccess &A, Coordinate &Steps) {
  const WideInterval Below = bytesBelow(S, 1, A);
  const Wide Step = floorDivWide(Below.Low, Steps.Stride);
  if (Step != floorDivWide(Below.High, Steps.Stride))
    return false;
  Steps.Base = int64_t(Step);
  shift(S.Coordinates[0],
        -Steps.Base * (Steps.Stride / S.Coordinates[0].Stride));
  return true;
}

/// Gives Steps all that the only coordinate below it says beyond one of its
/// steps. False, with S half done, when it does not stay in one of them
/// wherever a block puts it.
static bool takeSteps(StridedSet &S, const BlockAccess &A, Coordinate &Steps) {
  Coordinate &Least = S.Coordinates[0];
  if (Steps.Stride % Least.Stride != 0)
    return false;
  if (takeBase(S, A, Steps))
    return true;
  const bool Clipped =
      Least.ClipLow != NoClipLow || Least.ClipHigh != NoClipHigh;
  return !Clipped && takeSlopes(Least, Steps.Stride / Least.Stride, Steps) &&
         takeBase(S, A, Steps);
}

/// Gives S, which has the coordinates below place At already, one of Stride at
/// At. What lies below must be in its first step; or it is one coordinate, in
/// one step for each block, or dense and made of whole steps.
static bool insertStride(StridedSet &S, size_t At, int64_t Stride,
                         const BlockAccess &A) {
  Coordinate New;
  New.Stride = Stride;
  const WideInterval Below = bytesBelow(S, At, A);
  if (Below.Low < 0 || Below.High >= Stride) {
    if (At != 1)
      return false;
    const bool Dense = S.Coordinates[0].Stride == 1 && S.ByteHigh == 0;
    if (!(Dense && splitSteps(S.Coordinates[0], Stride, New)) &&
        !takeSteps(S, A, New))
      return false;
  }
  S.Coordinates.insert(S.Coordinates.begin() + std::ptrdiff_t(At), New);
  return true;
}

/// Writes S over all of Strides. False when it cannot; S is then half done.
static bool refine(StridedSet &S, const std::vector<int64_t> &Strides,
                   const BlockAccess &A) {
  for (size_t At = 0; At < Strides.size(); ++At) {
    if (At < S.Coordinates.size() && S.Coordinates[At].Stride == Strides[At])
      continue;
    if (At > 0) {
      if (!insertStride(S, At, Strides[At], A))
        return false;
      continue;
    }
    if (Strides[0] != 1)
      return false;
    Coordinate Bytes;
    Bytes.Base = S.ByteLow;
    Bytes.Count = S.ByteHigh - S.ByteLow + 1;
    S.ByteLow = S.ByteHigh = 0;
    S.Coordinates.insert(S.Coordinates.begin(), Bytes);
  }
  return true;
}

/// One range of bytes per block that covers S.
static void makeRange(StridedSet &S) {
  if (S.Coordinates.size() == 1 && S.Coordinates[0].Stride == 1 &&
      S.ByteHigh == S.ByteLow)
    return;
  Coordinate Range;
  Range.Base = S.ByteLow;
  Range.Count = S.ByteHigh - S.ByteLow + 1;
  for (const Coordinate &C : S.Coordinates) {
    Range.Base += C.Base * C.Stride;
    Range.Count += (C.Count - 1) * C.Stride;
    for (unsigned D = 0; D < 3; ++D)
      Range.PerBlock[D] += C.PerBlock[D] * C.Stride;
  }
  S.Coordinates.assign(1, Range);
  S.ByteLow = S.ByteHigh = 0;
  S.Exact = false;
}

void unifyStrides(const BlockAccess &InA, const BlockAccess &InB, StridedSet &A,
                  StridedSet &B) {
  auto Reset = [&] {
    A = {InA.Coordinates, InA.ByteLow, InA.ByteHigh, true};
    B = {InB.Coordinates, InB.ByteLow, InB.ByteHigh, true};
  };
  Reset();
  if (sameStrides(A.Coordinates, B.Coordinates))
    return;
  std::vector<int64_t> All = allStrides(A, B);
  if (refine(A, All, InA) && refine(B, All, InB))
    return;
  Reset();
  makeRange(A);
  makeRange(B);
}

} // namespace blockmaestro
