// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// More ranges than are found at once, in an order of no kind.

#include "LastUses.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

using namespace blockmaestro;

namespace {

constexpr uint32_t Count = 30000;
constexpr uint64_t Bytes = 8;

class LastUsesTest : public ::testing::Test {
protected:
  std::vector<uint32_t> use(uint64_t First, uint64_t Last, DependKind How,
                            uint32_t Node) {
    return use({First, Last}, How, Node);
  }
  /// Node I of each writes range I.
  void writeAll() {
    for (uint32_t I : Order)
      ASSERT_TRUE(
          use(I * Bytes, I * Bytes + Bytes - 1, DependKind::Out, I).empty());
  }

  std::vector<uint32_t> use(const ByteRows &Bytes, DependKind How,
                            uint32_t Node) {
    std::vector<uint32_t> Out;
    Uses.use(Bytes, How, Node, Out);
    std::sort(Out.begin(), Out.end());
    Out.erase(std::unique(Out.begin(), Out.end()), Out.end());
    return Out;
  }

  LastUsesTest() : Order(Count) {
    for (uint32_t I = 0; I < Count; ++I)
      Order[I] = I;
    std::shuffle(Order.begin(), Order.end(), std::mt19937(1));
  }

  LastUses Uses;
  std::vector<uint32_t> Order;
};

TEST_F(LastUsesTest, EachRangeIsFoundAgain) {
  writeAll();
  EXPECT_EQ(Uses.segments(), Count);
  std::reverse(Order.begin(), Order.end());
  for (uint32_t I : Order)
    ASSERT_EQ(use(I * Bytes, I * Bytes + Bytes - 1, DependKind::In, Count + I),
              std::vector<uint32_t>{I});
}

TEST_F(LastUsesTest, RangesThatAreJoinedAreNotFoundAlone) {
  writeAll();
  const uint32_t Half = Count / 2;
  EXPECT_EQ(use(0, Half * Bytes - 1, DependKind::Out, Count).size(), Half);
  EXPECT_EQ(Uses.segments(), Count - Half + 1);
  for (uint32_t I : Order)
    ASSERT_EQ(
        use(I * Bytes, I * Bytes + Bytes - 1, DependKind::Out, Count + 1 + I),
        std::vector<uint32_t>{I < Half ? Count : I});
}

TEST_F(LastUsesTest, RangesThatAreCutAreFoundInParts) {
  writeAll();
  for (uint32_t I : Order) {
    const uint64_t Middle = I * Bytes + Bytes / 2;
    ASSERT_EQ(use(Middle, Middle, DependKind::Out, Count + I),
              std::vector<uint32_t>{I});
    ASSERT_EQ(use(Middle + 1, Middle + 1, DependKind::In, 2 * Count + I),
              std::vector<uint32_t>{I});
    ASSERT_EQ(use(I * Bytes, Middle, DependKind::Out, 3 * Count + I),
              (std::vector<uint32_t>{I, Count + I}));
  }
}

/// Four rows of four bytes, each sixteen behind the one before.
constexpr ByteRows Tile = {100, 103, 16, 16, 4};
/// The first byte of the first row, two of the second, and so on.
constexpr ByteRows Triangle = {100, 100, 16, 17, 4};

TEST_F(LastUsesTest, RowsThatAreUsedTogetherAreAPatch) {
  EXPECT_TRUE(use(Tile, DependKind::Out, 0).empty());
  EXPECT_EQ(Uses.patches(), 1u);
  EXPECT_EQ(use(Tile, DependKind::In, 1), std::vector<uint32_t>{0});
  EXPECT_EQ(use(Tile, DependKind::In, 2), std::vector<uint32_t>{0});
  EXPECT_EQ(use(Tile, DependKind::Out, 3), (std::vector<uint32_t>{1, 2}));
  EXPECT_EQ(Uses.patches(), 1u);
  EXPECT_EQ(Uses.segments(), 0u);
}

TEST_F(LastUsesTest, AUseOfAPartDissolvesThePatch) {
  use(Tile, DependKind::Out, 0);
  EXPECT_EQ(use(118, 118, DependKind::Out, 1), std::vector<uint32_t>{0});
  EXPECT_EQ(Uses.patches(), 0u);
  EXPECT_EQ(use(Tile, DependKind::In, 2), (std::vector<uint32_t>{0, 1}));
  EXPECT_EQ(use(148, 151, DependKind::Out, 3), std::vector<uint32_t>{2});
}

TEST_F(LastUsesTest, PartsOfRowsBecomeAPatchOfTheirOwn) {
  use(Tile, DependKind::Out, 0);
  EXPECT_EQ(use(Triangle, DependKind::In, 1), std::vector<uint32_t>{0});
  EXPECT_EQ(Uses.patches(), 1u);
  EXPECT_EQ(use(Triangle, DependKind::In, 2), std::vector<uint32_t>{0});
  EXPECT_EQ(use(103, 103, DependKind::Out, 3), std::vector<uint32_t>{0});
  EXPECT_EQ(use(148, 148, DependKind::Out, 4), (std::vector<uint32_t>{1, 2}));
}

TEST_F(LastUsesTest, TilesThatAreNamedAsOneAreFoundEach) {
  const ByteRows Below = {164, 167, 16, 16, 4}, Both = {100, 103, 16, 16, 8};
  use(Tile, DependKind::Out, 0);
  use(Below, DependKind::Out, 1);
  EXPECT_EQ(use(Both, DependKind::In, 2), (std::vector<uint32_t>{0, 1}));
  EXPECT_EQ(Uses.patches(), 2u);
  EXPECT_EQ(use(Below, DependKind::Out, 3), std::vector<uint32_t>{2});
  EXPECT_EQ(use(Tile, DependKind::In, 4), std::vector<uint32_t>{0});
}

TEST_F(LastUsesTest, ATileAmongBytesThatWereUsedBeforeIsNotFresh) {
  const ByteRows Right = {104, 107, 16, 16, 4};
  use(Tile, DependKind::Out, 0);
  use(121, 121, DependKind::Out, 1);
  EXPECT_EQ(use(Right, DependKind::In, 2), std::vector<uint32_t>{1});
}

TEST_F(LastUsesTest, RowsOfOtherPastsAreNoPatch) {
  use(116, 119, DependKind::Out, 0);
  EXPECT_EQ(use(Tile, DependKind::In, 1), std::vector<uint32_t>{0});
  EXPECT_EQ(Uses.patches(), 0u);
  EXPECT_EQ(use(116, 119, DependKind::Out, 2), std::vector<uint32_t>{1});
  EXPECT_EQ(use(100, 103, DependKind::Out, 3), std::vector<uint32_t>{1});
}

TEST_F(LastUsesTest, RowsThatMeetAreNoPatch) {
  EXPECT_EQ(use({100, 103, 2, 2, 4}, DependKind::Out, 0),
            std::vector<uint32_t>{0});
  EXPECT_EQ(Uses.patches(), 0u);
  EXPECT_EQ(use(105, 106, DependKind::In, 1), std::vector<uint32_t>{0});
}

/// Programs that use tiles now whole and now in parts gain nothing by patches.
TEST_F(LastUsesTest, PatchesThatAreOnlyDissolvedAreGivenUp) {
  const ByteRows Wide = {1000, 1003, 16, 16, 1 << 15};
  uint32_t Node = 0;
  for (int I = 0; I < 4; ++I) {
    use(Wide, DependKind::Out, Node++);
    EXPECT_EQ(Uses.patches(), I < 3 ? 1u : 0u);
    EXPECT_EQ(use(1001, 1001, DependKind::Out, Node),
              std::vector<uint32_t>{Node - 1});
    ++Node;
  }
}

TEST_F(LastUsesTest, NothingIsFoundThatWasCleared) {
  writeAll();
  Uses.clear();
  writeAll();
  EXPECT_EQ(Uses.segments(), Count);
}

} // namespace
