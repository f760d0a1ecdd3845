// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A host that computes between its calls, by hand: nothing is issued before it
// is asked for, and calls that wait come back when all before them is done.

#include "Bound.h"
#include "RandomRecording.h"

#include <gtest/gtest.h>

using namespace blockmaestro;
using namespace blockmaestro::sim;

using Starts = std::vector<uint64_t>;

namespace {

/// Two launches of two blocks of 10 ns that need nothing. On tinyMachine() the
/// first takes 15 to 25.
Recording twoLaunches(HostTime First, HostTime Second) {
  Recording R;
  R.Window = 3;
  addLaunch(R, {10, 10});
  addLaunch(R, {10, 10});
  R.Launches[0].Asked = First;
  R.Launches[1].Asked = Second;
  return R;
}

SimulationReport runWithHost(const Recording &R, const char *Scheduler) {
  return run(R, tinyMachine(), Scheduler, HostSource::Recorded);
}

Bound boundWithHost(const Recording &R) {
  Machine M = tinyMachine();
  M.Sms = 100;
  return lowerBound(workloadOf(R, M, HostSource::Recorded), M);
}

TEST(HostTime, NothingIsIssuedBeforeItIsAskedFor) {
  const Recording R = twoLaunches({0, 0}, {0, 70});
  SimulationReport Report = runWithHost(R, "producer");
  EXPECT_EQ(Report.Launches[1].Issued, 70u);
  EXPECT_EQ(startsOf(Report, 1), (Starts{85, 85}));
  EXPECT_EQ(startsOf(run(R, tinyMachine(), "producer"), 1), (Starts{30, 30}))
      << "unless the host takes no time";
}

TEST(HostTime, WhatTheDeviceTakesHidesIt) {
  const Recording R = twoLaunches({0, 0}, {0, 20});
  EXPECT_EQ(runWithHost(R, "producer").Launches[1].Issued, 20u);
  EXPECT_EQ(runWithHost(R, "baseline").Launches[1].Issued, 25u)
      << "when the first launch has completed";
}

/// What came before the first call is not known.
TEST(HostTime, BeginsWithTheFirstCallOfAThread) {
  const Recording R = twoLaunches({0, 5000}, {1, 300000});
  SimulationReport Report = runWithHost(R, "producer");
  EXPECT_EQ(Report.Launches[0].Issued, 0u);
  EXPECT_EQ(Report.Launches[1].Issued, 15u);
}

/// The host comes to the barrier at 5, back at 25, and asks 40 later.
TEST(HostTime, ABarrierComesBackWhenAllBeforeItIsDone) {
  Recording R = twoLaunches({0, 0}, {0, 45});
  R.Barriers.push_back({1, "cudaDeviceSynchronize", 0, true, {0, 5}});
  EXPECT_EQ(runWithHost(R, "producer").Launches[1].Issued, 65u);
  R.Barriers[0].HostWaits = false;
  EXPECT_EQ(runWithHost(R, "producer").Launches[1].Issued, 45u)
      << "the device keeps the order, and the host goes on";
  R.Launches[1].Asked.Ns = 10;
  EXPECT_EQ(runWithHost(R, "producer").Launches[1].Issued, 25u);
}

/// Three launches, the second asked for right behind the first, and the third
/// when the host has waited for the first, until 25, and computed for 8.
TEST(HostTime, AWaitForAnEventComesBackWhenThatIsDone) {
  Recording R = twoLaunches({0, 0}, {0, 0});
  addLaunch(R, {10, 10});
  R.Launches[2].Asked = {0, 8};
  R.Waits.push_back({2, 0, "cudaEventSynchronize", 1, {0, 0}});
  const SimulationReport Report = runWithHost(R, "producer");
  EXPECT_EQ(Report.Launches[1].Issued, 15u);
  EXPECT_EQ(Report.Launches[2].Issued, 33u);
  EXPECT_LT(Report.Launches[2].Issued, Report.Launches[1].Completed)
      << "the second is in flight still";
  R.Waits[0].Until = 2;
  EXPECT_EQ(runWithHost(R, "producer").Launches[2].Issued, 40u + 8);
}

/// Thread 1 waits for both launches, and thread 0 asks for a third one.
TEST(HostTime, AWaitForAnEventKeepsNoOtherThread) {
  Recording R = twoLaunches({0, 0}, {1, 0});
  addLaunch(R, {10, 10});
  R.Launches[2].Asked = {0, 16};
  R.Waits.push_back({2, 0, "cudaEventSynchronize", 2, {1, 0}});
  EXPECT_EQ(runWithHost(R, "producer3").Launches[2].Issued, 30u)
      << "when the second launch's overhead is over";
  R.Launches[2].Asked = {1, 16};
  EXPECT_EQ(runWithHost(R, "producer3").Launches[2].Issued, 40u + 16);
}

/// A host that comes late does not wait.
TEST(HostTime, ABarrierThatIsOverKeepsNobody) {
  Recording R = twoLaunches({0, 0}, {0, 101});
  R.Barriers.push_back({1, "cudaDeviceSynchronize", 0, true, {0, 100}});
  EXPECT_EQ(runWithHost(R, "producer").Launches[1].Issued, 101u);
}

/// Launched at 30, copied from 30 to 130, and 7 more.
TEST(HostTime, ACopyThatTheHostWaitsForComesBackWhenItIsDone) {
  Recording R = twoLaunches({0, 0}, {0, 7});
  RecordedCopy &C = addCopy(R, "cudaMemcpy", HostBytes, 0);
  C.Before = 1;
  C.HostWaits = true;
  EXPECT_EQ(runWithHost(R, "producer").Launches[2].Issued, 137u);
  R.Copies[0].HostWaits = false;
  EXPECT_EQ(runWithHost(R, "producer").Launches[2].Issued, 30u);
}

/// Thread 1 waits, until 25; thread 0 computes meanwhile, until 50.
TEST(HostTime, ThreadsComputeBesideEachOther) {
  Recording R = twoLaunches({0, 0}, {0, 50});
  R.Barriers.push_back({1, "cudaDeviceSynchronize", 0, true, {1, 0}});
  EXPECT_EQ(runWithHost(R, "producer").Launches[1].Issued, 50u);
  R.Launches[1].Asked = {1, 30};
  EXPECT_EQ(runWithHost(R, "producer").Launches[1].Issued, 55u);
}

/// The paper's Figure 5 (ReorderTest): copy A, K1(A), copy B, K2(B), of which B
/// is asked for 100 ns after K1. Moved before K1 it keeps that waiting: A takes
/// 15 to 115, B is launched from 100 to 115, and then K1.
TEST(HostTime, WhatIsMovedTogetherIsAskedForAsItWas) {
  Recording R;
  R.Window = 3;
  addCopy(R, "cudaMemcpy", 0, HostBytes).HostWaits = true;
  addLaunch(R, {500});
  addCopy(R, "cudaMemcpy", 0, HostBytes).HostWaits = true;
  addLaunch(R, {500});
  addFull(R, 0, true, 0, false);
  addFull(R, 1, true, 1, false);
  R.Copies[1].Asked = R.Launches[1].Asked = {0, 100};
  const SimulationReport Report = runWithHost(R, "prelaunch4+reorder");
  EXPECT_EQ(startsOf(Report, 0), Starts{15});
  EXPECT_EQ(Report.Launches[2].Issued, 100u);
  EXPECT_EQ(startsOf(Report, 2), Starts{115});
  EXPECT_EQ(startsOf(Report, 1), Starts{130});
  EXPECT_EQ(startsOf(Report, 3), Starts{215});
}

/// But for waits for events, which are the host's alone.
TEST(HostTime, AHostThatTakesNoneIsNone) {
  for (uint32_t Seed = 0; Seed < 50; ++Seed) {
    Recording R = randomRecording(Seed);
    R.Waits.clear();
    for (RecordedLaunch &Each : R.Launches)
      Each.Asked.Ns = 0;
    for (RecordedCopy &Each : R.Copies)
      Each.Asked.Ns = 0;
    for (RecordedBarrier &Each : R.Barriers)
      Each.Asked.Ns = 0;
    for (const Scheduler &By : schedulers()) {
      const SimulationReport Want = run(R, tinyMachine(), By.Name);
      const SimulationReport Got = runWithHost(R, By.Name.c_str());
      for (size_t I = 0; I < Want.Launches.size(); ++I) {
        ASSERT_EQ(Got.Launches[I].Issued, Want.Launches[I].Issued) << By.Name;
        ASSERT_EQ(Got.Launches[I].LastEnd, Want.Launches[I].LastEnd);
      }
    }
  }
}

/// What is asked for after it may be moved before what it waits for.
TEST(HostTime, AReorderedQueueKeepsNoWaitForAnEvent) {
  Recording R = twoLaunches({0, 0}, {0, 5});
  R.Waits.push_back({1, 0, "cudaEventSynchronize", 1, {0, 0}});
  EXPECT_EQ(runWithHost(R, "producer").Launches[1].Issued, 30u);
  EXPECT_EQ(runWithHost(R, "producer+reorder").Launches[1].Issued, 15u);
}

/// What a program does at its end, before it gives its memory back, is not in
/// the time.
TEST(HostTime, AReleaseIsNotWaitedFor) {
  Recording R = twoLaunches({0, 0}, {0, 0});
  RecordedCopy &Release = addCopy(R, "cudaFree", 0, 64);
  Release.From = Release.To = MemoryPlace::None;
  Release.Asked = {0, 1000000};
  EXPECT_EQ(runWithHost(R, "producer").MakespanNs, 40u);
  EXPECT_EQ(boundWithHost(R).Ns, 10u);
}

TEST(HostTime, IsInTheBound) {
  EXPECT_EQ(boundWithHost(twoLaunches({0, 0}, {0, 70})).CriticalPathNs, 80u);
  EXPECT_EQ(boundWithHost(twoLaunches({0, 9}, {0, 9})).CriticalPathNs, 10u);
  Recording R = twoLaunches({0, 0}, {0, 70});
  R.Barriers.push_back({1, "cudaDeviceSynchronize", 0, true, {0, 30}});
  EXPECT_EQ(boundWithHost(R).CriticalPathNs, 10u + 40 + 10)
      << "from the barrier on";
  R.Barriers[0].Asked = {1, 0};
  EXPECT_EQ(boundWithHost(R).CriticalPathNs, 20u)
      << "thread 0 may have computed before it";
}

TEST(HostTime, InTheBoundFollowsACopyThatTheHostReads) {
  Recording R = twoLaunches({0, 0}, {0, 7});
  RecordedCopy &C = addCopy(R, "cudaMemcpy", HostBytes, 0);
  C.Before = 1;
  C.HostWaits = true;
  const Bound B = boundWithHost(R);
  EXPECT_EQ(B.CriticalPathNs, 100u + 7 + 10);
  EXPECT_EQ(B.AreaNs, 107u) << "and 20 on 100 SMs";
}

} // namespace
