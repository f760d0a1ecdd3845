// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Oracle.h"

#include "Edges.h"
#include "Encode.h"
#include "Evaluate.h"
#include "Graph.h"

#include <algorithm>

namespace blockmaestro::test {

static Touches sorted(Touches All) {
  std::sort(All.begin(), All.end());
  All.erase(std::unique(All.begin(), All.end()), All.end());
  return All;
}

/// Calls Each with the values of all symbols for every thread of block B and
/// every iteration of the loops the access is in: those whose counters it, or
/// an inner loop of it, uses.
template <typename Callback>
static void forEachPoint(const Case &What, const AccessSpec &A, Dim3 B,
                         Callback Each) {
  const uint32_t Used = What.used(A);
  const bool Inner = Used >> Counter1 & 1, Outer = Used >> Counter0 & 1;
  std::vector<int64_t> V = What.numbers();
  for (unsigned D = 0; D < 3; ++D)
    V[Bx + D] = B[D];
  const bool Computes = Used >> Quotient0 != 0;
  auto Iterations = [&](bool Inside, const Poly &Extent) {
    if (Computes)
      What.compute(V);
    return Inside ? Extent.at(V) : 1;
  };
  for (uint64_t T = 0; T < What.Block.count(); ++T) {
    Dim3 Thread = blockOf(T, What.Block);
    for (unsigned D = 0; D < 3; ++D)
      V[Tx + D] = Thread[D];
    V[Counter0] = V[Counter1] = 0;
    int64_t First = Iterations(Outer, What.Extents[0]);
    for (V[Counter0] = 0; V[Counter0] < First; ++V[Counter0]) {
      V[Counter1] = 0;
      int64_t Second = Iterations(Inner, What.Extents[1]);
      for (V[Counter1] = 0; V[Counter1] < Second; ++V[Counter1])
        if (!Computes || (What.compute(V) & Used) == 0)
          Each(V);
    }
  }
}

static int64_t computed(const Poly &Value, const std::vector<int64_t> &V,
                        bool Int32) {
  int64_t Result = Value.at(V);
  return Int32 ? int64_t(int32_t(Result)) : Result;
}

Touches touchesOf(const Case &What, size_t Access) {
  Touches All;
  const AccessSpec &A = What.Accesses[Access];
  for (uint64_t B = 0; B < What.Grid.count(); ++B)
    forEachPoint(What, A, blockOf(B, What.Grid), [&](const auto &V) {
      for (const Poly &Guard : A.Guards)
        if (computed(Guard, V, A.Int32) < 0)
          return;
      uint64_t At = What.Pointers[A.Pointer] +
                    uint64_t(computed(A.Index, V, A.Int32)) * A.ElementBytes;
      for (uint32_t I = 0; I < A.ElementBytes; ++I)
        All.emplace_back(At + I, B);
    });
  return sorted(std::move(All));
}

/// Adds the bytes of the coordinates from K down.
static void addBytes(const BlockAccess &A, Dim3 Block, uint64_t Linear,
                     size_t K, int64_t Offset, Touches &All) {
  if (K == 0) {
    for (int64_t J = A.ByteLow; J <= A.ByteHigh; ++J)
      All.emplace_back(A.Where.Base + uint64_t(Offset + J), Linear);
    return;
  }
  const Coordinate &C = A.Coordinates[K - 1];
  int64_t First = C.Base;
  for (unsigned D = 0; D < 3; ++D)
    First += C.PerBlock[D] * Block[D];
  for (int64_t U = std::max(First, C.ClipLow);
       U <= std::min(First + C.Count - 1, C.ClipHigh); ++U)
    addBytes(A, Block, Linear, K - 1, Offset + U * C.Stride, All);
}

Touches touchesOf(const BlockAccess &What, Dim3 Grid) {
  Touches All;
  for (uint64_t B = 0; B < Grid.count(); ++B) {
    Dim3 Block = blockOf(B, Grid);
    bool Does = true;
    for (unsigned D = 0; D < 3; ++D)
      Does &= What.BlockLow[D] <= Block[D] && Block[D] <= What.BlockHigh[D];
    if (Does)
      addBytes(What, Block, B, What.Coordinates.size(), 0, All);
  }
  return sorted(std::move(All));
}

static uint8_t hazardsOf(AccessKind P, AccessKind C) {
  bool PReads = P != AccessKind::Write, PWrites = P != AccessKind::Read;
  bool CReads = C != AccessKind::Write, CWrites = C != AccessKind::Read;
  return uint8_t((PWrites && CReads ? HazardRAW : 0) |
                 (PReads && CWrites ? HazardWAR : 0) |
                 (PWrites && CWrites ? HazardWAW : 0));
}

/// Adds the blocks that share a byte, walking both lists once.
static void addShared(const Touches &Producer, const Touches &Consumer,
                      Pairs &All) {
  auto First = Producer.begin();
  std::pair<uint64_t, uint64_t> Last{~uint64_t(0), 0};
  for (const auto &[Byte, Block] : Consumer) {
    while (First != Producer.end() && First->first < Byte)
      ++First;
    for (auto At = First; At != Producer.end() && At->first == Byte; ++At) {
      const std::pair<uint64_t, uint64_t> Pair{Block, At->second};
      if (Pair != Last)
        All.insert(Pair);
      Last = Pair;
    }
  }
}

Pairs truePairs(const Case &Producer, const Case &Consumer, uint8_t Which) {
  Pairs All;
  for (size_t P = 0; P < Producer.Accesses.size(); ++P) {
    const Touches Of = touchesOf(Producer, P);
    for (size_t C = 0; C < Consumer.Accesses.size(); ++C) {
      if (!(hazardsOf(Producer.Accesses[P].Kind, Consumer.Accesses[C].Kind) &
            Which))
        continue;
      addShared(Of, touchesOf(Consumer, C), All);
    }
  }
  return All;
}

static bool inBox(const Box &In, Dim3 B) {
  for (unsigned D = 0; D < 3; ++D)
    if (B[D] < In.Low[D] || B[D] > In.High[D])
      return false;
  return true;
}

static bool related(const Piece &Of, Dim3 C, Dim3 P) {
  if (!inBox(Of.Consumer, C) || !inBox(Of.Producer, P))
    return false;
  for (unsigned D = 0; D < 3; ++D) {
    const QuasiAffine &Row = Of.Rows[D];
    int64_t Dot = Row.A[0] * C[0] + Row.A[1] * C[1] + Row.A[2] * C[2];
    if (floorDiv(Dot + Row.Low, Row.D) > P[D] ||
        floorDiv(Dot + Row.High, Row.D) < P[D])
      return false;
  }
  return true;
}

Pairs pairsOf(const Relation &R) {
  return pairsOf(R, HazardRAW | HazardWAR | HazardWAW);
}

static Pairs listedPairsOf(const Relation &R, uint8_t Which) {
  Pairs All;
  for (uint64_t C = 0; C < R.ConsumerGrid.count(); ++C)
    for (uint32_t I = R.List->Begin[C]; I < R.List->Begin[C + 1]; ++I)
      if (R.List->Hazards[I] & Which)
        for (uint64_t P = R.List->Runs[I].First; P <= R.List->Runs[I].Last; ++P)
          All.emplace(C, P);
  return All;
}

Pairs pairsOf(const Relation &R, uint8_t Which) {
  if (R.List)
    return listedPairsOf(R, Which);
  Pairs All;
  for (uint64_t C = 0; C < R.ConsumerGrid.count(); ++C)
    for (uint64_t P = 0; P < R.ProducerGrid.count(); ++P) {
      Dim3 BlockC = blockOf(C, R.ConsumerGrid);
      Dim3 BlockP = blockOf(P, R.ProducerGrid);
      if (R.Full ? (R.Hazards & Which) != 0
                 : std::any_of(R.Pieces.begin(), R.Pieces.end(),
                               [&](const Piece &Of) {
                                 return (Of.Hazards & Which) &&
                                        related(Of, BlockC, BlockP);
                               }))
        All.emplace(C, P);
    }
  return All;
}

Pairs encodedPairsOf(const Relation &R) {
  Encoding E = encode(R);
  Pairs All;
  forEachEdge(viewOf(E, R.ConsumerGrid),
              [&](uint64_t C, uint64_t P) { All.emplace(C, P); });
  return All;
}

Relation relateCases(const Case &Producer, const Case &Consumer,
                     const AllocationMap &Known) {
  KernelRecord KernelP = Producer.kernel(), KernelC = Consumer.kernel();
  return relate(evaluate(Producer.launch(KernelP), Known),
                evaluate(Consumer.launch(KernelC), Known));
}

} // namespace blockmaestro::test
