// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Runs of bytes block by block: what is written out, and that the work ends
// where there is too much of it.

#include "BlockBytes.h"
#include "Builders.h"
#include "Evaluate.h"
#include "Graph.h"

#include <gtest/gtest.h>

#include <limits>

using namespace blockmaestro;
using namespace blockmaestro::test;

/// Blocks of one dimension; block b touches 4 bytes at each of Count steps of
/// Stride from 64 b on.
static LaunchAccesses steps(uint32_t Blocks, int64_t Stride, int64_t Count) {
  BlockAccess A;
  A.Kind = AccessKind::Write;
  A.How = Reach::Coordinates;
  A.Exact = true;
  A.Where = {4096, 1024};
  A.ByteHigh = 3;
  A.BlockHigh[0] = int64_t(Blocks) - 1;
  A.Coordinates = {{Stride, {64 / Stride, 0, 0}, 0, Count}};
  LaunchAccesses All;
  All.Grid = {Blocks, 1, 1};
  All.Accesses = {A};
  return All;
}

/// With the effort of one relation.
static bool runs(const LaunchAccesses &Of, std::vector<ByteRun> &Out) {
  uint64_t Effort = MostEffort;
  return runsOf(Of, Out, Effort);
}

TEST(BlockBytes, StepsOfABlockAreRuns) {
  std::vector<ByteRun> Runs;
  ASSERT_TRUE(runs(steps(2, 8, 2), Runs));
  ASSERT_EQ(Runs.size(), 4u);
  const uint64_t First[] = {4096, 4104, 4160, 4168};
  for (size_t I = 0; I < 4; ++I) {
    EXPECT_EQ(Runs[I].First, First[I]);
    EXPECT_EQ(Runs[I].Last, First[I] + 3);
    EXPECT_EQ(Runs[I].Block, I / 2);
  }
}

TEST(BlockBytes, WhatLiesOutsideTheAllocationIsLeftOut) {
  std::vector<ByteRun> Runs;
  ASSERT_TRUE(runs(steps(1, 8, 1000), Runs));
  EXPECT_EQ(Runs.size(), 1024u / 8);
}

/// Nothing of it is inside the allocation after the first few steps, so that
/// counting what is kept would never end.
TEST(BlockBytes, StepsOutsideTheAllocationCountAsWork) {
  std::vector<ByteRun> Runs;
  EXPECT_FALSE(runs(steps(1, 8, int64_t(1) << 50), Runs));
}

/// What touches is joined after each block, which must not hide the work.
TEST(BlockBytes, JoinedRunsCountAsWork) {
  std::vector<ByteRun> Runs;
  EXPECT_TRUE(runs(steps(1, 4, 256), Runs));
  LaunchAccesses Many = steps(4096, 8, 100);
  Many.Accesses[0].Coordinates[0].PerBlock[0] = 0;
  EXPECT_FALSE(runs(Many, Runs));
}

static constexpr uint64_t EndOfMemory = std::numeric_limits<uint64_t>::max();

TEST(BlockBytes, WhatMayBeAnywhereIsARunOfAllMemory) {
  LaunchAccesses Of = steps(2, 8, 2);
  Of.Accesses.emplace_back();
  Of.Accesses.back().Kind = AccessKind::Atomic;
  std::vector<ByteRun> Runs;
  ASSERT_TRUE(runs(Of, Runs));
  ASSERT_EQ(Runs.size(), 6u);
  for (uint32_t Block : {0, 1}) {
    const ByteRun &All = Runs[Block];
    EXPECT_EQ(All.First, 0u);
    EXPECT_EQ(All.Last, EndOfMemory);
    EXPECT_TRUE(All.Reads && All.Writes && !All.Sure);
  }
}

/// Block b reads tile b XOR 1 of 64, of which the allocation has half.
TEST(BlockBytes, ABlockThatLeavesTheAllocationMayTouchAnything) {
  Case C = one((1 - bx + 4 * quotient0) * 32 + tx, {64, 1, 1}, {32, 1, 1});
  C.Quotients[0] = {bx, 2};
  const KernelRecord Kernel = C.kernel();
  std::vector<ByteRun> Runs;
  ASSERT_TRUE(runs(evaluate(C.launch(Kernel), memory(4096)), Runs));
  ASSERT_EQ(Runs.size(), 64u);
  for (const ByteRun &Each : Runs) {
    const bool Inside = Each.Block < 32;
    EXPECT_EQ(Each.Sure, Inside);
    EXPECT_EQ(Each.First, Inside ? MemoryA + (Each.Block ^ 1) * 128 : 0);
    EXPECT_EQ(Each.Last, Inside ? Each.First + 127 : EndOfMemory);
  }
}

/// Block b may write tile b XOR 1: as a condition from memory says, which is
/// left out. What is known of it is found block by block all the same, never
/// sure, and what lies outside is surplus.
TEST(BlockBytes, ABoundedAccessIsWithinWhatIsKnownOfTheBlock) {
  Case C = one((1 - bx + 4 * quotient0) * 32 + tx, {64, 1, 1}, {32, 1, 1});
  C.Quotients[0] = {bx, 2};
  KernelRecord Kernel = C.kernel();
  Access &A = Kernel.Bytes.Accesses[0];
  A.Kind = AccessKind::Write;
  A.How = Exactness::Bounded;
  A.Reason = "a test says so";
  for (uint64_t Bytes : {8192, 4096}) {
    const LaunchAccesses Of = evaluate(C.launch(Kernel), memory(Bytes));
    ASSERT_TRUE(Of.Inputs);
    std::vector<ByteRun> Runs;
    ASSERT_TRUE(runs(Of, Runs));
    ASSERT_EQ(Runs.size(), Bytes / 128);
    for (const ByteRun &Each : Runs) {
      EXPECT_FALSE(Each.Sure);
      EXPECT_EQ(Each.First, MemoryA + (Each.Block ^ 1) * 128);
      EXPECT_EQ(Each.Last, Each.First + 127);
    }
  }
  const LaunchAccesses Of = evaluate(C.launch(Kernel), memory(8192));
  uint64_t Effort = MostEffort;
  const Relation R = relate(Of, Of, Effort);
  EXPECT_FALSE(R.Exact);
  EXPECT_NE(R.Reason.find("a test says so"), std::string::npos);
  for (const BlockAccess &Part : Of.Accesses)
    EXPECT_FALSE(Part.Exact);
}
