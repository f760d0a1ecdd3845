// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The buffers of the block scheduler, by hand: what they fetch, and whom they
// delay where full ones stall.

#include "Handmade.h"

#include <gtest/gtest.h>

#include <memory>

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

Machine decodingMachine() {
  Machine M = tinyMachine();
  M.ClosedFormsDecode = 1;
  return M;
}

TEST(ClosedForms, TakeNoListsAndSaveTheirRequests) {
  Recording R;
  R.Window = 1;
  addLaunch(R, {10, 10});
  addLaunch(R, Starts(9, 10));
  addDelta(R, 0, 1, -8, 0);
  const SimulationReport Report = run(R, decodingMachine(), "producer");
  EXPECT_EQ(Report.Traffic.ListFetches, 0u);
  EXPECT_EQ(Report.Traffic.CounterFetches, 9u);
  ASSERT_EQ(Report.Decoded.size(), 1u);
  EXPECT_EQ(Report.Decoded[0].Pattern, "overlapped");
  EXPECT_EQ(Report.Decoded[0].Requests, 5u) << "nine children, and eight";
}

TEST(ClosedForms, SavingsAreByPattern) {
  Recording R = pairOfLaunches();
  addLaunch(R, {10});
  addDelta(R, 1, 2, 0, 3);
  const SimulationReport Report = run(R, decodingMachine(), "producer3");
  ASSERT_EQ(Report.Decoded.size(), 2u);
  EXPECT_EQ(Report.Decoded[0].Pattern, "1-to-1");
  EXPECT_EQ(Report.Decoded[0].Requests, 4u);
  EXPECT_EQ(Report.Decoded[1].Pattern, "n-to-1");
  EXPECT_EQ(Report.Decoded[1].Requests, 4u);
  EXPECT_TRUE(run(R, tinyMachine(), "producer3").Decoded.empty());
}

/// They take no entry either: with one, blocks wait for no list.
TEST(ClosedForms, TakeNoRoom) {
  Machine M = decodingMachine();
  M.FullBuffersStall = 1;
  M.DependencyListEntries = 1;
  const SimulationReport R = run(pairOfLaunches(), M, "producer");
  EXPECT_EQ(startsOf(R, 0), (Starts{15, 15, 25, 35}));
  EXPECT_EQ(R.Buffers.Held, 0u);
}

/// From a parent p.x = c.x + 2 c.y leads to no box of children.
TEST(ClosedForms, AParentThatFollowsTwoDimensionsIsListed) {
  Recording R;
  R.Window = 1;
  addLaunch(R, {10, 10, 10, 10});
  addLaunch(R, {10, 10, 10, 10});
  R.Launches[1].Grid = {2, 2, 1};
  addDelta(R, 0, 1, 0, 0);
  EncodedPiece &P = R.Relations[0].Pieces[0];
  P.ConsumerHigh[1] = 1;
  P.Rows[0].A[1] = 2;
  const SimulationReport Report = run(R, decodingMachine(), "producer");
  EXPECT_EQ(Report.Traffic.ListFetches, 4u);
  EXPECT_TRUE(Report.Decoded.empty());
  P.ConsumerHigh[1] = 0;
  EXPECT_EQ(run(R, decodingMachine(), "producer").Traffic.ListFetches, 0u);
}

/// Blocks 0 to 3 have 2, 2, 1 and 1 children.
TEST(ClosedForms, ListsStayLists) {
  Recording R;
  R.Window = 1;
  addLaunch(R, {10, 10, 10, 10});
  addLaunch(R, {10, 10, 10, 10});
  auto List = std::make_shared<BlockList>();
  List->Begin = {0, 1, 1, 2, 3};
  List->Runs = {{0, 1}, {3, 3}, {0, 2}};
  List->Hazards = {HazardRAW, HazardRAW, HazardRAW};
  addRelation(R, 0, 1, RelationKind::Listed).List = List;
  const SimulationReport Report = run(R, decodingMachine(), "producer");
  EXPECT_EQ(Report.Traffic.ListFetches, 4u);
  EXPECT_TRUE(Report.Decoded.empty());
}

} // namespace
