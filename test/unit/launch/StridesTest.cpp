// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Accesses as Evaluate may make them, but over any strides, against the bytes
// they stand for: how they are written over one list of strides, and whether
// the pairs of blocks are then the true ones.

#include "Graph.h"
#include "Oracle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

using namespace blockmaestro;
using namespace blockmaestro::test;

namespace {

/// Random accesses of one allocation.
class RandomAccesses {
public:
  explicit RandomAccesses(uint64_t Seed) : Engine(Seed) {}

  LaunchAccesses next(AccessKind Kind);

private:
  int64_t from(int64_t Low, int64_t High) {
    return Low + int64_t(Engine() % uint64_t(High - Low + 1));
  }
  bool often(int Percent) { return from(1, 100) <= Percent; }
  Coordinate coordinate(int64_t Stride, int64_t Room, Dim3 Grid);
  std::vector<int64_t> strides();

  std::mt19937_64 Engine;
};

} // namespace

std::vector<int64_t> RandomAccesses::strides() {
  std::vector<int64_t> Out;
  for (int64_t Each : {1, 4, 16, 48, 64})
    if (often(35))
      Out.push_back(Each);
  if (Out.empty())
    Out.push_back(1);
  return Out;
}

/// One of values 0 to Room - 1 for all blocks. Some are of whole steps of 16.
Coordinate RandomAccesses::coordinate(int64_t Stride, int64_t Room, Dim3 Grid) {
  Coordinate C;
  C.Stride = Stride;
  const int64_t Whole = Room >= 64 && often(50) ? 16 : 1;
  C.Count = Whole * from(1, std::min<int64_t>(Room / Whole, 8));
  int64_t Low = 0, High = C.Count - 1;
  for (unsigned D = 0; D < 3; ++D) {
    C.PerBlock[D] = often(50) ? Whole * from(-3, 6) : 0;
    const int64_t Way = C.PerBlock[D] * int64_t(Grid[D] - 1);
    Low += std::min<int64_t>(Way, 0);
    High += std::max<int64_t>(Way, 0);
  }
  C.Base = -Low + (often(50) ? Whole * from(0, 3) : 0);
  High += C.Base;
  if (High >= Room || often(25))
    C.ClipHigh = std::min(Room - 1, Whole * from(1, High / Whole + 1) -
                                        (often(50) ? 1 : from(1, 3)));
  if (often(25))
    C.ClipLow = Whole * from(0, 3) + (often(50) ? 0 : from(0, 3));
  return C;
}

LaunchAccesses RandomAccesses::next(AccessKind Kind) {
  LaunchAccesses Out;
  Out.Grid = {uint32_t(from(1, 6)), uint32_t(from(1, 3)), uint32_t(from(1, 2))};
  BlockAccess &A = Out.Accesses.emplace_back();
  A.Kind = Kind;
  A.How = Reach::Coordinates;
  A.Exact = true;
  A.Where = {MemoryA, 1 << 20};
  const std::vector<int64_t> Strides = strides();
  for (size_t K = 0; K < Strides.size(); ++K) {
    const int64_t Room =
        K + 1 < Strides.size() ? Strides[K + 1] / Strides[K] : 1024;
    A.Coordinates.push_back(coordinate(Strides[K], Room, Out.Grid));
  }
  if (Strides[0] > 1) {
    A.ByteLow = from(0, 2);
    A.ByteHigh = A.ByteLow + from(0, Strides[0] - 1 - A.ByteLow);
  }
  if (often(20))
    A.BlockLow[0] = from(0, 1);
  if (often(20))
    A.BlockHigh[0] = from(0, 5);
  return Out;
}

/// (consumer block, producer block) that share a byte.
static Pairs truth(const LaunchAccesses &P, const LaunchAccesses &C) {
  Pairs Out;
  const Touches First = touchesOf(P.Accesses[0], P.Grid);
  for (const auto &[Byte, Block] : touchesOf(C.Accesses[0], C.Grid))
    for (auto At = std::lower_bound(First.begin(), First.end(),
                                    std::pair(Byte, uint64_t(0)));
         At != First.end() && At->first == Byte; ++At)
      Out.emplace(Block, At->second);
  return Out;
}

TEST(Strides, NoPairIsMissingAndExactIsExact) {
  RandomAccesses Cases(1);
  int Exact = 0, Some = 0;
  for (int I = 0; I < 4000; ++I) {
    const LaunchAccesses P = Cases.next(AccessKind::Write);
    const LaunchAccesses C = Cases.next(AccessKind::Read);
    const Pairs True = truth(P, C);
    Some += !True.empty();
    for (uint64_t Effort : {uint64_t(0), uint64_t(60), MostEffort}) {
      const Relation R = relate(P, C, Effort);
      const Pairs Said = pairsOf(R);
      ASSERT_TRUE(
          std::includes(Said.begin(), Said.end(), True.begin(), True.end()))
          << "case " << I;
      if (!R.Exact)
        continue;
      ++Exact;
      ASSERT_EQ(Said, True) << "case " << I;
    }
  }
  EXPECT_GT(Some, 900);
  EXPECT_GT(Exact, 4500);
}

/// Blocks that touch four bytes at each place of Steps.
static LaunchAccesses elements(AccessKind Kind, std::vector<Coordinate> Steps,
                               uint32_t Blocks) {
  LaunchAccesses Out;
  Out.Grid = {Blocks, 1, 1};
  BlockAccess &A = Out.Accesses.emplace_back();
  A.Kind = Kind;
  A.How = Reach::Coordinates;
  A.Exact = true;
  A.Where = {MemoryA, 1 << 20};
  A.Coordinates = std::move(Steps);
  A.ByteHigh = 3;
  return Out;
}

static Coordinate steps(int64_t Stride, int64_t PerBlock, int64_t Base,
                        int64_t Count) {
  Coordinate Out;
  Out.Stride = Stride;
  Out.PerBlock[0] = PerBlock;
  Out.Base = Base;
  Out.Count = Count;
  return Out;
}

static void expectTrue(const LaunchAccesses &P, const LaunchAccesses &C) {
  uint64_t Effort = 0;
  const Relation R = relate(P, C, Effort);
  const Pairs Said = pairsOf(R), True = truth(P, C);
  EXPECT_TRUE(
      std::includes(Said.begin(), Said.end(), True.begin(), True.end()));
  if (R.Exact)
    EXPECT_EQ(Said, True);
}

/// The first launch touches byte 192, which is in step 3 of 64 and 4 of 48.
TEST(Strides, StepsOfNoWholeNumberOfElements) {
  expectTrue(
      elements(AccessKind::Write, {steps(48, 0, 4, 1)}, 1),
      elements(AccessKind::Read, {steps(48, 0, 0, 1), steps(64, 1, 0, 1)}, 8));
}

/// The first launch touches bytes 48 to 79, in two steps of 64.
TEST(Strides, ElementsAcrossAStep) {
  LaunchAccesses P = elements(AccessKind::Write, {steps(48, 0, 1, 1)}, 1);
  P.Accesses[0].ByteHigh = 31;
  expectTrue(P, elements(AccessKind::Read,
                         {steps(48, 0, 0, 1), steps(64, 1, 0, 1)}, 8));
}

/// The first launch touches elements 20 to 27 but those of a clip, which is
/// moved with them to the step of 16 that they are in.
TEST(Strides, ClipsMoveWithTheirPart) {
  for (int64_t Clip = 18; Clip <= 29; ++Clip)
    for (bool High : {false, true}) {
      Coordinate Some = steps(4, 0, 20, 8);
      (High ? Some.ClipHigh : Some.ClipLow) = Clip;
      for (int64_t At = 0; At < 16; ++At)
        expectTrue(elements(AccessKind::Write, {Some}, 1),
                   elements(AccessKind::Read,
                            {steps(4, 0, At, 1), steps(64, 1, 0, 1)}, 4));
    }
}
