// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// When blocks run on a GPU, and that this is what is reported.

#include "BlockTimes.h"
#include "FakeDevice.h"
#include "FakeGpu.h"
#include "GpuSerial.h"
#include "Persistent.h"
#include "Prelaunch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <random>

namespace blockmaestro {
namespace {

using namespace std::chrono_literals;

constexpr unsigned Window = 8;
constexpr BlockTimes::Limits Small = {256, 64};

Status takesAll(const Launch &, KernelVariant) { return {}; }
/// A kernel without a timed variant.
Status takesGates(const Launch &, KernelVariant As) {
  return As == KernelVariant::Timed
             ? Status(StatusCode::Unsupported, "there are many kernels")
             : Status();
}

/// One whose argument is the number of its launch.
const KernelRecord &numberedKernel() {
  static const KernelRecord Kernel = [] {
    KernelRecord Out;
    Out.Parameters = {{0, 8, 8, false, false}};
    return Out;
  }();
  return Kernel;
}

/// A GPU with an executor whose blocks are listened to.
class BlockTimesTest : public testing::Test {
protected:
  using Timed = std::unique_ptr<BlockTimes>;
  using Maker = std::function<std::unique_ptr<Executor>(GpuPort &, Timed)>;

  void begin(const Maker &Make, uint64_t Seed = 1,
             const BlockTimes::Limits &Allowed = {},
             std::chrono::nanoseconds Patience = 0ns) {
    TearDown();
    Sink.Events.clear();
    Gpu = std::make_unique<FakeGpu>(Seed);
    Gpu->Body = [](uint64_t, uint64_t) {};
    Runs =
        Make(*Gpu, std::make_unique<BlockTimes>(*Gpu, Sink, Patience, Allowed));
  }
  void TearDown() override {
    if (Gpu)
      (void)Gpu->synchronize(nullptr);
    Runs.reset();
  }

  void submit(uint64_t Id, Dim3 Grid, std::vector<Dependence> Needs = {}) {
    ASSERT_TRUE(Runs->submit(numberedTask(Id, Grid, std::move(Needs))).ok());
  }

  static Task numberedTask(uint64_t Id, Dim3 Grid,
                           std::vector<Dependence> Needs = {}) {
    Task Next = makeTask(Id, Grid, std::move(Needs));
    auto What = std::const_pointer_cast<Launch>(Next.What);
    What->Kernel = &numberedKernel();
    What->Arguments.resize(sizeof(Id));
    std::memcpy(What->Arguments.data(), &Id, sizeof(Id));
    return Next;
  }

  /// Whether what has been reported is true, and of a launch all or nothing.
  void expectTrue() {
    std::map<uint64_t, uint64_t> Blocks, Reported;
    for (const auto &[Name, Real] : Gpu->RanAt)
      ++Blocks[Name.first];
    for (const Event &Each : Sink.Events) {
      const BlockTime &Real = Gpu->RanAt.at({Each.Launch, Each.Block});
      EXPECT_EQ(Each.Start, Real.Start);
      EXPECT_EQ(Each.End, Real.End);
      EXPECT_EQ(Each.Where + 1, Real.Where);
      ++Reported[Each.Launch];
    }
    for (auto [Launch, Count] : Reported)
      EXPECT_EQ(Count, Blocks[Launch]) << "launch " << Launch;
  }

  void expectAll() {
    expectTrue();
    EXPECT_EQ(Sink.Events.size(), Gpu->RanAt.size());
  }

  /// Launches of random sizes on one or another stream, with calls between in
  /// which the host waits, perhaps for something else.
  void runRandom(uint64_t Seed) {
    std::mt19937_64 Random(Seed);
    Gpu->RunsBeside = 1 + Random() % 8;
    for (unsigned I = 0; I < 60; ++I) {
      const Dim3 Grid = {uint32_t(1 + Random() % 12), uint32_t(1 + I % 3), 1};
      submit(I, Grid);
      if (Random() % 8 == 0) {
        ASSERT_TRUE(Runs->drain().ok());
        Runs->waited(1us);
        expectTrue();
      }
    }
    ASSERT_TRUE(Runs->drain().ok());
    Runs->reportRest();
    expectAll();
    EXPECT_FALSE(Gpu->Deadlock);
  }

  FakeSink Sink;
  std::unique_ptr<FakeGpu> Gpu;
  std::unique_ptr<Executor> Runs;
};

std::unique_ptr<Executor> makeSerial(GpuPort &Port,
                                     std::unique_ptr<BlockTimes> Times) {
  return std::make_unique<GpuSerial>(Port, KernelVariant::Plain,
                                     std::move(Times), takesAll);
}
std::unique_ptr<Executor> makePdl(GpuPort &Port,
                                  std::unique_ptr<BlockTimes> Times) {
  return std::make_unique<GpuSerial>(Port, KernelVariant::Pdl, std::move(Times),
                                     takesAll);
}
std::unique_ptr<Executor> makeGated(GpuPort &Port,
                                    std::unique_ptr<BlockTimes> Times) {
  return std::make_unique<GpuSerial>(Port, KernelVariant::Plain,
                                     std::move(Times), takesGates);
}
std::unique_ptr<Executor> makeGatedPdl(GpuPort &Port,
                                       std::unique_ptr<BlockTimes> Times) {
  return std::make_unique<GpuSerial>(Port, KernelVariant::Pdl, std::move(Times),
                                     takesGates);
}
std::unique_ptr<Executor> makePrelaunch(GpuPort &Port,
                                        std::unique_ptr<BlockTimes> Times) {
  return std::make_unique<Prelaunch>(Port, Window, 1s, std::move(Times));
}
std::unique_ptr<Executor> makePersistent(GpuPort &Port,
                                         std::unique_ptr<BlockTimes> Times) {
  return std::make_unique<Persistent>(Port, Window, 1s, std::move(Times));
}

TEST_F(BlockTimesTest, EveryBlockIsReportedOnceAsItRan) {
  for (const Maker &Make : {makeSerial, makePdl, makeGated, makeGatedPdl,
                            makePrelaunch, makePersistent})
    for (uint64_t Seed = 1; Seed <= 20; ++Seed) {
      begin(Make, Seed);
      runRandom(Seed);
      begin(Make, Seed, Small);
      runRandom(Seed);
      EXPECT_LE(Gpu->MostBytesBeside, Small.Most * sizeof(BlockTime));
    }
}

/// Launches in order: each begins when the one in front has ended.
TEST_F(BlockTimesTest, ListeningLeavesTheOrder) {
  for (const Maker &Make : {makeSerial, makePdl, makeGated, makeGatedPdl})
    for (uint64_t Seed = 1; Seed <= 10; ++Seed) {
      begin(Make, Seed);
      uint64_t Running = 0;
      Gpu->Body = [&](uint64_t Launch, uint64_t) {
        EXPECT_GE(Launch, Running);
        Running = Launch;
      };
      runRandom(Seed);
    }
}

/// As the kernel itself would be launched: what it reads may be stale, were it
/// to start early.
TEST_F(BlockTimesTest, TimedVariantsAreLaunchedInOrder) {
  for (const Maker &Make : {makeSerial, makePdl}) {
    begin(Make);
    submit(7, {5, 2, 1});
    submit(8, {3, 1, 1});
    for (const GpuLaunch &Each : Gpu->Launched) {
      EXPECT_EQ(Each.Form, KernelVariant::Timed);
      EXPECT_FALSE(Each.Programmatic);
    }
    ASSERT_EQ(Gpu->Timed.size(), 2u);
    EXPECT_EQ(Gpu->Timed[1], Gpu->Timed[0] + 10);
    EXPECT_EQ(Gpu->Waits, 0u);
    EXPECT_EQ(Runs->whyNotReported(), "");
  }
}

TEST_F(BlockTimesTest, WithoutATimedVariantGatesWaitForNothingAndTellNobody) {
  for (bool Early : {false, true}) {
    begin(Early ? makeGatedPdl : makeGated);
    submit(7, {5, 2, 1});
    submit(8, {3, 1, 1});
    for (const GpuLaunch &Each : Gpu->Launched)
      EXPECT_EQ(Each.Programmatic, Early);
    ASSERT_EQ(Gpu->Gates.size(), 2u);
    for (const Gate &Each : Gpu->Gates) {
      EXPECT_EQ(Each.Done, nullptr);
      EXPECT_EQ(Each.Window.Counter, nullptr);
      EXPECT_EQ(Each.FirstLate, 0u);
      EXPECT_EQ(Each.PieceCount + Each.CountCount, 0u);
    }
    EXPECT_EQ(Gpu->Gates[1].Times, Gpu->Gates[0].Times + 10);
    EXPECT_EQ(Gpu->Waits, 0u);
    EXPECT_EQ(Runs->whyNotReported(), "");
  }
}

/// What a block waits for has ended, by the clock too, before the block starts.
TEST_F(BlockTimesTest, ConsumersStartWhenTheirProducersHaveEnded) {
  const Dim3 Grid = {12, 1, 1};
  for (const Maker &Make : {makePrelaunch, makePersistent})
    for (uint64_t Seed = 1; Seed <= 10; ++Seed) {
      begin(Make, Seed);
      for (unsigned I = 0; I < 6; ++I)
        submit(I, Grid,
               I ? std::vector{need(I - 1, Grid, {neighbours(Grid, 0, 1)})}
                 : std::vector<Dependence>());
      ASSERT_TRUE(Runs->drain().ok());
      Gpu->RunsBeside = 1;
      Runs->reportRest();
      ASSERT_EQ(Sink.Events.size(), 72u);
      std::map<Ran, Event> By;
      for (const Event &Each : Sink.Events)
        By[{Each.Launch, Each.Block}] = Each;
      for (const auto &[Name, Each] : By)
        for (uint64_t Block : {Name.second, Name.second + 1})
          if (auto Found = By.find({Name.first - 1, Block});
              Found != By.end()) {
            EXPECT_LE(Found->second.End, Each.Start);
          }
    }
}

TEST_F(BlockTimesTest, WithoutListenersNothingIsNoted) {
  begin([](GpuPort &Port, Timed) {
    return std::make_unique<Prelaunch>(Port, Window);
  });
  submit(0, {4, 1, 1});
  EXPECT_EQ(Gpu->Gates[0].Times, nullptr);
  Runs->waited(1us);
  Runs->reportRest();
  EXPECT_EQ(Gpu->Looks, 0u);
}

TEST_F(BlockTimesTest, ACallThatWaitsLooksWhereBlocksHaveNotBeenSeen) {
  begin(makeSerial);
  Gpu->RunsBeside = 1;
  submit(0, {1, 1, 1});
  Runs->waited(1us);
  EXPECT_EQ(Gpu->Looks, 1u);
  Runs->reportRest();
  EXPECT_EQ(Sink.Events.size(), 1u);
  const unsigned Looks = Gpu->Looks;
  Runs->waited(1us);
  EXPECT_EQ(Gpu->Looks, Looks);
}

/// The host looks, and waits for no stream: one may be waiting for the host.
TEST_F(BlockTimesTest, FullMemoryIsWaitedForByLooking) {
  begin(makePrelaunch, 3, Small);
  Gpu->RunsBeside = 5;
  for (unsigned I = 0; I < 40; ++I)
    submit(I, {50, 1, 1});
  EXPECT_GT(Gpu->Looks, 0u);
  EXPECT_EQ(Gpu->Waits, 0u);
  Runs->reportRest();
  expectAll();
  EXPECT_EQ(Sink.Events.size(), 2000u);
  EXPECT_LE(Gpu->MostBytesBeside, Small.Most * sizeof(BlockTime));
}

/// A stream may be waiting for the host: then launches go on unheard.
TEST_F(BlockTimesTest, TheHostDoesNotWaitForEver) {
  for (bool Serial : {false, true}) {
    begin(Serial ? makeSerial : makePrelaunch, 1, Small, 2ms);
    for (unsigned I = 0; I < 4; ++I)
      submit(I, {64, 1, 1});
    EXPECT_EQ(Runs->whyNotReported(), "");
    submit(4, {64, 1, 1});
    EXPECT_EQ(Runs->whyNotReported(),
              "too many before them have not ended for too long");
    EXPECT_EQ(Gpu->Plains.size(), Serial ? 1u : 0u);
    EXPECT_EQ(Gpu->Launched.size(), Serial ? 4u : 5u);
    Gpu->RunsBeside = 1;
    submit(5, {64, 1, 1});
    EXPECT_EQ(Runs->whyNotReported(), "");
    ASSERT_TRUE(Runs->drain().ok());
    ASSERT_TRUE(Gpu->synchronize(nullptr).ok());
    Runs->reportRest();
    expectTrue();
    EXPECT_EQ(Sink.Events.size(), 5 * 64u);
  }
}

TEST_F(BlockTimesTest, TheEndIsNotWaitedForForEver) {
  begin(makeSerial, 1, {}, 2ms);
  submit(0, {4, 1, 1});
  Runs->reportRest();
  EXPECT_TRUE(Sink.Events.empty());
  Runs.reset(); // What blocks may still write to is not given back.
}

/// Together they would need more room than there is.
TEST_F(BlockTimesTest, BatchesEndWhereTheirBlocksHaveNoRoom) {
  begin(makePersistent, 1, Small);
  Gpu->RunsBeside = 1;
  for (unsigned I = 0; I < 5; ++I)
    submit(I, {64, 1, 1});
  ASSERT_TRUE(Runs->drain().ok());
  ASSERT_EQ(Gpu->Batches.size(), 2u);
  EXPECT_EQ(Gpu->Batches[0].LaunchCount, 4u);
  Runs->reportRest();
  expectAll();
  EXPECT_EQ(Sink.Events.size(), 5 * 64u);
}

/// A grid that is larger than what others have left behind.
TEST_F(BlockTimesTest, SmallPiecesGiveWayToLargeOnes) {
  begin(makeSerial, 1, Small);
  Gpu->RunsBeside = 1;
  for (unsigned I = 0; I < 4; ++I)
    submit(I, {64, 1, 1});
  submit(4, {256, 1, 1});
  EXPECT_EQ(Runs->whyNotReported(), "");
  submit(5, {257, 1, 1});
  EXPECT_EQ(Runs->whyNotReported(), "there are too many of them");
  ASSERT_EQ(Gpu->Plains.size(), 1u);
  EXPECT_EQ(Gpu->Plains[0].Grid.X, 257u);
  Runs->reportRest();
  EXPECT_EQ(Sink.Events.size(), 512u);
}

TEST_F(BlockTimesTest, WhatIsNotLaunchedIsNotWaitedFor) {
  for (const Maker &Make :
       {makeSerial, makePdl, makePrelaunch, makePersistent}) {
    begin(Make, 1, Small);
    submit(0, {4, 1, 1});
    EXPECT_TRUE(Runs->drain().ok());
    Gpu->LaunchResult = Status(StatusCode::Device, "no room");
    EXPECT_FALSE(Runs->submit(numberedTask(1, {64, 1, 1})).ok() &&
                 Runs->drain().ok());
    Gpu->LaunchResult = {};
    Gpu->RunsBeside = 1;
    Runs->reportRest();
    EXPECT_EQ(Sink.Events.size(), 4u);
  }
}

TEST_F(BlockTimesTest, WithoutMemoryLaunchesGoOnUnheard) {
  for (const Maker &Make : {makeSerial, makePrelaunch, makePersistent}) {
    begin(Make);
    Gpu->BesideResult = Status(StatusCode::Device, "no memory");
    submit(0, {4, 1, 1});
    ASSERT_TRUE(Runs->drain().ok());
    EXPECT_EQ(Runs->whyNotReported(), "no memory");
    EXPECT_EQ(Gpu->Launched.size() + Gpu->Plains.size(), 1u);
    Runs->reportRest();
    EXPECT_TRUE(Sink.Events.empty());
  }
}

/// The kernel itself, or its pdl variant, where that may be.
TEST_F(BlockTimesTest, KernelsThatCannotNoteGoAsTheyAre) {
  for (bool HasPdl : {false, true}) {
    begin([&](GpuPort &Port, Timed Times) {
      return std::make_unique<GpuSerial>(
          Port, KernelVariant::Pdl, std::move(Times),
          [HasPdl](const Launch &, KernelVariant As) {
            return HasPdl && As == KernelVariant::Pdl
                       ? Status()
                       : Status(StatusCode::Unsupported, "it is too large");
          });
    });
    KernelRecord Kernel;
    Kernel.Parameters = {{0, 4, 4, false, false}};
    Task Next = makeTask(0, {4, 1, 1});
    auto What = std::const_pointer_cast<Launch>(Next.What);
    What->Kernel = &Kernel;
    What->Arguments.resize(4);
    ASSERT_TRUE(Runs->submit(Next).ok());
    EXPECT_EQ(Gpu->Plains.size(), HasPdl ? 0u : 1u);
    EXPECT_EQ(Gpu->Earlies.size(), HasPdl ? 1u : 0u);
    EXPECT_EQ(Runs->whyNotReported(), "it is too large");
    EXPECT_EQ(Gpu->BytesBeside, 0u);
  }
}

} // namespace
} // namespace blockmaestro
