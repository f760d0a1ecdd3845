// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Membership.h"

#include <gtest/gtest.h>

namespace blockmaestro {
namespace {

/// float a[row * 100 + col], 32x8 blocks, col < 99: as in BlockAccess.h.
BlockAccess tile() {
  BlockAccess A;
  A.How = Reach::Coordinates;
  A.Kind = AccessKind::Read;
  A.Where = {0x1000, 1 << 20};
  Coordinate Column{.Stride = 1, .PerBlock = {128, 0, 0}, .Count = 128};
  Column.ClipHigh = 4 * 99 - 1;
  Coordinate Row{.Stride = 400, .PerBlock = {0, 8, 0}, .Count = 8};
  A.Coordinates = {Column, Row};
  return A;
}

uint64_t at(int Row, int Column) { return 0x1000 + 4 * (100 * Row + Column); }

TEST(Membership, DecodesRowsAndColumns) {
  BlockAccess A = tile();
  EXPECT_TRUE(hasByte(A, {0, 0, 0}, at(0, 0)));
  EXPECT_TRUE(hasByte(A, {0, 0, 0}, at(7, 31) + 3));
  EXPECT_FALSE(hasByte(A, {0, 0, 0}, at(7, 32)));
  EXPECT_FALSE(hasByte(A, {0, 0, 0}, at(8, 0)));
  EXPECT_FALSE(hasByte(A, {0, 0, 0}, at(0, 0) - 1));
  EXPECT_TRUE(hasByte(A, {1, 2, 0}, at(16, 32)));
  EXPECT_FALSE(hasByte(A, {1, 2, 0}, at(15, 32)));
}

TEST(Membership, ClipsTheGuard) {
  BlockAccess A = tile();
  EXPECT_TRUE(hasByte(A, {3, 0, 0}, at(2, 98) + 3));
  EXPECT_FALSE(hasByte(A, {3, 0, 0}, at(2, 99)));
}

TEST(Membership, NegativePartsOfABlock) {
  BlockAccess A;
  A.How = Reach::Coordinates;
  A.Where = {0x1000, 4096};
  A.Coordinates = {
      {.Stride = 8, .PerBlock = {4, 0, 0}, .Base = -2, .Count = 4}};
  A.ByteHigh = 3;
  EXPECT_TRUE(hasByte(A, {1, 0, 0}, 0x1000 + 16));
  EXPECT_TRUE(hasByte(A, {1, 0, 0}, 0x1000 + 19));
  EXPECT_FALSE(hasByte(A, {1, 0, 0}, 0x1000 + 20));
  EXPECT_TRUE(hasByte(A, {0, 0, 0}, 0x1000 - 16));
  EXPECT_FALSE(hasByte(A, {0, 0, 0}, 0x1000 - 17));
}

TEST(Membership, BlocksOutsideTheBoxTouchNothing) {
  BlockAccess A = tile();
  A.BlockHigh[0] = 1;
  EXPECT_TRUE(hasByte(A, {1, 0, 0}, at(0, 32)));
  EXPECT_FALSE(hasByte(A, {2, 0, 0}, at(0, 64)));
}

TEST(Membership, KindsAndEveryByteCount) {
  LaunchAccesses All;
  All.Accesses = {tile()};
  EXPECT_TRUE(mayTouch(All, {0, 0, 0}, at(0, 31), 4, true, false));
  EXPECT_FALSE(mayTouch(All, {0, 0, 0}, at(0, 31), 8, true, false));
  EXPECT_FALSE(mayTouch(All, {0, 0, 0}, at(0, 31), 4, false, true));
  All.Accesses[0].Kind = AccessKind::Atomic;
  EXPECT_TRUE(mayTouch(All, {0, 0, 0}, at(0, 31), 4, true, true));
}

TEST(Membership, RangesAndEverything) {
  BlockAccess A;
  A.Where = {0x1000, 16};
  A.How = Reach::Range;
  EXPECT_TRUE(hasByte(A, {9, 9, 9}, 0x100f));
  EXPECT_FALSE(hasByte(A, {0, 0, 0}, 0x1010));
  A.How = Reach::Everything;
  EXPECT_TRUE(hasByte(A, {0, 0, 0}, 1));
}

} // namespace
} // namespace blockmaestro
