// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Encodings: what does not fit becomes full; edges and pattern names.

#include "Encode.h"
#include "Edges.h"
#include "Oracle.h"

#include <gtest/gtest.h>

using namespace blockmaestro;
using namespace blockmaestro::test;

/// Grids of P and C blocks in x, one piece whose x row is Row.
static Relation line(uint32_t P, uint32_t C, QuasiAffine Row) {
  Relation R;
  R.ProducerGrid = {P, 1, 1};
  R.ConsumerGrid = {C, 1, 1};
  Piece Only;
  Only.Consumer.High[0] = C - 1;
  Only.Producer.High[0] = P - 1;
  Only.Rows[0] = Row;
  Only.Hazards = HazardRAW;
  R.Pieces.push_back(Only);
  return R;
}

static QuasiAffine row(int64_t Slope, int64_t Divisor, int64_t Low,
                       int64_t High) {
  QuasiAffine Row;
  Row.A[0] = Slope;
  Row.D = Divisor;
  Row.Low = Low;
  Row.High = High;
  return Row;
}

static std::string pattern(const Relation &R) {
  const Encoding E = encode(R);
  return patternName(viewOf(E, R.ConsumerGrid));
}

TEST(Encode, KeepsEveryNumber) {
  const Relation R = line(100, 50, row(-3, 7, -20, 5));
  const Encoding E = encode(R);
  EXPECT_EQ(E.Header.Kind, uint32_t(RelationKind::Closed));
  EXPECT_EQ(E.Header.PieceCount, 1u);
  EXPECT_EQ(E.Header.ProducerGrid[0], 100u);
  EXPECT_EQ(E.Pieces[0].Rows[0].A[0], -3);
  EXPECT_EQ(E.Pieces[0].Rows[0].D, 7);
  EXPECT_EQ(E.Pieces[0].Rows[0].Low, -20);
  EXPECT_EQ(E.Pieces[0].ConsumerHigh[0], 49);
  EXPECT_EQ(E.bytes(), sizeof(EncodedRelation) + sizeof(EncodedPiece));
  EXPECT_EQ(encodedPairsOf(R), pairsOf(R));
}

TEST(Encode, WhatDoesNotFitIsFull) {
  const int64_t Large = int64_t(1) << 31;
  for (const QuasiAffine &Row : {row(1, 1, 0, Large), row(1, 1, -Large - 1, 0),
                                 row(Large, 1, 0, 0), row(1, Large, 0, 0)})
    EXPECT_EQ(encodedPairsOf(line(3, 2, Row)).size(), 6u);
}

/// Three products of two numbers that fit, of which the sum might not.
TEST(Encode, WhatCannotBeMultipliedIsFull) {
  const int64_t Largest = (int64_t(1) << 31) - 1;
  for (int64_t Sign : {1, -1}) {
    Relation R = line(3, 2, row(Sign * Largest, 1, 0, 0));
    R.Pieces[0].Consumer.High[0] = Largest;
    EXPECT_EQ(encode(R).Header.Kind, uint32_t(RelationKind::Full));
  }
}

TEST(Encode, FullRelation) {
  Relation R = line(3, 2, row(1, 1, 0, 0));
  R.Full = true;
  R.Pieces.clear();
  EXPECT_EQ(encodedPairsOf(R).size(), 6u);
  EXPECT_EQ(encode(R).bytes(), sizeof(EncodedRelation));
  EXPECT_EQ(pattern(R), "full");
}

TEST(Edges, AscendingAndDistinct) {
  Relation R = line(9, 9, row(1, 1, 0, 2));
  R.Pieces.push_back(R.Pieces[0]);
  R.Pieces[1].Rows[0] = row(1, 1, -1, 1);
  const Encoding E = encode(R);
  std::vector<std::pair<uint64_t, uint64_t>> Order;
  forEachEdge(viewOf(E, R.ConsumerGrid),
              [&](uint64_t C, uint64_t P) { Order.emplace_back(C, P); });
  const Pairs Each(Order.begin(), Order.end());
  EXPECT_EQ(Order, decltype(Order)(Each.begin(), Each.end()));
  EXPECT_EQ(Each, pairsOf(R));
}

TEST(Edges, PatternNames) {
  EXPECT_EQ(pattern(line(8, 8, row(1, 1, 0, 0))), "1-to-1");
  EXPECT_EQ(pattern(line(8, 8, row(-1, 1, 7, 7))), "1-to-1");
  EXPECT_EQ(pattern(line(4, 8, row(1, 2, 0, 0))), "1-to-n");
  EXPECT_EQ(pattern(line(8, 4, row(2, 1, 0, 1))), "n-to-1");
  EXPECT_EQ(pattern(line(8, 8, row(1, 1, -1, 1))), "overlapped");
  EXPECT_EQ(pattern(line(8, 8, row(0, 1, 0, 7))), "full");
  EXPECT_EQ(pattern(line(8, 8, row(1, 1, 8, 8))), "independent");
  EXPECT_EQ(pattern(line(1, 8, row(0, 1, 0, 0))), "1-to-n");
  EXPECT_EQ(pattern(line(8, 1, row(0, 1, 0, 7))), "n-to-1");
}

TEST(Edges, GroupsAndIrregular) {
  Relation Groups = line(4, 4, row(0, 1, 0, 1));
  Groups.Pieces[0].Consumer.High[0] = 1;
  Groups.Pieces.push_back(Groups.Pieces[0]);
  Groups.Pieces[1].Consumer.Low[0] = 2;
  Groups.Pieces[1].Consumer.High[0] = 3;
  Groups.Pieces[1].Rows[0] = row(0, 1, 2, 3);
  EXPECT_EQ(pattern(Groups), "n-group");
  Relation Far = line(12, 12, row(1, 1, 0, 0));
  Far.Pieces.push_back(Far.Pieces[0]);
  Far.Pieces[1].Rows[0] = row(1, 1, 5, 5);
  EXPECT_EQ(pattern(Far), "irregular");
}
