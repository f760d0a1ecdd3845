// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// One SM with one scheduler, whose cycles can be counted by hand.

#include "WarpModel.h"

#include <gtest/gtest.h>

using namespace blockmaestro;
using namespace blockmaestro::sim;

namespace {

Machine oneScheduler() {
  Machine M;
  M.Sms = 1;
  M.ClockMHz = 1000;
  M.BlockIssueNs = 0;
  M.Cycles.Arithmetic = 5;
  M.Cycles.Shared = 20;
  M.Cycles.Barrier = 20;
  M.Warps.Schedulers = 1;
  M.Warps.CyclesBranch = 3;
  M.Cycles.L1 = 30;
  M.Cycles.L2 = 100;
  return M;
}

/// A launch of one block, whose warps all execute these instructions.
Recording straight(std::vector<WarpInstruction> What, uint32_t Warps,
                   WarpRoute Route = {}) {
  auto Code = std::make_shared<WarpCode>();
  Code->Registers = 8;
  Code->Steps.push_back({{}, std::move(What)});
  Route.Visits = {{0, ~0u}};
  auto Path = std::make_shared<WarpPath>();
  Path->Route = std::make_shared<WarpRoute>(Route);
  Recording Out;
  Out.WarpsOneIn = 1;
  RecordedLaunch Launch;
  Launch.Kernel = "straight";
  Launch.Block = {32 * Warps, 1, 1};
  Out.Launches.push_back(Launch);
  BlockTrace Trace;
  Trace.Code = Code;
  Trace.Warps.assign(Warps, Path);
  Out.Traces.push_back(Trace);
  return Out;
}

const WarpInstruction Free = {WarpClass::Integer, NoRegister, {}};
const WarpInstruction Chained = {WarpClass::Integer, 0, {0}};
const WarpInstruction Meeting = {WarpClass::Barrier, NoRegister, {}};

std::vector<uint64_t> endsOf(const Recording &Of, const Machine &On,
                             WarpPolicy By) {
  std::vector<WarpEnd> Ends;
  EXPECT_TRUE(simulateWarps(Of, On, By, &Ends).ok());
  std::vector<uint64_t> Out(Ends.size());
  for (const WarpEnd &Each : Ends)
    Out[Each.Warp] = Each.Ended;
  return Out;
}

WarpCounts countsOf(const Recording &Of, const Machine &On) {
  return simulateWarps(Of, On, WarpPolicy::GreedyThenOldest)->All;
}

using Times = std::vector<uint64_t>;

TEST(WarpModel, GreedyStaysWithTheWarpThatIssuedLast) {
  const Recording Of = straight({Free, Free, Free}, 2);
  EXPECT_EQ(endsOf(Of, oneScheduler(), WarpPolicy::GreedyThenOldest),
            (Times{3, 6}));
}

TEST(WarpModel, RoundRobinTakesTheNextOne) {
  const Recording Of = straight({Free, Free, Free}, 2);
  EXPECT_EQ(endsOf(Of, oneScheduler(), WarpPolicy::LooseRoundRobin),
            (Times{5, 6}));
}

TEST(WarpModel, AResultIsWaitedFor) {
  const WarpCounts C =
      countsOf(straight({Chained, Chained}, 1), oneScheduler());
  EXPECT_EQ(C.Cycles, 10u);
  EXPECT_EQ(C.IssueCycles, 2u);
  EXPECT_EQ(C.Stalls[size_t(Stall::Dependence)], 8u);
}

TEST(WarpModel, APipelineThatIsTakenIsAStructuralStall) {
  Machine On = oneScheduler();
  On.Warps.Integer.Interval = 4;
  const WarpCounts C = countsOf(straight({Free, Free}, 1), On);
  EXPECT_EQ(C.Cycles, 5u);
  EXPECT_EQ(C.Stalls[size_t(Stall::Structural)], 3u);
}

TEST(WarpModel, OtherPipelinesAreFree) {
  Machine On = oneScheduler();
  On.Warps.Integer.Interval = 4;
  const WarpInstruction Other = {WarpClass::Single, NoRegister, {}};
  EXPECT_EQ(countsOf(straight({Free, Other}, 1), On).Cycles, 2u);
}

TEST(WarpModel, ASchedulerIssuesToMemoryOnlySoOften) {
  Machine On = oneScheduler();
  On.Warps.MemoryIssueInterval = 4;
  const WarpInstruction Exchange = {WarpClass::Exchange, NoRegister, {}};
  const WarpCounts C = countsOf(straight({Exchange, Exchange}, 1), On);
  EXPECT_EQ(C.Cycles, 5u);
  EXPECT_EQ(C.Stalls[size_t(Stall::Structural)], 3u);
}

TEST(WarpModel, TwoInstructionsOfAWarpAreIssuedAtOnce) {
  Machine On = oneScheduler();
  On.Warps.IssuesPerScheduler = 2;
  const WarpInstruction Other = {WarpClass::Single, NoRegister, {}};
  EXPECT_EQ(countsOf(straight({Free, Other}, 1), On).Cycles, 1u);
}

TEST(WarpModel, ABranchHoldsItsWarp) {
  const WarpInstruction Branch = {WarpClass::Branch, NoRegister, {}};
  EXPECT_EQ(countsOf(straight({Branch, Free}, 1), oneScheduler()).Cycles, 4u);
}

TEST(WarpModel, ABarrierIsLeftTogether) {
  // The second warp comes in cycle 1, and 20 later both go on.
  const WarpCounts C = countsOf(straight({Meeting, Free}, 2), oneScheduler());
  EXPECT_EQ(C.Cycles, 23u);
  EXPECT_EQ(C.Stalls[size_t(Stall::Barrier)], 19u);
}

TEST(WarpModel, ABarrierTakesOneWarpAfterTheOther) {
  Machine On = oneScheduler();
  On.Cycles.BarrierWarp = 5;
  // They come in cycles 0 and 1 and are taken until 10; 20 later both go on.
  EXPECT_EQ(countsOf(straight({Meeting, Free}, 2), On).Cycles, 32u);
  // The second comes in cycle 11, when the first has been taken long ago, and
  // is taken until 16.
  On.Warps.Integer.Interval = 10;
  EXPECT_EQ(countsOf(straight({Free, Meeting}, 2), On).Cycles, 36u);
}

TEST(WarpModel, WavefrontsOfSharedMemoryKeepThePipeline) {
  const WarpInstruction Read = {WarpClass::Read, 0, {}};
  const WarpCounts C =
      countsOf(straight({Read, Chained}, 1, {{}, {{true, 3}}}), oneScheduler());
  // The result is there after 20 cycles and two more wavefronts.
  EXPECT_EQ(C.Cycles, 27u);
}

TEST(WarpModel, WaitingForGlobalMemoryIsAStallOfMemory) {
  const WarpInstruction Read = {WarpClass::Read, 0, {}};
  const Recording Of = straight({Read, Chained}, 1, {{}, {{false, 0}}});
  const WarpCounts C = countsOf(Of, oneScheduler());
  EXPECT_EQ(C.Stalls[size_t(Stall::Memory)], 29u);
}

TEST(WarpModel, BlocksEndBeforeL2HasTakenWhatTheyWrote) {
  const WarpInstruction Write = {WarpClass::Write, NoRegister, {}};
  Recording Of = straight({Write}, 1, {{}, {{false, 1}}});
  auto Path = std::make_shared<WarpPath>(*Of.Traces[0].Warps[0]);
  Path->Sectors = {9};
  Of.Traces[0].Warps = {Path};
  const WarpCounts C = countsOf(Of, oneScheduler());
  EXPECT_EQ(C.Cycles, 50u) << "half of the way to L2 and back";
  EXPECT_EQ(C.BlockCycles, 1u);
}

TEST(WarpModel, ALaunchStartsOnOneSmAfterTheOther) {
  Recording Of = straight({Free}, 1);
  Of.Launches[0].Grid = {2, 1, 1};
  Machine On = oneScheduler();
  On.Sms = 2;
  EXPECT_EQ(countsOf(Of, On).BlockCycles, 1u);
  On.Warps.SmStartNs = 10;
  EXPECT_EQ(countsOf(Of, On).BlockCycles, 6u);
}

TEST(WarpModel, OnlyMovesFromWhereTheLanesCameHappen) {
  Recording Of = straight({Chained}, 1);
  auto Code = std::make_shared<WarpCode>(*Of.Traces[0].Code);
  // The second step waits for r0 if it comes from the first, and not from
  // itself.
  Code->Steps.push_back({{{0, 1, 0}, {1, 1, NoRegister}},
                         {{WarpClass::Integer, NoRegister, {1}}}});
  Of.Traces[0].Code = Code;
  auto Path = std::make_shared<WarpPath>();
  auto Route = std::make_shared<WarpRoute>();
  Route->Visits = {{0, ~0u}, {1, ~0u}, {1, ~0u}};
  Path->Route = Route;
  Of.Traces[0].Warps = {Path};
  EXPECT_EQ(countsOf(Of, oneScheduler()).Cycles, 7u);
}

TEST(WarpModel, BlocksWaitForAPlace) {
  Machine On = oneScheduler();
  On.BlocksPerSm = 1;
  Recording Of = straight({Free}, 1);
  Of.Launches[0].Grid = {3, 1, 1};
  // One cycle each, and one until the next has begun.
  EXPECT_EQ(countsOf(Of, On).Cycles, 5u);
}

TEST(WarpModel, PlacesThatGoPastL1) {
  Machine On = oneScheduler();
  On.Warps.L1Sets = 4;
  const WarpInstruction Read = {WarpClass::Read, 0, {}};
  Recording Of = straight({Read}, 1, {{}, {{false, 1}}});
  auto Path = std::make_shared<WarpPath>(*Of.Traces[0].Warps[0]);
  Path->Sectors = {9};
  Of.Traces[0].Warps = {Path};
  Of.Launches[0].Grid = {2, 1, 1};
  EXPECT_EQ(countsOf(Of, On).L1.UnderWay, 1u);
  On.Warps.L1BypassBlocks = 1;
  EXPECT_EQ(countsOf(Of, On).L1.UnderWay, 0u);
}

TEST(WarpModel, RefusesWhatItCannotSimulate) {
  const auto Why = [](const Recording &Of, const Machine &On) {
    return simulateWarps(Of, On, WarpPolicy::GreedyThenOldest)
        .status()
        .message();
  };
  Recording Of = straight({Free}, 1);
  Machine On = oneScheduler();
  On.ThreadsPerSm = 31;
  EXPECT_EQ(Why(Of, On), "launch 0 (straight): a block of 32 threads and 0 "
                         "shared bytes does not fit an SM");
  Of.Launches[0].Block = {64, 1, 1};
  EXPECT_EQ(Why(Of, oneScheduler()),
            "the trace of block 0 has 1 warps, and launch 0 (straight) has 1 "
            "blocks of 2");
  Of.Launches.push_back(Of.Launches[0]);
  Of.Launches[0].Block = {32, 1, 1};
  Of.Launches[1].Id = 1;
  EXPECT_EQ(Why(Of, oneScheduler()),
            "launch 1 (straight) has no block whose warps were traced");
}

} // namespace
