// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Encodings as formulas.

#include "RelationText.h"

#include "blockmaestro/BlockGraph.h"

#include <gtest/gtest.h>

using namespace blockmaestro;

namespace {

EncodedPiece whole(Dim3 Producer, Dim3 Consumer) {
  EncodedPiece P{};
  for (unsigned J = 0; J < 3; ++J) {
    P.ConsumerHigh[J] = int32_t(Consumer[J]) - 1;
    P.ProducerHigh[J] = int32_t(Producer[J]) - 1;
    P.Rows[J] = {{0, 0, 0}, 1, 0, P.ProducerHigh[J]};
  }
  return P;
}

TEST(RelationText, Hazards) {
  EXPECT_EQ(hazardsText(HazardRAW), "RAW");
  EXPECT_EQ(hazardsText(HazardWAW | HazardRAW | HazardWAR), "RAW+WAR+WAW");
  EXPECT_EQ(hazardsText(0), "none");
}

TEST(RelationText, GridsAndBlocks) {
  EXPECT_EQ(gridText({40, 1, 1}), "40");
  EXPECT_EQ(gridText({16, 9, 1}), "16x9");
  EXPECT_EQ(gridText({1, 1, 4}), "1x1x4");
  EXPECT_EQ(blockText(17, {40, 1, 1}), "17");
  EXPECT_EQ(blockText(17, {16, 9, 1}), "(1,1)");
  EXPECT_EQ(blockText(17, {2, 2, 5}), "(1,0,4)");
}

TEST(RelationText, DeltaAndRange) {
  Dim3 Grid = {16, 9, 1};
  EncodedPiece P = whole(Grid, Grid);
  P.Rows[0] = {{1, 0, 0}, 1, -1, 1};
  P.Rows[1] = {{0, 1, 0}, 1, 0, 0};
  EXPECT_EQ(toText(P, Grid, Grid),
            "p.x in [c.x-1, c.x+1], p.y = c.y for c in [0..15]x[0..8]");
}

TEST(RelationText, EverythingInADimension) {
  Dim3 Grid = {16, 9, 1};
  EncodedPiece P = whole(Grid, Grid);
  P.Rows[1] = {{0, 1, 0}, 1, 2, 2};
  P.ConsumerHigh[1] = 6;
  EXPECT_EQ(toText(P, Grid, Grid),
            "p.x in [0, 15], p.y = c.y+2 for c in [0..15]x[0..6]");
}

TEST(RelationText, DivisionAndSeveralTerms) {
  EncodedPiece P = whole({8, 1, 1}, {16, 4, 1});
  P.Rows[0] = {{1, -2, 0}, 2, 1, 3};
  P.ProducerLow[0] = 2;
  EXPECT_EQ(toText(P, {8, 1, 1}, {16, 4, 1}),
            "p.x in [floor((c.x-2*c.y+1)/2), floor((c.x-2*c.y+3)/2)], "
            "p.y = 0 for c in [0..15]x[0..3], p in [2..7]");
}

TEST(RelationText, OneBlock) {
  EncodedPiece P = whole({1, 1, 1}, {1, 1, 1});
  EXPECT_EQ(toText(P, {1, 1, 1}, {1, 1, 1}), "p.x = 0 for c in [0..0]");
}

} // namespace
