// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What evaluation makes of quotients, remainders, powers and values: the form
// of the result, how exact it is, and why it widens.

#include "Evaluate.h"
#include "Oracle.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace blockmaestro;
using namespace blockmaestro::test;

static LaunchAccesses evaluated(const Case &C) {
  const KernelRecord Kernel = C.kernel();
  return evaluate(C.launch(Kernel), memory(1 << 20));
}

static BlockAccess first(const Case &C) { return evaluated(C).Accesses.at(0); }

/// Evaluated, exact, in so many parts, and equal to what the threads do.
static void expectExact(const Case &C, size_t Parts = 1) {
  Touches Said;
  const LaunchAccesses L = evaluated(C);
  EXPECT_EQ(L.Accesses.size(), Parts);
  for (const BlockAccess &A : L.Accesses) {
    EXPECT_TRUE(A.Exact) << A.Reason;
    ASSERT_EQ(A.How, Reach::Coordinates);
    const Touches Part = touchesOf(A, C.Grid);
    Said.insert(Said.end(), Part.begin(), Part.end());
  }
  std::sort(Said.begin(), Said.end());
  Said.erase(std::unique(Said.begin(), Said.end()), Said.end());
  EXPECT_EQ(Said, touchesOf(C, 0)) << C.text();
}

/// Not exact, and a superset that has Most times the bytes at most.
static void expectClose(const Case &C, double Most) {
  const BlockAccess A = first(C);
  EXPECT_FALSE(A.Exact);
  EXPECT_FALSE(A.Reason.empty());
  ASSERT_EQ(A.How, Reach::Coordinates);
  const Touches Said = touchesOf(A, C.Grid), Truth = touchesOf(C, 0);
  EXPECT_TRUE(
      std::includes(Said.begin(), Said.end(), Truth.begin(), Truth.end()));
  EXPECT_LE(double(Said.size()), Most * double(Truth.size())) << C.text();
}

TEST(Quotient, WarpAndLane) {
  Case C = one(100 * quotient0 + (tx - 32 * quotient0), {4, 1, 1}, {128, 1, 1});
  C.Quotients[0] = {tx, Poly(32)};
  expectExact(C);
  const BlockAccess A = first(C);
  ASSERT_EQ(A.Coordinates.size(), 2u);
  EXPECT_EQ(A.Coordinates[0].Count, 128); // bytes
  EXPECT_EQ(A.Coordinates[1].Stride, 400);
  EXPECT_EQ(A.Coordinates[1].Count, 4);
}

TEST(Quotient, WarpsOfARaggedBlock) {
  Case C = one(bx * dimX + tx, {4, 1, 1}, {100, 1, 1});
  C.Quotients[0] = {tx, Poly(32)};
  C.Accesses[0].Guards = {2 - quotient0};
  expectExact(C);
  C.Accesses[0].Index = 4 * bx + quotient0;
  expectExact(C);
}

/// if (threadIdx.x % 32 == 0) out[(blockIdx.x * blockDim.x + threadIdx.x) / 32]
TEST(Quotient, LaneZeroWrites) {
  Case C = one(quotient1, {6, 1, 1}, {128, 1, 1});
  C.Quotients[0] = {tx, Poly(32)};
  C.Quotients[1] = {bx * dimX + tx, Poly(32)};
  C.Accesses[0].Guards = {32 * quotient0 - tx};
  expectExact(C);
  EXPECT_EQ(first(C).Coordinates.at(0).PerBlock[0], 16);
}

TEST(Quotient, ChainsOfDivisors) {
  Case C = one(1000 * quotient1 + 50 * quotient0 + (tx - 8 * quotient0),
               {2, 1, 1}, {128, 1, 1});
  C.Quotients[0] = {tx, Poly(8)};
  C.Quotients[1] = {tx, Poly(32)};
  C.Accesses[0].Index = C.Accesses[0].Index - 200 * quotient1;
  expectExact(C);
  std::swap(C.Quotients[0], C.Quotients[1]);
  C.Accesses[0].Index = 900 * quotient0 + 50 * quotient1 + (tx - 8 * quotient1);
  expectExact(C);
}

TEST(Quotient, LinearThreadIds) {
  const Poly Linear = ty * dimX + tx;
  for (Dim3 Block : {Dim3{16, 16, 1}, Dim3{8, 8, 1}, Dim3{64, 4, 1}}) {
    Case C = one(100 * quotient0 + Linear - 32 * quotient0, {3, 1, 1}, Block);
    C.Quotients[0] = {Linear, Poly(32)};
    expectExact(C);
  }
}

/// 24 does not divide 32, so the rows of threads cross the warps.
TEST(Quotient, LinearThreadIdsAcrossRows) {
  const Poly Linear = ty * dimX + tx;
  Case C =
      one(100 * quotient0 + Linear - 32 * quotient0, {3, 1, 1}, {24, 4, 1});
  C.Quotients[0] = {Linear, Poly(32)};
  expectExact(C);
}

TEST(Quotient, CountedBackwards) {
  Case C = one(quotient0, {3, 1, 1}, {64, 1, 1});
  C.Quotients[0] = {dimX - 1 - tx, Poly(16)};
  expectExact(C);
  EXPECT_EQ(first(C).Coordinates.at(0).Count, 16);
}

/// Rows of 8 tiles, blocks numbered through: a range of tiles around the
/// block's own, not everything.
TEST(Quotient, BlocksNumberedThrough) {
  const int64_t Pitch = 512;
  Case C =
      one(16 * Pitch * quotient0 + 32 * (bx - 8 * quotient0) + Pitch * ty + tx,
          {160, 1, 1}, {32, 16, 1});
  C.Quotients[0] = {bx, Poly(8)};
  expectClose(C, 33);
}

/// Few enough rows of tiles: one part for each.
TEST(Quotient, FewRowsOfBlocksAreParts) {
  const int64_t Pitch = 512;
  Case C =
      one(16 * Pitch * quotient0 + 32 * (bx - 8 * quotient0) + Pitch * ty + tx,
          {30, 1, 1}, {32, 16, 1});
  C.Quotients[0] = {bx, Poly(8)};
  expectExact(C, 4);
  EXPECT_EQ(evaluated(C).Accesses.at(1).BlockLow[0], 8);
  EXPECT_EQ(evaluated(C).Accesses.at(1).BlockHigh[0], 15);
}

/// Groups of four blocks share what they read.
TEST(Quotient, GroupsOfBlocks) {
  Case C = one(quotient0 * dimX + tx, {32, 1, 1}, {32, 1, 1});
  C.Quotients[0] = {bx, Poly(4)};
  expectExact(C, 8);
  Case P = one(bx * dimX + tx, {64, 1, 1}, {32, 1, 1});
  P.Accesses[0].Kind = AccessKind::Write;
  const Relation R = relateCases(P, C, memory(1 << 20));
  EXPECT_TRUE(R.Exact) << R.Reason;
  EXPECT_EQ(pairsOf(R), truePairs(P, C));
  EXPECT_EQ(pairsOf(R).size(), 32u);
}

/// a[i % 100]: the same hundred elements for all.
TEST(Quotient, RemaindersOfTheGlobalIndex) {
  Case C = one(bx * dimX + tx - 100 * quotient0, {64, 1, 1}, {32, 1, 1});
  C.Quotients[0] = {bx * dimX + tx, Poly(100)};
  expectClose(C, 4);
}

TEST(Quotient, DivisorsBelowOneAreTheAllocation) {
  Case C = one(tx + quotient1, {4, 1, 1}, {32, 1, 1});
  C.Quotients[0] = {tx, int0};
  C.Quotients[1] = {quotient0, Poly(2)};
  for (int32_t Bad : {0, -4}) {
    C.Ints[0] = Bad;
    const BlockAccess A = first(C);
    EXPECT_EQ(A.How, Reach::Range);
    EXPECT_NE(A.Reason.find("divides by"), std::string::npos);
  }
  C.Ints[0] = 4;
  expectExact(C);
}

/// A guard counts as a use.
TEST(Quotient, BadDivisorsInGuardsAreTheAllocation) {
  Case C = one(tx, {4, 1, 1}, {32, 1, 1});
  C.Quotients[0] = {tx, int0};
  C.Accesses[0].Guards = {quotient0 - 1};
  EXPECT_EQ(first(C).How, Reach::Range);
}

TEST(Power, OfAnArgument) {
  Case C = one(power0 * tx, {4, 1, 1}, {32, 1, 1});
  C.Powers[0] = int0;
  C.Ints[0] = 3;
  expectExact(C);
  EXPECT_EQ(first(C).Coordinates.at(0).Stride, 32);
  for (int32_t Bad : {-1, 63}) {
    C.Ints[0] = Bad;
    EXPECT_EQ(first(C).How, Reach::Range);
  }
}

TEST(Power, ShiftsAreQuotients) {
  Case C = one(quotient0, {4, 1, 1}, {64, 1, 1});
  C.Powers[0] = int0;
  C.Ints[0] = 5;
  C.Quotients[0] = {bx * dimX + tx, power0};
  expectExact(C);
}

TEST(Value, IsItsRange) {
  Case C = one(value0, {4, 1, 1}, {32, 1, 1});
  C.Values[0] = {Poly(0), Poly(255)};
  const BlockAccess A = first(C);
  EXPECT_FALSE(A.Exact);
  ASSERT_EQ(A.Coordinates.size(), 1u);
  EXPECT_EQ(A.Coordinates[0].Base, 0);
  EXPECT_EQ(A.Coordinates[0].Count, 1024);
}

/// if (v < n) a[v]
TEST(Value, IsNarrowedByGuards) {
  Case C = one(value0, {4, 1, 1}, {32, 1, 1});
  C.Values[0] = {Poly(0), Poly(65535)};
  C.Accesses[0].Guards = {int0 - 1 - value0};
  C.Ints[0] = 100;
  EXPECT_EQ(first(C).Coordinates.at(0).Count, 400);
}

TEST(Value, FollowsItsBlock) {
  Case C = one(value0, {4, 1, 1}, {32, 1, 1});
  C.Values[0] = {bx * dimX, bx * dimX + dimX - 1};
  const BlockAccess A = first(C);
  ASSERT_EQ(A.Coordinates.size(), 1u);
  EXPECT_EQ(A.Coordinates[0].PerBlock[0], 128);
  EXPECT_EQ(A.Coordinates[0].Count, 128);
}

TEST(Value, MayLeaveTheAllocationWithItsSurplus) {
  Case C = one(value0, {4, 1, 1}, {32, 1, 1});
  C.Values[0] = {Poly(-5), Poly(1 << 30)};
  EXPECT_EQ(first(C).How, Reach::Coordinates);
}

TEST(Value, OfNoPossibleNumberIsTheAllocation) {
  Case C = one(value0, {4, 1, 1}, {32, 1, 1});
  C.Values[0] = {Poly(0), int0 - 1};
  EXPECT_EQ(first(C).How, Reach::Range);
}

/// for (i = tx + bx * Dx; i < n; i += Dx * Gx) a[i]
static Case gridStride(int32_t Size) {
  const Poly Index = bx * dimX + tx + counter0 * dimX * gridX;
  Case C = one(Index, {4, 1, 1}, {32, 1, 1});
  C.Quotients[0] = {int0 - 1 - bx * dimX - tx, dimX * gridX};
  C.Extents[0] = quotient0 + 1;
  C.Ints[0] = Size;
  return C;
}

TEST(Loop, GridStride) {
  Case C = gridStride(1024);
  C.Accesses[0].Guards = {int0 - 1 - C.Accesses[0].Index};
  expectExact(C);
  C.Ints[0] = 1000;
  expectExact(C, 2);
  const LaunchAccesses L = evaluated(C);
  EXPECT_EQ(L.Accesses[0].Coordinates.at(1).Count, 7);
  EXPECT_EQ(L.Accesses[1].Coordinates.at(0).ClipHigh, 3999);
}

/// Without its condition the loop would run on to the end of its last round.
TEST(Loop, GridStrideIsNarrowedByItsCondition) {
  Case C = gridStride(1000);
  C.Accesses[0].Guards = {int0 - 1 - C.Accesses[0].Index};
  C.Accesses[0].Index = counter0;
  C.Extents[0] = int0;
  expectExact(C);
  EXPECT_EQ(first(C).Coordinates.at(0).Count, 8 * 4);
}

TEST(Loop, TriangularWithItsCondition) {
  Case C = one(100 * counter0 + counter1, {1, 1, 1}, {1, 1, 1});
  C.Extents = {Poly(8), counter0 + 1};
  expectClose(C, 2);
  C.Accesses[0].Index = counter1;
  expectExact(C);
}

/// A condition on the thread says which blocks get there.
TEST(Guard, OfThreadsThatDoNotMoveTheAddress) {
  Case C = one(bx, {8, 1, 1}, {32, 1, 1});
  C.Accesses[0].Guards = {int0 - 1 - bx * dimX - tx};
  C.Ints[0] = 100;
  expectExact(C);
  EXPECT_EQ(first(C).BlockHigh[0], 3);
}

TEST(Guard, OnBothSidesOfAThread) {
  Case C = one(bx, {8, 1, 1}, {32, 1, 1});
  C.Accesses[0].Guards = {bx * dimX + tx - 70, int0 - 1 - bx * dimX - tx};
  C.Ints[0] = 130;
  expectExact(C);
}

/// Only every second thread of a pair of bounds: some numbers lie between.
TEST(Guard, OfMultiplesOfAThreadIsLeftOut) {
  Case C = one(bx, {8, 1, 1}, {32, 1, 1});
  C.Accesses[0].Guards = {3 * tx - 2 * bx, 2 * bx + 1 - 3 * tx};
  const BlockAccess A = first(C);
  const Touches Said = touchesOf(A, C.Grid), Truth = touchesOf(C, 0);
  EXPECT_TRUE(
      std::includes(Said.begin(), Said.end(), Truth.begin(), Truth.end()));
  EXPECT_FALSE(A.Exact);
}

/// a[max(i - 1, 0)] in two pieces: each stays inside, so both are exact.
TEST(Guard, KeepsAClampedPieceInsideItsAllocation) {
  Case C = one(bx * dimX + tx - 1, {4, 1, 1}, {32, 1, 1});
  C.Accesses[0].Guards = {bx * dimX + tx - 1};
  C.Accesses.push_back(C.Accesses[0]);
  C.Accesses[1].Index = Poly(0);
  C.Accesses[1].Guards = {0 - bx * dimX - tx};
  const LaunchAccesses L = evaluated(C);
  ASSERT_EQ(L.Accesses.size(), 2u);
  for (size_t I : {0, 1}) {
    EXPECT_TRUE(L.Accesses[I].Exact) << L.Accesses[I].Reason;
    EXPECT_EQ(touchesOf(L.Accesses[I], C.Grid), touchesOf(C, I));
  }
}

/// The condition that keeps it inside is a product of two indices, and left
/// out: what lies outside is surplus, not an error of the program.
TEST(Guard, LeftOutMayLeaveTheAllocation) {
  Case C = one(bx * dimX + tx - 1, {4, 1, 1}, {32, 1, 1});
  C.Accesses[0].Guards = {tx * bx - 1};
  const BlockAccess A = first(C);
  EXPECT_EQ(A.How, Reach::Coordinates);
  EXPECT_FALSE(A.Exact);
  EXPECT_NE(A.Reason.find("multiplied"), std::string::npos);
  C.Accesses[0].Guards.clear();
  EXPECT_EQ(evaluated(C).Accesses.back().How, Reach::Everything);
}

/// if (n > 0) is decided for the launch: one of two pieces is left.
TEST(Guard, OfTheLaunchDropsPieces) {
  Case C = one(tx, {4, 1, 1}, {32, 1, 1});
  C.Accesses.push_back(C.Accesses[0]);
  C.Accesses[0].Guards = {int0 - 1};
  C.Accesses[1].Guards = {0 - int0};
  C.Accesses[1].Index = tx + 32;
  for (int32_t Size : {0, 5}) {
    C.Ints[0] = Size;
    const LaunchAccesses L = evaluated(C);
    ASSERT_EQ(L.Accesses.size(), 1u);
    EXPECT_EQ(touchesOf(L.Accesses[0], C.Grid), touchesOf(C, Size ? 0 : 1));
  }
}

/// Records nobody should write, but that must not hang or crash.
TEST(OddRecords, CirclesWiden) {
  Case C = one(tx + quotient0 + value0, {4, 1, 1}, {32, 1, 1});
  C.Quotients[0] = {quotient1, Poly(2)};
  C.Quotients[1] = {quotient0, Poly(2)};
  KernelRecord Kernel = one(tx + quotient0, {4, 1, 1}, {32, 1, 1}).kernel();
  Kernel.Bytes.Quotients[0] = {quotient1.build(), Poly(2).build()};
  Kernel.Bytes.Quotients[1] = {quotient0.build(), Poly(2).build()};
  const LaunchAccesses L = evaluate(C.launch(Kernel), memory(1 << 20));
  EXPECT_EQ(L.Accesses.at(0).How, Reach::Range);
}

TEST(OddRecords, NoBytesAreTheAllocationWithAReason) {
  const Case C = one(tx, {4, 1, 1}, {32, 1, 1});
  KernelRecord Kernel = C.kernel();
  Kernel.Bytes.Accesses[0].ElementBytes = 0;
  const LaunchAccesses L = evaluate(C.launch(Kernel), memory(1 << 20));
  EXPECT_EQ(L.Accesses.at(0).How, Reach::Range);
  EXPECT_FALSE(L.Accesses.at(0).Reason.empty());
}

TEST(OddRecords, LongChainsWiden) {
  const Case C = one(quotient0, {4, 1, 1}, {32, 1, 1});
  KernelRecord Kernel = C.kernel();
  const uint16_t Count = 3000;
  const auto First = uint16_t(Kernel.Bytes.Symbols.size());
  Kernel.Bytes.Quotients.clear();
  for (uint16_t I = 0; I < Count; ++I) {
    Kernel.Bytes.Symbols.push_back({SymbolKind::Quotient, 0, I, 0, 4, true});
    Polynomial Next{{{1, {uint16_t(First + I + 1)}}}};
    Kernel.Bytes.Quotients.push_back(
        {I + 1 < Count ? Next : tx.build(), Poly(1).build()});
  }
  EXPECT_EQ(evaluate(C.launch(Kernel), memory(1 << 20)).Accesses.at(0).How,
            Reach::Range);
}

/// Ten indices besides threads and blocks are followed; eleven are not.
TEST(OddRecords, ManyValuesWiden) {
  const Case C = one(tx, {4, 1, 1}, {32, 1, 1});
  for (unsigned Count : {10u, 11u}) {
    KernelRecord Kernel = C.kernel();
    Kernel.Bytes.Values.assign(Count, {{}, Poly(3).build()});
    for (uint16_t I = 0; I < Count; ++I) {
      Kernel.Bytes.Accesses[0].Offset.Terms.push_back(
          {4, {uint16_t(Kernel.Bytes.Symbols.size())}});
      Kernel.Bytes.Symbols.push_back({SymbolKind::Value, 0, I, 0, 4, true});
    }
    const LaunchAccesses L = evaluate(C.launch(Kernel), memory(1 << 20));
    EXPECT_EQ(L.Accesses.at(0).How,
              Count == 10 ? Reach::Coordinates : Reach::Range);
  }
}
