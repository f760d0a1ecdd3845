// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Membership.h"

#include <algorithm>

namespace blockmaestro {

namespace {

using Wide = __int128;

struct Steps {
  Wide Low, High;
};

Steps stepsOf(const Coordinate &C, Dim3 Block) {
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

Wide floorDivide(Wide A, Wide By) {
  return A >= 0 ? A / By : -((-A + By - 1) / By);
}

/// From the largest stride down; the smaller coordinates and the bytes stay
/// inside one step of it, so that each has but one value.
bool hasOffset(const BlockAccess &A, Dim3 Block, Wide Offset) {
  Wide Least = A.ByteLow;
  for (const Coordinate &C : A.Coordinates)
    Least += C.Stride * stepsOf(C, Block).Low;
  for (size_t I = A.Coordinates.size(); I-- > 0;) {
    const Coordinate &C = A.Coordinates[I];
    Steps Of = stepsOf(C, Block);
    Least -= C.Stride * Of.Low;
    Wide Step = floorDivide(Offset - Least, C.Stride);
    if (Step < Of.Low || Step > Of.High)
      return false;
    Offset -= C.Stride * Step;
  }
  return Offset >= A.ByteLow && Offset <= A.ByteHigh;
}

bool isOf(const BlockAccess &A, bool Writing) {
  return A.Kind == AccessKind::Atomic ||
         (A.Kind == AccessKind::Write) == Writing;
}

bool anyHas(const LaunchAccesses &All, Dim3 Block, uint64_t Address,
            bool Writing) {
  return std::any_of(All.Accesses.begin(), All.Accesses.end(),
                     [&](const BlockAccess &A) {
                       return isOf(A, Writing) && hasByte(A, Block, Address);
                     });
}

} // namespace

bool hasByte(const BlockAccess &A, Dim3 Block, uint64_t Address) {
  if (A.How == Reach::Everything)
    return true;
  if (A.How == Reach::Range)
    return Address >= A.Where.Base && Address - A.Where.Base < A.Where.Bytes;
  return inBox(A, Block) &&
         hasOffset(A, Block, Wide(Address) - Wide(A.Where.Base));
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
