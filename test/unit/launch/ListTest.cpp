// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Relations that coordinates affine in blockIdx cannot say, found block by
// block: exact, in pieces again where they can be, else listed; every number of
// a list matters; and not where the data decides or the blocks are many.

#include "Evaluate.h"
#include "Graph.h"
#include "Lists.h"
#include "Oracle.h"
#include "Programs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

using namespace blockmaestro;
using namespace blockmaestro::test;

using namespace short_names;

/// Blocks of 32 threads; each block reads or writes tile Tile of A.
static Case tiles(AccessKind Kind, const Poly &Tile, Dim3 Grid,
                  std::vector<Poly> Guards = {}) {
  Case C;
  C.Accesses = {{Kind, 0, 4, Tile * 32 + tx, std::move(Guards), false}};
  C.Grid = Grid;
  C.Block = {32, 1, 1};
  C.Pointers = {A, B, 0, 0};
  return C;
}

static Case writesTiles(uint32_t Count) {
  return tiles(AccessKind::Write, bx, {Count, 1, 1});
}

/// The relation, which must be exact.
static Relation expectExact(const Case &P, const Case &C) {
  const Relation R = relateCases(P, C, memory(1 << 24));
  EXPECT_TRUE(R.Exact) << R.Reason;
  EXPECT_TRUE(R.Reason.empty());
  EXPECT_EQ(pairsOf(R), truePairs(P, C));
  for (uint8_t Hazard : {HazardRAW, HazardWAR, HazardWAW}) {
    const Pairs Said = pairsOf(R, Hazard), True = truePairs(P, C, Hazard);
    EXPECT_TRUE(
        std::includes(Said.begin(), Said.end(), True.begin(), True.end()));
  }
  EXPECT_EQ(encodedPairsOf(R), pairsOf(R));
  return R;
}

/// Block (x, y) reads tile x where x <= y.
TEST(Lists, ATriangleOfBlocksIsOnePiece) {
  const Case C = tiles(AccessKind::Read, bx, {12, 12, 1}, {by - bx});
  const Relation R = expectExact(writesTiles(12), C);
  EXPECT_FALSE(R.Full);
  EXPECT_EQ(pairsOf(R).size(), 78u);
}

/// Block b reads tile floor(b / 8) + 1, in a grid too large to be split in
/// parts by hand.
TEST(Lists, ADividedBlockIndexIsOnePiece) {
  Case C = tiles(AccessKind::Read, quotient0 + 1, {400, 1, 1});
  C.Quotients[0] = {bx, 8};
  const Relation R = expectExact(writesTiles(60), C);
  EXPECT_FALSE(R.List);
  EXPECT_EQ(R.Pieces.size(), 1u);
}

/// Block b of 64 reads tile b XOR 1.
static Case butterfly() {
  Case C = tiles(AccessKind::Read, 1 - bx + 4 * quotient0, {64, 1, 1});
  C.Quotients[0] = {bx, 2};
  return C;
}

TEST(Lists, AButterflyIsListed) {
  const Relation R = expectExact(writesTiles(64), butterfly());
  ASSERT_TRUE(R.List);
  EXPECT_TRUE(R.Pieces.empty());
  EXPECT_FALSE(R.independent());
  EXPECT_EQ(R.List->Runs.size(), 64u);
  EXPECT_EQ(R.List->Runs[3].First, 2u);
  EXPECT_EQ(R.Hazards, HazardRAW);
  EXPECT_EQ(R.List->Hazards, std::vector<uint8_t>(64, HazardRAW));
}

/// A guard no coordinate can follow, which a single block can.
TEST(Lists, AGuardOfAProductOfBlocksIsListed) {
  Case C = butterfly();
  C.Grid = {64, 4, 1};
  C.Accesses[0].Guards = {20 - bx * by};
  const Relation R = expectExact(writesTiles(64), C);
  EXPECT_EQ(pairsOf(R).size(), 64u + 21u + 11u + 7u);
}

/// A grid of one dimension over the rows of a grid of two.
TEST(Lists, AFlattenedGridWalksARowMajorMatrix) {
  Case P;
  P.Accesses = {
      {AccessKind::Write, 0, 4, (by * 4 + ty) * 96 + bx * 16 + tx, {}, false}};
  P.Grid = {6, 8, 1};
  P.Block = {16, 4, 1};
  P.Pointers = {A, B, 0, 0};
  Case C = P;
  C.Accesses = {{AccessKind::Read, 0, 4, bx * 100 + tx, {}, false}};
  C.Grid = {30, 1, 1};
  C.Block = {100, 1, 1};
  const Relation R = expectExact(P, C);
  EXPECT_LT(pairsOf(R).size(), 48u * 30u / 2);
}

/// Each of 300 blocks reads the tiles t of 16 for which blockIdx.x * t is at
/// most Limit.
static Case underAHyperbola(int64_t Limit) {
  Case C = tiles(AccessKind::Read, ty, {300, 1, 1}, {Limit - bx * ty});
  C.Block = {32, 16, 1};
  return C;
}

/// A list is longer than the pieces, so it must have fewer pairs than they, and
/// even fewer where some of its pairs may be none.
TEST(Lists, NotWhereTheySaveLittle) {
  const struct {
    int64_t Limit;
    double Above, Below; ///< The share of its pairs in those of the pieces.
    bool Exact, Others;  ///< Whether exact ones and others are taken.
  } Table[] = {
      {15 * 100, 0.0, 0.75, true, true},
      {15 * 150, 0.75, 0.9, true, false},
      {15 * 250, 0.9, 1.0, false, false},
  };
  const Case P = writesTiles(17);
  for (const auto &Row : Table)
    for (bool Exact : {true, false}) {
      SCOPED_TRACE(testing::Message() << Row.Limit << " " << Exact);
      Case C = underAHyperbola(Row.Limit);
      if (!Exact) {
        C.Values[0] = {Poly(16 * 32), Poly(17 * 32 - 1)};
        C.Accesses.push_back({AccessKind::Read, 0, 4, value0, {}, false});
      }
      const Relation R = relateCases(P, C, memory(1 << 24));
      const Pairs True = truePairs(P, C);
      const double Share = double(True.size()) / (300 * (Exact ? 16 : 17));
      EXPECT_GT(Share, Row.Above);
      EXPECT_LT(Share, Row.Below);
      const bool Listed = Exact ? Row.Exact : Row.Others;
      EXPECT_EQ(R.List != nullptr, Listed);
      EXPECT_EQ(pairsOf(R) == True, Listed);
    }
}

/// Rows that overlap: each block writes 40 bytes from every 32nd on.
TEST(Lists, RowsThatOverlapAreSeparatedByBlock) {
  Case P = tiles(AccessKind::Write, Poly(0), {20, 1, 1});
  P.Accesses[0].Index = bx * 64 + ty * 8 + tx;
  P.Block = {10, 8, 1};
  const Relation R = expectExact(P, P);
  EXPECT_EQ(pairsOf(R).size(), 20u + 2 * 19u);
}

/// Forty tiles each, in forty rows: no relation keeps so many pieces.
TEST(Lists, MorePiecesThanARelationHas) {
  Case C = tiles(AccessKind::Read, bx, {50, 1, 1});
  for (int64_t K = 1; K < 40; ++K) {
    C.Accesses.push_back(C.Accesses[0]);
    C.Accesses.back().Index = (bx + 5 * K) * 32 + tx;
  }
  const Case P = writesTiles(260);
  const Relation R = relateCases(P, C, memory(1 << 24));
  EXPECT_LE(R.Pieces.size(), MaxRelationPieces);
  const Pairs Said = pairsOf(R), True = truePairs(P, C);
  EXPECT_TRUE(
      std::includes(Said.begin(), Said.end(), True.begin(), True.end()));
}

/// Rows are written where 5 tx + 7 ty is small: no coordinate says so, not even
/// in one block.
static Case underALine() {
  Case P = tiles(AccessKind::Write, Poly(0), {20, 1, 1});
  P.Accesses[0].Index = bx * 40 + ty * 20 + tx;
  P.Accesses[0].Guards = {Poly(60) - tx * 5 - ty * 7};
  P.Block = {10, 8, 1};
  return P;
}

TEST(Lists, AConditionThatFollowsNoCoordinate) {
  const Case P = underALine();
  const Relation R = expectExact(P, P);
  EXPECT_EQ(pairsOf(R).size(), 20u + 2 * (19u + 18u + 17u));
}

/// What was found of a launch's blocks serves all of its relations.
TEST(Lists, BlocksAreLookedAtOnce) {
  const AllocationMap Known = memory(1 << 24);
  const Case P = underALine();
  const KernelRecord Kernel = P.kernel();
  const LaunchAccesses Touched = evaluate(P.launch(Kernel), Known);
  LaunchFindings Earlier, Later;
  uint64_t Effort = MostEffort;
  const Relation First = relate({Touched, Earlier}, {Touched, Later}, Effort);
  const uint64_t Cost = MostEffort - Effort;
  const Relation Second = relate({Touched, Earlier}, {Touched, Later}, Effort);
  EXPECT_TRUE(First.Exact && Second.Exact);
  EXPECT_EQ(pairsOf(First), pairsOf(Second));
  EXPECT_LT(MostEffort - Effort - Cost, Cost / 2);
}

/// Effort that cannot be enough is not spent.
TEST(Lists, WhatCostsTooMuchCostsNothing) {
  Case P = tiles(AccessKind::Write, Poly(0), {2000, 1, 1});
  P.Accesses[0].Index = bx * 64 + tx * 2;
  Case C = P;
  C.Accesses[0].Index = bx * 96 + tx * 3;
  const KernelRecord KernelP = P.kernel(), KernelC = C.kernel();
  const AllocationMap Known = memory(1 << 24);
  const LaunchAccesses TouchedP = evaluate(P.launch(KernelP), Known);
  const LaunchAccesses TouchedC = evaluate(C.launch(KernelC), Known);
  uint64_t Effort = 50000;
  EXPECT_FALSE(relate(TouchedP, TouchedC, Effort).Exact);
  EXPECT_EQ(Effort, 50000u);
}

/// Nobody knows which tile: no list helps, and none is made.
TEST(Lists, NotWhereTheDataDecides) {
  Case C = tiles(AccessKind::Read, value0, {16, 1, 1});
  C.Values[0] = {Poly(0), Poly(15)};
  const Relation R = relateCases(writesTiles(16), C, memory(1 << 24));
  EXPECT_FALSE(R.List);
  EXPECT_FALSE(R.Exact);
}

TEST(Lists, NotWhereTheBlocksAreMany) {
  Case C = butterfly();
  C.Grid = {uint32_t(MostListedBlocks), 1, 1};
  const Case P = writesTiles(uint32_t(MostListedBlocks));
  const Relation R = relateCases(P, C, memory(1 << 24));
  EXPECT_FALSE(R.List);
  C.Grid = {128, 1, 1};
  EXPECT_TRUE(relateCases(writesTiles(128), C, memory(1 << 24)).List);
}

/// Blocks are looked at as long as there is effort left, and what that cost is
/// taken from it.
TEST(Lists, NotWithoutEffort) {
  const Case P = writesTiles(64), C = butterfly();
  const AllocationMap Known = memory(1 << 24);
  KernelRecord KernelP = P.kernel(), KernelC = C.kernel();
  const LaunchAccesses Producer = evaluate(P.launch(KernelP), Known),
                       Consumer = evaluate(C.launch(KernelC), Known);
  uint64_t Effort = MostEffort;
  unsigned Times = 0;
  Relation Last;
  for (; (Last = relate(Producer, Consumer, Effort)).List; ++Times)
    ASSERT_LT(Times, MostEffort / 64);
  EXPECT_GT(Times, 8u);
  EXPECT_FALSE(Last.Exact);
  const Pairs Said = pairsOf(Last), True = truePairs(P, C);
  EXPECT_TRUE(
      std::includes(Said.begin(), Said.end(), True.begin(), True.end()));
}

/// Every relation one number or one run away from a listed one.
static std::vector<Relation> listMutants(const Relation &R) {
  std::vector<Relation> All;
  auto Add = [&](BlockList Changed) {
    Relation M = R;
    M.List = std::make_shared<const BlockList>(std::move(Changed));
    All.push_back(std::move(M));
  };
  const BlockList &List = *R.List;
  for (size_t I = 0; I < List.Runs.size(); ++I) {
    BlockList Dropped = List;
    Dropped.Runs.erase(Dropped.Runs.begin() + std::ptrdiff_t(I));
    Dropped.Hazards.erase(Dropped.Hazards.begin() + std::ptrdiff_t(I));
    for (uint32_t &Begin : Dropped.Begin)
      Begin -= Begin > I;
    Add(Dropped);
    for (uint32_t BlockRun::*Side : {&BlockRun::First, &BlockRun::Last})
      for (int Step : {-1, 1}) {
        BlockList Changed = List;
        Changed.Runs[I].*Side += uint32_t(Step);
        if (Changed.Runs[I].Last < R.ProducerGrid.count())
          Add(Changed);
      }
  }
  for (size_t C = 1; C + 1 < List.Begin.size(); ++C) {
    BlockList Changed = List;
    if (Changed.Begin[C] > Changed.Begin[C - 1]) {
      --Changed.Begin[C];
      Add(Changed);
    }
  }
  return All;
}

TEST(Lists, EveryNumberOfAListIsSeen) {
  const Case P = writesTiles(64), C = butterfly();
  const Relation R = expectExact(P, C);
  ASSERT_TRUE(R.List);
  const Pairs Truth = truePairs(P, C);
  unsigned Changed = 0;
  for (const Relation &M : listMutants(R)) {
    const Pairs Wrong = pairsOf(M);
    EXPECT_EQ(encodedPairsOf(M), Wrong);
    EXPECT_NE(Wrong, Truth);
    ++Changed;
  }
  EXPECT_GE(Changed, 5 * 64u);
}

TEST(Lists, TheSameTwice) {
  const Relation First = expectExact(writesTiles(64), butterfly());
  const Relation Again = expectExact(writesTiles(64), butterfly());
  EXPECT_EQ(First.List->Begin, Again.List->Begin);
  EXPECT_EQ(First.List->Hazards, Again.List->Hazards);
}
