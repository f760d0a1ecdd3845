// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// In which order, and in what chains, gathered launches are submitted.

#include "Chained.h"
#include "FakeGpu.h"
#include "LaunchBy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <future>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace blockmaestro {
namespace {

using std::chrono::nanoseconds;

class ChainedTest : public testing::Test {
protected:
  ChainedTest() {
    for (KernelRecord &Each : Kernels) {
      Each.Parameters = {{0, 4, 4, false, false}, {8, 8, 8, true, false}};
      Each.ArgumentBytes = 16;
    }
  }

  /// Launches the next number, with arguments that are gone afterwards.
  void launchOne(unsigned Which, void *Stream = nullptr) {
    launchNumber(Next++, Which, Stream);
  }
  void launchNumber(int Number, unsigned Which, void *Stream) {
    void *Pointer = nullptr;
    void *Arguments[] = {&Number, &Pointer};
    GpuLaunch What;
    What.Kernel = &Kernels[Which];
    What.Stream = Stream;
    What.Grid = Grid;
    What.Arguments = Arguments;
    launchBy(Runs, Gpu, What);
    Number = -1;
  }
  /// So many launches of kernels in turn.
  void launch(unsigned Count, unsigned Period = 1, void *Stream = nullptr) {
    for (unsigned I = 0; I < Count; ++I)
      launchOne(I % Period, Stream);
  }
  /// A copy, by a number, of memory that nothing else touches.
  void copy(int Number) {
    GpuCopy What;
    What.To = &Next;
    What.From = &Shown;
    What.Bytes = size_t(Number);
    Result<bool> Held = Runs.gather(GpuWork(What));
    ASSERT_TRUE(Held.ok());
    if (!*Held) {
      ASSERT_TRUE(Gpu.copy(What).ok());
    }
  }
  /// The same, from a fence to the next, until its chains are made.
  void learn(unsigned Count, unsigned Period = 1, void *Stream = nullptr) {
    constexpr unsigned Enough = 64;
    for (unsigned I = 0; I < Enough; ++I) {
      launch(Count, Period, Stream);
      ASSERT_TRUE(Runs.fence().ok());
    }
    (void)submitted();
  }

  /// The host has waited so long.
  void wait(nanoseconds Idle) {
    ASSERT_TRUE(Runs.drain().ok());
    Runs.waited(Idle);
  }
  /// The least time after which nothing more is held.
  static nanoseconds enoughFor(size_t OneByOne, size_t ByChain) {
    return (OneByOne + 5 * ByChain) * Chained::LaunchTime / 4 + One;
  }
  static constexpr nanoseconds One{1};

  /// The lengths of what was submitted since the last time, after seeing that
  /// numbers are in order.
  std::string submitted() {
    std::string Out;
    unsigned Length = 0;
    for (size_t I = Shown; I < Gpu.Earlies.size(); ++I) {
      EXPECT_EQ(Gpu.Earlies[I].Number, int(I));
      if (!Gpu.Earlies[I].Chained && Length != 0)
        Out += std::to_string(std::exchange(Length, 0)) + " ";
      ++Length;
    }
    Shown = Gpu.Earlies.size();
    return Length == 0 ? Out : Out + std::to_string(Length);
  }

  KernelRecord Kernels[5];
  FakeGpu Gpu{1};
  bool MayHold = true;
  Chained Runs{Gpu, [this] { return MayHold; }, {ChainMaker::Place::InCall}};
  Dim3 Grid;
  int Next = 0;
  size_t Shown = 0;
};

/// Four launches of the five are held; a chain for them saves 44 fifths of a
/// microsecond each time.
TEST_F(ChainedTest, AChainIsMadeWhenItWouldHaveSavedWhatItCosts) {
  for (size_t I = 0; I <= ChainMemory::WorthMaking / 44; ++I) {
    launch(5);
    EXPECT_EQ(submitted(), "1") << I;
    EXPECT_EQ(Gpu.ChainsMade, 0u) << I;
    ASSERT_TRUE(Runs.fence().ok());
    EXPECT_EQ(submitted(), "1 1 1 1") << I;
  }
  EXPECT_EQ(Gpu.ChainsMade, 1u);
  launch(5);
  ASSERT_TRUE(Runs.fence().ok());
  EXPECT_EQ(submitted(), "1 4");
}

TEST_F(ChainedTest, LongOnesAreMadeSooner) {
  for (int I = 0; I < 2; ++I) {
    EXPECT_EQ(Gpu.ChainsMade, 0u);
    launch(1 + 8 + 32);
    ASSERT_TRUE(Runs.fence().ok());
  }
  (void)submitted();
  launch(1 + 8 + 32);
  ASSERT_TRUE(Runs.fence().ok());
  EXPECT_EQ(submitted(), "1 8 32");
}

TEST_F(ChainedTest, ChainsGrow) {
  learn(1 + 8 + 32 + 32);
  const unsigned Made = Gpu.ChainsMade;
  launch(1 + 8 + 32 + 32 + 32);
  EXPECT_EQ(submitted(), "1 8 32 32");
  ASSERT_TRUE(Runs.fence().ok());
  EXPECT_EQ(submitted(), "32");
  EXPECT_FALSE(Runs.gathers());
  EXPECT_EQ(Gpu.ChainsMade, Made) << "each is used again";
}

TEST_F(ChainedTest, ChainsThatDoNotComeAroundEndSomewhere) {
  launch(9);
  EXPECT_EQ(Gpu.Earlies.size(), 9u);
  launchOne(1);
  for (unsigned I = 0; I < 62; ++I)
    launchOne(2 + I % 2);
  EXPECT_EQ(Gpu.Earlies.size(), 9u);
  launchOne(4);
  EXPECT_EQ(Gpu.Earlies.size(), 9u + 64u);
}

TEST_F(ChainedTest, WhatIsNewGoesAsTheChainsOfItsHalves) {
  learn(1 + 4);
  launch(1 + 8);
  EXPECT_EQ(submitted(), "1 4 4");
}

TEST_F(ChainedTest, LongChainsEndWhereTheirKernelsBeginAgain) {
  learn(9 + 33 + 33, 3);
  launch(9 + 33 + 33 + 1, 3);
  EXPECT_EQ(submitted(), "1 8 33 33");
}

/// Each way to cut the program's kernels would want chains of its own.
TEST_F(ChainedTest, LongChainsEndAtTheSamePlaceWhateverCameBetween) {
  learn(9 + 33 + 33, 3);
  const unsigned Made = Gpu.ChainsMade;
  launch(9 + 33 + 10, 3);
  ASSERT_TRUE(Runs.submitHeld().ok());
  (void)submitted();
  for (unsigned I = 0; I < 8 + 34 + 33 + 1; ++I)
    launchOne(I % 3);
  EXPECT_TRUE(submitted().ends_with(" 33"));
  EXPECT_LE(Gpu.ChainsMade, Made + 1) << "for a half of what went unasked";
  ASSERT_TRUE(Runs.fence().ok());
  launch(9 + 33 + 33 + 1, 3);
  EXPECT_TRUE(submitted().ends_with(" 33 33"));
}

/// Where the grids never come again, chains only cost.
TEST_F(ChainedTest, ChainsThatAreOfNoUseAreNotMadeForever) {
  for (int I = 0; I < 30000; ++I) {
    launchOne(0);
    for (int Digit = 0; Digit < 4; ++Digit) {
      Grid = Dim3(uint32_t(Next + 1));
      launchOne(1 + (I / 30 >> 2 * Digit) % 4);
    }
    ASSERT_TRUE(Runs.fence().ok());
  }
  EXPECT_GE(Gpu.ChainsMade, ChainMemory::Advance);
  EXPECT_LE(Gpu.ChainsMade, ChainMemory::Advance * 4 / 3 + 1)
      << "each is launched once";
}

TEST_F(ChainedTest, CopiesKeepTheirPlaceInChains) {
  const auto Run = [this] {
    launch(4);
    copy(Next++);
    launch(3);
    ASSERT_TRUE(Runs.fence().ok());
  };
  Next = 1;
  launchNumber(0, 0, nullptr);
  for (int I = 0; I < 64; ++I)
    Run();
  (void)submitted();
  const unsigned Set = Gpu.NodesSet;
  Run();
  EXPECT_EQ(submitted(), "1 7");
  EXPECT_EQ(Gpu.NodesSet, Set + 7) << "each has a new number";
}

TEST_F(ChainedTest, NodesAreSetWhereSomethingHasChanged) {
  learn(5);
  Next = int(Gpu.Earlies.size());
  launch(5);
  ASSERT_TRUE(Runs.fence().ok());
  const unsigned Set = Gpu.NodesSet;
  for (int I = 0; I < 5; ++I)
    launchNumber(Next - 5 + I, 0, nullptr);
  EXPECT_EQ(Gpu.NodesSet, Set);
  ASSERT_TRUE(Runs.fence().ok());
  for (int I = 0; I < 5; ++I)
    launchNumber(I == 2 ? 99 : Next - 5 + I, 0, nullptr);
  ASSERT_TRUE(Runs.fence().ok());
  EXPECT_EQ(Gpu.NodesSet, Set + 1);
  const std::vector<FakeGpu::Early> &All = Gpu.Earlies;
  EXPECT_EQ(All[All.size() - 3].Number, 99);
  EXPECT_EQ(All[All.size() - 2].Number, Next - 2);
}

/// As where a program swaps two buffers.
TEST_F(ChainedTest, ArgumentsThatComeByTurnsGetChainsOfTheirOwn) {
  auto Turn = [&](int First) {
    for (int I = 0; I < 5; ++I)
      launchNumber(First + I, 0, nullptr);
    EXPECT_TRUE(Runs.fence().ok());
    return Gpu.Earlies.back().Number;
  };
  for (int I = 0; I < 150; ++I) {
    EXPECT_EQ(Turn(100), 104);
    EXPECT_EQ(Turn(200), 204);
  }
  EXPECT_LE(Gpu.ChainsMade, 3u);
  const unsigned Set = Gpu.NodesSet;
  EXPECT_EQ(Turn(100), 104);
  EXPECT_EQ(Turn(200), 204);
  EXPECT_EQ(Gpu.NodesSet, Set);
}

/// More of them than there are chains whose arguments are set.
TEST_F(ChainedTest, ArgumentsThatComeAgainAreKept) {
  constexpr int Sets = 2 * int(ChainMemory::MostAlike);
  const auto Each = [&] {
    for (int Set = 0; Set < Sets; ++Set) {
      for (int I = 0; I < 5; ++I)
        launchNumber(100 * Set + I, 0, nullptr);
      EXPECT_TRUE(Runs.fence().ok());
      EXPECT_EQ(Gpu.Earlies.back().Number, 100 * Set + 4);
    }
  };
  for (int I = 0; I < 300; ++I)
    Each();
  const unsigned Set = Gpu.NodesSet;
  Each();
  EXPECT_EQ(Gpu.NodesSet, Set);
  EXPECT_LE(Gpu.ChainsMade, unsigned(Sets) + ChainMemory::MostAlike);
}

TEST_F(ChainedTest, ArgumentsThatNeverComeAgainGetFewChains) {
  for (int I = 0; I < 20000; ++I) {
    launch(5);
    ASSERT_TRUE(Runs.fence().ok());
  }
  EXPECT_EQ(Gpu.ChainsMade, ChainMemory::MostAlike)
      << "each has cost twice as much as the one before, to be made";
  launch(5);
  ASSERT_TRUE(Runs.fence().ok());
  EXPECT_EQ(Gpu.Earlies.back().Number, Next - 1);
}

/// To give all nodes other sizes costs more than two launches.
TEST_F(ChainedTest, WhatCostsLessOneByOneGoesOneByOne) {
  auto Turn = [&](uint32_t Blocks) {
    for (unsigned I = 0; I < 6; ++I)
      launchOne(1);
    EXPECT_TRUE(Runs.fence().ok());
    (void)submitted();
    for (unsigned I = 0; I < 5; ++I) {
      Grid = Dim3(Blocks);
      launchOne(0);
    }
    EXPECT_TRUE(Runs.fence().ok());
  };
  for (int I = 0; I < 30; ++I)
    Turn(7);
  EXPECT_EQ(submitted(), "1 4");
  Turn(8);
  EXPECT_EQ(submitted(), "1 1 1 1 1");
  Turn(7);
  EXPECT_EQ(submitted(), "1 4");
}

TEST_F(ChainedTest, AFenceSubmitsWhatIsHeldAndBeginsAnew) {
  learn(1 + 8 + 7);
  launch(1 + 8 + 7);
  EXPECT_EQ(submitted(), "1 8");
  EXPECT_TRUE(Runs.gathers());
  ASSERT_TRUE(Runs.fence().ok());
  EXPECT_EQ(submitted(), "7");
  EXPECT_FALSE(Runs.gathers());
  launch(2);
  EXPECT_EQ(submitted(), "1");
  ASSERT_TRUE(Runs.drain().ok());
  EXPECT_EQ(submitted(), "1");
}

/// As where the program waits after every few launches.
TEST_F(ChainedTest, NothingIsHeldWhereFencesComeSoon) {
  for (int I = 0; I < 3; ++I) {
    launch(3);
    EXPECT_TRUE(Runs.gathers());
    ASSERT_TRUE(Runs.fence().ok());
  }
  launch(4);
  EXPECT_FALSE(Runs.gathers());
  launch(1);
  EXPECT_TRUE(Runs.gathers()) << "no fence has come";
  ASSERT_TRUE(Runs.fence().ok());
  launch(2);
  EXPECT_TRUE(Runs.gathers()) << "the last run was long";
}

/// As in a program that asks the host in rounds, between longer parts.
TEST_F(ChainedTest, ShortRunsAreKnownByTheirFirstWork) {
  const auto Long = [this] {
    for (unsigned I = 0; I < 6; ++I)
      launchOne(3);
    ASSERT_TRUE(Runs.fence().ok());
  };
  for (unsigned I = 0; I < 3; ++I) {
    launch(3, 3);
    ASSERT_TRUE(Runs.fence().ok());
    Long();
  }
  (void)submitted();
  launch(4, 3);
  EXPECT_EQ(submitted(), "1 1 1 1");
  launchOne(0);
  EXPECT_TRUE(Runs.gathers()) << "it is longer than those before";
  ASSERT_TRUE(Runs.fence().ok());
  (void)submitted();
  launch(3, 3);
  EXPECT_EQ(submitted(), "1") << "and has ended the habit";
  ASSERT_TRUE(Runs.fence().ok());
  (void)submitted();
  launchOne(3);
  launchOne(3);
  EXPECT_EQ(submitted(), "1");
}

TEST_F(ChainedTest, NothingIsHeldWhereTheHostHasTime) {
  launch(3);
  EXPECT_EQ(submitted(), "1");
  wait(enoughFor(3, 0) - One);
  launch(3);
  EXPECT_EQ(submitted(), "1 1 1") << "those held before, and one";
  wait(enoughFor(3, 0));
  (void)submitted();
  launch(3);
  EXPECT_EQ(submitted(), "1 1 1");
}

/// Other grids each time: chains that are set cost as much as launches.
TEST_F(ChainedTest, NothingIsHeldWhereThatHasTakenLonger) {
  const auto Stretch = [this] {
    for (unsigned I = 0; I < 12; ++I) {
      Grid = Dim3(uint32_t(Next + 1));
      launchOne(0);
    }
    const bool Held = Runs.gathers();
    if (Held)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    wait(nanoseconds(0));
    return Held;
  };
  for (unsigned I = 0; I < HoldChoice::FirstPatience; ++I)
    EXPECT_TRUE(Stretch()) << I;
  for (unsigned I = 0; I < HoldChoice::Compared; ++I)
    EXPECT_FALSE(Stretch()) << I;
  (void)submitted();
  EXPECT_FALSE(Stretch());
  EXPECT_EQ(submitted(), "1 1 1 1 1 1 1 1 1 1 1 1");
  launch(24);
  EXPECT_FALSE(Runs.gathers());
  launch(2);
  EXPECT_TRUE(Runs.gathers()) << "no wait has come for long";
}

TEST_F(ChainedTest, WhatChainsSavedTheHostHasToHaveTimeFor) {
  learn(5);
  wait(nanoseconds(0));
  launch(5);
  wait(enoughFor(1, 4) - One);
  EXPECT_EQ(submitted(), "1 4");
  launch(5);
  wait(enoughFor(1, 4));
  EXPECT_EQ(submitted(), "1 4");
  launch(5);
  EXPECT_EQ(submitted(), "1 1 1 1 1");
}

TEST_F(ChainedTest, WhoFindsNoTimeNeedsMoreToBeToldSoAgain) {
  const auto HoldsOne = [&] {
    const size_t Before = Gpu.Earlies.size();
    launch(10);
    return Gpu.Earlies.size() - Before == 9;
  };
  for (unsigned Wrong = 0, Waits = 1; Wrong < 9; ++Wrong) {
    for (unsigned I = 0; I < Waits; ++I) {
      EXPECT_TRUE(HoldsOne()) << Wrong << ", " << I;
      wait(enoughFor(0, 10));
    }
    EXPECT_FALSE(HoldsOne()) << Wrong;
    wait(nanoseconds(0));
    EXPECT_TRUE(HoldsOne()) << Wrong;
    wait(nanoseconds(0));
    Waits = std::min(2 * Waits, Chained::MostWaits);
  }
}

TEST_F(ChainedTest, WhatIsHeldWhileTheHostWaitsComesFirst) {
  launch(4);
  ASSERT_EQ(submitted(), "1");
  Runs.waited(std::chrono::seconds(1));
  launch(1);
  ASSERT_TRUE(Runs.drain().ok());
  EXPECT_EQ(submitted(), "1 1 1 1");
}

TEST_F(ChainedTest, AnotherStreamComesAfterWhatIsHeld) {
  int Other = 0;
  launch(3);
  launch(3, 1, &Other);
  EXPECT_EQ(Gpu.Earlies.size(), 4u);
  ASSERT_TRUE(Runs.fence().ok());
  ASSERT_EQ(Gpu.Earlies.size(), 6u);
  for (int I = 0; I < 6; ++I) {
    EXPECT_EQ(Gpu.Earlies[I].Number, I);
    EXPECT_EQ(Gpu.Earlies[I].Stream, I < 3 ? nullptr : &Other);
  }
}

/// A graph waits for its own last run, wherever that was.
TEST_F(ChainedTest, StreamsHaveChainsOfTheirOwn) {
  int Other = 0;
  learn(5);
  learn(5, 1, &Other);
  EXPECT_EQ(Gpu.ChainsMade, 2u);
  Runs.forgetStream(&Other);
  EXPECT_EQ(Gpu.chainsAlive(), 1u);
  launch(5, 1, &Other);
  ASSERT_TRUE(Runs.fence().ok());
  EXPECT_EQ(submitted(), "1 1 1 1 1") << "a new stream of that name";
}

TEST_F(ChainedTest, KernelsThatGoAwayTakeTheirChains) {
  learn(5);
  Runs.forgetKernels();
  EXPECT_EQ(Gpu.chainsAlive(), 0u);
  launch(5);
  ASSERT_TRUE(Runs.fence().ok());
  EXPECT_EQ(submitted(), "1 1 1 1 1");
}

TEST_F(ChainedTest, WhatIsRememberedIsBounded) {
  int Streams[3000];
  for (int &Each : Streams) {
    learn(5, 1, &Each);
    for (size_t I = 0; I < ChainMemory::UsesForOne; ++I) {
      launch(5, 1, &Each);
      ASSERT_TRUE(Runs.fence().ok());
    }
  }
  EXPECT_LE(Gpu.chainsAlive(), 1024u);
  EXPECT_GT(Gpu.ChainsMade, 2900u);
}

TEST_F(ChainedTest, WhatNeverCameOftenIsForgottenFirst) {
  learn(5);
  for (int Case = 0; Case < 1500; ++Case) {
    launchOne(0);
    for (int Digit = 0, Left = Case * 7919; Digit < 12; ++Digit, Left /= 4)
      launchOne(1 + Left % 4);
    ASSERT_TRUE(Runs.fence().ok());
  }
  (void)submitted();
  launch(5);
  ASSERT_TRUE(Runs.fence().ok());
  EXPECT_EQ(submitted(), "1 4");
}

/// Whose chains are made when the test says so.
class SlowGpu : public FakeGpu {
public:
  using FakeGpu::FakeGpu;

  Result<ChainWork> chainOf(std::span<const GpuWork> Works,
                            const ChainOrder &Order) override {
    Result<ChainWork> Work = FakeGpu::chainOf(Works, Order);
    return ChainWork([this, Work] {
      std::lock_guard Waits(Busy);
      return (*Work)();
    });
  }

  std::mutex Busy;
};

class ChainMaking : public testing::Test {
protected:
  ChainMaking() {
    Kernel.Parameters = {{0, 4, 4, false, false}};
    Kernel.ArgumentBytes = 4;
  }
  void run() { runFrom(Number); }
  /// With these numbers.
  void runFrom(int First) {
    Number = First;
    for (int I = 0; I < 9; ++I) {
      void *Arguments[] = {&Number};
      GpuLaunch What;
      What.Kernel = &Kernel;
      What.Arguments = Arguments;
      launchBy(Runs, Gpu, What);
      ++Number;
    }
    ASSERT_TRUE(Runs.fence().ok());
  }
  /// Until a chain has been asked for.
  void runs() {
    for (int I = 0; I < 20; ++I)
      run();
  }
  auto chained() const {
    return std::count_if(Gpu.Earlies.begin(), Gpu.Earlies.end(),
                         [](const auto &Each) { return Each.Chained; });
  }

  KernelRecord Kernel;
  SlowGpu Gpu{1};
  Chained Runs{Gpu, [] { return true; }};
  int Number = 0;
};

TEST_F(ChainMaking, LaunchesGoOnMeanwhile) {
  {
    std::lock_guard Making(Gpu.Busy);
    runs();
    EXPECT_EQ(chained(), 0);
    EXPECT_EQ(Gpu.Earlies.size(), 180u);
  }
  const auto End = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (chained() == 0 && std::chrono::steady_clock::now() < End)
    run();
  EXPECT_GT(chained(), 0);
  for (int I = 0; I < Number; ++I)
    EXPECT_EQ(Gpu.Earlies[I].Number, I);
}

/// CUDA dies where memory is freed that a copy of a graph under way names.
TEST_F(ChainMaking, MemoryStaysUntilChainsAreMade) {
  std::future<void> Freed;
  {
    std::lock_guard Making(Gpu.Busy);
    runs();
    Freed = std::async(std::launch::async, [&] { Runs.letMemoryGo(); });
    EXPECT_EQ(Freed.wait_for(std::chrono::milliseconds(50)),
              std::future_status::timeout);
  }
  Freed.get();
  run();
  EXPECT_GT(chained(), 0) << "what was asked for is there";
}

/// A chain that is there keeps no other from being made, though its own works
/// have not come again.
TEST_F(ChainMaking, ChainsOfOtherArgumentsNeedNotWaitForEachOther) {
  runs();
  const auto Round = [this] {
    for (int Set = 1; Set <= 8; ++Set) {
      runFrom(10'000 * Set);
      Runs.letMemoryGo();
    }
  };
  const size_t SettingCost = 8 * ArgumentCost;
  for (size_t I = 0; I <= ChainMemory::WorthKeeping / SettingCost + 1; ++I)
    Round();
  const unsigned Set = Gpu.NodesSet;
  Round();
  EXPECT_EQ(Gpu.NodesSet, Set) << "all have one that keeps their arguments";
}

TEST(ChainMakerTest, WhatHasBegunIsMadeBeforeTheEnd) {
  int Made = 0;
  std::vector<ChainMaker::Chain> Coming;
  {
    ChainMaker Maker(ChainMaker::Place::Beside);
    for (int I = 0; I < 5; ++I)
      Coming.push_back(Maker.make([&Made, I] {
        EXPECT_EQ(Made++, I);
        return Result<void *>(nullptr);
      }));
  }
  EXPECT_EQ(Made, 5);
  for (ChainMaker::Chain &Each : Coming)
    EXPECT_TRUE(Each.get().ok());
}

Task taskOf(const KernelRecord &Kernel, int Number) {
  auto Own = std::make_shared<Launch>();
  Own->Kernel = &Kernel;
  Own->Arguments.resize(16);
  std::memcpy(Own->Arguments.data(), &Number, sizeof Number);
  Task Out;
  Out.What = std::move(Own);
  return Out;
}

TEST_F(ChainedTest, TasksAreGatheredToo) {
  for (int I = 0; I < 3; ++I)
    ASSERT_TRUE(Runs.submit(taskOf(Kernels[0], I)).ok());
  EXPECT_TRUE(Runs.gathers());
  ASSERT_TRUE(Runs.fence().ok());
  EXPECT_EQ(submitted(), "1 1 1");
}

TEST_F(ChainedTest, TasksAreNotGatheredWhereTheyMustNot) {
  for (int I = 0; I < 3; ++I)
    ASSERT_TRUE(Runs.submit(taskOf(Kernels[0], I)).ok());
  MayHold = false;
  ASSERT_TRUE(Runs.submit(taskOf(Kernels[0], 3)).ok());
  EXPECT_EQ(submitted(), "1 1 1 1");
  EXPECT_FALSE(Runs.gathers());
}

} // namespace
} // namespace blockmaestro
