// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Which pieces become one: only those whose union is one.

#include "Simplify.h"

#include <gtest/gtest.h>

using namespace blockmaestro;

/// Grids of 16 blocks in x; p.x between floor((c.x + Low) / D) and High's.
static BlockOverlap piece(int64_t D, int64_t Low, int64_t High,
                          uint8_t Hazards) {
  BlockOverlap M;
  M.Where.Consumer.High[0] = M.Where.Producer.High[0] = 15;
  M.Where.Rows[0].A[0] = 1;
  M.Where.Rows[0].D = D;
  M.Where.Rows[0].Low = Low;
  M.Where.Rows[0].High = High;
  M.Where.Hazards = Hazards;
  return M;
}

static size_t left(std::vector<BlockOverlap> Pieces) {
  simplify(Pieces);
  return Pieces.size();
}

TEST(Simplify, JoinsRowsThatTouch) {
  EXPECT_EQ(left({piece(1, 0, 0, 1), piece(1, 1, 1, 1)}), 1u);
  EXPECT_EQ(left({piece(1, 0, 0, 1), piece(1, 2, 2, 1)}), 2u);
  EXPECT_EQ(left({piece(4, 0, 0, 1), piece(4, 4, 4, 1)}), 1u);
  EXPECT_EQ(left({piece(4, 0, 0, 1), piece(4, 5, 5, 1)}), 2u);
  EXPECT_EQ(left({piece(4, 3, 0, 1), piece(4, 4, 4, 1)}), 2u);
}

TEST(Simplify, JoinsBoxesThatTouch) {
  BlockOverlap Low = piece(1, 0, 0, 1), High = Low;
  Low.Where.Consumer.High[0] = 7;
  High.Where.Consumer.Low[0] = 8;
  EXPECT_EQ(left({Low, High}), 1u);
  High.Where.Consumer.Low[0] = 9;
  EXPECT_EQ(left({Low, High}), 2u);
}

TEST(Simplify, KeepsHazardsApartUnlessEqual) {
  EXPECT_EQ(left({piece(1, 0, 0, 1), piece(1, 0, 0, 2)}), 1u);
  EXPECT_EQ(left({piece(1, 0, 0, 1), piece(1, -1, 1, 2)}), 2u);
  EXPECT_EQ(left({piece(1, 0, 0, 1), piece(1, -1, 1, 3)}), 1u);
}
