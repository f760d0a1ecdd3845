// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tiles of random grids, held against their bytes one by one.

#include "TileGrid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

using namespace blockmaestro;

namespace {

bool meets(const ByteRows &Tile, uint64_t First, uint64_t Last) {
  for (uint32_t Row = 0; Row < Tile.Count; ++Row)
    if (Tile.firstOf(Row) <= Last && Tile.lastOf(Row) >= First)
      return true;
  return false;
}

bool meet(const ByteRows &A, const ByteRows &B) {
  for (uint32_t Row = 0; Row < B.Count; ++Row)
    if (meets(A, B.firstOf(Row), B.lastOf(Row)))
      return true;
  return false;
}

class RandomGrid {
public:
  explicit RandomGrid(uint64_t Seed)
      : Numbers(Seed), Pitch(4 + Numbers() % 40), Width(1 + Numbers() % Pitch),
        Height(2 + uint32_t(Numbers() % 4)) {}

  /// Tries tiles near each other; all that fit are added.
  void addTiles() {
    for (unsigned Left = 30; Left > 0; --Left) {
      const uint64_t First = any();
      const ByteRows Tile = {First, First + Width - 1, Pitch, Pitch, Height};
      if (!Grid.fits(Tile) || Grid.find(First) != TileGrid::None)
        continue;
      for (const auto &[Number, Other] : There)
        ASSERT_FALSE(meet(Tile, Other));
      Grid.add(Tile, Next);
      There[Next++] = Tile;
    }
  }
  void expectMet() {
    const uint64_t First = any(), Last = First + Numbers() % (2 * Pitch);
    std::vector<uint32_t> Met, Wanted;
    Grid.takeMet(First, Last, Met);
    for (const auto &[Number, Tile] : There)
      if (meets(Tile, First, Last))
        Wanted.push_back(Number);
    for (uint32_t Each : Met)
      ASSERT_EQ(There.erase(Each), 1u);
    for (uint32_t Each : Wanted)
      ASSERT_EQ(std::count(Met.begin(), Met.end(), Each), 1);
    ASSERT_EQ(Grid.size(), There.size());
    if (Pitch / Width < 10) {
      ASSERT_EQ(Met.size(), Wanted.size());
    }
  }
  void expectFound() {
    for (const auto &[Number, Tile] : There)
      ASSERT_EQ(Grid.find(Tile.First), Number);
  }

  TileGrid Grid;

private:
  uint64_t any() { return 10000 + Numbers() % (Pitch * 20); }

  std::mt19937_64 Numbers;
  uint64_t Pitch, Width;
  uint32_t Height, Next = 0;
  std::map<uint32_t, ByteRows> There;
};

TEST(TileGridTest, TilesThatFitDoNotMeetAndAreFoundByTheirBytes) {
  for (uint64_t Seed = 0; Seed < 2000; ++Seed) {
    RandomGrid Random(Seed);
    for (unsigned Round = 0; Round < 6; ++Round) {
      ASSERT_NO_FATAL_FAILURE(Random.addTiles()) << Seed;
      ASSERT_NO_FATAL_FAILURE(Random.expectFound()) << Seed;
      ASSERT_NO_FATAL_FAILURE(Random.expectMet()) << Seed;
    }
  }
}

constexpr ByteRows FirstTile = {1000, 1003, 16, 16, 4};

TEST(TileGridTest, AllIsMetByAllMemory) {
  TileGrid Grid;
  for (uint32_t I = 0; I < 300; ++I) {
    const ByteRows Each = {1000 + I * 64, 1003 + I * 64, 16, 16, 4};
    ASSERT_TRUE(Grid.fits(Each));
    Grid.add(Each, I);
  }
  std::vector<uint32_t> Met;
  Grid.takeMet(0, UINT64_MAX, Met);
  EXPECT_EQ(Met.size(), 300u);
  EXPECT_EQ(Grid.size(), 0u);
  EXPECT_EQ(Grid.find(1000), TileGrid::None);
}

TEST(TileGridTest, RowsThatNoGridHasAreRefused) {
  for (const ByteRows &Each :
       {ByteRows{1000, 1000, 16, 17, 4},
        {1000, 1016, 16, 16, 4},
        {1000, 1003, 0, 0, 4},
        {1000, 1003, uint64_t(-16), uint64_t(-16), 4},
        {0, 3, 16, 16, 4},
        {uint64_t(1) << 62, (uint64_t(1) << 62) + 3, 16, 16, 4},
        {1000, 1003, 16, 16, 1}}) {
    TileGrid Grid;
    EXPECT_FALSE(Grid.fits(Each)) << Each.First << " " << Each.FirstStep;
  }
}

TEST(TileGridTest, SeveralTilesBelowEachOtherAreAStack) {
  TileGrid Grid;
  EXPECT_FALSE(Grid.isStack({1000, 1003, 16, 16, 8}));
  ASSERT_TRUE(Grid.fits(FirstTile));
  EXPECT_FALSE(Grid.isStack(FirstTile));
  EXPECT_FALSE(Grid.isStack({1000, 1003, 16, 16, 6}));
  EXPECT_FALSE(Grid.isStack({1000, 1003, 16, 17, 8}));
  const ByteRows Two = {1064, 1067, 16, 16, 8};
  ASSERT_TRUE(Grid.isStack(Two));
  EXPECT_EQ(Grid.tileOf(Two, 4), (ByteRows{1128, 1131, 16, 16, 4}));
}

TEST(TileGridTest, ThereIsAnotherGridWhenItIsCleared) {
  TileGrid Grid;
  ASSERT_TRUE(Grid.fits(FirstTile));
  Grid.add(FirstTile, 7);
  const ByteRows Other = {1002, 1003, 16, 16, 4};
  EXPECT_FALSE(Grid.fits(Other));
  Grid.clear();
  EXPECT_EQ(Grid.find(1000), TileGrid::None);
  EXPECT_TRUE(Grid.fits(Other));
}

} // namespace
