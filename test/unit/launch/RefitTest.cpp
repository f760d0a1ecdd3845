// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Pairs known one by one become one piece again, and only when the piece has
// exactly those pairs.

#include "Refit.h"
#include "Oracle.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>

using namespace blockmaestro;
using namespace blockmaestro::test;

static PairTable tableOf(Dim3 ProducerGrid, Dim3 ConsumerGrid,
                         const std::function<bool(Dim3, Dim3)> &Has) {
  PairTable Table(ProducerGrid, ConsumerGrid);
  for (uint64_t C = 0; C < Table.consumers(); ++C)
    for (uint64_t P = 0; P < Table.producers(); ++P)
      if (Has(blockOf(C, ConsumerGrid), blockOf(P, ProducerGrid)))
        Table.row(C)[P] = HazardRAW;
  return Table;
}

static Pairs pairsOf(const PairTable &Of) {
  Pairs All;
  for (uint64_t C = 0; C < Of.consumers(); ++C)
    for (uint64_t P = 0; P < Of.producers(); ++P)
      if (Of.row(C)[P])
        All.emplace(C, P);
  return All;
}

/// Whether a piece is found; it must have the pairs of the table.
static bool fits(const PairTable &Of) {
  const std::optional<Piece> Found = refit(Of);
  if (!Found)
    return false;
  Relation R;
  R.ProducerGrid = Of.ProducerGrid;
  R.ConsumerGrid = Of.ConsumerGrid;
  R.Pieces = {*Found};
  EXPECT_EQ(pairsOf(R), pairsOf(Of));
  EXPECT_EQ(encodedPairsOf(R), pairsOf(Of));
  return true;
}

TEST(Refit, Neighbours) {
  EXPECT_TRUE(fits(tableOf({40, 1, 1}, {40, 1, 1}, [](Dim3 C, Dim3 P) {
    return P.X + 1 >= C.X && P.X <= C.X + 1;
  })));
}

TEST(Refit, Transposed) {
  EXPECT_TRUE(fits(tableOf({7, 9, 1}, {9, 7, 1}, [](Dim3 C, Dim3 P) {
    return P.X == C.Y && P.Y == C.X;
  })));
}

TEST(Refit, Triangle) {
  EXPECT_TRUE(fits(tableOf({9, 1, 1}, {9, 9, 1}, [](Dim3 C, Dim3 P) {
                return P.X == C.X && C.X <= C.Y;
              })) == false);
  EXPECT_TRUE(fits(tableOf({9, 1, 1}, {9, 1, 1},
                           [](Dim3 C, Dim3 P) { return P.X <= C.X; })));
}

TEST(Refit, Groups) {
  for (uint32_t Size : {2u, 3u, 8u, 16u})
    EXPECT_TRUE(fits(tableOf({96, 1, 1}, {96, 1, 1},
                             [=](Dim3 C, Dim3 P) {
                               return P.X / Size == C.X / Size;
                             })) == false)
        << "groups have no slope of their own";
}

TEST(Refit, OneToManyAndManyToOne) {
  for (uint32_t Size : {2u, 3u, 8u, 16u}) {
    EXPECT_TRUE(
        fits(tableOf({30, 1, 1}, {30 * Size, 1, 1},
                     [=](Dim3 C, Dim3 P) { return P.X == C.X / Size; })));
    EXPECT_TRUE(
        fits(tableOf({30 * Size, 1, 1}, {30, 1, 1},
                     [=](Dim3 C, Dim3 P) { return P.X / Size == C.X; })));
  }
}

TEST(Refit, Flattened) {
  EXPECT_TRUE(fits(tableOf({60, 1, 1}, {6, 10, 1}, [](Dim3 C, Dim3 P) {
    return P.X == C.Y * 6 + C.X;
  })));
}

TEST(Refit, NothingFitsAnEmptyOrARandomTable) {
  EXPECT_FALSE(
      fits(tableOf({4, 1, 1}, {4, 1, 1}, [](Dim3, Dim3) { return false; })));
  std::mt19937_64 Engine(3);
  EXPECT_FALSE(fits(tableOf({16, 1, 1}, {16, 1, 1},
                            [&](Dim3, Dim3) { return Engine() % 2 == 0; })));
}

/// Whatever is found for random boxes has their pairs; fits() checks that.
TEST(Refit, RandomBoxesAreNeverChanged) {
  std::mt19937_64 Engine(7);
  unsigned Found = 0;
  for (int Round = 0; Round < 2000; ++Round) {
    const int64_t Step = int64_t(Engine() % 3), Divisor = 1 + Engine() % 3;
    const int64_t Shift = int64_t(Engine() % 7) - 3, More = Engine() % 4;
    const bool Odd = Engine() % 3 == 0;
    Found += fits(tableOf({12, 3, 1}, {10, 3, 1}, [&](Dim3 C, Dim3 P) {
      const int64_t Low = floorDiv(Step * C.X + Shift, Divisor);
      if (Odd && C.X == 5)
        return P.X == 2;
      return Low <= P.X && P.X <= Low + More && P.Y == C.Y;
    }));
  }
  EXPECT_GT(Found, 1000u);
}

/// p = c.x and p = c.y, of which one is known; a third candidate has a pair too
/// many and is left out.
TEST(Refit, CandidatesWithOneMore) {
  const PairTable Table = tableOf({9, 1, 1}, {9, 9, 1}, [](Dim3 C, Dim3 P) {
    return P.X == C.X || P.X == C.Y;
  });
  EXPECT_FALSE(fits(Table));
  Piece Column;
  Column.Consumer.High[0] = Column.Consumer.High[1] = 8;
  Column.Producer.High[0] = 8;
  Column.Rows[0].A[0] = 1;
  Piece Wide = Column;
  Wide.Rows[0].High = 1;
  EXPECT_TRUE(refit(Table, {Wide}).empty());
  Piece Row = Column;
  Row.Rows[0].A[0] = 0;
  Row.Rows[0].A[1] = 1;
  Relation R;
  R.ProducerGrid = {9, 1, 1};
  R.ConsumerGrid = {9, 9, 1};
  R.Pieces = refit(Table, {Column, Wide, Row});
  EXPECT_EQ(R.Pieces.size(), 2u);
  EXPECT_EQ(pairsOf(R), pairsOf(Table));
  EXPECT_EQ(R.Pieces[0].Hazards, HazardRAW);
}
