// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The buffers of the block scheduler, by hand: what they fetch, and whom they
// delay where full ones stall.

#include "Handmade.h"

#include <gtest/gtest.h>

using namespace blockmaestro;
using namespace blockmaestro::sim;

namespace {

using Starts = std::vector<uint64_t>;

TEST(Traffic, OneListAndOneCounterForEachEdge) {
  SchedulerTraffic T = run(pairOfLaunches(), tinyMachine(), "producer").Traffic;
  EXPECT_EQ(T.ListFetches, 4u);
  EXPECT_EQ(T.ListRefetches, 0u);
  EXPECT_EQ(T.CounterFetches, 4u);
  EXPECT_EQ(T.CounterEvictions, 0u);
  EXPECT_EQ(
      run(pairOfLaunches(), tinyMachine(), "prelaunch").Traffic.requests(), 0u);
}

TEST(Traffic, SmallBuffersEvict) {
  Machine M = tinyMachine();
  M.ParentCounterEntries = 1;
  M.DependencyListEntries = 1;
  SchedulerTraffic T = run(pairOfLaunches(), M, "producer").Traffic;
  EXPECT_EQ(T.ListFetches, 4u);
  EXPECT_EQ(T.ListRefetches, 3u);
  EXPECT_EQ(T.CounterFetches, 7u);
  EXPECT_EQ(T.CounterEvictions, 6u);
}

TEST(Traffic, LongListsTakeSeveralEntries) {
  Recording R;
  R.Window = 1;
  addLaunch(R, {10});
  addLaunch(R, Starts(9, 10));
  addDelta(R, 0, 1, -8, 0);
  SchedulerTraffic T = run(R, tinyMachine(), "producer").Traffic;
  EXPECT_EQ(T.ListFetches, 3u) << "nine children, four to an entry";
  EXPECT_EQ(T.CounterFetches, 9u);
}

Machine stallingMachine() {
  Machine M = tinyMachine();
  M.FullBuffersStall = 1;
  return M;
}

/// The second SM is free at 15, and the buffers are not: a block's list stays
/// until the block ends.
TEST(FullBuffers, ABlockWaitsUntilItsListHasRoom) {
  Machine M = stallingMachine();
  M.DependencyListEntries = 1;
  const SimulationReport R = run(pairOfLaunches(), M, "producer");
  EXPECT_EQ(startsOf(R, 0), (Starts{15, 25, 45, 75}));
  EXPECT_EQ(startsOf(R, 1), (Starts{30, 45, 75, 85}));
  EXPECT_EQ(R.Buffers.Held, 3u);
  EXPECT_EQ(R.Buffers.Forced, 0u);
  EXPECT_EQ(R.Traffic.ListRefetches, 0u);
  M.FullBuffersStall = 0;
  EXPECT_EQ(startsOf(run(pairOfLaunches(), M, "producer"), 0),
            (Starts{15, 15, 25, 35}));
}

/// A counter goes when its block starts. At 25 the second launch has not been
/// launched, nothing runs, and block 1 starts all the same. At 45 and at 75 a
/// block of the second launch passes and makes room.
TEST(FullBuffers, OtherLaunchesPassAndMakeRoom) {
  Machine M = stallingMachine();
  M.ParentCounterEntries = 1;
  const SimulationReport R = run(pairOfLaunches(), M, "producer");
  EXPECT_EQ(startsOf(R, 0), (Starts{15, 25, 45, 75}));
  EXPECT_EQ(startsOf(R, 1), (Starts{30, 45, 75, 85}));
  EXPECT_EQ(R.Buffers.Held, 3u);
  EXPECT_EQ(R.Buffers.Forced, 1u);
  EXPECT_EQ(R.Traffic.CounterEvictions, 1u);
}

/// The one counter there is room for is that of block 0, which needs block 1
/// too; that needs a second counter.
TEST(FullBuffers, NothingWaitsForRoomThatNobodyMakes) {
  Recording R;
  R.Window = 1;
  addLaunch(R, Starts(3, 10));
  addLaunch(R, Starts(3, 10));
  addDelta(R, 0, 1, 0, 1);
  Machine M = stallingMachine();
  M.ParentCounterEntries = 1;
  const SimulationReport Report = run(R, M, "producer");
  EXPECT_EQ(startsOf(Report, 0), (Starts{15, 25, 45}));
  EXPECT_EQ(startsOf(Report, 1), (Starts{35, 55, 55}));
  EXPECT_EQ(Report.Buffers.Held, 2u);
  EXPECT_EQ(Report.Buffers.Forced, 2u);
}

/// Neither needs the buffers.
TEST(FullBuffers, WhatWaitsForLaunchesIsNotDelayed) {
  Machine M = stallingMachine();
  M.DependencyListEntries = M.ParentCounterEntries = 1;
  Machine Free = M;
  Free.FullBuffersStall = 0;
  for (const char *By : {"baseline", "prelaunch", "acs-hw", "wireframe"})
    EXPECT_EQ(run(pairOfLaunches(), M, By).MakespanNs,
              run(pairOfLaunches(), Free, By).MakespanNs)
        << By;
}

} // namespace
