// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Accesses, sectors and wavefronts of kernels whose addresses are known, in
// each of the forms in which a kernel can run.

#include "KernelFixture.h"

#include <utility>
#include <vector>

using namespace blockmaestro;

namespace {

class TransactionTest : public KernelFixture {
protected:
  /// What block 0 costs.
  template <typename... Types>
  BlockCost cost(const std::string &Kernel, Dim3 Block, Types... Values) {
    BlockCost Cost;
    Launch L = launch(Kernel, {1}, Block, Values...);
    Status Ran = Device->run(L, 0, 0, &Cost);
    EXPECT_TRUE(Ran.ok()) << Ran.message();
    return Cost;
  }

  BlockCost strided(int Stride, int Shift, unsigned Threads = 32) {
    return cost("strided", {Threads}, &Out[0], (const float *)In, Stride,
                Shift);
  }

  alignas(256) float In[2048] = {};
  alignas(256) float Out[2048] = {};
};

TEST_F(TransactionTest, NeighboursShareSectors) {
  BlockCost C = strided(1, 0);
  EXPECT_EQ(C.GlobalReads, 1u);
  EXPECT_EQ(C.GlobalWrites, 1u);
  EXPECT_EQ(C.GlobalReadSectors, 4u);
  EXPECT_EQ(C.GlobalWriteSectors, 4u);
  EXPECT_EQ(C.GlobalAtomics + C.sharedAccesses() + C.SharedWavefronts, 0u);
}

TEST_F(TransactionTest, StridesTouchMoreSectors) {
  EXPECT_EQ(strided(2, 0).GlobalReadSectors, 8u);
  EXPECT_EQ(strided(4, 0).GlobalReadSectors, 16u);
  EXPECT_EQ(strided(8, 0).GlobalReadSectors, 32u);
  EXPECT_EQ(strided(32, 0).GlobalReadSectors, 32u) << "a column";
  EXPECT_EQ(strided(32, 0).GlobalReads, 1u);
}

TEST_F(TransactionTest, AMisalignedRowTouchesOneSectorMore) {
  EXPECT_EQ(strided(1, 1).GlobalReadSectors, 5u);
  EXPECT_EQ(strided(1, 8).GlobalReadSectors, 4u) << "a whole sector on";
}

TEST_F(TransactionTest, EveryWarpAsksForItself) {
  BlockCost C = strided(1, 0, 80);
  EXPECT_EQ(C.GlobalReads, 3u);
  EXPECT_EQ(C.GlobalReadSectors, 4u + 4 + 2) << "the last has 16 lanes";
  C = cost("broadcast", {64}, &Out[0], (const float *)In);
  EXPECT_EQ(C.GlobalReads, 2u);
  EXPECT_EQ(C.GlobalReadSectors, 2u);
}

TEST_F(TransactionTest, WideAccesses) {
  BlockCost C = cost("wide", {32}, &Out[0], (const float *)In);
  EXPECT_EQ(C.GlobalReads, 1u);
  EXPECT_EQ(C.GlobalReadSectors, 16u);
  C = cost("moved", {32}, &Out[0], (const float *)In);
  EXPECT_EQ(C.GlobalReadSectors, 48u) << "48 bytes for each lane";
  EXPECT_EQ(C.GlobalWriteSectors, 48u);
}

TEST_F(TransactionTest, AVectorOfPtxIsOneAccess) {
  BlockCost C = cost("wideByHand", {32}, &Out[0], (const float *)In);
  EXPECT_EQ(C.GlobalReads, 1u);
  EXPECT_EQ(C.GlobalReadSectors, 16u);
  EXPECT_EQ(C.GlobalWrites, 1u);
  EXPECT_EQ(C.GlobalWriteSectors, 16u);
}

TEST_F(TransactionTest, NeighboursInCodeThatAreAlignedAreOneAccess) {
  BlockCost C = cost("pieces", {32}, &Out[0], &In[0]);
  EXPECT_EQ(C.GlobalWrites, 1u + 2);
  EXPECT_EQ(C.GlobalWriteSectors, 8u + 12 + 12);
  C = cost("apart", {32}, &Out[0], &In[0]);
  EXPECT_EQ(C.GlobalReads, 2u);
  EXPECT_EQ(C.GlobalReadSectors, 8u + 8);
  EXPECT_EQ(C.GlobalWrites, 2u);
}

TEST_F(TransactionTest, RowsOfANarrowBlockShareAWarp) {
  BlockCost C = cost("row", {8, 8}, &Out[0], (const float *)In, 32);
  EXPECT_EQ(C.GlobalReads, 2u);
  EXPECT_EQ(C.GlobalReadSectors, 8u) << "8 rows of 32 bytes each";
  C = cost("row", {8, 8}, &Out[0], (const float *)In, 4);
  EXPECT_EQ(C.GlobalReadSectors, 3u + 3) << "rows overlap: 20 floats a warp";
}

TEST_F(TransactionTest, OnlyLanesThatAccessCount) {
  BlockCost C = cost("guarded", {64}, &Out[0], (const float *)In, 40);
  EXPECT_EQ(C.GlobalReads, 2u);
  EXPECT_EQ(C.GlobalReadSectors, 4u + 1);
  C = cost("guarded", {64}, &Out[0], (const float *)In, 0);
  EXPECT_EQ(C.globalAccesses() + C.globalSectors(), 0u);
}

TEST_F(TransactionTest, BanksOfSharedMemory) {
  auto WriteWavefronts = [&](int Stride) {
    BlockCost C = cost("banks", {32}, &Out[0], Stride);
    EXPECT_EQ(C.SharedReads, 1u);
    EXPECT_EQ(C.SharedWrites, 1u);
    return C.SharedWavefronts - 1; // The read is a broadcast.
  };
  EXPECT_EQ(WriteWavefronts(1), 1u);
  EXPECT_EQ(WriteWavefronts(2), 2u);
  EXPECT_EQ(WriteWavefronts(3), 1u);
  EXPECT_EQ(WriteWavefronts(8), 8u);
  EXPECT_EQ(WriteWavefronts(32), 32u);
  BlockCost C = cost("wideBanks", {32}, &Out[0]);
  EXPECT_EQ(C.SharedWavefronts, 4u + 4) << "512 bytes, 128 at once";
}

TEST_F(TransactionTest, RowsOfSharedMemoryAreReadAsWideAsTheirPlaceAllows) {
  EXPECT_EQ(cost("rows", {32}, &Out[0]).SharedReads, 2u + 8);
}

TEST_F(TransactionTest, AtomicsOfOneWordAreOneByOneInSharedMemory) {
  auto Votes = [&](int Spread) {
    return cost("votes", {32}, (int *)&Out[0], Spread);
  };
  BlockCost C = Votes(32);
  EXPECT_EQ(C.SharedAtomics, 1u);
  EXPECT_EQ(C.GlobalAtomics, 1u);
  EXPECT_EQ(C.SharedWavefronts, 1u + 1 + 1);
  EXPECT_EQ(C.GlobalAtomicSectors, 4u);
  C = Votes(8);
  EXPECT_EQ(C.SharedWavefronts, 1u + 4 + 1);
  EXPECT_EQ(C.GlobalAtomicSectors, 1u);
  EXPECT_EQ(Votes(1).SharedWavefronts, 1u + 32 + 1);
}

TEST_F(TransactionTest, LanesOfOneIterationAccessTogether) {
  BlockCost C = cost("triangle", {32}, &Out[0], (const float *)In);
  EXPECT_EQ(C.GlobalReads, 32u);
  // Iteration k reads floats k to 31 of a row: 4 sectors while k < 8, ...
  EXPECT_EQ(C.GlobalReadSectors, 8u * (4 + 3 + 2 + 1));
  C = cost("nested", {32}, &Out[0], (const float *)In);
  // 6 outer iterations: the first time all lanes, the second every other.
  EXPECT_EQ(C.GlobalReads, 6u * 2);
  EXPECT_EQ(C.GlobalReadSectors, 6u * (4 + 4));
}

TEST_F(TransactionTest, WhereAPointerGoesIsSeenWhenItIsUsed) {
  for (int Which : {0, 16, 32}) {
    BlockCost C = cost("generic", {32}, &Out[0], &In[0], Which);
    EXPECT_EQ(C.SharedReads, Which > 0 ? 1u : 0u);
    EXPECT_EQ(C.GlobalReads, Which < 32 ? 1u : 0u);
    EXPECT_EQ(C.GlobalReadSectors, uint64_t(32 - Which) / 8);
    EXPECT_EQ(C.SharedWavefronts, 1u + C.SharedReads);
  }
}

TEST_F(TransactionTest, ThreadsThatWaitForEachOther) {
  BlockCost C = cost("rotate", {64}, &Out[0], (const float *)In, 5);
  EXPECT_EQ(C.GlobalReads, 5u * 2);
  EXPECT_EQ(C.GlobalReadSectors, 5u * 8);
  EXPECT_EQ(C.Exchanges, 5u * 2);
  EXPECT_EQ(C.Barriers, 2u * 2);
}

TEST_F(TransactionTest, TheSameAccessAgainInACalledFunction) {
  BlockCost C = cost("recursive", {64}, &Out[0], (const float *)In);
  EXPECT_EQ(C.GlobalReads, 3u * 2);
  EXPECT_EQ(C.GlobalReadSectors, 3u * 8);
}

TEST_F(TransactionTest, ClassesOfArithmetic) {
  alignas(32) double D[32] = {};
  alignas(32) int I[32] = {};
  BlockCost C = cost("classes", {32}, &Out[0], &D[0], &I[0]);
  EXPECT_EQ(C.Double, 1u);
  EXPECT_EQ(C.Single, 1u + 3 + 5)
      << "a product and its sum, and what corrects a root and a quotient";
  EXPECT_EQ(C.Approximations, 3u)
      << "of the root and of the quotient, which is checked";
  EXPECT_EQ(C.Conversions, 1u);
  EXPECT_EQ(C.Special, 4u);
  EXPECT_EQ(C.Exchanges, 1u);
  EXPECT_EQ(C.GlobalReadSectors % 4, 0u);
}

TEST_F(TransactionTest, MakingANumberWholeIsAConversion) {
  BlockCost C = cost("wholeNumbers", {32}, &Out[0], (const float *)In);
  EXPECT_EQ(C.ChainConversions, 1u);
  EXPECT_EQ(C.ChainSpecial, 0u);
}

TEST_F(TransactionTest, BlocksDoNotSeeWhatEarlierOnesDid) {
  Launch L = launch("strided", {2}, {32}, &Out[0], (const float *)In, 1, 0);
  BlockCost First, Second, Again;
  ASSERT_TRUE(Device->run(L, 0, 0, &First).ok());
  ASSERT_TRUE(Device->run(L, 1, 0, &Second).ok());
  ASSERT_TRUE(Device->run(L, 0, 0, &Again).ok());
  EXPECT_EQ(First.NewSectors, 8u);
  EXPECT_EQ(Again.Within16, 8u) << "but how long ago they were there";
  std::swap(Again.NewSectors, Again.Within16);
  for (const CostField &F : CostFields) {
    EXPECT_EQ(First.*F.Value, Second.*F.Value) << F.Name;
    EXPECT_EQ(First.*F.Value, Again.*F.Value) << F.Name;
  }
}

} // namespace
