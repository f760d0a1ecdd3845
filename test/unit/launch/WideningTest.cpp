// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Cases that only one rule of evaluation stands in the way of: without it
// nothing else in the suite would notice.

#include "Evaluate.h"
#include "Graph.h"
#include "Membership.h"
#include "Oracle.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace blockmaestro;
using namespace blockmaestro::test;

/// Nothing is missing, and what calls itself exact is.
static void expectHonest(const Case &C, const KernelRecord &Kernel) {
  Touches Said;
  bool Exact = true;
  for (const BlockAccess &A :
       evaluate(C.launch(Kernel), memory(1 << 20)).Accesses) {
    ASSERT_EQ(A.How, Reach::Coordinates);
    Exact &= A.Exact;
    const Touches Part = touchesOf(A, C.Grid);
    Said.insert(Said.end(), Part.begin(), Part.end());
  }
  std::sort(Said.begin(), Said.end());
  Said.erase(std::unique(Said.begin(), Said.end()), Said.end());
  const Touches Truth = touchesOf(C, 0);
  EXPECT_TRUE(
      std::includes(Said.begin(), Said.end(), Truth.begin(), Truth.end()));
  EXPECT_EQ(Exact, Said == Truth);
}

/// a[tx + 2 ty + 6 tz + 18 i] if ty + 3 tz + 9 i < n: the terms below those of
/// the guard are wider than a step of theirs, so a clip cannot tell a sum that
/// does not occur from the one before.
TEST(Widening, ClipOfTermsThatOverlap) {
  Case C = one(tx + 2 * ty + 6 * tz + 18 * counter0, {1, 1, 1}, {12, 2, 2});
  C.Extents[0] = Poly(4);
  C.Accesses[0].Guards = {int0 - 1 - (ty + 3 * tz + 9 * counter0)};
  for (int32_t Size = 1; Size < 36; ++Size) {
    C.Ints[0] = Size;
    expectHonest(C, C.kernel());
  }
}

/// A record that calls an access by a value exact is not believed.
TEST(Widening, ValueOfAnExactRecord) {
  Case C = one(value0, {4, 1, 1}, {32, 1, 1});
  C.Values[0] = {Poly(0), Poly(255)};
  KernelRecord Kernel = C.kernel();
  Kernel.Bytes.Accesses[0].How = Exactness::Exact;
  Kernel.Bytes.Accesses[0].Reason.clear();
  const LaunchAccesses Found = evaluate(C.launch(Kernel), memory(1 << 20));
  ASSERT_EQ(Found.Accesses.size(), 1u);
  EXPECT_FALSE(Found.Accesses[0].Exact);
  EXPECT_FALSE(Found.Accesses[0].Reason.empty());
}

/// Whether an access that assumes this is followed.
static bool follows(int64_t Value, Assumption What) {
  const Case C = one(tx, {1, 1, 1}, {32, 1, 1});
  KernelRecord Kernel = C.kernel();
  What.Value = Poly(Value).build();
  Kernel.Bytes.Accesses[0].Assumptions = {What};
  const LaunchAccesses Found = evaluate(C.launch(Kernel), memory(1 << 20));
  return Found.Accesses.at(0).How == Reach::Coordinates;
}

TEST(Widening, AssumptionsEndWhereTheirTypeEnds) {
  const int64_t Word = int64_t(1) << 32;
  EXPECT_TRUE(follows(Word - 1, {{}, 32, false}));
  EXPECT_FALSE(follows(Word, {{}, 32, false}));
  EXPECT_TRUE(follows(0, {{}, 32, false}));
  EXPECT_FALSE(follows(-1, {{}, 32, false}));
  EXPECT_TRUE(follows(Word / 2 - 1, {{}, 32, true}));
  EXPECT_FALSE(follows(Word / 2, {{}, 32, true}));
  EXPECT_TRUE(follows(-Word / 2, {{}, 32, true}));
  EXPECT_FALSE(follows(-Word / 2 - 1, {{}, 32, true}));
}

TEST(Widening, ProductsOfTwoRanges) {
  Case C = one(tx, {1, 1, 1}, {32, 1, 1});
  C.Values[0] = {Poly(-5), Poly(3)};
  KernelRecord Kernel = C.kernel();
  Kernel.Bytes.Accesses[0].Assumptions = {{(value0 * tx).build(), 32, false}};
  const LaunchAccesses Found = evaluate(C.launch(Kernel), memory(1 << 20));
  EXPECT_EQ(Found.Accesses.at(0).How, Reach::Range);
}

/// a[tx] if tx <= n, where n is unsigned and has 64 bits that are all set.
TEST(Widening, UnsignedArgumentsOf64Bits) {
  Case C = one(tx, {1, 1, 1}, {32, 1, 1});
  C.Accesses[0].Guards = {int0 - tx};
  C.Ints[0] = C.Ints[1] = -1;
  KernelRecord Kernel = C.kernel();
  Kernel.Bytes.Symbols[Int0].Bytes = 8;
  Kernel.Bytes.Symbols[Int0].Signed = false;
  const LaunchAccesses Found = evaluate(C.launch(Kernel), memory(1 << 20));
  ASSERT_EQ(Found.Accesses.size(), 1u);
  EXPECT_EQ(touchesOf(Found.Accesses[0], C.Grid).size(), 32u * 4);
}

/// a[2^60 tx] if tx == 4: the address wraps around to a[0].
TEST(Widening, OffsetsThatLeave64Bits) {
  Case C = one(int0 * int0 * tx, {1, 1, 1}, {32, 1, 1});
  C.Accesses[0].Guards = {tx - 4, 4 - tx};
  C.Ints[0] = 1 << 30;
  KernelRecord Kernel = C.kernel();
  Kernel.Bytes.Accesses[0].How = Exactness::Bounded;
  Kernel.Bytes.Accesses[0].Reason = "declared";
  const LaunchAccesses Found = evaluate(C.launch(Kernel), memory(1 << 20));
  ASSERT_EQ(Found.Accesses.size(), 1u);
  EXPECT_EQ(Found.Accesses[0].How, Reach::Range);
  EXPECT_EQ(Found.Accesses[0].Reason,
            "its offset leaves 64 bits with the numbers of this launch");
}

TEST(Widening, LoopsWithoutABound) {
  Case C = one(counter0, {1, 1, 1}, {32, 1, 1});
  C.Extents[0] = int0 * int0;
  C.Ints[0] = 1 << 30;
  const KernelRecord Kernel = C.kernel();
  const LaunchAccesses Found = evaluate(C.launch(Kernel), memory(1 << 20));
  ASSERT_EQ(Found.Accesses.size(), 1u);
  EXPECT_EQ(Found.Accesses[0].How, Reach::Range);
}

/// do { for (j = 0; j < i + 1; ++j) a[j]; } while (++i < int0 + 1): the first
/// time a[0] is touched, whatever int0 is.
TEST(Widening, LoopsInsideOfOneThatSeemsEmpty) {
  Case C = one(counter1, {1, 1, 1}, {32, 1, 1});
  C.Extents = {int0, counter0 + 1};
  for (int32_t More : {-3, 0, 5}) {
    C.Ints[0] = More;
    KernelRecord Kernel = C.kernel();
    Kernel.Bytes.Accesses[0].Domain = {{(0 - counter1).build(), false}};
    const LaunchAccesses Found = evaluate(C.launch(Kernel), memory(1 << 20));
    ASSERT_EQ(Found.Accesses.size(), 1u) << More;
    EXPECT_TRUE(Found.Accesses[0].Exact);
    const WideInterval Bytes = hullOf(Found.Accesses[0], {1, 1, 1});
    EXPECT_EQ(Bytes.High - Bytes.Low, 3) << More;
  }
}

/// Offsets count from the base of their own allocation.
TEST(Widening, AllocationsThatOverlap) {
  BlockAccess Tile;
  Tile.Kind = AccessKind::Write;
  Tile.How = Reach::Coordinates;
  Tile.Exact = true;
  Tile.Where = {MemoryA, 4096};
  Tile.Coordinates.resize(1);
  Tile.Coordinates[0].PerBlock[0] = Tile.Coordinates[0].Count = 64;
  const LaunchAccesses P{{32, 1, 1}, {Tile}};
  Tile.Kind = AccessKind::Read;
  Tile.Where.Base += 1024;
  const LaunchAccesses C{{32, 1, 1}, {Tile}};
  const Pairs Said = pairsOf(relate(P, C));
  for (uint64_t Block = 0; Block < 16; ++Block)
    EXPECT_TRUE(Said.count({Block, Block + 16}));
}

/// a[64 ((bx + tx) / 2) + tx / 4]: the second quotient splits an index of the
/// first.
TEST(Widening, QuotientOfAnIndexThatIsSplit) {
  Case C = one(64 * quotient0 + quotient1, {32, 1, 1}, {32, 1, 1});
  C.Quotients[0] = {bx + tx, 2};
  C.Quotients[1] = {tx, 4};
  expectHonest(C, C.kernel());
}

/// a[tx] where some counter meets seven lower and seven upper bounds: more
/// than are combined with each other.
TEST(Widening, ManyBoundsOfWhatDoesNotMoveTheAddress) {
  Case C = one(tx, {1, 1, 1}, {32, 1, 1});
  C.Extents[0] = Poly(32);
  for (int64_t I = 0; I < 7; ++I) {
    C.Accesses[0].Guards.push_back(counter0 - tx + I);
    C.Accesses[0].Guards.push_back(31 + I - tx - counter0);
  }
  expectHonest(C, C.kernel());
}

/// a[tx] where some counter is at least tx and at most 10 - tx, said in
/// multiples whose product leaves 64 bits, or what is computed with.
TEST(Widening, BoundsThatLeave64BitsWhenCombined) {
  Case C = one(tx, {1, 1, 1}, {32, 1, 1});
  C.Extents[0] = Poly(10);
  C.Accesses[0].Guards = {int0 * (counter0 - tx), int0 * (10 - tx - counter0)};
  for (int Bits : {28, 30}) {
    C.Ints[0] = 1 << Bits;
    expectHonest(C, C.kernel());
  }
}

/// A block's bytes, so many of them that the bounds between the blocks of two
/// launches leave what is computed with.
TEST(Widening, BoundsBetweenBlocksThatLeave64Bits) {
  const int64_t Step = int64_t(1) << 58;
  BlockAccess Tile;
  Tile.Kind = AccessKind::Write;
  Tile.How = Reach::Coordinates;
  Tile.Exact = true;
  Tile.Where = {MemoryA, uint64_t(1) << 62};
  Tile.Coordinates.resize(1);
  Coordinate &Steps = Tile.Coordinates[0];
  Steps.PerBlock[0] = Steps.Count = Step;
  const LaunchAccesses P{{4, 1, 1}, {Tile}};
  Tile.Kind = AccessKind::Read;
  Steps.PerBlock[0] = Step + 1;
  Steps.Count = 2 * Step + Step / 2;
  const LaunchAccesses C{{4, 1, 1}, {Tile}};
  uint64_t Effort = 0;
  const Relation R = relate(P, C, Effort);
  EXPECT_FALSE(R.Exact);
  EXPECT_EQ(pairsOf(R).size(), 16u);
}

/// Blocks of a tile of 32 numbers each, in column X of row Y.
static Case tiles(AccessKind Kind, const Poly &X, const Poly &Y, Dim3 Grid) {
  return one({Kind, 0, 4, Y * 2048 + X * 32 + tx, {}, false}, Grid, {32, 1, 1});
}

TEST(Widening, RowsOfOtherSlopesForOneDimension) {
  const Case P = tiles(AccessKind::Write, bx, 2 * bx, {8, 1, 1});
  const Case C = tiles(AccessKind::Read, bx, by, {16, 16, 1});
  const KernelRecord KernelP = P.kernel(), KernelC = C.kernel();
  const LaunchAccesses First = evaluate(P.launch(KernelP), memory(1 << 20));
  const LaunchAccesses Second = evaluate(C.launch(KernelC), memory(1 << 20));
  const Pairs True = truePairs(P, C);
  for (uint64_t Effort : {uint64_t(0), MostEffort}) {
    const Relation R = relate(First, Second, Effort);
    const Pairs Said = pairsOf(R);
    EXPECT_TRUE(
        std::includes(Said.begin(), Said.end(), True.begin(), True.end()));
    if (R.Exact)
      EXPECT_EQ(Said, True);
  }
}

/// Wherever looking at blocks ends for lack of effort, no pair is lost.
TEST(Widening, EffortThatEndsSomewhere) {
  const Case P = tiles(AccessKind::Write, bx, Poly(0), {16, 1, 1});
  Case C = tiles(AccessKind::Read, 1 - bx + 4 * quotient0, Poly(0), {16, 1, 1});
  C.Quotients[0] = {bx, 2};
  C.Accesses[0].Guards = {30 - tx};
  const KernelRecord KernelP = P.kernel(), KernelC = C.kernel();
  const LaunchAccesses First = evaluate(P.launch(KernelP), memory(1 << 20));
  const LaunchAccesses Second = evaluate(C.launch(KernelC), memory(1 << 20));
  const Pairs True = truePairs(P, C);
  for (uint64_t Most = 0; Most < 700; ++Most) {
    uint64_t Effort = Most;
    const Pairs Said = pairsOf(relate(First, Second, Effort));
    ASSERT_TRUE(
        std::includes(Said.begin(), Said.end(), True.begin(), True.end()))
        << Most;
  }
}
