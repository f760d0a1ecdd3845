// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Schedules computed by hand, of the policies that are not the paper's queue;
// and the names of all.

#include "Handmade.h"

#include <gtest/gtest.h>

using namespace blockmaestro;
using namespace blockmaestro::sim;

using Starts = std::vector<uint64_t>;

namespace {

TEST(Policies, ANumberBehindANameIsThatOfLaunchesInFlight) {
  EXPECT_EQ(findScheduler("producer")->KernelsInFlight, 2u);
  EXPECT_EQ(findScheduler("producer7")->KernelsInFlight, 7u);
  EXPECT_EQ(findScheduler("producer7")->Name, "producer7");
  EXPECT_EQ(findScheduler("consumer1")->KernelsInFlight, 1u);
  EXPECT_EQ(findScheduler("acs-sw16")->KernelsInFlight, 16u);
  EXPECT_EQ(findScheduler("acs-sw")->KernelsInFlight, 32u);
  for (const char *Wrong : {"", "best", "baseline2", "cdp3", "producer0",
                            "producer-1", "producer2x", "producer99999999"})
    EXPECT_FALSE(findScheduler(Wrong)) << Wrong;
}

TEST(Policies, WithInFlightChangesThoseThatHaveANumber) {
  EXPECT_EQ(withInFlight(*findScheduler("consumer3"), 12).Name, "consumer12");
  EXPECT_EQ(withInFlight(*findScheduler("acs-hw"), 12).KernelsInFlight, 12u);
  EXPECT_EQ(withInFlight(*findScheduler("ideal"), 12).Name, "ideal");
  EXPECT_EQ(withInFlight(*findScheduler("ideal"), 12).KernelsInFlight, 1u);
}

TEST(Policies, AllHaveDifferentNames) {
  for (const Scheduler &S : schedulers())
    EXPECT_EQ(findScheduler(S.Name)->What, S.What);
  EXPECT_EQ(paperSchedulers().size(), 7u);
  EXPECT_EQ(schedulers().size(), 14u);
}

/// Producer first with three in flight lets the third launch in beside the
/// first, but behind what is left of it.
TEST(Policies, ProducerWithThreeInFlight) {
  Recording R;
  R.Window = 3;
  addLaunch(R, {40, 90});
  addLaunch(R, {20, 20});
  addLaunch(R, {10, 10});
  addDelta(R, 0, 1, 0, 0);
  Machine M = tinyMachine();
  M.LaunchesAtOnce = 4;
  EXPECT_EQ(startsOf(run(R, M, "producer"), 2), (Starts{120, 125}));
  const SimulationReport Three = run(R, M, "producer3");
  EXPECT_EQ(startsOf(Three, 0), (Starts{15, 15}));
  EXPECT_EQ(startsOf(Three, 1), (Starts{55, 105}));
  EXPECT_EQ(startsOf(Three, 2), (Starts{75, 85}));
}

TEST(Policies, DeviceLaunchesTakeTheirOwnOverhead) {
  Machine M = tinyMachine();
  M.DeviceLaunchNs = 7;
  const SimulationReport R = run(pairOfLaunches(), M, "cdp");
  EXPECT_EQ(startsOf(R, 0), (Starts{7, 7, 17, 27}));
  EXPECT_EQ(startsOf(R, 1), (Starts{54, 54, 64, 64}));
  EXPECT_EQ(R.MakespanNs, 74u);
}

/// A call takes 15 ns, and the host hears of an end 3 ns later.
Machine todaysMachine() {
  Machine M = tinyMachine();
  M.StreamGapNs = 4;
  M.GraphGapNs = 2;
  M.EarlyGapNs = 1;
  M.StreamSyncNs = 3;
  return M;
}

TEST(Today, TheHostLaunchesOnWhileTheDeviceWorks) {
  const SimulationReport R = run(pairOfLaunches(), todaysMachine(), "stream");
  EXPECT_EQ(startsOf(R, 0), (Starts{19, 19, 29, 39}));
  EXPECT_EQ(startsOf(R, 1), (Starts{63, 63, 73, 73})) << "asked for at 30";
}

TEST(Today, ShortLaunchesWaitForTheHost) {
  Recording R;
  R.Window = 1;
  for (int I = 0; I < 3; ++I)
    addLaunch(R, {5});
  const SimulationReport Done = run(R, todaysMachine(), "stream");
  EXPECT_EQ(startsOf(Done, 0), Starts{19});
  EXPECT_EQ(startsOf(Done, 1), Starts{34});
  EXPECT_EQ(startsOf(Done, 2), Starts{49});
}

/// The first launch ends at 29, of which the host hears at 32.
TEST(Today, AHostThatWaitsLaunchesWhenItHasHeard) {
  Recording R;
  R.Window = 1;
  addLaunch(R, {10});
  addLaunch(R, {10});
  R.Barriers.push_back({1, "cudaDeviceSynchronize", 0, true, {0, 0}});
  EXPECT_EQ(startsOf(run(R, todaysMachine(), "stream"), 1), Starts{51});
  R.Launches[1].Asked = {0, 100};
  EXPECT_EQ(
      startsOf(run(R, todaysMachine(), "stream", HostSource::Recorded), 1),
      Starts{151})
      << "and has computed";
}

TEST(Today, LaunchesOfAGraphAreAllThere) {
  const SimulationReport R = run(pairOfLaunches(), todaysMachine(), "graph");
  EXPECT_EQ(startsOf(R, 0), (Starts{2, 2, 12, 22}));
  EXPECT_EQ(startsOf(R, 1), (Starts{44, 44, 54, 54}));
  const SimulationReport Early =
      run(pairOfLaunches(), todaysMachine(), "graph-pdl");
  EXPECT_EQ(startsOf(Early, 1), (Starts{42, 42, 52, 52}));
}

/// The second block of the second launch has heard of one of its two parents
/// from 10 to 30; meanwhile a buffer of one has no room for what runs ahead.
TEST(Wireframe, BlocksRunAheadWhilePendingUpdatesHaveRoom) {
  Recording R;
  R.Window = 3;
  addLaunch(R, {10, 30});
  addLaunch(R, {10, 10});
  addLaunch(R, {10});
  addDelta(R, 0, 1, -1, 0);
  addDelta(R, 1, 2, 0, 0);
  Machine M = tinyMachine();
  M.PendingUpdateEntries = 2;
  const SimulationReport Two = run(R, M, "wireframe");
  EXPECT_EQ(startsOf(Two, 0), (Starts{0, 0})) << "no launch overhead";
  EXPECT_EQ(startsOf(Two, 1), (Starts{10, 30}));
  EXPECT_EQ(startsOf(Two, 2), Starts{20});
  M.PendingUpdateEntries = 1;
  const SimulationReport One = run(R, M, "wireframe");
  EXPECT_EQ(startsOf(One, 1), (Starts{30, 30}));
  EXPECT_EQ(startsOf(One, 2), Starts{40});
}

/// Room for four blocks, four launches at once; a check takes 5 ns, the host
/// hears of an end 3 ns later, and a cycle is a nanosecond.
Machine windowMachine() {
  Machine M = tinyMachine();
  M.Sms = 4;
  M.LaunchesAtOnce = 4;
  M.DependencyCheckNs = 5;
  M.StreamSyncNs = 3;
  M.SchedulerStreams = 2;
  M.ClockMHz = 1000;
  return M;
}

/// Three launches of one block; the third needs the first.
Recording thirdNeedsFirst() {
  Recording R;
  R.Window = 3;
  for (int I = 0; I < 3; ++I)
    addLaunch(R, {10});
  addDelta(R, 0, 2, 0, 0);
  return R;
}

TEST(AcsSw, ChecksInTurnAndLaunchesWhatIsReady) {
  const SimulationReport R = run(thirdNeedsFirst(), windowMachine(), "acs-sw");
  EXPECT_EQ(R.Launches[0].Issued, 5u);
  EXPECT_EQ(R.Launches[1].Issued, 10u);
  EXPECT_EQ(R.Launches[2].Issued, 15u);
  EXPECT_EQ(startsOf(R, 0), Starts{5 + 15});
  EXPECT_EQ(startsOf(R, 1), Starts{10 + 15});
  EXPECT_EQ(R.Launches[0].Completed, 33u) << "when the host has heard of it";
  EXPECT_EQ(startsOf(R, 2), Starts{33 + 15});
  EXPECT_EQ(R.MakespanNs, 58u) << "whoever hears of it";
  EXPECT_EQ(R.Launches[2].Completed, 61u);
}

TEST(AcsSw, OneStreamHoldsOneLaunch) {
  Machine M = windowMachine();
  M.SchedulerStreams = 1;
  const SimulationReport R = run(thirdNeedsFirst(), M, "acs-sw");
  EXPECT_EQ(startsOf(R, 0), Starts{20});
  EXPECT_EQ(startsOf(R, 1), Starts{33 + 15}) << "the earliest that is ready";
  EXPECT_EQ(startsOf(R, 2), Starts{61 + 15});
}

TEST(AcsSw, AFullWindowHoldsTheNextCheckBack) {
  const SimulationReport R = run(thirdNeedsFirst(), windowMachine(), "acs-sw2");
  EXPECT_EQ(startsOf(R, 1), Starts{25});
  EXPECT_EQ(R.Launches[2].Issued, 33u + 5);
  EXPECT_EQ(startsOf(R, 2), Starts{38 + 15});
}

/// Insertion takes 4 cycles, taking out 3.
TEST(AcsHw, IsLaunchedAtOnceAndStartsWithoutTheHost) {
  const SimulationReport R = run(thirdNeedsFirst(), windowMachine(), "acs-hw4");
  EXPECT_EQ(startsOf(R, 0), Starts{5 + 15 + 4});
  EXPECT_EQ(startsOf(R, 1), Starts{10 + 15 + 4});
  EXPECT_EQ(R.Launches[2].Launched, 15u + 15 + 4);
  EXPECT_EQ(startsOf(R, 2), Starts{34 + 3}) << "3 cycles after the first ends";
}

/// A long launch, and two that need nothing.
Recording oneLongLaunch(uint32_t Window) {
  Recording R;
  R.Window = Window;
  addLaunch(R, {100});
  addLaunch(R, {10});
  addLaunch(R, {10});
  return R;
}

TEST(AcsHw, ALaunchLeavesTheWindowBeforeEarlierOnes) {
  const SimulationReport R = run(oneLongLaunch(3), windowMachine(), "acs-hw2");
  EXPECT_EQ(startsOf(R, 0), Starts{5 + 17});
  EXPECT_EQ(startsOf(R, 1), Starts{10 + 17});
  EXPECT_EQ(R.Launches[2].Issued, 38u + 5)
      << "the second left a cycle after 37";
  EXPECT_EQ(startsOf(R, 2), Starts{43 + 17});
  EXPECT_EQ(R.Launches[1].Completed, 123u) << "in order all the same";
}

/// The recording has no relations of the third launch to the first.
TEST(AcsHw, NothingPassesALaunchWhoseRelationsToItAreNotKnown) {
  const SimulationReport R = run(oneLongLaunch(1), windowMachine(), "acs-hw4");
  EXPECT_EQ(R.Launches[0].Completed, 5u + 19 + 100 + 3);
  EXPECT_EQ(R.Launches[2].Issued, 127u + 5);
}

TEST(AcsSw, NothingEntersTheWindowBehindABarrier) {
  Recording R = oneLongLaunch(3);
  R.Barriers.push_back({2, "cudaDeviceSynchronize"});
  const SimulationReport Report = run(R, windowMachine(), "acs-sw");
  EXPECT_EQ(startsOf(Report, 0), Starts{20});
  EXPECT_EQ(Report.Launches[2].Issued, 123u + 5);
}

} // namespace
