// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Types of applications, by points that were made up and by runs.

#include "Profile.h"
#include "HandmadeWarps.h"

#include <gtest/gtest.h>

using namespace blockmaestro;
using namespace blockmaestro::sim;

namespace {

/// With so many cycles for the same instructions.
Profile categorized(std::vector<uint64_t> Cycles) {
  Profile Out;
  for (uint64_t Each : Cycles) {
    ProfilePoint &Point = Out.Points.emplace_back();
    Point.Blocks = uint32_t(Out.Points.size());
    Point.Counts.Cycles = Each;
    Point.Counts.Executed.Instructions = 1000;
  }
  categorize(Out);
  return Out;
}

TEST(Profile, UpWhereTheMostAreTheBest) {
  const Profile Is = categorized({400, 300, 200});
  EXPECT_EQ(Is.Type, KernelType::Up);
  EXPECT_EQ(Is.Best, 3u);
}

TEST(Profile, UpWhereMoreDoNoHarm) {
  const Profile Is = categorized({400, 200, 201});
  EXPECT_EQ(Is.Type, KernelType::Up);
  EXPECT_EQ(Is.Best, 3u);
}

TEST(Profile, OptimalInBetween) {
  const Profile Is = categorized({400, 201, 200, 300});
  EXPECT_EQ(Is.Type, KernelType::Optimal);
  EXPECT_EQ(Is.Best, 2u);
}

TEST(Profile, DownWhereOneIsTheBest) {
  const Profile Is = categorized({200, 250, 300});
  EXPECT_EQ(Is.Type, KernelType::Down);
  EXPECT_EQ(Is.Best, 1u);
}

TEST(Profile, BlocksOnAnSmAreLimited) {
  // Four blocks of four instructions each on a machine that issues one a
  // cycle: whoever waits for none does as well alone, but for the cycle that a
  // block takes to follow another one.
  const Machine On = plainMachine(1);
  const Recording Of = plainRecording(4, 4);
  const Profile Is = profileOf(*applicationOf(Of, On), On, {}, 2);
  ASSERT_EQ(Is.Points.size(), 4u);
  EXPECT_EQ(Is.Points[0].Counts.Cycles, 19u);
  EXPECT_EQ(Is.Points[3].Counts.Cycles, 16u);
}

TEST(Profile, MoreBlocksThanThereAreChangeNothing) {
  // Six blocks on two SMs are three on each, whether four may be there or not.
  Machine On = plainMachine(2);
  On.BlockIssueNs = 3;
  const Recording Of = plainRecording(6, 5);
  const Profile Is = profileOf(*applicationOf(Of, On), On, {}, 1);
  ASSERT_EQ(Is.Points.size(), 4u);
  EXPECT_EQ(Is.Runs, 3u);
  EXPECT_EQ(Is.Points[3].Blocks, 4u);
  EXPECT_EQ(Is.Points[3].Counts.Cycles,
            simulateWarps(Of, On, WarpPolicy::GreedyThenOldest)->All.Cycles);
}

TEST(Profile, WhoReadsAgainGainsFromL1) {
  Machine On = plainMachine(1);
  On.Cycles.L1 = 30;
  On.Cycles.L2 = 100;
  On.L1BytesPerSm = 16384;
  Recording Again, Once;
  addReading(Again, {4, 4, 4, 4});
  addReading(Once, {4, 8, 12, 16});
  for (const Recording *Each : {&Again, &Once}) {
    const Application Of = *applicationOf(*Each, On);
    EXPECT_EQ(gainsFromL1(Of, profileOf(Of, On, {}, 1), On, {}),
              Each == &Again);
  }
}

TEST(Profile, PipelinesAreKeptForAPartOfTheTime) {
  const Machine On = plainMachine(1);
  const Recording Of = plainRecording(1, 8);
  const Profile Is = profileOf(*applicationOf(Of, On), On, {}, 1);
  EXPECT_EQ(spUse(Is.Points[0].Counts, On), 0.5);
  EXPECT_EQ(memoryUse(Is.Points[0].Counts, On), 0);
}

} // namespace
