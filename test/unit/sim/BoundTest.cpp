// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The time that no scheduler can be faster than, by hand.

#include "Bound.h"
#include "Handmade.h"

#include <gtest/gtest.h>

using namespace blockmaestro;
using namespace blockmaestro::sim;

namespace {

Bound boundOf(const Recording &R, const Machine &On) {
  return lowerBound(workloadOf(R, On), On);
}

/// Of the block of an event.
void setDuration(Recording &Of, size_t Number, uint64_t Ns) {
  std::vector<Event> Events = Of.Events.all();
  Events[Number].End = Events[Number].Start + Ns;
  Of.Events = Events;
}

/// Room for all blocks of these tests at a time.
Machine wideMachine() {
  Machine M = tinyMachine();
  M.Sms = 100;
  return M;
}

TEST(LowerBound, IsTheLongestChainOfBlocks) {
  Machine M = wideMachine();
  const Bound B = boundOf(pairOfLaunches(), M);
  EXPECT_EQ(B.CriticalPathNs, 40u) << "block 2, 30 and 10";
  EXPECT_EQ(B.Ns, 40u);
  EXPECT_EQ(B.AreaNs, 1u) << "110 on 100 SMs";
}

TEST(LowerBound, OrAllWorkOnTheMachine) {
  const Bound B = boundOf(pairOfLaunches(), tinyMachine());
  EXPECT_EQ(B.AreaNs, 55u) << "110 on two SMs";
  EXPECT_EQ(B.Ns, 55u);
}

/// A block of all of an SM's shared memory keeps the others away, though there
/// are places.
TEST(LowerBound, CountsTheScarcestResource) {
  Machine M = tinyMachine();
  M.BlocksPerSm = 8;
  Recording R = pairOfLaunches();
  EXPECT_EQ(boundOf(R, M).AreaNs, 6u);
  for (RecordedLaunch &Each : R.Launches)
    Each.SharedBytes = M.SharedBytesPerSm;
  EXPECT_EQ(boundOf(R, M).AreaNs, 55u);
  for (RecordedLaunch &Each : R.Launches) {
    Each.SharedBytes = 0;
    Each.Block = {M.ThreadsPerSm / 2, 1, 1};
  }
  EXPECT_EQ(boundOf(R, M).AreaNs, 27u);
}

TEST(LowerBound, CountsRegisters) {
  Machine M = tinyMachine();
  M.BlocksPerSm = 8;
  M.RegistersPerSm = 16384;
  Recording R = pairOfLaunches();
  for (RecordedLaunch &Each : R.Launches) {
    Each.Block = {128, 1, 1};
    Each.Registers = 60; // 1,920 of a warp, 7,680 of a block: two fit.
  }
  EXPECT_EQ(boundOf(R, M).AreaNs, 27u);
}

/// Two of 768 threads fit an SM of 2,048, and two with one of 512.
TEST(LowerBound, CountsTheBlocksThatFitNotTheirSizes) {
  Machine M = tinyMachine();
  M.Sms = 1;
  M.BlocksPerSm = 8;
  Recording R;
  addLaunch(R, {100, 100, 100, 100});
  R.Launches[0].Block = {768, 1, 1};
  EXPECT_EQ(boundOf(R, M).AreaNs, 200u) << "two at a time";
  R.Launches[0].Block = {32, 1, 1};
  R.Launches[0].SharedBytes = 40000;
  EXPECT_EQ(boundOf(R, M).AreaNs, 200u);
  R = Recording();
  addLaunch(R, {100, 100});
  addLaunch(R, {100});
  R.Launches[0].Block = {768, 1, 1};
  R.Launches[1].Block = {512, 1, 1};
  EXPECT_EQ(boundOf(R, M).AreaNs, 100u) << "all three at a time";
}

TEST(LowerBound, BarriersAddUp) {
  Recording R = pairOfLaunches();
  R.Relations.clear();
  Machine M = wideMachine();
  EXPECT_EQ(boundOf(R, M).Ns, 30u);
  R.Barriers.push_back({1, "cudaDeviceSynchronize"});
  EXPECT_EQ(boundOf(R, M).Ns, 40u);
}

/// What a scheduler may wait for as a whole, because a counter is too small, it
/// need not.
TEST(LowerBound, FullRelationsWaitForTheLastBlock) {
  Recording R = pairOfLaunches();
  R.Relations[0].Header.Kind = uint32_t(RelationKind::Full);
  R.Relations[0].Pieces.clear();
  Machine M = wideMachine();
  EXPECT_EQ(boundOf(R, M).CriticalPathNs, 40u);
  R = pairOfLaunches();
  R.Relations[0].Pieces[0].ConsumerHigh[0] = 1; // Blocks 2 and 3 need nothing.
  EXPECT_EQ(boundOf(R, M).CriticalPathNs, 30u);
}

/// A block with more parents than a counter counts needs only these, also where
/// the simulated hardware waits for all.
TEST(LowerBound, CountersDoNotBindIt) {
  Machine M = wideMachine();
  M.ParentCounterBits = 1;
  Recording R;
  R.Window = 1;
  addLaunch(R, {10, 20, 30, 90});
  addLaunch(R, {10, 20, 30, 10});
  addDelta(R, 0, 1, -1, 0);
  EXPECT_TRUE(workloadOf(R, M).Relations[0].KernelLevel);
  EXPECT_EQ(boundOf(R, M).CriticalPathNs, 100u) << "block 3";
  setDuration(R, 3, 31);
  EXPECT_EQ(boundOf(R, M).CriticalPathNs, 60u) << "block 2";
}

/// The column above a block: a run of one for each row.
TEST(LowerBound, ParentsInSeveralRunsAllCount) {
  Machine M = wideMachine();
  M.ParentCounterBits = 1;
  Recording R;
  R.Window = 1;
  addLaunch(R, {10, 50, 20, 40, 30, 60});
  addLaunch(R, {1, 2});
  R.Launches[0].Grid = {2, 3, 1};
  EncodedPiece P{};
  P.ConsumerHigh[0] = P.ProducerHigh[0] = 1;
  P.ProducerHigh[1] = 2;
  P.Rows[0] = {{1, 0, 0}, 1, 0, 0};
  P.Rows[1] = {{0, 0, 0}, 1, 0, 2};
  P.Rows[2] = {{0, 0, 0}, 1, 0, 0};
  addRelation(R, 0, 1).Pieces.push_back(P);
  const Workload W = workloadOf(R, M);
  EXPECT_EQ(W.Expansions[0].Runs.size(), 6u);
  EXPECT_EQ(lowerBound(W, M).CriticalPathNs, 62u);
  setDuration(R, 1, 1);
  setDuration(R, 5, 1);
  EXPECT_EQ(boundOf(R, M).CriticalPathNs, 42u) << "40 and 2, not 30 and 1";
}

/// What is issued after a copy that the host waited for needs the copy, but not
/// what was issued before it.
TEST(LowerBound, TheHostReadsItsCopyAlone) {
  Machine M = wideMachine();
  Recording R;
  R.Window = 3;
  addLaunch(R, {500});
  addCopy(R, "cudaMemcpy", 1575, 0).HostWaits = true;
  addLaunch(R, {30});
  EXPECT_EQ(boundOf(R, M).CriticalPathNs, 500u);
  setDuration(R, 1, 450);
  EXPECT_EQ(boundOf(R, M).CriticalPathNs, 550u) << "100 and 450";
}

TEST(LowerBound, AllWorkThatIsIssuedAfterACopyTheHostReadComesBehindIt) {
  Recording R;
  R.Window = 3;
  addCopy(R, "cudaMemcpy", 1575, 0).HostWaits = true;
  addLaunch(R, {30, 30, 30, 30});
  addCopy(R, "cudaMemcpy", 1575, 0).HostWaits = true;
  EXPECT_EQ(boundOf(R, tinyMachine()).AreaNs, 200u) << "two copies";
  addLaunch(R, {30, 30, 30, 30, 30, 30});
  EXPECT_EQ(boundOf(R, tinyMachine()).AreaNs, 290u);
  EXPECT_EQ(boundOf(R, tinyMachine()).CriticalPathNs, 230u);
}

/// What the host only wrote may have been taken from it before it is copied.
TEST(LowerBound, AWaitThatBringsNothingIsNone) {
  Machine M = wideMachine();
  Recording R;
  R.Window = 3;
  addCopy(R, "cudaMemcpy", 0, 1575).HostWaits = true;
  addLaunch(R, {30});
  EXPECT_EQ(boundOf(R, M).CriticalPathNs, 100u);
}

/// The runtime's fence around a copy that it takes no part in is none for a
/// scheduler that does.
TEST(LowerBound, FencesAreWhereTheHostWaited) {
  Machine M = wideMachine();
  Recording R = pairOfLaunches();
  R.Relations.clear();
  R.Barriers.push_back({1, "cudaMemcpyAsync", 0, /*HostWaits=*/false});
  EXPECT_EQ(boundOf(R, M).Ns, 30u);
  EXPECT_TRUE(workloadOf(R, M).Launches[1].Barrier);
  R.Barriers.push_back({1, "cudaStreamSynchronize"});
  EXPECT_EQ(boundOf(R, M).Ns, 40u);
}

TEST(LowerBound, CopiesOfOneDirectionFollowEachOther) {
  Recording R;
  for (int I = 0; I < 3; ++I)
    addCopy(R, "cudaMemcpyAsync", 0, 1575);
  addCopy(R, "cudaMemcpyAsync", 1575, 0);
  addLaunch(R, {10});
  EXPECT_EQ(boundOf(R, tinyMachine()).AreaNs, 300u);
}

} // namespace
