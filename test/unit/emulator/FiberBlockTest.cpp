// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelFixture.h"

#include <numeric>
#include <vector>

using namespace blockmaestro;

namespace {

using Progress = RunningBlock::Progress;

class FiberBlockTest : public KernelFixture {
protected:
  std::unique_ptr<RunningBlock> begin(const Launch &L, uint64_t Block,
                                      BlockCost *Cost = nullptr) {
    Result<std::unique_ptr<RunningBlock>> Begun =
        Device->begin(L, Block, 0, Cost);
    EXPECT_TRUE(Begun.ok()) << Begun.status().message();
    return Begun.ok() ? std::move(*Begun) : nullptr;
  }
  static Progress advance(RunningBlock &B) {
    Result<Progress> Came = B.advance();
    EXPECT_TRUE(Came.ok()) << Came.status().message();
    return Came.ok() ? *Came : Progress::Ended;
  }
  /// Whether \p B needs nobody else to come to its end.
  static bool ends(RunningBlock &B) {
    for (int Turns = 0; Turns < 10; ++Turns)
      if (advance(B) == Progress::Ended)
        return true;
    return false;
  }
};

TEST_F(FiberBlockTest, WarpOperationsRunAndAreCounted) {
  std::vector<int> In(4 * 64), Out(8), Expected(8);
  std::iota(In.begin(), In.end(), 1);
  for (int I = 0; I < 4 * 64; ++I)
    Expected[I / 32] += In[I];
  Launch L = launch("warpSums", {4}, {64}, In.data(), Out.data());
  ASSERT_TRUE(Device->prepare(L).ok());
  EXPECT_FALSE(Device->mayWait(L));
  ASSERT_TRUE(Device->runRange(L, 0, 3, 0).ok());
  BlockCost Cost;
  ASSERT_TRUE(Device->run(L, 3, 0, &Cost).ok());
  EXPECT_EQ(Out, Expected);
  EXPECT_EQ(Cost.GlobalReads, 2u);
  EXPECT_EQ(Cost.GlobalWrites, 2u);
}

TEST_F(FiberBlockTest, BlocksWaitForEachOtherOnOneWorker) {
  int Turn = 0;
  std::vector<int> Out(3, -1);
  Launch L = launch("chain", {3}, {64}, &Turn, Out.data());
  ASSERT_TRUE(Device->prepare(L).ok());
  EXPECT_TRUE(Device->mayWait(L));
  std::unique_ptr<RunningBlock> Last = begin(L, 2), Middle = begin(L, 1),
                                First = begin(L, 0);
  EXPECT_NE(advance(*Last), Progress::Ended);
  EXPECT_EQ(advance(*Last), Progress::Waits);
  EXPECT_NE(Last->waitsFor().find("64 of 64 threads wait in a loop"),
            std::string::npos)
      << Last->waitsFor();
  EXPECT_NE(advance(*Middle), Progress::Ended);
  for (RunningBlock *B : {First.get(), Middle.get(), Last.get()})
    EXPECT_TRUE(ends(*B));
  EXPECT_EQ(Out, (std::vector<int>{0, 3, 6}));
}

TEST_F(FiberBlockTest, ALoopDoesNotWaitForWhatOnlyEndsTheProgram) {
  int Next = 0, Sum = 0;
  std::vector<int> Ready(100, 1);
  Launch L = launch("takes", {1}, {64}, &Next, Ready.data(), 100, &Sum);
  ASSERT_TRUE(Device->prepare(L).ok());
  EXPECT_TRUE(Device->mayWait(L));
  EXPECT_EQ(advance(*begin(L, 0)), Progress::Ended);
  EXPECT_EQ(Sum, 64 * 99 * 100 / 2);
  Next = Sum = Ready[3] = 0;
  std::unique_ptr<RunningBlock> Waits = begin(L, 0);
  EXPECT_NE(advance(*Waits), Progress::Ended);
  EXPECT_EQ(advance(*Waits), Progress::Waits);
  Ready[3] = 1;
  EXPECT_TRUE(ends(*Waits));
  EXPECT_EQ(Sum, 64 * 99 * 100 / 2);
}

TEST_F(FiberBlockTest, ALoopThatOnlyTheProgramsEndLeavesWaits) {
  int Flag = 0;
  Launch L = launch("waitsToFail", {1}, {32}, &Flag);
  ASSERT_TRUE(Device->prepare(L).ok());
  std::unique_ptr<RunningBlock> Waits = begin(L, 0);
  EXPECT_NE(advance(*Waits), Progress::Ended);
  EXPECT_EQ(advance(*Waits), Progress::Waits);
  Flag = 1;
  (void)advance(*Waits);
  EXPECT_FALSE(Waits->advance().ok());
}

TEST_F(FiberBlockTest, ABlockCanBeGivenUpWhileItWaits) {
  int Turn = 0;
  std::vector<int> Out(2, -1);
  Launch L = launch("chain", {2}, {64}, &Turn, Out.data());
  ASSERT_TRUE(Device->prepare(L).ok());
  for (int I = 0; I < 50; ++I) {
    std::unique_ptr<RunningBlock> B = begin(L, 1);
    EXPECT_NE(advance(*B), Progress::Ended);
  }
  EXPECT_TRUE(ends(*begin(L, 0)));
  EXPECT_EQ(Out, (std::vector<int>{0, -1}));
}

TEST_F(FiberBlockTest, RunGivesUpABlockThatWaitsForTooLong) {
  int Turn = 0;
  std::vector<int> Out(2, -1);
  Launch L = launch("chain", {2}, {32}, &Turn, Out.data());
  ASSERT_TRUE(Device->prepare(L).ok());
  EXPECT_TRUE(Device->setLimit(DeviceLimit::StuckMilliseconds, 30));
  EXPECT_EQ(Device->run(L, 1, 0, nullptr).code(), StatusCode::Stuck);
}

TEST_F(FiberBlockTest, WhatCanNeverComeIsSaidAtOnce) {
  std::vector<int> Out(4);
  Launch L = launch("oneBranchWaits", {1}, {32}, Out.data());
  ASSERT_TRUE(Device->prepare(L).ok());
  EXPECT_TRUE(Device->setLimit(DeviceLimit::StuckMilliseconds, 0));
  Status S = Device->run(L, 0, 0, nullptr);
  EXPECT_EQ(S.code(), StatusCode::Stuck);
  EXPECT_NE(S.message().find("kernel 'oneBranchWaits' is stuck: 4 of 32 "
                             "threads wait in a shuffle"),
            std::string::npos)
      << S.message();
}

TEST_F(FiberBlockTest, KernelsAllocateUpToTheLimit) {
  std::vector<int *> Out(64);
  Launch L = launch("allocates", {1}, {64}, Out.data());
  ASSERT_TRUE(Device->prepare(L).ok());
  EXPECT_TRUE(Device->setLimit(DeviceLimit::HeapBytes, 4096));
  ASSERT_TRUE(Device->run(L, 0, 0, nullptr).ok());
  for (int I = 0; I < 64; ++I)
    EXPECT_EQ(*Out[I], I + 1);
  EXPECT_FALSE(Device->setLimit(DeviceLimit::HeapBytes, 8192));
}

TEST_F(FiberBlockTest, MoreThreadsThanTheDeviceHasAreRefused) {
  std::vector<int> Out(4);
  Launch L = launch("oneBranchWaits", {1}, {2048}, Out.data());
  ASSERT_TRUE(Device->prepare(L).ok());
  EXPECT_EQ(Device->run(L, 0, 0, nullptr).code(), StatusCode::InvalidArgument);
}

// Only as many threads as above can have stacks.
TEST_F(FiberBlockTest, WarpsThatComeTogetherNeedNoStacks) {
  std::vector<int> In(2048, 3), Out(64);
  Launch L = launch("warpSums", {1}, {2048}, In.data(), Out.data());
  ASSERT_TRUE(Device->prepare(L).ok());
  ASSERT_TRUE(Device->run(L, 0, 0, nullptr).ok());
  EXPECT_EQ(Out, std::vector<int>(64, 96));
}

} // namespace
