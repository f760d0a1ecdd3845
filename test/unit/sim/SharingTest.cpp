// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Blocks that run together divide what an SM can issue and memory can move.

#include "Bound.h"
#include "Handmade.h"
#include "SharedRate.h"

#include <gtest/gtest.h>

#include <random>

using namespace blockmaestro;
using namespace blockmaestro::sim;

namespace {

TEST(SharedRate, DividesItselfEqually) {
  SharedRate Rate;
  uint32_t Who = 0;
  EXPECT_EQ(Rate.next(), SharedRate::Never);
  Rate.join(100, 10, 1);
  EXPECT_EQ(Rate.next(), 110u);
  Rate.join(104, 20, 2); // 6 of the first's left, at half the rate.
  EXPECT_EQ(Rate.next(), 116u);
  EXPECT_FALSE(Rate.leave(115, Who));
  ASSERT_TRUE(Rate.leave(116, Who));
  EXPECT_EQ(Who, 1u);
  EXPECT_FALSE(Rate.leave(116, Who));
  EXPECT_EQ(Rate.next(), 130u) << "14 of the second's, by itself";
  ASSERT_TRUE(Rate.leave(130, Who));
  EXPECT_EQ(Rate.next(), SharedRate::Never);
}

/// Launches whose blocks need nothing but a nanosecond, until they are given
/// something.
Workload launchesOf(const std::vector<uint32_t> &Blocks, const Machine &On) {
  Recording R;
  R.Window = 3;
  for (uint32_t Each : Blocks)
    addLaunch(R, std::vector<uint64_t>(Each, 1));
  Workload W = workloadOf(R, On);
  for (WorkLaunch &L : W.Launches) {
    L.IssueNs = {0};
    L.MemoryNs = {0};
  }
  return W;
}

std::vector<BlockTimes> timesOf(const Workload &W, const Machine &On,
                                std::string_view Scheduler) {
  SimulationOptions Options;
  Options.Timeline = true;
  return simulate(W, On, *findScheduler(Scheduler), Options).Timeline;
}

TEST(Sharing, BlocksOfAnSmDivideItsIssueSlots) {
  Machine M = tinyMachine();
  M.BlocksPerSm = 2;
  Workload W = launchesOf({3}, M);
  W.Launches[0].IssueNs = {40, 40, 40};
  std::vector<BlockTimes> T = timesOf(W, M, "ideal");
  EXPECT_EQ(T[0].End, 80u) << "beside block 2";
  EXPECT_EQ(T[1].End, 40u) << "by itself on the other SM";
  EXPECT_EQ(T[2].End, 80u);
}

TEST(Sharing, AllBlocksDivideMemory) {
  Machine M = tinyMachine();
  Workload W = launchesOf({3}, M);
  W.Launches[0].MemoryNs = {30, 50, 10};
  std::vector<BlockTimes> T = timesOf(W, M, "ideal");
  EXPECT_EQ(T[0].End, 60u);
  EXPECT_EQ(T[2].Start, 60u);
  EXPECT_EQ(T[2].End, 80u) << "20 of the other's are left then";
  EXPECT_EQ(T[1].End, 90u);
}

TEST(Sharing, ABlockHasItsOwnTimeToo) {
  Machine M = tinyMachine();
  Workload W = launchesOf({2}, M);
  W.Launches[0].DurationNs = {70, 5};
  W.Launches[0].IssueNs = {10, 30};
  W.Launches[0].MemoryNs = {20, 20};
  std::vector<BlockTimes> T = timesOf(W, M, "ideal");
  EXPECT_EQ(T[0].End, 70u);
  EXPECT_EQ(T[1].End, 40u) << "of memory both have half";
}

TEST(Sharing, ABlockMayWaitFirstAndShareThen) {
  Machine M = tinyMachine();
  M.Sms = 1;
  M.BlocksPerSm = 2;
  Workload W = launchesOf({3}, M);
  W.Launches[0].SharesLast = true;
  W.Launches[0].DurationNs = {10, 30, 10};
  W.Launches[0].IssueNs = {30, 30, 30};
  std::vector<BlockTimes> T = timesOf(W, M, "ideal");
  EXPECT_EQ(T[0].End, 50u) << "20 alone, 10 of it beside block 1";
  EXPECT_EQ(T[1].End, 80u) << "block 2 waits until 60, and both share then";
  EXPECT_EQ(T[2].Start, 50u);
  EXPECT_EQ(T[2].End, 100u);
  EXPECT_EQ(lowerBound(W, M).CriticalPathNs, 60u);
}

TEST(Sharing, APlaceThatWasGivenBackIsReadyLater) {
  Machine M = tinyMachine();
  M.Sms = 1;
  M.BlocksPerSm = 2;
  M.BlockTurnaroundNs = 7;
  Workload W = launchesOf({3, 1}, M);
  W.Launches[0].DurationNs = {20, 50, 10};
  std::vector<BlockTimes> T = timesOf(W, M, "ideal");
  EXPECT_EQ(T[1].Start, 0u);
  EXPECT_EQ(T[2].Start, 27u) << "in the place of block 0";
  EXPECT_EQ(T[2].End, 37u);
  EXPECT_EQ(T[3].Start, 50u) << "in the place of block 2, ready since 44";
}

TEST(Sharing, ABlockTakesPartFromItsStartOn) {
  Machine M = tinyMachine();
  M.Sms = 1;
  M.BlocksPerSm = 2;
  M.BlockIssueNs = 10;
  Workload W = launchesOf({2}, M);
  W.Launches[0].IssueNs = {20, 20};
  std::vector<BlockTimes> T = timesOf(W, M, "ideal");
  EXPECT_EQ(T[0].End, 30u) << "10 alone, 20 beside the other";
  EXPECT_EQ(T[1].Start, 10u);
  EXPECT_EQ(T[1].End, 40u);
}

/// Also those of other launches: this is what an early start costs.
TEST(Sharing, BlocksOfTheNextLaunchTakeTheirPart) {
  Machine M = tinyMachine();
  M.BlocksPerSm = 2;
  M.LaunchOverheadNs = 0;
  Workload W = launchesOf({2, 2}, M);
  W.Launches[0].IssueNs = W.Launches[1].IssueNs = {40, 40};
  EXPECT_EQ(timesOf(W, M, "baseline")[0].End, 40u);
  EXPECT_EQ(timesOf(W, M, "producer")[0].End, 80u);
}

TEST(Sharing, NothingIsFasterThanAloneAndNothingIsLost) {
  Machine M = tinyMachine();
  M.Sms = 3;
  M.BlocksPerSm = 4;
  M.BlockIssueNs = 2;
  for (uint32_t Seed = 0; Seed < 200; ++Seed) {
    std::mt19937 Random(Seed);
    Workload W = launchesOf({5, 17, 9, 23}, M);
    double Memory = 0, Issue = 0;
    for (WorkLaunch &L : W.Launches) {
      std::vector<uint64_t> Alone;
      std::vector<float> Issues, Memories;
      for (uint32_t B = 0; B < L.Blocks; ++B) {
        Alone.push_back(1 + Random() % 50);
        Issues.push_back(float(Random() % 40));
        Memories.push_back(float(Random() % 10));
        Issue += double(Issues.back());
        Memory += double(Memories.back());
      }
      L.DurationNs = Alone;
      L.IssueNs = Issues;
      L.MemoryNs = Memories;
    }
    for (const Scheduler &S : schedulers()) {
      uint64_t Last = 0;
      for (const BlockTimes &T : timesOf(W, M, S.Name)) {
        const WorkLaunch &L = W.Launches[T.Launch];
        const double Least =
            std::max({double(L.DurationNs[T.Block]), double(L.IssueNs[T.Block]),
                      double(L.MemoryNs[T.Block])});
        ASSERT_GE(double(T.End - T.Start), Least) << S.Name;
        Last = std::max(Last, T.End);
      }
      EXPECT_GE(double(Last), std::max(Memory, Issue / M.Sms)) << S.Name;
      EXPECT_GE(Last, lowerBound(W, M).Ns) << S.Name;
    }
  }
}

} // namespace
