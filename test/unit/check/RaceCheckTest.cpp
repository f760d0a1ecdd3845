// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Checks.h"

#include "Touches.h"

#include <gtest/gtest.h>

namespace blockmaestro {
namespace {

constexpr uint64_t Flag = 0x9000;

struct RaceCheckTest : testing::Test {
  RaceCheckTest()
      : Found([this](const std::string &Text) { Said.push_back(Text); }),
        Check(Found) {}

  ObservedAccess touch(uint64_t Block, uint32_t Thread, uint64_t Address,
                       uint32_t Bits, uint32_t BlockRound = 0,
                       uint32_t WarpRound = 0) {
    ObservedAccess Out = K.touch(Block, Thread, Address, Bits);
    Out.BlockRound = BlockRound;
    Out.WarpRound = WarpRound;
    return Out;
  }

  LaunchOfK K;
  std::vector<std::string> Said;
  Findings Found;
  RaceCheck Check;
};

TEST_F(RaceCheckTest, TwoBlocksWriteOneWord) {
  Check.touches(touch(0, 3, X, AccessWrites));
  Check.touches(touch(5, 37, X, AccessWrites));
  ASSERT_EQ(Said.size(), 1u);
  EXPECT_EQ(Said[0],
            "race: write by block (1,1,0), thread (5,1,0) of kernel 'k' at "
            "k.cu:3 and write at k.cu:3 by block (0,0,0), thread (3,0,0) of "
            "the same memory, address 0x8000, and nothing orders the blocks");
}

TEST_F(RaceCheckTest, ReadsAndDisjointBytesDoNotConflict) {
  Check.touches(touch(0, 0, X, AccessReads));
  Check.touches(touch(1, 0, X, AccessReads));
  Check.touches(touch(1, 0, X + 4, AccessWrites));
  EXPECT_TRUE(Said.empty());
  Check.touches(touch(2, 0, X + 2, AccessWrites));
  EXPECT_EQ(Said.size(), 1u);
}

TEST_F(RaceCheckTest, AtomicsDoNotRaceWithEachOther) {
  Check.touches(touch(0, 0, X, Atomic));
  Check.touches(touch(1, 0, X, Atomic));
  EXPECT_TRUE(Said.empty());
  Check.touches(touch(2, 0, X, AccessReads));
  EXPECT_EQ(Said.size(), 1u);
}

TEST_F(RaceCheckTest, WhoHasReadAnAtomicWriteMayOverwriteIt) {
  Check.touches(touch(0, 0, X, Atomic));
  Check.touches(touch(1, 0, X, Atomic));
  Check.touches(touch(1, 0, X, AccessWrites));
  EXPECT_TRUE(Said.empty());
  Check.touches(touch(2, 0, X, Atomic));
  EXPECT_EQ(Said.size(), 1u) << "the plain write is published nowhere";
}

TEST_F(RaceCheckTest, ABarrierOrdersABlock) {
  Check.touches(touch(0, 0, X, AccessWrites, 0));
  Check.touches(touch(0, 40, X, AccessReads, 1));
  EXPECT_TRUE(Said.empty());
  Check.touches(touch(0, 0, X, AccessWrites, 1));
  EXPECT_EQ(Said.size(), 1u);
}

TEST_F(RaceCheckTest, AWarpOperationOrdersItsWarpOnly) {
  Check.touches(touch(0, 0, X, AccessWrites, 0, 0));
  Check.touches(touch(0, 31, X, AccessReads, 0, 1));
  EXPECT_TRUE(Said.empty());
  Check.touches(touch(0, 32, X, AccessReads, 0, 1));
  EXPECT_EQ(Said.size(), 1u);
}

TEST_F(RaceCheckTest, AFenceAndAFlagOrderBlocks) {
  Check.touches(touch(0, 0, X, AccessWrites));
  Check.fences(K.What, 0);
  Check.touches(touch(0, 0, Flag, Atomic));
  Check.touches(touch(1, 0, Flag, Atomic));
  Check.touches(touch(1, 0, X, AccessReads));
  EXPECT_TRUE(Said.empty());
}

TEST_F(RaceCheckTest, AFlagWithoutAFenceDoesNot) {
  Check.touches(touch(0, 0, X, AccessWrites));
  Check.touches(touch(0, 0, Flag, Atomic));
  Check.touches(touch(1, 0, Flag, Atomic));
  Check.touches(touch(1, 0, X, AccessReads));
  EXPECT_EQ(Said.size(), 1u);
}

TEST_F(RaceCheckTest, OrderGoesOnThroughAThirdBlock) {
  Check.touches(touch(0, 0, X, AccessWrites));
  Check.fences(K.What, 0);
  Check.touches(touch(0, 0, Flag, Atomic));
  Check.touches(touch(1, 0, Flag, Atomic));
  Check.fences(K.What, 1);
  Check.touches(touch(1, 0, Flag + 8, Atomic));
  Check.touches(touch(2, 0, Flag + 8, Atomic));
  Check.touches(touch(2, 0, X, AccessReads));
  EXPECT_TRUE(Said.empty());
}

TEST_F(RaceCheckTest, WhatIsPublishedWhileABlockReadsIsHeard) {
  Check.touches(touch(0, 0, X, AccessWrites));
  Check.touches(touch(1, 0, Flag, Atomic));
  Check.fences(K.What, 0);
  Check.touches(touch(0, 0, Flag, Atomic));
  Check.touches(touch(1, 0, X, AccessReads));
  EXPECT_TRUE(Said.empty());
}

TEST_F(RaceCheckTest, AFlagReadElsewhereOrdersNothing) {
  Check.touches(touch(0, 0, X, AccessWrites));
  Check.fences(K.What, 0);
  Check.touches(touch(0, 0, Flag, Atomic));
  Check.touches(touch(1, 0, Flag + 8, Atomic));
  Check.touches(touch(1, 0, X, AccessReads));
  EXPECT_EQ(Said.size(), 1u);
}

TEST_F(RaceCheckTest, NewMemoryHasNoPast) {
  Check.touches(touch(0, 0, X, AccessWrites));
  Check.touches(touch(0, 0, X + 16, AccessWrites));
  Check.forget(X, 16);
  Check.touches(touch(1, 0, X, AccessWrites));
  EXPECT_TRUE(Said.empty());
  Check.touches(touch(1, 0, X + 16, AccessWrites));
  EXPECT_EQ(Said.size(), 1u);
}

TEST_F(RaceCheckTest, WritesAfterTheFenceAreNotPublished) {
  Check.fences(K.What, 0);
  Check.touches(touch(0, 0, X, AccessWrites));
  Check.touches(touch(0, 0, Flag, Atomic));
  Check.touches(touch(1, 0, Flag, Atomic));
  Check.touches(touch(1, 0, X, AccessReads));
  EXPECT_EQ(Said.size(), 1u);
}

TEST_F(RaceCheckTest, SharedMemoryIsTheBlocksOwn) {
  ObservedAccess A = touch(0, 0, X, AccessWrites),
                 B = touch(1, 0, X, AccessWrites);
  A.Space = B.Space = AccessSpace::Shared;
  Check.touches(A);
  Check.touches(B);
  EXPECT_TRUE(Said.empty());
}

TEST_F(RaceCheckTest, AnotherLaunchBeginsAnew) {
  Check.touches(touch(0, 0, X, AccessWrites));
  K.What.Id = 2;
  Check.touches(touch(1, 0, X, AccessWrites));
  EXPECT_TRUE(Said.empty());
}

TEST_F(RaceCheckTest, OnePlaceIsSaidOnceAndCounted) {
  for (uint32_t I = 0; I < 10; ++I)
    Check.touches(touch(I % 2, 0, X + 64 * (I / 2), AccessWrites));
  EXPECT_EQ(Said.size(), 1u);
  EXPECT_EQ(Found.count(), 5u);
  EXPECT_EQ(Found.summary(), "5 findings, 1 of them different and shown");
}

TEST(Checks, AnAccessOutsideTheFootprintIsFound) {
  LaunchOfK K;
  std::vector<std::string> Said;
  Findings Found([&](const std::string &Text) { Said.push_back(Text); });
  Checks All(CheckFootprints, Found);
  auto Touched = std::make_shared<LaunchAccesses>();
  BlockAccess A;
  A.Kind = AccessKind::Write;
  A.How = Reach::Coordinates;
  A.Where = {X, 4096};
  A.Coordinates = {{.Stride = 1, .PerBlock = {128, 0, 0}, .Count = 128}};
  Touched->Accesses = {A};
  All.expect({1, std::make_shared<Launch>(K.What), Touched, {}, {}});
  EXPECT_TRUE(All.touches(K.touch(1, 0, X + 128, AccessWrites)).ok());
  EXPECT_TRUE(Said.empty());
  EXPECT_TRUE(All.touches(K.touch(1, 0, X, AccessWrites)).ok());
  ASSERT_EQ(Said.size(), 1u);
  EXPECT_EQ(Said[0], "footprint: write of 4 bytes at 0x8000 by block (1,0,0), "
                     "thread (0,0,0) of kernel 'k' at k.cu:3 is not in the "
                     "footprint of the kernel");
}

} // namespace
} // namespace blockmaestro
