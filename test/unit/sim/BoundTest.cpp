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

TEST(LowerBound, IsTheLongestChainOfBlocks) {
  Machine M = tinyMachine();
  M.Sms = 100;
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

TEST(LowerBound, BarriersAddUp) {
  Recording R = pairOfLaunches();
  R.Relations.clear();
  Machine M = tinyMachine();
  M.Sms = 100;
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
  Machine M = tinyMachine();
  M.Sms = 100;
  EXPECT_EQ(boundOf(R, M).CriticalPathNs, 40u);
  R = pairOfLaunches();
  R.Relations[0].Pieces[0].ConsumerHigh[0] = 1; // Blocks 2 and 3 need nothing.
  EXPECT_EQ(boundOf(R, M).CriticalPathNs, 30u);
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
