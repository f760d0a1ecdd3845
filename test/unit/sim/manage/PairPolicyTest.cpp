// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Static shares: rows of Table IV of Liang and Li, by the sizes and types of
// Table III, on an SM of Table II.

#include "PairPolicy.h"

#include <gtest/gtest.h>

using namespace blockmaestro;
using namespace blockmaestro::sim;

namespace {

Machine tableTwo() {
  Machine M;
  M.BlocksPerSm = 8;
  M.ThreadsPerSm = 1536;
  M.RegistersPerSm = 32768;
  M.SharedBytesPerSm = 49152;
  M.Warps.Schedulers = 2;
  return M;
}

struct TableThree {
  Category Is;
  BlockSize Block;
};

constexpr KernelType Up = KernelType::Up, Optimal = KernelType::Optimal,
                     Down = KernelType::Down;

/// Threads, shared memory and registers are the parts of an SM that the table
/// has for the best number of blocks, over that number.
const TableThree Bkp = {{Up, 6}, {256, 8, 1088, 4096}};
const TableThree Srd = {{Up, 3}, {512, 16, 0, 6144}};
const TableThree Spm = {{Optimal, 2}, {192, 6, 0, 3072}};
const TableThree Blk = {{Optimal, 6}, {128, 4, 0, 4096}};
const TableThree Lbm = {{Optimal, 3}, {128, 4, 0, 5120}};
const TableThree Kms = {{Down, 1}, {256, 8, 0, 3072}};
const TableThree Stc = {{Down, 1}, {512, 16, 0, 10289}};

std::vector<uint32_t> sharesOf(const TableThree &A, const TableThree &B) {
  const std::optional<PairShares> Is =
      staticShares({A.Is, B.Is}, {A.Block, B.Block}, tableTwo());
  if (!Is)
    return {};
  return {(*Is)[0].Blocks, (*Is)[1].Blocks};
}

using Numbers = std::vector<uint32_t>;

TEST(StaticShares, TwoUpAreLeftToTheDefault) {
  EXPECT_EQ(sharesOf(Bkp, Srd), Numbers());
}

TEST(StaticShares, DownLeavesItsRoomToUp) {
  EXPECT_EQ(sharesOf(Bkp, Kms), (Numbers{5, 1}));
  EXPECT_EQ(sharesOf(Bkp, Stc), (Numbers{4, 1}));
  EXPECT_EQ(sharesOf(Srd, Kms), (Numbers{2, 1}));
}

TEST(StaticShares, DownLeavesOptimalAsManyAsAreBest) {
  EXPECT_EQ(sharesOf(Spm, Kms), (Numbers{2, 1}));
  EXPECT_EQ(sharesOf(Lbm, Stc), (Numbers{3, 1}));
  EXPECT_EQ(sharesOf(Blk, Stc), (Numbers{5, 1}));
}

TEST(StaticShares, TwoDownHaveTheirBest) {
  EXPECT_EQ(sharesOf(Kms, Stc), (Numbers{1, 1}));
}

TEST(StaticShares, TwoOptimalHaveTheirBestAsFarAsTheyFit) {
  EXPECT_EQ(sharesOf(Spm, Blk), (Numbers{2, 6}));
}

TEST(StaticShares, OptimalLeavesItsRoomToUp) {
  EXPECT_EQ(sharesOf(Lbm, Bkp), (Numbers{3, 4}));
  EXPECT_EQ(sharesOf(Blk, Bkp), (Numbers{6, 2}));
  EXPECT_EQ(sharesOf(Spm, Srd), (Numbers{2, 2}));
}

/// Blocks of which eight fit an SM, and what is done with so many of them.
TableThree upWith(std::vector<double> Speed) {
  const auto Most = uint32_t(Speed.size());
  return {{Up, Most, false, std::move(Speed)}, {64, 2, 0, 0}};
}

std::vector<uint32_t> sharedOf(const TableThree &A, const TableThree &B) {
  const std::optional<PairShares> Is =
      PairRules{.What = Learns::Nothing, .BalancesUp = true}.fixed(
          {A.Is, B.Is}, {A.Block, B.Block}, tableTwo());
  if (!Is)
    return {};
  return {(*Is)[0].Blocks, (*Is)[1].Blocks};
}

const std::vector<double> Straight = {.125, .25, .375, .5, .625, .75, .875, 1};
const std::vector<double> Early = {.5, .9, .95, .97, .98, .99, 1, 1};

TEST(BalancedShares, TwoThatAreAlikeHaveHalf) {
  EXPECT_EQ(sharedOf(upWith(Straight), upWith(Straight)), (Numbers{4, 4}));
}

TEST(BalancedShares, WhoNeedsFewLeavesTheRest) {
  // With two blocks Early does 0.9, and Straight with six 0.75; with one 0.5
  // is less than that, and with three of it Straight does 0.625.
  EXPECT_EQ(sharedOf(upWith(Early), upWith(Straight)), (Numbers{2, 6}));
  EXPECT_EQ(sharedOf(upWith(Straight), upWith(Early)), (Numbers{6, 2}));
}

TEST(BalancedShares, TheOtherIsFastestOfWhatIsAsGoodForTheSlowerOne) {
  // Three blocks and more do no better than two.
  const TableThree Flat = upWith({.4, .5, .5, .5, .5, .5, .5, .5});
  EXPECT_EQ(sharedOf(Flat, upWith(Straight)), (Numbers{2, 6}));
}

TEST(BalancedShares, MoreBlocksThanWereMeasuredChangeNothing) {
  EXPECT_EQ(sharedOf(upWith({.5, 1}), upWith(Straight)), (Numbers{2, 6}));
}

TEST(BalancedShares, OthersAreAsInThePaper) {
  EXPECT_EQ(sharedOf(Bkp, Kms), sharesOf(Bkp, Kms));
  EXPECT_EQ(sharedOf(Spm, Blk), sharesOf(Spm, Blk));
}

TEST(BalancedShares, NoneWhereNoTwoBlocksFit) {
  const TableThree Large = {{Up, 1, false, {1}}, {1024, 32, 0, 0}};
  EXPECT_EQ(sharedOf(Large, Large), Numbers());
}

TEST(Category, SpeedIsOverTheMost) {
  Profile Of;
  for (uint64_t Cycles : {400, 200, 250}) {
    ProfilePoint &Point = Of.Points.emplace_back();
    Point.Counts.Cycles = Cycles;
    Point.Counts.Executed.Instructions = 1000;
  }
  categorize(Of);
  EXPECT_EQ(categoryOf(Of, tableTwo()).Speed, (std::vector{.5, 1., .8}));
}

TEST(FirstShares, OfTwoUpTheFirstHasHalf) {
  const auto Is =
      firstShares({Bkp.Is, Srd.Is}, {Bkp.Block, Srd.Block}, tableTwo());
  ASSERT_TRUE(Is);
  EXPECT_EQ((*Is)[0].Blocks, 3u);
  EXPECT_EQ((*Is)[1].Blocks, 1u);
}

TEST(FirstShares, EachHasABlock) {
  const TableThree Full = {{Optimal, 8}, {192, 6, 0, 0}};
  const auto Is =
      firstShares({Full.Is, Bkp.Is}, {Full.Block, Bkp.Block}, tableTwo());
  ASSERT_TRUE(Is);
  EXPECT_EQ((*Is)[0].Blocks, 6u);
  EXPECT_EQ((*Is)[1].Blocks, 1u);
}

TEST(FirstShares, NoneWhereNoTwoBlocksFit) {
  const TableThree Large = {{Up, 1}, {1024, 32, 0, 0}};
  EXPECT_FALSE(firstShares({Large.Is, Large.Is}, {Large.Block, Large.Block},
                           tableTwo()));
}

} // namespace
