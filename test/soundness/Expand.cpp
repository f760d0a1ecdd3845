// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Expand.h"

#include "Integers.h"

#include <algorithm>

namespace blockmaestro::soundness {

namespace {

struct Steps {
  Wide Low, High;
};

Steps intervalOf(const Coordinate &C, Dim3 Block) {
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

void addFrom(const BlockAccess &A, const std::vector<Steps> &Of, size_t Left,
             Wide Sum, Bytes &To) {
  if (Left == 0)
    return To.add(int64_t(Sum + A.ByteLow), int64_t(Sum + A.ByteHigh));
  Wide Stride = A.Coordinates[Left - 1].Stride;
  auto [Low, High] = Of[Left - 1];
  if (Left == 1 && Stride <= A.ByteHigh - A.ByteLow + 1)
    return Low <= High ? To.add(int64_t(Sum + Stride * Low + A.ByteLow),
                                int64_t(Sum + Stride * High + A.ByteHigh))
                       : void();
  for (Wide U = Low; U <= High; ++U)
    addFrom(A, Of, Left - 1, Sum + Stride * U, To);
}

} // namespace

std::optional<Bytes> expand(const BlockAccess &A, Dim3 Block, uint64_t Most) {
  Bytes Out;
  if (!inBox(A, Block))
    return Out;
  std::vector<Steps> Of;
  for (const Coordinate &C : A.Coordinates) {
    Of.push_back(intervalOf(C, Block));
    if (Of.back().Low > Of.back().High)
      return Out;
  }
  Wide Count = 1;
  for (const Steps &Each : Of) {
    Count *= std::min<Wide>(Each.High - Each.Low + 1, Wide(Most) + 1);
    if (Count > Wide(Most))
      return std::nullopt;
  }
  addFrom(A, Of, Of.size(), 0, Out);
  Out.normalise();
  return Out;
}

/// From the largest stride down: of each coordinate only the values that leave
/// a rest the smaller ones can make are tried.
static bool reaches(const BlockAccess &A, const std::vector<Steps> &Of,
                    size_t Left, Wide Rest) {
  if (Left == 0)
    return Rest >= A.ByteLow && Rest <= A.ByteHigh;
  Wide Low = A.ByteLow, High = A.ByteHigh;
  for (size_t I = 0; I + 1 < Left; ++I) {
    Low += A.Coordinates[I].Stride * Of[I].Low;
    High += A.Coordinates[I].Stride * Of[I].High;
  }
  Wide Stride = A.Coordinates[Left - 1].Stride;
  Wide First = Rest - High, Last = Rest - Low;
  Wide From = First >= 0 ? (First + Stride - 1) / Stride : -(-First / Stride);
  Wide To = Last >= 0 ? Last / Stride : -((-Last + Stride - 1) / Stride);
  From = std::max(From, Of[Left - 1].Low);
  To = std::min(To, Of[Left - 1].High);
  for (Wide U = From; U <= To; ++U)
    if (reaches(A, Of, Left - 1, Rest - Stride * U))
      return true;
  return false;
}

bool contains(const BlockAccess &A, Dim3 Block, int64_t Offset) {
  if (!inBox(A, Block))
    return false;
  std::vector<Steps> Of;
  for (const Coordinate &C : A.Coordinates) {
    Of.push_back(intervalOf(C, Block));
    if (Of.back().Low > Of.back().High)
      return false;
  }
  return reaches(A, Of, Of.size(), Offset);
}

} // namespace blockmaestro::soundness
