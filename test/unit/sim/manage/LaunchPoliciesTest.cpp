// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Launches of one recording that overlap, by runs that can be worked out by
// hand, and what holds of all.

#include "LaunchPolicies.h"

#include "../Handmade.h"
#include "../warp/RandomTraces.h"
#include "HandmadeWarps.h"

#include <gtest/gtest.h>

using namespace blockmaestro;
using namespace blockmaestro::sim;

namespace {

/// One block on an SM at a time.
Machine oneBlockSms(uint32_t Sms) {
  Machine M = plainMachine(Sms);
  M.BlocksPerSm = 1;
  return M;
}

RunReport overlapped(const Recording &Of, const Machine &On, const char *Name,
                     uint32_t InFlight = 2) {
  const Application Is = *applicationOf(Of, On);
  const Workload Graph = *makeWorkload(Of, On, {DurationSource::Uniform, 1});
  const Managed What = {{&Is, 1}, On, {}, 1};
  return runOverlapped({What, Graph, InFlight}, *parseLaunchPolicies(Name))[0]
      .Report;
}

/// Three blocks of ten instructions, and then three that each need one.
Recording threeAndThree() {
  Recording Out;
  Out.Window = 3;
  addLaunch(Out, 3, 10);
  addLaunch(Out, 3, 10);
  addDelta(Out, 0, 1, 0, 0);
  return Out;
}

/// Alike, and related to each other by what is added.
Recording twoLaunches(uint32_t Blocks, uint32_t Instructions) {
  Recording Out;
  Out.Window = 3;
  addLaunch(Out, Blocks, Instructions);
  addLaunch(Out, Blocks, Instructions);
  return Out;
}

TEST(Overlap, SequentialIsOneLaunchAfterTheOther) {
  // Two rounds of two SMs each; a block follows another a cycle later, and so
  // does the second launch.
  const RunReport Is =
      overlapped(threeAndThree(), oneBlockSms(2), "sequential");
  const Recording Of = threeAndThree();
  EXPECT_EQ(Is.All.Cycles,
            simulateWarps(Of, oneBlockSms(2), WarpPolicy::GreedyThenOldest)
                ->All.Cycles);
  EXPECT_EQ(Is.Early, 0u);
}

TEST(Overlap, AConsumerFillsTheLastRound) {
  // Three rounds of two, which end at 10, 21 and 32.
  const RunReport Is = overlapped(threeAndThree(), oneBlockSms(2), "oldest");
  EXPECT_EQ(Is.Early, 1u);
  EXPECT_EQ(Is.All.Cycles, 32u);
  ASSERT_EQ(Is.Applications.size(), 1u);
  EXPECT_EQ(Is.Applications[0].Launches.size(), 2u);
  EXPECT_EQ(Is.All.Blocks, 6u);
}

TEST(Overlap, TheNewestGoesBeforeTheRestOfTheOldest) {
  // Four blocks on one SM, then four that each need one: as soon as the first
  // has ended, its consumer's turn has come.
  Recording Of = twoLaunches(4, 10);
  addDelta(Of, 0, 1, 0, 0);
  EXPECT_EQ(overlapped(Of, oneBlockSms(1), "newest").Early, 3u);
  EXPECT_EQ(overlapped(Of, oneBlockSms(1), "oldest").Early, 0u);
}

TEST(Overlap, BlocksWaitForAllTheirParents) {
  // Both of the second launch need both of the first, which end at 10 and 21;
  // they come a cycle later each.
  Recording Of = twoLaunches(2, 10);
  addDelta(Of, 0, 1, -1, 1);
  const RunReport Is = overlapped(Of, oneBlockSms(1), "newest");
  EXPECT_EQ(Is.Early, 0u);
  EXPECT_EQ(Is.All.Cycles, 43u);
}

TEST(Overlap, BlocksThatMayStartGoToTheEmptiestSms) {
  // All three of the second launch may start when the last of the first has
  // ended, and each has an SM to itself.
  Recording Of = twoLaunches(3, 10);
  addDelta(Of, 0, 1, -2, 2);
  EXPECT_EQ(overlapped(Of, plainMachine(3), "oldest").All.Cycles, 21u);
}

TEST(Overlap, AFullRelationWaitsForTheLaunch) {
  // It ends in the cycle behind 21; another two rounds.
  Recording Of = twoLaunches(3, 10);
  addRelation(Of, 0, 1, RelationKind::Full);
  const RunReport Is = overlapped(Of, oneBlockSms(2), "oldest");
  EXPECT_EQ(Is.Early, 0u);
  EXPECT_EQ(Is.All.Cycles, 43u);
}

TEST(Overlap, ABarrierWaitsForAllBeforeIt) {
  Recording Of = twoLaunches(3, 10);
  EXPECT_EQ(overlapped(Of, oneBlockSms(2), "oldest").Early, 1u);
  Of.Barriers.push_back({1, "cudaDeviceSynchronize"});
  EXPECT_EQ(overlapped(Of, oneBlockSms(2), "oldest").Early, 0u);
}

TEST(Overlap, ACopyWaitsAndIsWaitedFor) {
  Recording Of;
  Of.Window = 3;
  addLaunch(Of, 3, 10);
  addCopy(Of, "cudaMemcpyAsync", 0, HostBytes);
  addLaunch(Of, 3, 10);
  EXPECT_EQ(overlapped(Of, oneBlockSms(2), "oldest").Early, 0u);
}

TEST(Overlap, NoMoreAreInFlightThanAreKnown) {
  // Four independent launches of one block on four SMs. What runs beside
  // others ends in the cycle behind its block.
  Recording Of;
  for (int I = 0; I < 4; ++I)
    addLaunch(Of, 1, 10);
  const auto CyclesWith = [&](uint32_t Window) {
    Of.Window = Window;
    return overlapped(Of, oneBlockSms(4), "oldest", 4).All.Cycles;
  };
  EXPECT_EQ(CyclesWith(0), 40u);
  EXPECT_EQ(CyclesWith(1), 22u);
  EXPECT_EQ(CyclesWith(3), 11u);
}

TEST(Overlap, SharesAreOfTheEarlierAndTheLaterOne) {
  // Four places. Blocks come in turn, P, C, P, P and then P, C, C, C; those
  // that came first issue first. Of 3 and 1 the first C ends while two P are
  // there, and another C comes; the last one when all P have ended.
  Recording Of = twoLaunches(3, 8);
  EXPECT_EQ(overlapped(Of, plainMachine(1), "fine:3,1").Early, 2u);
  EXPECT_EQ(overlapped(Of, plainMachine(1), "fine:1,3").Early, 3u);
}

TEST(Overlap, ApartHasTheConsumerOnOtherSms) {
  Recording Of = twoLaunches(4, 8);
  EXPECT_EQ(overlapped(Of, plainMachine(2), "apart").Early, 4u);
  EXPECT_EQ(overlapped(Of, plainMachine(2), "apart").All.Cycles, 33u);
  EXPECT_EQ(overlapped(Of, plainMachine(2), "oldest").Early, 4u);
}

/// Whatever overlaps, the same is done; where nothing does, at the same time.
TEST(Overlap, EveryBlockRunsOnceUnderEveryPolicy) {
  const std::vector<LaunchPolicy> All = *parseLaunchPolicies("all");
  for (uint32_t Seed = 1; Seed <= 200; ++Seed) {
    RandomTraces Roll(Seed);
    const Machine On = Roll.machine();
    Recording Of = Roll.recording();
    Of.Window = Roll.upTo(3);
    for (uint64_t Consumer = 1; Consumer < Of.Launches.size(); ++Consumer)
      if (Roll.oneIn(2))
        addDelta(Of, Consumer - 1, Consumer, -int32_t(Roll.upTo(2)),
                 int32_t(Roll.upTo(2)));
    const WarpCounts Alone =
        simulateWarps(Of, On, WarpPolicy::GreedyThenOldest)->All;
    for (const LaunchPolicy &By : All) {
      const WarpCounts Is =
          overlapped(Of, On, By.Name.c_str(), 1 + Roll.upTo(3)).All;
      ASSERT_EQ(Is.Blocks, Alone.Blocks) << By.Name << ", seed " << Seed;
      ASSERT_EQ(Is.Executed.Lanes, Alone.Executed.Lanes)
          << By.Name << ", seed " << Seed;
      ASSERT_EQ(Is.L1.Reads, Alone.L1.Reads) << By.Name << ", seed " << Seed;
      if (By.Kind == LaunchPolicyKind::Sequential)
        ASSERT_EQ(Is.Cycles, Alone.Cycles) << "seed " << Seed;
    }
  }
}

TEST(Overlap, LaunchesFindInL2AndNotInL1WhatEarlierOnesRead) {
  Machine On = plainMachine(1);
  On.L1BytesPerSm = 16384;
  On.L2Bytes = 1 << 20;
  for (RelationKind Kind : {RelationKind::Closed, RelationKind::Full}) {
    Recording Of;
    Of.Window = 3;
    addReading(Of, {4, 8});
    addReading(Of, {4, 8});
    addRelation(Of, 0, 1, Kind);
    const WarpCounts Is = overlapped(Of, On, "oldest").All;
    EXPECT_EQ(Is.L1.Hits + Is.L1.UnderWay, 0u);
    EXPECT_EQ(Is.L2.Reads, 4u);
    EXPECT_EQ(Is.L2.Hits, 2u);
    EXPECT_EQ(Is.Dram.Reads, 2u);
  }
}

TEST(LaunchPolicies, Names) {
  EXPECT_EQ(parseLaunchPolicies("all")->size(), 5u);
  EXPECT_EQ(parseLaunchPolicies("fine:2,3")->front().Limits,
            (Shares{{2, 0}, {3, 0}}));
  for (const char *Each : {"", "leftover", "fine:", "fine:1,1+bypass:0,1"})
    EXPECT_FALSE(parseLaunchPolicies(Each).ok()) << Each;
}

TEST(LaunchPolicies, SharesAreOfAsManyAsAreInFlight) {
  const Recording Of = threeAndThree();
  const Machine On = oneBlockSms(2);
  const Application Is = *applicationOf(Of, On);
  const Workload Graph = *makeWorkload(Of, On, {DurationSource::Uniform, 1});
  const Managed What = {{&Is, 1}, On, {}, 1};
  const LaunchPolicy Three = parseLaunchPolicies("fine:1,1,1")->front();
  EXPECT_FALSE(checkPolicy(Three, {What, Graph, 2}).ok());
  EXPECT_TRUE(checkPolicy(Three, {What, Graph, 3}).ok());
}

} // namespace
