// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// In which form chains are launched, and that blocks wait for what they need.

#include "Chained.h"
#include "FakeDevice.h"
#include "FakeGpu.h"
#include "FormChoice.h"
#include "GateLine.h"

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace blockmaestro {
namespace {

using std::chrono::microseconds;
using std::chrono::nanoseconds;

constexpr size_t Works = 10;

/// Takes the times of one form as long as they are asked for.
unsigned take(FormChoice &By, ChainForm Form, nanoseconds Long) {
  unsigned Count = 0;
  for (; By.isTimed() && By.next() == Form; ++Count)
    By.took(Long);
  return Count;
}

FormChoice triedWith(nanoseconds InOrder, nanoseconds ByBlock) {
  FormChoice Out(Works, FormPolicy::Faster);
  take(Out, ChainForm::InOrder, InOrder);
  EXPECT_TRUE(Out.asks());
  Out.made(true);
  take(Out, ChainForm::ByBlock, ByBlock);
  EXPECT_TRUE(Out.isSettled());
  return Out;
}

TEST(FormChoice, WhatIsFasterIsChosen) {
  EXPECT_EQ(triedWith(microseconds(100), microseconds(94)).next(),
            ChainForm::ByBlock);
  EXPECT_EQ(triedWith(microseconds(100), microseconds(95)).next(),
            ChainForm::InOrder)
      << "by too little";
}

TEST(FormChoice, ByTheLeastTimes) {
  FormChoice Mine(Works, FormPolicy::Faster);
  Mine.took(microseconds(300));
  Mine.took(microseconds(100));
  Mine.made(true);
  Mine.took(microseconds(120));
  Mine.took(microseconds(80));
  EXPECT_EQ(Mine.next(), ChainForm::ByBlock);
  EXPECT_EQ(Mine.least(ChainForm::InOrder), microseconds(100));
  EXPECT_EQ(Mine.least(ChainForm::ByBlock), microseconds(80));
}

TEST(FormChoice, WhatIsMuchSlowerIsTriedOnce) {
  FormChoice Mine(Works, FormPolicy::Faster);
  take(Mine, ChainForm::InOrder, microseconds(100));
  Mine.made(true);
  EXPECT_EQ(take(Mine, ChainForm::ByBlock, microseconds(126)), 1u);
  EXPECT_TRUE(Mine.isSettled());
  EXPECT_EQ(Mine.next(), ChainForm::InOrder);
}

TEST(FormChoice, ShortWorksAreNotTried) {
  FormChoice Mine(Works, FormPolicy::Faster);
  take(Mine, ChainForm::InOrder,
       Works * FormChoice::LeastEach - nanoseconds(1));
  EXPECT_TRUE(Mine.isSettled());
  EXPECT_FALSE(Mine.asks());
  EXPECT_EQ(Mine.next(), ChainForm::InOrder);
}

TEST(FormChoice, WhatCannotBeMadeStaysInOrder) {
  FormChoice Mine(Works, FormPolicy::Faster);
  take(Mine, ChainForm::InOrder, microseconds(100));
  Mine.made(false);
  EXPECT_TRUE(Mine.isSettled());
  EXPECT_EQ(Mine.next(), ChainForm::InOrder);
  EXPECT_FALSE(Mine.least(ChainForm::ByBlock));
}

TEST(FormChoice, TheUserMayChoose) {
  FormChoice InOrder(Works, FormPolicy::InOrder);
  EXPECT_TRUE(InOrder.isSettled());
  EXPECT_EQ(InOrder.next(), ChainForm::InOrder);
  FormChoice ByBlock(Works, FormPolicy::ByBlock);
  EXPECT_TRUE(ByBlock.asks());
  EXPECT_EQ(ByBlock.next(), ChainForm::InOrder);
  ByBlock.made(true);
  EXPECT_TRUE(ByBlock.isSettled());
  EXPECT_EQ(ByBlock.next(), ChainForm::ByBlock);
  FormChoice CannotBe(Works, FormPolicy::ByBlock);
  CannotBe.made(false);
  EXPECT_TRUE(CannotBe.isSettled());
  EXPECT_EQ(CannotBe.next(), ChainForm::InOrder);
}

TEST(FormChoice, WhatIsThereEarlyIsTriedInItsTurn) {
  FormChoice Mine(Works, FormPolicy::Faster);
  Mine.made(true);
  EXPECT_EQ(Mine.next(), ChainForm::InOrder);
  EXPECT_EQ(take(Mine, ChainForm::InOrder, microseconds(100)),
            FormChoice::Times);
  EXPECT_EQ(take(Mine, ChainForm::ByBlock, microseconds(50)),
            FormChoice::Times);
  EXPECT_EQ(Mine.next(), ChainForm::ByBlock);
}

/// Launches of one kernel of as many blocks, of which each needs its
/// neighbours' of the launch in front; the numbers of a run come again.
class ChainFormsTest : public testing::TestWithParam<int>,
                       public WorkRelations {
protected:
  ChainFormsTest() {
    Kernel.Parameters = {{0, 4, 4, false, false}};
    Kernel.ArgumentBytes = 4;
    Runs.relateBy(this);
    Gpu.InOrderTime = microseconds(10);
    Gpu.ByBlockTime = microseconds(5);
    Gpu.Body = [this](uint64_t L, uint64_t B) { run(L, B); };
  }

  uint64_t version() const override { return Version; }
  OrderFinder orderOf(std::span<const GpuWork> Of,
                      const std::vector<bool> &) override {
    return [Count = Of.size()] { return ChainOrder::line(Count); };
  }
  NeedsFinder needsOf(std::span<const GpuWork> Of) override {
    ++NeedsAsked;
    std::vector<bool> IsLaunch;
    for (const GpuWork &Each : Of)
      IsLaunch.push_back(std::holds_alternative<GpuLaunch>(Each));
    return [this, IsLaunch] { return needs(IsLaunch); };
  }
  Needs needs(const std::vector<bool> &IsLaunch) const {
    if (KeepsOrder)
      return {};
    Needs Out(IsLaunch.size());
    for (size_t I = 1; I < Out.size(); ++I)
      if (IsLaunch[I] && IsLaunch[I - 1])
        Out[I].push_back(WaitForAll
                             ? needAll(I - 1, Grid)
                             : need(I - 1, Grid, {neighbours(Grid, -1, 1)}));
    return Out;
  }

  void launch(int Number) {
    void *Arguments[] = {&Number};
    GpuLaunch What;
    What.Kernel = &Kernel;
    What.Form = KernelVariant::Pdl;
    What.Programmatic = true;
    What.Grid = Grid;
    What.Arguments = Arguments;
    What.Stream = Stream;
    give(What);
  }
  void copy() {
    GpuCopy What;
    What.To = &Number;
    What.From = &Kernel;
    What.Bytes = 1000;
    give(What);
  }
  void give(const GpuWork &What) {
    Result<bool> Held = Runs.gather(What);
    ASSERT_TRUE(Held.ok());
    if (!*Held)
      ASSERT_TRUE(std::visit([](const auto &) { return Status(); }, What).ok());
  }
  /// From a fence to the next; what the device has to do it does.
  void run(bool WithCopy = false) {
    for (size_t I = 0; I < Length; ++I) {
      if (WithCopy && I == Length / 2)
        copy();
      launch(Number + int(I));
    }
    ASSERT_TRUE(Runs.fence().ok());
    Ran.clear();
    ASSERT_TRUE(Gpu.synchronize(nullptr).ok());
    EXPECT_FALSE(Gpu.Deadlock);
  }
  void runs(unsigned Times, bool WithCopy = false) {
    for (unsigned I = 0; I < Times; ++I)
      run(WithCopy);
  }

  std::vector<HeldWork> twoLaunches() {
    std::vector<HeldWork> Out(2);
    for (HeldWork &Each : Out) {
      void *Arguments[] = {&Number};
      GpuLaunch What;
      What.Kernel = &Kernel;
      What.Grid = Grid;
      What.Arguments = Arguments;
      Each.copy(What);
    }
    return Out;
  }
  /// One of the first work alone.
  void *chainOf(const std::vector<HeldWork> &Works) {
    const std::vector<GpuWork> One = {Works[0].work()};
    return *(*Gpu.chainOf(One, ChainOrder::line(1)))();
  }

  /// Launches are known by their places in their chain, which is a long one or
  /// the short one in front of it.
  void run(uint64_t Launch, uint64_t Block) {
    if (Launch == 0 && Ran.contains({0, Block}))
      Ran.clear();
    for (int64_t Needed = int64_t(Block) - 1; Needed <= int64_t(Block) + 1;
         ++Needed)
      if (Launch > 0 && Needed >= 0 && Needed < int64_t(Grid.X) &&
          Launch != BehindCopy)
        Missed += !Ran.contains({Launch - 1, uint64_t(Needed)});
    Ran.insert({Launch, Block});
    ++Blocks;
  }
  bool mentions(const std::string &What) const {
    return Runs.account().find(What) != std::string::npos;
  }

  size_t Length = 1 + 8 + 32;
  static constexpr unsigned Enough = 32;
  KernelRecord Kernel;
  FakeGpu Gpu{uint64_t(GetParam())};
  Chained Runs{Gpu, [] { return true; }, {ChainMaker::Place::InCall}};
  Dim3 Grid{9, 1, 1};
  int Number = 0;
  void *Stream = nullptr;
  uint64_t Version = 0;
  uint64_t BehindCopy = 0; ///< The launch that waits for no block.
  unsigned NeedsAsked = 0;
  bool KeepsOrder = false, WaitForAll = false;
  std::set<std::pair<uint64_t, uint64_t>> Ran;
  unsigned Missed = 0, Blocks = 0;
};

TEST_P(ChainFormsTest, BlocksWaitForTheirNeighboursOnly) {
  runs(Enough);
  EXPECT_GT(Blocks, 0u) << Runs.account();
  EXPECT_EQ(Missed, 0u);
  EXPECT_TRUE(
      mentions(" where blocks wait for blocks; this was tried in 2 graphs and "
               "faster in 2, 5.0 us a launch instead of 10.0"))
      << Runs.account();
  EXPECT_EQ(Gpu.marksAlive(), 0u);
}

TEST_P(ChainFormsTest, AlsoWhereAChainComesTwiceInARow) {
  Length = 1 + 8 + 32 + 32;
  runs(Enough);
  Blocks = 0;
  run();
  EXPECT_EQ(Blocks, (Length - 1) * Grid.X) << Runs.account();
}

TEST_P(ChainFormsTest, TheOrderOfLaunchesStays) {
  runs(Enough);
  for (size_t I = 0; I + 1 < Gpu.Earlies.size(); ++I) {
    const int Now = Gpu.Earlies[I].Number, Next = Gpu.Earlies[I + 1].Number;
    EXPECT_TRUE(Next == Now + 1 || Next == 1) << Now << " " << Next;
  }
}

TEST_P(ChainFormsTest, ADeviceThatForgetsItIsSeen) {
  Gpu.ForgetsPieces = true;
  runs(Enough);
  EXPECT_GT(Missed, 0u) << "else these tests could not fail";
}

TEST_P(ChainFormsTest, WhatIsSlowerGoesInOrder) {
  Gpu.ByBlockTime = microseconds(11);
  runs(Enough);
  const unsigned Tried = Blocks;
  EXPECT_GT(Tried, 0u);
  EXPECT_TRUE(mentions("this was tried in 2 graphs and was not faster"))
      << Runs.account();
  runs(Enough);
  EXPECT_EQ(Blocks, Tried);
}

TEST_P(ChainFormsTest, OtherArgumentsGoInOrder) {
  runs(Enough);
  const unsigned Before = std::exchange(Blocks, 0);
  EXPECT_GT(Before, 0u);
  Number = 1000;
  run();
  EXPECT_EQ(Blocks, 0u) << "the needs are those of other arguments";
  Number = 0;
  run();
  EXPECT_GT(Blocks, 0u);
}

TEST_P(ChainFormsTest, WhatBlocksNeedIsAskedAgainWhereMemoryHasChanged) {
  runs(Enough);
  const unsigned Asked = NeedsAsked;
  Blocks = 0;
  ++Version;
  run();
  EXPECT_EQ(Blocks, 0u) << "nothing is known";
  run();
  EXPECT_GT(Blocks, 0u);
  EXPECT_EQ(NeedsAsked, 2 * Asked);
  Version += 1;
  KeepsOrder = true;
  runs(Enough);
  EXPECT_GT(std::exchange(Blocks, 0), 0u);
  run();
  EXPECT_EQ(Blocks, 0u) << "the order has to be kept by now";
}

TEST_P(ChainFormsTest, AlsoOnAStreamOfTheProgram) {
  Stream = &Kernel;
  runs(Enough);
  EXPECT_GT(Blocks, 0u) << Runs.account();
  EXPECT_EQ(Missed, 0u);
}

/// The memory of others may be gone by then.
TEST_P(ChainFormsTest, TheFormIsMadeWhenItsWorksComeAgain) {
  const std::vector<HeldWork> Two = twoLaunches();
  void *InOrder = chainOf(Two);
  ChainMaker Maker{ChainMaker::Place::InCall};
  StuckReports Stuck(Gpu, LongPatience);
  size_t Taken = 0;
  ChainForms Mine(Two.size(), FormPolicy::ByBlock);
  const auto Launch = [&](uint64_t Hash) {
    ASSERT_TRUE(Mine.launch(InOrder, Two, Hash,
                            {Gpu, this, Maker, Stuck, 1, true, Taken})
                    .ok());
  };
  Launch(7);
  Launch(7);
  const unsigned Before = Gpu.ChainsMade;
  Launch(9);
  EXPECT_EQ(NeedsAsked, 1u);
  EXPECT_EQ(Gpu.ChainsMade, Before) << "the other works were asked about";
  Launch(7);
  EXPECT_EQ(Gpu.ChainsMade, Before + 1);
  ASSERT_TRUE(Gpu.synchronize(nullptr).ok());
  Mine.release(Gpu, Taken);
}

/// What is left for done-words may be too little, and is given back.
TEST_P(ChainFormsTest, NotMoreMemoryIsTakenThanIsAllowed) {
  const std::vector<HeldWork> Two = twoLaunches();
  void *InOrder = chainOf(Two);
  ChainMaker Maker{ChainMaker::Place::InCall};
  StuckReports Stuck(Gpu, LongPatience);
  const size_t Needed = GateLine::bytesFor(GateLine::MaxWindow, Grid.count());
  for (const bool Fits : {false, true}) {
    const size_t Before = ChainForms::MostBytes - Needed + !Fits;
    size_t Taken = Before;
    ChainForms Mine(Two.size(), FormPolicy::ByBlock);
    for (int I = 0; I < 4; ++I)
      ASSERT_TRUE(Mine.launch(InOrder, Two, /*Now=*/7,
                              {Gpu, this, Maker, Stuck, 1, true, Taken})
                      .ok());
    EXPECT_EQ(Mine.last() == ChainForm::ByBlock, Fits);
    EXPECT_EQ(Taken, Before + (Fits ? Needed : 0));
    ASSERT_TRUE(Gpu.synchronize(nullptr).ok());
    Mine.release(Gpu, Taken);
    EXPECT_EQ(Taken, Before);
  }
}

/// Done-words have been reserved for the works that came first.
TEST_P(ChainFormsTest, MoreBlocksThanThereIsRoomForGoInOrder) {
  const std::vector<HeldWork> Few = twoLaunches();
  void *InOrder = chainOf(Few);
  Grid.X *= 2;
  const std::vector<HeldWork> Many = twoLaunches();
  ChainMaker Maker{ChainMaker::Place::InCall};
  StuckReports Stuck(Gpu, LongPatience);
  size_t Taken = 0;
  ChainForms Mine(Few.size(), FormPolicy::ByBlock);
  const auto Launched = [&](const std::vector<HeldWork> &Works, uint64_t Hash) {
    EXPECT_TRUE(Mine.launch(InOrder, Works, Hash,
                            {Gpu, this, Maker, Stuck, /*Often=*/1, true, Taken})
                    .ok());
    return Mine.last();
  };
  for (int I = 0; I < 4; ++I)
    Launched(Few, 7);
  EXPECT_EQ(Mine.last(), ChainForm::ByBlock);
  for (int I = 0; I < 8; ++I) {
    Version += I == 4;
    EXPECT_EQ(Launched(Many, 8), ChainForm::InOrder) << I;
  }
  for (int I = 0; I < 4; ++I)
    Launched(Few, 7);
  EXPECT_EQ(Mine.last(), ChainForm::ByBlock) << "they fit again";
  ASSERT_TRUE(Gpu.synchronize(nullptr).ok());
  Mine.release(Gpu, Taken);
}

/// The host may have waited for the driver.
TEST_P(ChainFormsTest, NothingIsTimedWhileAChainIsMade) {
  const std::vector<HeldWork> Two = twoLaunches();
  void *InOrder = chainOf(Two);
  ChainMaker Maker{ChainMaker::Place::Beside};
  StuckReports Stuck(Gpu, LongPatience);
  size_t Taken = 0;
  ChainForms Mine(Two.size(), FormPolicy::Faster);
  const auto Launch = [&] {
    ASSERT_TRUE(Mine.launch(InOrder, Two, /*Now=*/7,
                            {Gpu, this, Maker, Stuck, 1, false, Taken})
                    .ok());
  };
  std::promise<void> Until;
  Maker.make([&Until] {
    Until.get_future().wait();
    return Result<void *>(nullptr);
  });
  Launch();
  EXPECT_EQ(Gpu.marksAlive(), 0u);
  Until.set_value();
  Maker.finishChains();
  Launch();
  EXPECT_EQ(Gpu.marksAlive(), 2u);
  ASSERT_TRUE(Gpu.synchronize(nullptr).ok());
  Mine.release(Gpu, Taken);
}

TEST_P(ChainFormsTest, WhereAllWaitForAllNothingIsTried) {
  WaitForAll = true;
  runs(Enough);
  EXPECT_EQ(Blocks, 0u);
  EXPECT_FALSE(mentions("blocks")) << Runs.account();
}

TEST_P(ChainFormsTest, WhereTheOrderMustStayNothingIsTried) {
  KeepsOrder = true;
  runs(Enough);
  EXPECT_GT(NeedsAsked, 0u);
  EXPECT_EQ(Blocks, 0u);
}

/// Launches that the host could issue one by one are held as long as it is not
/// known whether they are faster as a chain by block.
TEST_P(ChainFormsTest, ChainsAreTriedAlsoWhereTheHostHasTime) {
  for (unsigned I = 0; I < Enough; ++I) {
    run();
    Runs.waited(std::chrono::seconds(1));
  }
  Blocks = 0;
  run();
  EXPECT_EQ(Blocks, (Length - 1) * Grid.X) << Runs.account();
}

TEST_P(ChainFormsTest, ButNoLongerThanThat) {
  Gpu.ByBlockTime = microseconds(11);
  for (unsigned I = 0; I < Enough; ++I) {
    run();
    Runs.waited(std::chrono::seconds(1));
  }
  launch(Number);
  launch(Number);
  EXPECT_FALSE(Runs.gathers()) << Runs.account();
}

TEST_P(ChainFormsTest, ATimeThatIsNotThereIsWaitedForInOrder) {
  Gpu.Arrives = false;
  runs(Enough);
  EXPECT_EQ(Blocks, 0u);
  EXPECT_EQ(Gpu.marksAlive(), 4u) << "one time for each chain";
  Gpu.Arrives = true;
  runs(Enough);
  EXPECT_GT(Blocks, 0u);
}

TEST_P(ChainFormsTest, LaunchesBehindACopyWaitForIt) {
  BehindCopy = Length / 2 - 8;
  runs(Enough, /*WithCopy=*/true);
  EXPECT_GT(Blocks, 0u);
  EXPECT_EQ(Missed, 0u);
}

TEST_P(ChainFormsTest, ABlockThatWaitsTooLongIsReported) {
  runs(Enough);
  ASSERT_TRUE(Runs.fence().ok());
  ASSERT_TRUE(Gpu.LastByBlock);
  Gpu.LastByBlock->Stuck->Launch = 3;
  Gpu.LastByBlock->Stuck->Taken = 2;
  EXPECT_FALSE(Runs.fence().ok());
}

INSTANTIATE_TEST_SUITE_P(Seeds, ChainFormsTest, testing::Range(1, 9));

} // namespace
} // namespace blockmaestro
