// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Membership.h"

#include <algorithm>

namespace blockmaestro {

namespace {

/// From the largest stride down; the smaller coordinates and the bytes stay
/// inside one step of it, so that each has but one value.
bool hasOffset(const BlockAccess &A, Dim3 Block, Wide Offset) {
  Wide Least = A.ByteLow;
  for (const Coordinate &C : A.Coordinates)
    Least += C.Stride * stepsOf(C, Block).Low;
  for (size_t I = A.Coordinates.size(); I-- > 0;) {
    const Coordinate &C = A.Coordinates[I];
    WideInterval Of = stepsOf(C, Block);
    Least -= C.Stride * Of.Low;
    Wide Step = floorDivWide(Offset - Least, C.Stride);
    if (Step < Of.Low || Step > Of.High)
      return false;
    Offset -= C.Stride * Step;
  }
  return Offset >= A.ByteLow && Offset <= A.ByteHigh;
}

bool isOf(const BlockAccess &A, bool Writing) {
  return Writing ? writes(A.Kind) : reads(A.Kind);
}

bool anyHas(const LaunchAccesses &All, Dim3 Block, uint64_t Address,
            bool Writing) {
  return std::any_of(All.Accesses.begin(), All.Accesses.end(),
                     [&](const BlockAccess &A) {
                       return isOf(A, Writing) && hasByte(A, Block, Address);
                     });
}

} // namespace

WideInterval stepsOf(const Coordinate &C, Dim3 Block) {
  Wide First = C.Base;
  for (unsigned D = 0; D < 3; ++D)
    First += Wide(C.PerBlock[D]) * Block[D];
  return {std::max<Wide>(First, C.ClipLow),
          std::min<Wide>(First + C.Count - 1, C.ClipHigh)};
}

bool inBox(const BlockAccess &A, Dim3 Block) {
  for (unsigned D = 0; D < 3; ++D)
    if (Block[D] < A.BlockLow[D] || Block[D] > A.BlockHigh[D])
      return false;
  return true;
}

Box boxOf(const BlockAccess &A, Dim3 Grid) {
  Box B;
  for (unsigned D = 0; D < 3; ++D) {
    B.Low[D] = A.BlockLow[D];
    B.High[D] = std::min<int64_t>(A.BlockHigh[D], int64_t(Grid[D]) - 1);
  }
  return B;
}

WideInterval hullOf(const BlockAccess &A, Dim3 Grid) {
  const Box Blocks = boxOf(A, Grid);
  WideInterval Hull{A.ByteLow, A.ByteHigh};
  for (const Coordinate &C : A.Coordinates) {
    const WideInterval Values = valuesOf(C, Blocks);
    Hull.Low += Values.Low * C.Stride;
    Hull.High += Values.High * C.Stride;
  }
  return Hull;
}

bool hasByte(const BlockAccess &A, Dim3 Block, uint64_t Address) {
  if (!inBox(A, Block) || A.How == Reach::Everything)
    return inBox(A, Block);
  if (A.How == Reach::Range)
    return Address >= A.Where.Base && Address - A.Where.Base < A.Where.Bytes;
  return hasOffset(A, Block, Wide(Address) - Wide(A.Where.Base));
}

bool mayTouch(const LaunchAccesses &All, Dim3 Block, uint64_t Address,
              uint64_t Bytes, bool Reads, bool Writes) {
  for (uint64_t End = Address + Bytes; Address != End; ++Address)
    if ((Reads && !anyHas(All, Block, Address, false)) ||
        (Writes && !anyHas(All, Block, Address, true)))
      return false;
  return true;
}

} // namespace blockmaestro
