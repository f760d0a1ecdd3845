// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Simplify.h"

#include <algorithm>
#include <cstring>

namespace blockmaestro {

static bool sameSlope(const QuasiAffine &A, const QuasiAffine &B) {
  return A.D == B.D && std::equal(A.A, A.A + 3, B.A);
}

static bool sameRow(const QuasiAffine &A, const QuasiAffine &B) {
  return sameSlope(A, B) && A.Low == B.Low && A.High == B.High;
}

/// Every block the row lets through for some consumer, Inner lets through too.
static bool rowInside(const QuasiAffine &Inner, const QuasiAffine &Outer) {
  return sameSlope(Inner, Outer) && Outer.Low <= Inner.Low &&
         Inner.High <= Outer.High;
}

/// A row that does not depend on the consumer and lets the whole of the box
/// through in dimension D.
static bool letsAll(const QuasiAffine &Row, const Box &Producer, unsigned D) {
  return Row.A[0] == 0 && Row.A[1] == 0 && Row.A[2] == 0 && Row.D == 1 &&
         Row.Low <= Producer.Low[D] && Producer.High[D] <= Row.High;
}

bool boxInside(const Box &Inner, const Box &Outer) {
  for (unsigned D = 0; D < 3; ++D)
    if (Inner.Low[D] < Outer.Low[D] || Outer.High[D] < Inner.High[D])
      return false;
  return true;
}

bool inside(const Piece &Inner, const Piece &Outer) {
  if (!boxInside(Inner.Consumer, Outer.Consumer) ||
      !boxInside(Inner.Producer, Outer.Producer))
    return false;
  for (unsigned D = 0; D < 3; ++D)
    if (!rowInside(Inner.Rows[D], Outer.Rows[D]) &&
        !letsAll(Outer.Rows[D], Inner.Producer, D))
      return false;
  return true;
}

/// The only dimension in which the boxes differ; 3 when they are equal, 4 when
/// they differ in several.
static unsigned differingDimension(const Box &A, const Box &B) {
  unsigned Which = 3;
  for (unsigned D = 0; D < 3; ++D)
    if (A.Low[D] != B.Low[D] || A.High[D] != B.High[D])
      Which = Which == 3 ? D : 4;
  return Which;
}

/// Joins B into A when they differ in one dimension and touch there.
static bool joinBoxes(Box &A, const Box &B) {
  unsigned D = differingDimension(A, B);
  if (D == 3)
    return true;
  if (D == 4 || A.Low[D] > B.High[D] + 1 || B.Low[D] > A.High[D] + 1)
    return false;
  A.Low[D] = std::min(A.Low[D], B.Low[D]);
  A.High[D] = std::max(A.High[D], B.High[D]);
  return true;
}

/// Joins B into A when neither is ever empty and they touch for every c:
/// floor((x + D) / D) is floor(x / D) + 1.
static bool joinRows(QuasiAffine &A, const QuasiAffine &B) {
  if (!sameSlope(A, B) || A.Low > A.High || B.Low > B.High ||
      A.Low > B.High + A.D || B.Low > A.High + A.D)
    return false;
  A.Low = std::min(A.Low, B.Low);
  A.High = std::max(A.High, B.High);
  return true;
}

/// Joins B into A when they differ in one place only and touch there.
static bool join(Piece &A, const Piece &B) {
  bool SameConsumer = differingDimension(A.Consumer, B.Consumer) == 3;
  bool SameProducer = differingDimension(A.Producer, B.Producer) == 3;
  unsigned Rows = 0, Which = 0;
  for (unsigned D = 0; D < 3; ++D)
    if (!sameRow(A.Rows[D], B.Rows[D])) {
      ++Rows;
      Which = D;
    }
  if (unsigned(!SameConsumer) + unsigned(!SameProducer) + Rows > 1)
    return false;
  if (Rows == 1)
    return joinRows(A.Rows[Which], B.Rows[Which]);
  return SameConsumer ? joinBoxes(A.Producer, B.Producer)
                      : joinBoxes(A.Consumer, B.Consumer);
}

/// Makes A stand for A and B. False when they stay two.
static bool unite(BlockOverlap &A, const BlockOverlap &B) {
  uint8_t HazardsA = A.Where.Hazards, HazardsB = B.Where.Hazards;
  if ((HazardsB & ~HazardsA) == 0 && inside(B.Where, A.Where))
    return true;
  if ((HazardsA & ~HazardsB) == 0 && inside(A.Where, B.Where)) {
    A = B;
    return true;
  }
  if (HazardsA != HazardsB || !join(A.Where, B.Where))
    return false;
  if (A.Exact && !B.Exact)
    A.Reason = B.Reason;
  A.Exact &= B.Exact;
  return true;
}

/// Gives one of two equal pieces the hazards of both.
static bool uniteHazards(BlockOverlap &A, const BlockOverlap &B) {
  if (!inside(A.Where, B.Where) || !inside(B.Where, A.Where))
    return false;
  A.Where.Hazards |= B.Where.Hazards;
  if (B.Exact)
    A.Reason = {};
  A.Exact |= B.Exact;
  return true;
}

template <typename Unite>
static bool uniteAll(std::vector<BlockOverlap> &Pieces, Unite How) {
  bool Any = false;
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (size_t I = 0; I < Pieces.size(); ++I)
      for (size_t J = I + 1; J < Pieces.size();) {
        if (!How(Pieces[I], Pieces[J])) {
          ++J;
          continue;
        }
        Pieces.erase(Pieces.begin() + std::ptrdiff_t(J));
        Changed = Any = true;
      }
  }
  return Any;
}

void simplify(std::vector<BlockOverlap> &Pieces) {
  uniteAll(Pieces, unite);
  if (uniteAll(Pieces, uniteHazards))
    uniteAll(Pieces, unite);
}

bool coversAll(const Piece &P, Dim3 ProducerGrid, Dim3 ConsumerGrid) {
  for (unsigned D = 0; D < 3; ++D)
    if (P.Consumer.Low[D] > 0 || P.Producer.Low[D] > 0 ||
        P.Consumer.High[D] + 1 < int64_t(ConsumerGrid[D]) ||
        P.Producer.High[D] + 1 < int64_t(ProducerGrid[D]) ||
        !letsAll(P.Rows[D], P.Producer, D))
      return false;
  return true;
}

} // namespace blockmaestro
