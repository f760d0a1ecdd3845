// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Share.h"
#include "FakeDevice.h"
#include "FakeGpu.h"

#include <gtest/gtest.h>

namespace blockmaestro {
namespace {

using std::chrono::nanoseconds;

Status takesAll(const Launch &, KernelVariant) { return {}; }

Task taskOn(uint64_t Id, int Stream, Dim3 Grid = {40, 1, 1}) {
  Task Out = makeTask(Id, Grid, {});
  Out.Stream = reinterpret_cast<void *>(intptr_t(Stream));
  return Out;
}

/// A run of one launch on each of two streams.
void runPair(FakeGpu &Gpu, Share &Runs, nanoseconds Span) {
  Gpu.Arrives = true;
  for (int Stream : {1, 2}) {
    ASSERT_TRUE(Runs.submit(taskOn(0, Stream)).ok());
    Gpu.Arrives = false;
    Gpu.pass(Span / 2);
  }
  ASSERT_TRUE(Gpu.synchronize(nullptr).ok());
  Gpu.Arrives = true;
}

TEST(Share, OneStreamGoesAsItIs) {
  FakeGpu Gpu(1);
  Share Runs(Gpu, {}, takesAll);
  for (uint64_t I = 0; I < 30; ++I)
    ASSERT_TRUE(Runs.submit(taskOn(I, 1)).ok());
  EXPECT_EQ(Gpu.Plains.size(), 30u);
  EXPECT_TRUE(Gpu.Launched.empty());
  EXPECT_EQ(Gpu.marksAlive(), 0u);
}

TEST(Share, ByHandWorkersRunEveryBlockOnce) {
  for (uint64_t Seed = 0; Seed < 50; ++Seed) {
    FakeGpu Gpu(Seed);
    std::vector<unsigned> Count(200 * 40);
    Gpu.Body = [&](uint64_t L, uint64_t B) { ++Count.at(L * 40 + B); };
    uint64_t LaunchesMade = 0;
    Share Runs(Gpu, WorkersByHand{{1, 2}}, takesAll);
    for (int Round = 0; Round < 4; ++Round) {
      Gpu.Arrives = true;
      for (int I = 0; I < 10; ++I, ++LaunchesMade) {
        ASSERT_TRUE(Runs.submit(taskOn(0, 1 + I % 2)).ok());
        Gpu.Arrives = false;
      }
      ASSERT_TRUE(Gpu.synchronize(nullptr).ok());
    }
    EXPECT_EQ(Gpu.Launched.size(), LaunchesMade);
    EXPECT_EQ(Gpu.Launched[0].Grid.X, 1 * Gpu.multiprocessors());
    EXPECT_EQ(Gpu.Launched[1].Grid.X, 2 * Gpu.multiprocessors());
    EXPECT_EQ(std::count(Count.begin(), Count.end(), 1u),
              long(LaunchesMade * 40));
  }
}

TEST(Share, AnUnknownRunIsNotDivided) {
  FakeGpu Gpu(1);
  Share Runs(Gpu, {}, takesAll);
  runPair(Gpu, Runs, nanoseconds(1000));
  EXPECT_TRUE(Gpu.Launched.empty());
}

TEST(Share, TheFasterDivisionIsKept) {
  FakeGpu Gpu(1);
  Gpu.Body = [](uint64_t, uint64_t) {};
  Share Runs(Gpu, {}, takesAll);
  for (int I = 0; I < 40; ++I) {
    const size_t Before = Gpu.Launched.size();
    Gpu.Arrives = true;
    ASSERT_TRUE(Runs.submit(taskOn(0, 1)).ok());
    const bool Workers = Gpu.Launched.size() > Before;
    const bool Quarter = Workers && Gpu.Launched.back().Grid.X == 4;
    Gpu.Arrives = false;
    Gpu.pass(nanoseconds(Quarter ? 400 : 500));
    ASSERT_TRUE(Runs.submit(taskOn(0, 2)).ok());
    ASSERT_TRUE(Gpu.synchronize(nullptr).ok());
    if (I > 30) {
      EXPECT_TRUE(Quarter) << I;
    }
  }
}

TEST(Share, RunsThatNeverComeAgainAreForgotten) {
  FakeGpu Gpu(1);
  Share Runs(Gpu, {}, takesAll);
  for (uint32_t I = 0; I < Share::MostRuns + 10; ++I) {
    Gpu.Arrives = true;
    ASSERT_TRUE(Runs.submit(taskOn(0, 1, {I + 100, 1, 1})).ok());
    Gpu.Arrives = false;
    ASSERT_TRUE(Runs.submit(taskOn(0, 2)).ok());
    ASSERT_TRUE(Gpu.synchronize(nullptr).ok());
  }
  // The last run has not been looked at yet.
  EXPECT_NE(Runs.account().find("of 9 runs"), std::string::npos)
      << Runs.account();
}

/// Nobody waits for a stream that is destroyed; its records are in use until
/// what it was given has ended.
TEST(Share, AStreamThatGoesWithWorkIsNotWaitedFor) {
  FakeGpu Gpu(1);
  std::vector<unsigned> Count(5 * 40);
  Gpu.Body = [&](uint64_t L, uint64_t B) { ++Count.at(L * 40 + B); };
  Share Runs(Gpu, WorkersByHand{{1, 1}}, takesAll);
  Gpu.Arrives = true;
  ASSERT_TRUE(Runs.submit(taskOn(0, 1)).ok());
  Gpu.Arrives = false;
  ASSERT_TRUE(Runs.submit(taskOn(0, 2)).ok());
  const size_t Waits = Gpu.Waits;
  Runs.forgetStream(reinterpret_cast<void *>(intptr_t(2)));
  EXPECT_EQ(Gpu.Waits, Waits);
  for (int Stream : {2, 1})
    ASSERT_TRUE(Runs.submit(taskOn(0, Stream)).ok());
  ASSERT_TRUE(Gpu.synchronize(nullptr).ok());
  EXPECT_EQ(std::count(Count.begin(), Count.end(), 1u), 3 * 40);
  EXPECT_EQ(Gpu.Plains.size(), 1u) << "the third stream of the run";
}

TEST(Share, WhereNothingIsFasterTheHardwareDivides) {
  FakeGpu Gpu(1);
  Gpu.Body = [](uint64_t, uint64_t) {};
  Share Runs(Gpu, {}, takesAll);
  for (int I = 0; I < 24; ++I)
    runPair(Gpu, Runs, nanoseconds(1000));
  const size_t Tried = Gpu.Launched.size();
  EXPECT_GT(Tried, 0u);
  for (int I = 0; I < 20; ++I)
    runPair(Gpu, Runs, nanoseconds(1000));
  EXPECT_EQ(Gpu.Launched.size(), Tried);
}

TEST(Share, AKernelWithoutWorkersGoesAsItIsAndSaysWhy) {
  FakeGpu Gpu(1);
  Share Runs(Gpu, WorkersByHand{{1, 1}}, [](const Launch &, KernelVariant) {
    return Status(StatusCode::Unsupported, "its blocks are not whole warps");
  });
  ASSERT_TRUE(Runs.submit(taskOn(0, 1)).ok());
  EXPECT_EQ(Gpu.Plains.size(), 1u);
  EXPECT_NE(Runs.account().find("has no workers: its blocks are not whole"),
            std::string::npos);
}

TEST(Share, MoreLaunchesThanRecordsGoAsTheyAre) {
  FakeGpu Gpu(1);
  Gpu.Body = [](uint64_t, uint64_t) {};
  Share Runs(Gpu, WorkersByHand{{1, 1}}, takesAll);
  for (size_t I = 0; I < Share::Slots + 5; ++I) {
    ASSERT_TRUE(Runs.submit(taskOn(0, 1 + int(I % 2))).ok());
    Gpu.Arrives = false;
  }
  EXPECT_EQ(Gpu.Launched.size(), Share::Slots);
  EXPECT_EQ(Gpu.Plains.size(), 5u);
  ASSERT_TRUE(Gpu.synchronize(nullptr).ok());
}

TEST(ShareChoice, AThirtiethIsNoReason) {
  ShareChoice Choice;
  while (!Choice.settled()) {
    const size_t Next = Choice.next();
    Choice.saw(Next, nanoseconds(Next == 3 ? 970 : 1000));
  }
  EXPECT_EQ(Choice.next(), 0u);
}

TEST(ShareChoice, WhatBecomesSlowerThanTheHardwareIsLeft) {
  ShareChoice Choice;
  while (!Choice.settled()) {
    const size_t Next = Choice.next();
    Choice.saw(Next, nanoseconds(Next == 3 ? 800 : 1000));
  }
  ASSERT_EQ(Choice.next(), 3u);
  for (unsigned I = 0; I < ShareChoice::Review; ++I)
    Choice.saw(3, nanoseconds(1001));
  EXPECT_EQ(Choice.next(), 0u);
}

} // namespace
} // namespace blockmaestro
