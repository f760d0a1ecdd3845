// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelFixture.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <vector>

using namespace blockmaestro;

namespace {

class EmulatorCostTest : public KernelFixture {};

/// Every compilation leaves a file in the cache. One by a worker could last
/// longer than LLVM's static variables when the program ends.
TEST_F(EmulatorCostTest, WhatIsPreparedIsNotCompiledByAWorker) {
  namespace fs = std::filesystem;
  std::string Folder = testing::TempDir() + "bm-prepared-XXXXXX";
  ASSERT_NE(mkdtemp(Folder.data()), nullptr);
  setenv("BLOCKMAESTRO_CACHE", Folder.c_str(), 1);
  Device.reset(blockmaestroMakeEmulator());
  ASSERT_TRUE(Device->addModules({&Module}).ok());
  auto Compiled = [&] {
    return std::distance(fs::directory_iterator(Folder), {});
  };
  std::vector<int> Out(96, 1);
  Launch L = launch("countedLoop", {1}, {64}, Out.data(), 5);
  BlockCost Cost;
  for (bool Counted : {false, true}) {
    Device->countCosts(Counted);
    ASSERT_TRUE(Device->prepare(L).ok());
    const auto Before = Compiled();
    EXPECT_EQ(Before, Counted ? 2 : 1);
    ASSERT_TRUE(Device->run(L, 0, 0, Counted ? &Cost : nullptr).ok());
    EXPECT_EQ(Compiled(), Before);
  }
  fs::remove_all(Folder);
}

TEST_F(EmulatorCostTest, AWarpPaysForABranchAnyLaneTakes) {
  alignas(32) int Out[96];
  std::fill(std::begin(Out), std::end(Out), 1);
  BlockCost Cost;
  Launch L = launch("divergent", {1}, {96}, &Out[0]);
  ASSERT_TRUE(Device->run(L, 0, 0, &Cost).ok());
  EXPECT_EQ(Out[39], 3);
  EXPECT_EQ(Out[40], 1);
  EXPECT_EQ(Cost.GlobalReads, 2u);
  EXPECT_EQ(Cost.GlobalWrites, 2u);
  EXPECT_EQ(Cost.sharedAccesses(), 0u);
  EXPECT_EQ(Cost.Barriers, 0u);
  // Three warps: the compare; two of them: address and product.
  EXPECT_EQ(Cost.Integer, 3u + 2 * 2);
  EXPECT_EQ(Cost.Products, 2u * 2);
  EXPECT_EQ(Cost.arithmetic(), Cost.Integer);
  EXPECT_EQ(Cost.Branches, 3u) << "returns; what is small has a predicate";
  EXPECT_EQ(Cost.Other, 3u) << "threadIdx.x";
  // Lanes 0 to 31 and 0 to 7.
  EXPECT_EQ(Cost.GlobalReadSectors, 4u + 1);
  EXPECT_EQ(Cost.GlobalWriteSectors, 4u + 1);
}

TEST_F(EmulatorCostTest, ALoopCostsItsLongestLane) {
  std::vector<int> Out(96, 1);
  BlockCost Cost;
  Launch L = launch("countedLoop", {1}, {64}, Out.data(), 5);
  ASSERT_TRUE(Device->run(L, 0, 0, &Cost).ok());
  EXPECT_EQ(Out[3], 8);
  EXPECT_GE(Cost.GlobalReads, (5u + 31) + (5u + 63));
  EXPECT_EQ(Cost.GlobalWrites, 2u);
  EXPECT_EQ(Cost.Barriers, 2u);
}

/// Lanes that come in turn, from barrier to barrier, do not come together.
TEST_F(EmulatorCostTest, LanesThatABarrierKeepsApartAreCountedOneByOne) {
  std::vector<float> Cells(64 * 63, 1);
  BlockCost InTurn, Together;
  Launch L = launch("diagonals", {1}, {64}, Cells.data(), 32, 63, 1);
  ASSERT_TRUE(Device->run(L, 0, 0, &InTurn).ok());
  Launch M = launch("diagonals", {1}, {64}, Cells.data(), 63, 63, 0);
  ASSERT_TRUE(Device->run(M, 0, 0, &Together).ok());
  EXPECT_EQ(Together.GlobalWrites, 2u * 63);
  EXPECT_EQ(InTurn.GlobalWrites, 2u * 63);
  EXPECT_GE(Together.Special, 2u * 63);
  EXPECT_EQ(InTurn.Special, Together.Special);
  EXPECT_EQ(InTurn.Barriers, Together.Barriers);
  EXPECT_EQ(InTurn.ChainReads, Together.ChainReads);
  Launch Few = launch("diagonals", {1}, {64}, Cells.data(), 2, 63, 1);
  ASSERT_TRUE(Device->run(Few, 0, 0, &InTurn).ok());
  EXPECT_EQ(InTurn.GlobalWrites, 2u * 33);
  EXPECT_EQ(InTurn.Special * 63, Together.Special * 33);
}

/// Of what each instruction needs, the slowest warp.
TEST_F(EmulatorCostTest, ChainsAreThoseOfTheSlowestWarp) {
  alignas(32) int Out[96] = {};
  BlockCost Cost;
  Launch L = launch("divergent", {1}, {96}, &Out[0]);
  ASSERT_TRUE(Device->run(L, 0, 0, &Cost).ok());
  EXPECT_EQ(Cost.ChainReads, 1u);
  EXPECT_EQ(Cost.ChainArithmetic, 1u) << "compare, and behind it by predicate";
  EXPECT_EQ(Cost.ChainSingle, 2u) << "address; product";
  EXPECT_EQ(Cost.ChainShared + Cost.ChainBarriers + Cost.ChainAtomics, 0u);
  EXPECT_EQ(Cost.FirstReads, 2u);
  EXPECT_EQ(Cost.FirstReadSectors, 5u);
  EXPECT_EQ(Cost.NewSectors, 5u) << "read and written";
  BlockCost Again;
  ASSERT_TRUE(Device->run(L, 0, 0, &Again).ok());
  EXPECT_EQ(Again.NewSectors, 0u);
  EXPECT_EQ(Again.Within16, 5u);
}

/// Iterations that are unrolled are in flight together: of those only the sum
/// is a chain.
TEST_F(EmulatorCostTest, ReadsOfUnrolledIterationsOverlap) {
  std::vector<int> Out(96, 1);
  BlockCost Cost;
  Launch L = launch("countedLoop", {1}, {32}, Out.data(), 9);
  ASSERT_TRUE(Device->run(L, 0, 0, &Cost).ok());
  EXPECT_GE(Cost.GlobalReads, 40u);
  EXPECT_LT(3 * Cost.ChainReads, Cost.GlobalReads);
  EXPECT_EQ(Cost.ChainBarriers, 1u);
}

TEST_F(EmulatorCostTest, SharedMemoryIsAClassOfItsOwn) {
  std::vector<float> In(64, 2), Out(64);
  BlockCost Cost;
  Launch L = launch("transpose", {1, 1}, {8, 8}, In.data(), Out.data(), 8, 8);
  ASSERT_TRUE(Device->run(L, 0, 0, &Cost).ok());
  EXPECT_EQ(Cost.SharedReads, 2u);
  EXPECT_EQ(Cost.SharedWrites, 2u);
  EXPECT_EQ(Cost.GlobalReads, 2u);
  EXPECT_EQ(Cost.GlobalWrites, 2u);
  EXPECT_EQ(Cost.Barriers, 2u);
}

TEST_F(EmulatorCostTest, CountingDoesNotChangeResultsOrRepeat) {
  std::vector<int> In(64, 1), Out(1);
  Launch L = launch("reduce", {1}, {64}, In.data(), Out.data());
  L.DynamicSharedBytes = 64 * sizeof(int);
  BlockCost First, Second;
  ASSERT_TRUE(Device->run(L, 0, 0, &First).ok());
  EXPECT_EQ(Out[0], 64);
  ASSERT_TRUE(Device->run(L, 0, 0, nullptr).ok());
  ASSERT_TRUE(Device->run(L, 0, 1, &Second).ok());
  EXPECT_EQ(First.instructions(), Second.instructions());
  EXPECT_EQ(First.Barriers, 6u * 2);
}

} // namespace
