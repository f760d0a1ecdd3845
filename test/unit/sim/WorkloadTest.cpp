// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What a recording becomes before it is simulated: durations, expanded
// relations, refusals.

#include "Handmade.h"

#include <gtest/gtest.h>

#include <numeric>

using namespace blockmaestro;
using namespace blockmaestro::sim;

namespace {

RecordedLaunch plainLaunch(Dim3 Grid, Dim3 Block) {
  RecordedLaunch L;
  L.Kernel = "k";
  L.Grid = Grid;
  L.Block = Block;
  return L;
}

std::vector<uint32_t> childrenOf(const Expansion &E, uint32_t Parent) {
  const auto Children = E.childrenOf(Parent);
  return {Children.begin(), Children.end()};
}

TEST(Durations, LatencyOfOneWarpBoundsALonelyBlock) {
  Machine M;
  M.ClockMHz = 1000; // A cycle is a nanosecond.
  // 2 warps; per warp 10 arithmetic, 4 loads, 2 stores, 3 shared, 1 barrier, 5
  // others: 60 + 4*400/4 + 12 + 72 + 20 + 30 = 594.
  BlockCost Cost{.Integer = 20,
                 .Barriers = 2,
                 .Other = 10,
                 .GlobalReads = 8,
                 .GlobalWrites = 4,
                 .SharedReads = 6};
  EXPECT_EQ(aloneNs(Cost, plainLaunch({1, 1, 1}, {64, 1, 1}), M), 594u);
}

TEST(Durations, IssueIsSharedByTheBlocksOfAnSm) {
  Machine M;
  M.ClockMHz = 1000;
  BlockCost Cost{.Integer = 64000};
  // 64 warps: 1000 instructions each, 6 cycles apart; two blocks on an SM
  // share 4 a cycle: 64000 * 2 / 4.
  RecordedLaunch L = plainLaunch({1000, 1, 1}, {1024, 1, 1});
  EXPECT_EQ(aloneNs(Cost, L, M), 32000u);
  L.Grid = {28, 1, 1}; // One for each SM.
  EXPECT_EQ(aloneNs(Cost, L, M), 16000u);
}

TEST(Durations, MemoryIsSharedByAllBlocksTogether) {
  Machine M;
  M.ClockMHz = 1000;
  M.MemoryBytesPerCycle = 256;
  BlockCost Cost{.GlobalReads = 600,
                 .GlobalWrites = 400,
                 .GlobalReadSectors = 2400,
                 .GlobalWriteSectors = 1600};
  // 1000 accesses of 128 bytes, 56 blocks at a time.
  RecordedLaunch L = plainLaunch({1000, 1, 1}, {1024, 1, 1});
  EXPECT_EQ(aloneNs(Cost, L, M), 28000u);
}

/// A machine whose chains are easy to add up: 1 cycle is 1 ns.
Machine chainMachine() {
  Machine M;
  M.ClockMHz = 1000;
  M.LoadsInFlight = 0;
  M.Cycles = {.Arithmetic = 5,
              .GlobalRead = 700,
              .Shared = 30,
              .Barrier = 13,
              .Other = 5,
              .Double = 8,
              .Special = 50,
              .Conversion = 12,
              .Exchange = 24,
              .Atomic = 300,
              .L1 = 40,
              .L2 = 300,
              .BarrierWarp = 2};
  return M;
}

TEST(Chains, OfTheSlowestWarpAreTheLatency) {
  Machine M = chainMachine();
  M.L2Bytes = 1 << 20;
  const RecordedLaunch L = plainLaunch({1, 1, 1}, {64, 1, 1});
  BlockCost Cost{.ChainInstructions = 40,
                 .ChainArithmetic = 10,
                 .ChainDouble = 1,
                 .ChainSpecial = 1,
                 .ChainConversions = 1,
                 .ChainExchanges = 1,
                 .ChainBarriers = 2,
                 .ChainShared = 3,
                 .ChainReads = 2,
                 .ChainOther = 4};
  // 50 + 8 + 50 + 12 + 24 + 2 * (13 + 2 warps * 2) + 90 + 600 + 20.
  EXPECT_DOUBLE_EQ(needsOf(Cost, L, M).Latency, 888);
  Cost.ChainInstructions = 900;
  EXPECT_DOUBLE_EQ(needsOf(Cost, L, M).Latency, 900) << "one a cycle";
  EXPECT_TRUE(needsOf(Cost, L, M).SharesLast);
  M.LoadsInFlight = 4;
  EXPECT_FALSE(needsOf(Cost, L, M).SharesLast) << "by counts";
}

/// Two blocks of 1,024 threads fit an SM.
TEST(Chains, TheBlocksThatSmsStartWithWaitForArguments) {
  Machine M = chainMachine();
  M.Sms = 4;
  M.Cycles.Arguments = 240;
  const BlockCost Cost{.ChainInstructions = 10, .ChainArithmetic = 2};
  const auto LatencyOf = [&](uint32_t Blocks) {
    return needsOf(Cost, plainLaunch({Blocks, 1, 1}, {1024, 1, 1}), M).Latency;
  };
  EXPECT_DOUBLE_EQ(LatencyOf(1), 10 + 240);
  EXPECT_DOUBLE_EQ(LatencyOf(8), 10 + 240);
  EXPECT_DOUBLE_EQ(LatencyOf(32), 10 + 60) << "a quarter of them";
}

TEST(Chains, ReadsAreAsFarAwayAsReuseSays) {
  Machine M = chainMachine();
  M.L1BytesPerSm = 10240;
  M.L2Bytes = 24 << 20;
  RecordedLaunch L = plainLaunch({1, 1, 1}, {32, 1, 1});
  BlockCost Cost{.GlobalReads = 10,
                 .GlobalReadSectors = 40,
                 .FirstReadSectors = 20,
                 .FirstReads = 5,
                 .Within16 = 20,
                 .ChainInstructions = 1,
                 .ChainReads = 10};
  EXPECT_DOUBLE_EQ(needsOf(Cost, L, M).Latency, 5 * 40 + 5 * 300)
      << "L1 has what was read before";
  L.SharedBytes = 10240 - 320;
  EXPECT_DOUBLE_EQ(needsOf(Cost, L, M).Latency, 2.5 * 40 + 7.5 * 300)
      << "half of what is read finds room beside shared memory";
  L.SharedBytes = 0;
  std::swap(Cost.Within16, Cost.Within32);
  EXPECT_DOUBLE_EQ(needsOf(Cost, L, M).Latency, 5 * 40 + 5 * 500)
      << "from 16 to 32 MiB ago: L2 has those of the last 24";
  EXPECT_DOUBLE_EQ(needsOf(Cost, L, M, /*ProgramBytes=*/24 << 20).Latency,
                   5 * 40 + 5 * 300);
}

/// L2 is two halves of 24 MiB, of which one is near.
TEST(Chains, TheOtherHalfOfL2IsFurtherAway) {
  Machine M = chainMachine();
  M.L2Bytes = 48 << 20;
  M.L2NearBytes = 24 << 20;
  M.Cycles.PastL2Near = 500;
  const RecordedLaunch L = plainLaunch({1, 1, 1}, {32, 1, 1});
  BlockCost Cost{.FirstReadSectors = 20,
                 .Within16 = 20,
                 .ChainInstructions = 1,
                 .ChainReads = 10};
  EXPECT_DOUBLE_EQ(needsOf(Cost, L, M).Latency, 10 * 300);
  std::swap(Cost.Within16, Cost.Within32);
  EXPECT_DOUBLE_EQ(needsOf(Cost, L, M).Latency, 5 * 300 + 5 * 500);
  std::swap(Cost.Within32, Cost.Within64);
  EXPECT_DOUBLE_EQ(needsOf(Cost, L, M).Latency, 5 * 500 + 5 * 700)
      << "half of it is in memory only";
  EXPECT_DOUBLE_EQ(needsOf(Cost, L, M, 40 << 20).Latency, 10 * 500);
  EXPECT_DOUBLE_EQ(needsOf(Cost, L, M, 20 << 20).Latency, 10 * 300)
      << "the near half has all that the program touches";
}

/// Two reads at each link of the chain, of which every other one is near, or in
/// L1.
TEST(Chains, ReadsThatAreIssuedTogetherWaitForTheLastOfThem) {
  Machine M = chainMachine();
  M.L1BytesPerSm = 10240;
  M.L2Bytes = 48 << 20;
  M.L2NearBytes = 16 << 20;
  M.Cycles.PastL2Near = 500;
  const RecordedLaunch L = plainLaunch({1, 1, 1}, {32, 1, 1});
  BlockCost Cost{.GlobalReads = 20,
                 .GlobalReadSectors = 40,
                 .FirstReadSectors = 20,
                 .FirstReads = 10,
                 .Within16 = 20,
                 .ChainInstructions = 1,
                 .ChainReads = 10};
  EXPECT_DOUBLE_EQ(needsOf(Cost, L, M).Latency, 2.5 * 40 + 7.5 * 300)
      << "a quarter of the pairs is in L1";
  Cost.GlobalReads = Cost.FirstReads = 20;
  Cost.GlobalReadSectors = Cost.FirstReadSectors = 20;
  Cost.Within16 = Cost.Within32 = 10;
  EXPECT_DOUBLE_EQ(needsOf(Cost, L, M).Latency, 2.5 * 300 + 7.5 * 500)
      << "a quarter is near";
  Cost.Within64 = std::exchange(Cost.Within16, 0);
  EXPECT_DOUBLE_EQ(needsOf(Cost, L, M).Latency, 5.625 * 500 + 4.375 * 700)
      << "a quarter of the last 32 MiB is in memory only";
  const RecordedLaunch Wide = plainLaunch({1, 1, 1}, {64, 1, 1});
  EXPECT_DOUBLE_EQ(needsOf(Cost, Wide, M).Latency, 7.5 * 500 + 2.5 * 700)
      << "of two warps each has its own";
}

/// Which sectors are new is not said of reads and of writes apart.
TEST(Chains, WhatIsWrittenIsNewBeforeWhatIsRead) {
  Machine M = chainMachine();
  M.L2Bytes = 24 << 20;
  const RecordedLaunch L = plainLaunch({1, 1, 1}, {32, 1, 1});
  BlockCost Cost{.GlobalReads = 10,
                 .FirstReadSectors = 20,
                 .FirstReads = 10,
                 .Within16 = 20,
                 .NewSectors = 20,
                 .ChainInstructions = 1,
                 .ChainReads = 10};
  EXPECT_DOUBLE_EQ(needsOf(Cost, L, M).Latency, 10 * 300) << "20 are written";
  Cost.FirstReadSectors = 40;
  EXPECT_DOUBLE_EQ(needsOf(Cost, L, M).Latency, 5 * 300 + 5 * 700)
      << "all are read";
}

TEST(Chains, OfFloatsApproximationsAndBranchesAreThoseOfTheWarpTier) {
  Machine M = chainMachine();
  const RecordedLaunch L = plainLaunch({1, 1, 1}, {32, 1, 1});
  const BlockCost Cost{.ChainInstructions = 1,
                       .ChainSingle = 10,
                       .ChainApproximations = 2,
                       .ChainBranches = 3};
  M.Warps.CyclesBranch = 13;
  EXPECT_DOUBLE_EQ(needsOf(Cost, L, M).Latency, 10 * 5 + 2 * 50 + 3 * 13)
      << "as arithmetic and functions";
  M.Warps.CyclesSingle = 4;
  M.Warps.CyclesApproximation = 19;
  EXPECT_DOUBLE_EQ(needsOf(Cost, L, M).Latency, 10 * 4 + 2 * 19 + 3 * 13);
}

TEST(Chains, AnSmAndMemoryMoveWhatCachesDoNotGive) {
  Machine M = chainMachine();
  M.L1BytesPerSm = 1 << 20;
  M.L2Bytes = 1 << 20;
  M.L1BytesPerCycle = 128;
  M.SmBytesPerCycle = 64;
  M.L2BytesPerCycle = 256;
  M.MemoryBytesPerCycle = 128;
  const RecordedLaunch L = plainLaunch({1, 1, 1}, {32, 1, 1});
  BlockCost Cost{.GlobalReadSectors = 80,
                 .FirstReadSectors = 40,
                 .NewSectors = 40,
                 .ChainInstructions = 1};
  EXPECT_DOUBLE_EQ(needsOf(Cost, L, M).Issue, 20) << "as L1 and L2 give them";
  EXPECT_DOUBLE_EQ(needsOf(Cost, L, M).Memory, 10);
  EXPECT_DOUBLE_EQ(needsOf(Cost, L, M, 1 << 20).Memory, 5)
      << "as L2 gives them";
  Cost.SharedWavefronts = 100;
  EXPECT_DOUBLE_EQ(needsOf(Cost, L, M).Issue, 120) << "L1 and shared are one";
  M.DoublesPerCycle = 2;
  Cost.Double = 300;
  EXPECT_DOUBLE_EQ(needsOf(Cost, L, M).Issue, 150);
  M.SpecialCycles = 6;
  Cost.Special = 40;
  Cost.Conversions = 20;
  EXPECT_DOUBLE_EQ(needsOf(Cost, L, M).Issue, 150) << "half are conversions";
  Cost.Conversions = 0;
  EXPECT_DOUBLE_EQ(needsOf(Cost, L, M).Issue, 240);
}

TEST(Chains, PipelinesOfTheWarpTierAreSharedToo) {
  Machine M = chainMachine();
  const RecordedLaunch L = plainLaunch({1, 1, 1}, {32, 1, 1});
  BlockCost Cost{.Integer = 100, .Special = 70, .ChainInstructions = 1};
  Cost.Products = 100;
  Cost.Conversions = 40;
  Cost.Approximations = 30;
  EXPECT_DOUBLE_EQ(needsOf(Cost, L, M).Issue, 170 / 4.0)
      << "the machine says nothing of them";
  M.Warps.Schedulers = 4;
  M.Warps.Product = {4, 2};
  M.Warps.Special = {4, 8};
  M.Warps.Conversion = {4, 4};
  EXPECT_DOUBLE_EQ(needsOf(Cost, L, M).Issue, 60) << "approximations";
  M.Warps.Special = {4, 4};
  EXPECT_DOUBLE_EQ(needsOf(Cost, L, M).Issue, 50) << "products";
  Cost.Conversions = 55;
  Cost.Special = 85;
  EXPECT_DOUBLE_EQ(needsOf(Cost, L, M).Issue, 55);
  M.Warps.Conversion.Count = 0;
  EXPECT_DOUBLE_EQ(needsOf(Cost, L, M).Issue, 85) << "those of approximations";
}

TEST(Chains, WaitFirstAndShareThen) {
  const Machine M = chainMachine();
  const RecordedLaunch L = plainLaunch({56, 1, 1}, {1024, 1, 1});
  const BlockCost Cost{.Integer = 400, .ChainInstructions = 1000};
  EXPECT_EQ(aloneNs(Cost, L, M), 1000u + 2 * 100);
}

TEST(Durations, NeverZero) {
  EXPECT_EQ(aloneNs({}, plainLaunch({1, 1, 1}, {1, 1, 1}), Machine()), 1u);
}

TEST(Durations, OccupancyIsTheTightestLimit) {
  Machine M;
  RecordedLaunch L = plainLaunch({1, 1, 1}, {32, 1, 1});
  EXPECT_EQ(blocksPerSm(L, M), 32u);
  L.Block = {16, 16, 2};
  EXPECT_EQ(blocksPerSm(L, M), 4u);
  L.SharedBytes = 33000;
  EXPECT_EQ(blocksPerSm(L, M), 2u);
  L.SharedBytes = 98305;
  EXPECT_EQ(blocksPerSm(L, M), 0u);
}

std::vector<uint64_t> numbersOf(const PerBlock<uint64_t> &Of, size_t Blocks) {
  std::vector<uint64_t> Out;
  for (size_t Block = 0; Block < Blocks; ++Block)
    Out.push_back(Of[Block]);
  return Out;
}

TEST(Durations, SpreadMakesBlocksDifferButNotTheirSum) {
  Recording R;
  addLaunch(R, std::vector<uint64_t>(10000, 1000));
  addLaunch(R, {1000, 0});
  Machine M;
  M.BlockSpreadPercent = 50;
  const auto Out = blockDurations(R, M, {DurationSource::Events, 0});
  const std::vector<uint64_t> Ns = numbersOf(Out[0].Ns, 10000);
  const auto [Least, Most] = std::minmax_element(Ns.begin(), Ns.end());
  EXPECT_GE(*Least, 500u);
  EXPECT_LT(*Least, 510u);
  EXPECT_LE(*Most, 1500u);
  EXPECT_GT(*Most, 1490u);
  const uint64_t Sum = std::accumulate(Ns.begin(), Ns.end(), uint64_t(0));
  EXPECT_NEAR(double(Sum), 1e7, 1e5);
  EXPECT_NE(Out[1].Ns[0], Ns[0]) << "of another launch";
  const auto Again = blockDurations(R, M, {DurationSource::Events, 0});
  EXPECT_EQ(Ns, numbersOf(Again[0].Ns, 10000));
}

TEST(Durations, AreThereOnceWhereTheyAreTheSame) {
  const PerBlock<uint64_t> Same({7, 7, 7}), Different({7, 7, 8});
  for (size_t Block = 0; Block < 3; ++Block)
    EXPECT_EQ(Same[Block], 7u);
  EXPECT_EQ(Different[0], 7u);
  EXPECT_EQ(Different[2], 8u);
  EXPECT_TRUE(Different.contains(8));
  EXPECT_FALSE(Same.contains(8));
}

TEST(Durations, SpreadChangesAllThatABlockNeedsByOneFactor) {
  Recording R;
  R.Launches.push_back(plainLaunch({1, 1, 1}, {1024, 1, 1}));
  R.Costs.add({0, 0, {.Integer = 64000, .GlobalReadSectors = 80000}});
  Machine M;
  const auto Even = blockDurations(R, M, {});
  M.BlockSpreadPercent = 30;
  const auto Uneven = blockDurations(R, M, {});
  const double Factor = Uneven[0].IssueNs[0] / Even[0].IssueNs[0];
  EXPECT_NE(Factor, 1);
  EXPECT_NEAR(Uneven[0].MemoryNs[0] / Even[0].MemoryNs[0], Factor, 1e-5);
  EXPECT_NEAR(double(Uneven[0].Ns[0]), double(Even[0].Ns[0]) * Factor, 1);
}

/// Whole allocations for each warp, as the CUDA occupancy calculator has it.
TEST(Durations, RegistersAreTakenByWarps) {
  Machine M;
  RecordedLaunch L = plainLaunch({1, 1, 1}, {256, 1, 1});
  EXPECT_EQ(registersPerBlock(L, M), 0u);
  L.Registers = 33; // 1,056 of a warp, in allocations of 256: 1,280.
  EXPECT_EQ(registersPerBlock(L, M), 8 * 1280u);
  EXPECT_EQ(blocksPerSm(L, M), 6u);
  L.Block = {33, 1, 1}; // Two warps.
  EXPECT_EQ(registersPerBlock(L, M), 2 * 1280u);
  EXPECT_EQ(blocksPerSm(L, M), 25u);
  M.RegisterGranularity = 64;
  EXPECT_EQ(registersPerBlock(L, M), 2 * 1088u);
}

/// What its blocks took is recorded of that form.
TEST(Durations, RegistersAreThoseOfTheFormThatRan) {
  Machine M;
  RecordedLaunch L = plainLaunch({1, 1, 1}, {256, 1, 1});
  L.Registers = 32;
  EXPECT_EQ(blocksPerSm(L, M), 8u);
  L.RegistersAsRun = 40;
  EXPECT_EQ(blocksPerSm(L, M), 6u);
  L.Registers = 0;
  EXPECT_EQ(blocksPerSm(L, M), 6u);
  M.RegistersLeast = 64;
  EXPECT_EQ(blocksPerSm(L, M), 4u);
}

/// A compiler for the machine would have made do with what there is.
TEST(Durations, ABlockTakesAtMostAllRegisters) {
  Machine M;
  M.RegistersPerSm = 32768;
  RecordedLaunch L = plainLaunch({1, 1, 1}, {1024, 1, 1});
  L.Registers = 40;
  EXPECT_EQ(registersPerBlock(L, M), 32768u);
  EXPECT_EQ(blocksPerSm(L, M), 1u);
}

TEST(Workload, CountsTheLaunchesWhoseRegistersAreNotKnown) {
  Recording R = pairOfLaunches();
  addCopy(R, "cudaMemcpyAsync", 0, 8);
  EXPECT_EQ(workloadOf(R, tinyMachine()).WithoutRegisters, 2u);
  R.Launches[1].Registers = 16;
  EXPECT_EQ(workloadOf(R, tinyMachine()).WithoutRegisters, 1u);
  R.Launches[0].RegistersAsRun = 16;
  EXPECT_EQ(workloadOf(R, tinyMachine()).WithoutRegisters, 0u);
}

TEST(Expansion, OverlappingPiecesGiveAnEdgeOnce) {
  Recording R;
  addLaunch(R, {1, 1, 1, 1});
  addLaunch(R, {1, 1, 1, 1});
  addDelta(R, 0, 1, -1, 0);
  R.Relations[0].Pieces.push_back(R.Relations[0].Pieces[0]);
  R.Relations[0].Pieces[1].Rows[0].Low = 0;
  R.Relations[0].Pieces[1].Rows[0].High = 1;
  Expansion E = expand(R.Relations[0], {4, 1, 1}, 63);
  EXPECT_EQ(E.Parents, (std::vector<uint16_t>{2, 3, 3, 2}));
  EXPECT_EQ(E.MostParents, 3u);
  EXPECT_EQ(childrenOf(E, 0), (std::vector<uint32_t>{0, 1}));
  EXPECT_EQ(childrenOf(E, 2), (std::vector<uint32_t>{1, 2, 3}));
}

TEST(Expansion, PiecesTogetherMayHaveTooManyParents) {
  Recording R;
  addLaunch(R, {1, 1, 1, 1});
  addLaunch(R, {1, 1, 1, 1});
  addDelta(R, 0, 1, -1, 0);
  R.Relations[0].Pieces.push_back(R.Relations[0].Pieces[0]);
  R.Relations[0].Pieces[1].Rows[0].Low = 1;
  R.Relations[0].Pieces[1].Rows[0].High = 1;
  EXPECT_FALSE(expand(R.Relations[0], {4, 1, 1}, 3).KernelLevel);
  EXPECT_TRUE(expand(R.Relations[0], {4, 1, 1}, 2).KernelLevel);
}

TEST(Expansion, TransposedGrid) {
  Recording R;
  addLaunch(R, {1});
  R.Launches[0].Grid = {3, 2, 1};
  RecordedRelation &T = addRelation(R, 0, 0);
  EncodedPiece P{};
  P.ConsumerHigh[0] = P.ProducerHigh[1] = 1;
  P.ConsumerHigh[1] = P.ProducerHigh[0] = 2;
  P.Rows[0] = {{0, 1, 0}, 1, 0, 0};
  P.Rows[1] = {{1, 0, 0}, 1, 0, 0};
  P.Rows[2] = {{0, 0, 0}, 1, 0, 0};
  T.Pieces.push_back(P);
  Expansion E = expand(T, {2, 3, 1}, 63);
  ASSERT_EQ(E.Children.size(), 6u);
  // Producer (2, 1), number 5, feeds consumer (1, 2), number 5; (1, 0) feeds
  // (0, 1), number 2.
  EXPECT_EQ(childrenOf(E, 5), std::vector<uint32_t>{5});
  EXPECT_EQ(childrenOf(E, 1), std::vector<uint32_t>{2});
}

TEST(Workload, RepeatedRelationsAreExpandedOnce) {
  Recording R;
  for (int I = 0; I < 10; ++I)
    addLaunch(R, {1, 1, 1});
  for (int I = 1; I < 10; ++I)
    addDelta(R, I - 1, I, I == 5 ? -1 : 0, 0);
  Workload W = workloadOf(R, Machine());
  EXPECT_EQ(W.Relations.size(), 9u);
  EXPECT_EQ(W.Expansions.size(), 2u);
}

TEST(Workload, RefusesWhatDoesNotFit) {
  Recording R;
  addLaunch(R, {1});
  R.Launches[0].SharedBytes = 100000;
  Machine M;
  M.Name = "titanx-pascal";
  EXPECT_EQ(makeWorkload(R, M, {DurationSource::Events, 0}).status().message(),
            "launch 0 (k0): a block of 32 threads and 100000 shared bytes does "
            "not fit an SM of titanx-pascal");
  R.Launches[0].SharedBytes = 0;
  R.Launches[0].Grid = {1u << 30, 1, 1};
  EXPECT_EQ(makeWorkload(R, M, {DurationSource::Uniform, 5}).status().message(),
            "launch 0 (k0): has more than 67108864 blocks, too many to "
            "simulate");
}

TEST(Workload, RefusesMissingCosts) {
  Recording R;
  addLaunch(R, {1, 1});
  EXPECT_EQ(makeWorkload(R, Machine(), {}).status().message(),
            "launch 0 (k0): not every block has a recorded cost; durations "
            "can come from events or be uniform");
  auto Events = R.Events.all();
  Events.pop_back();
  R.Events = Events;
  EXPECT_EQ(makeWorkload(R, Machine(), {DurationSource::Events, 0})
                .status()
                .message(),
            "launch 0 (k0): not every block has a recorded event");
}

TEST(Workload, ACutOffRecordingEndsBeforeItsFirstIncompleteLaunch) {
  Recording R;
  for (int I = 0; I < 3; ++I)
    addLaunch(R, {7, 7});
  addDelta(R, 0, 1, 0, 0);
  addDelta(R, 1, 2, 0, 0);
  auto Events = R.Events.all();
  Events.erase(Events.begin() + 2);
  R.Events = Events;
  R.Truncated = true;
  Result<Workload> W = makeWorkload(R, Machine(), {DurationSource::Events, 0});
  ASSERT_TRUE(W.ok());
  EXPECT_EQ(W->Launches.size(), 1u);
  EXPECT_EQ(W->LaunchesLeftOut, 2u);
  EXPECT_EQ(W->Relations.size(), 0u);
}

} // namespace
