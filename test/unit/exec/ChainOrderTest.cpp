// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Which works of a chain may run beside each other, and when that is used.

#include "Chained.h"
#include "ExpectedRuns.h"
#include "FakeGpu.h"
#include "KnownOrders.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>
#include <vector>

namespace blockmaestro {
namespace {

using Behind = std::vector<std::vector<uint32_t>>;

TEST(ChainOrder, ALine) {
  const ChainOrder Line = ChainOrder::line(3);
  EXPECT_EQ(Line.Behind, (Behind{{}, {0}, {1}}));
  EXPECT_EQ(Line.length(), 3u);
}

TEST(ChainOrder, WorksNameOnlyWhatNoOtherNames) {
  const uint64_t Needs[] = {0, 0b1, 0b1, 0b111, 0b1000, 0};
  const ChainOrder Order = ChainOrder::among(Needs);
  EXPECT_EQ(Order.Behind, (Behind{{}, {0}, {0}, {1, 2}, {3}, {}}));
  EXPECT_EQ(Order.length(), 4u);
}

/// Works with one number each, and relations between them that a test says.
class OrderTest : public testing::Test, public WorkRelations {
protected:
  OrderTest() {
    for (KernelRecord &Each : Kernels) {
      Each.Parameters = {{0, 4, 4, false, false}};
      Each.ArgumentBytes = 4;
    }
    Runs.relateBy(this);
  }

  uint64_t version() const override { return Version; }
  OrderFinder orderOf(std::span<const GpuWork> Works,
                      const std::vector<bool> &InPlace) override {
    ++Asked;
    LastInPlace = InPlace;
    return [Count = Works.size(), Order = Order] {
      return Order.Behind.size() == Count ? Order : ChainOrder::line(Count);
    };
  }

  /// Blocks do not matter here.
  NeedsFinder needsOf(std::span<const GpuWork>) override {
    return [] { return Needs(); };
  }

  GpuWork work(unsigned Which, int &Number) {
    Arguments[0] = &Number;
    GpuLaunch Out;
    Out.Kernel = &Kernels[Which];
    Out.Form = KernelVariant::Pdl;
    Out.Programmatic = true;
    Out.Arguments = Arguments;
    Out.Grid = Grid;
    return Out;
  }
  std::vector<HeldWork> works(const std::vector<int> &Numbers) {
    std::vector<HeldWork> Out(Numbers.size());
    for (size_t I = 0; I < Numbers.size(); ++I) {
      int Number = Numbers[I];
      Out[I].copy(work(I % 4, Number));
    }
    return Out;
  }
  void launch(unsigned Which, int Number) {
    const GpuWork What = work(Which, Number);
    Result<bool> Held = Runs.gather(What);
    ASSERT_TRUE(Held.ok());
    if (!*Held) {
      ASSERT_TRUE(Gpu.launch(std::get<GpuLaunch>(What)).ok());
    }
  }
  /// Works from one fence to the next, by these numbers.
  void run(const std::vector<int> &Numbers) {
    for (size_t I = 0; I < Numbers.size(); ++I)
      launch(I % 4, Numbers[I]);
    ASSERT_TRUE(Runs.fence().ok());
  }
  void repeat(const std::vector<int> &Numbers, int Times = 100) {
    for (int I = 0; I < Times; ++I)
      run(Numbers);
    Gpu.Orders.clear();
    Gpu.Earlies.clear();
  }
  std::vector<int> numbers() const {
    std::vector<int> Out;
    for (const FakeGpu::Early &Each : Gpu.Earlies)
      Out.push_back(Each.Number);
    return Out;
  }

  const ChainOrder Fork{{{}, {0}, {0}, {1, 2}}};
  Dim3 Grid;
  void *Arguments[1];
  KernelRecord Kernels[4];
  uint64_t Version = 1;
  ChainOrder Order;
  unsigned Asked = 0;
  std::vector<bool> LastInPlace;
  FakeGpu Gpu{1};
  ChainMaker Maker{ChainMaker::Place::InCall};
  /// A launch with this number fills the device.
  int Filling = -1;
  const KnownOrders::Source From{*this, Maker, [this](const GpuWork &Each) {
                                   const auto &What = std::get<GpuLaunch>(Each);
                                   return *static_cast<int *>(
                                              What.Arguments[0]) == Filling;
                                 }};
  KnownOrders Known;
  Chained Runs{Gpu, [] { return true; }, {ChainMaker::Place::InCall}};
};

TEST_F(OrderTest, IsFoundForWorksThatComeAgain) {
  Order = Fork;
  EXPECT_EQ(Known.find(works({1, 2, 3, 4}), From), nullptr);
  EXPECT_EQ(Asked, 0u);
  EXPECT_EQ(Known.find(works({1, 2, 3, 4}), From), nullptr);
  EXPECT_EQ(Asked, 1u);
  const auto Found = Known.find(works({1, 2, 3, 4}), From);
  ASSERT_NE(Found, nullptr);
  EXPECT_EQ(*Found, Fork);
  EXPECT_EQ(Asked, 1u);
}

TEST_F(OrderTest, DoesNotHoldForOtherArguments) {
  Order = Fork;
  for (int I = 0; I < 3; ++I)
    (void)Known.find(works({1, 2, 3, 4}), From);
  EXPECT_EQ(Known.find(works({5, 6, 7, 8}), From), nullptr);
  EXPECT_EQ(Known.find(works({1, 2, 3, 5}), From), nullptr)
      << "one has another argument, and becomes free";
  EXPECT_EQ(Known.find(works({1, 2, 3, 5}), From), nullptr)
      << "the order was found for the argument before";
}

TEST_F(OrderTest, HoldsWhateverTheArgumentsOfFreeWorksAre) {
  Order = Fork;
  for (int I = 0; I < 4; ++I)
    (void)Known.find(works({1, 2, 3, 10 + I}), From);
  EXPECT_EQ(LastInPlace, (std::vector{false, false, false, true}));
  EXPECT_NE(Known.find(works({1, 2, 3, 99}), From), nullptr);
  EXPECT_EQ(Known.find(works({1, 7, 3, 99}), From), nullptr);
}

TEST_F(OrderTest, WhatFillsTheDeviceKeepsItsPlace) {
  Filling = 3;
  for (int I = 0; I < 2; ++I)
    (void)Known.find(works({1, 2, 3, 4}), From);
  EXPECT_EQ(LastInPlace, (std::vector{false, false, true, false}));
}

/// Three quarters of the blocks that the device holds at a time.
TEST_F(OrderTest, LaunchesOfManyBlocksFillTheDevice) {
  Order = Fork;
  for (uint32_t Blocks : {12u, 13u}) {
    Grid = {Blocks, 1, 1};
    repeat({1, 2, 3, 4}, 3);
    EXPECT_EQ(LastInPlace, std::vector(4, Blocks == 13)) << Blocks;
  }
}

TEST_F(OrderTest, IsFoundAgainWhenTheRelationsMayHaveChanged) {
  Order = Fork;
  for (int I = 0; I < 3; ++I)
    (void)Known.find(works({1, 2, 3, 4}), From);
  ++Version;
  Order = ChainOrder::line(4);
  EXPECT_EQ(Known.find(works({1, 2, 3, 4}), From), nullptr);
  EXPECT_EQ(Asked, 2u);
  EXPECT_EQ(Known.find(works({1, 2, 3, 4}), From), nullptr);
}

/// Answers that come when the relations have changed since.
TEST_F(OrderTest, AnswersOfAnOlderVersionDoNotCount) {
  Order = Fork;
  for (int I = 0; I < 2; ++I)
    (void)Known.find(works({1, 2, 3, 4}), From);
  ++Version;
  EXPECT_EQ(Known.find(works({1, 2, 3, 4}), From), nullptr);
}

TEST_F(OrderTest, NothingMoreIsAskedWhereItIsOfNoUse) {
  for (int I = 0; I < 1000; ++I)
    for (int Twice = 0; Twice < 2; ++Twice)
      (void)Known.find(works({4 * I, 4 * I + 1, 4 * I + 2, 4 * I + 3}), From);
  EXPECT_LE(Asked, KnownOrders::MostInVain / KnownOrders::AskedInVain);
  EXPECT_EQ(Known.remembered(), 0u);
}

TEST_F(OrderTest, ArgumentsThatComeByTurnsAreTold) {
  Order = Fork;
  for (int I = 0; I < 3; ++I) {
    (void)Known.find(works({1, 2, 3, 4}), From);
    (void)Known.find(works({5, 6, 7, 8}), From);
  }
  EXPECT_NE(Known.find(works({1, 2, 3, 4}), From), nullptr);
  EXPECT_NE(Known.find(works({5, 6, 7, 8}), From), nullptr);
  EXPECT_EQ(Asked, 2u);
}

TEST_F(OrderTest, RunsGoAsAWholeWhereWorksRunBesideOthers) {
  Order = Fork;
  repeat({1, 2, 3, 4});
  run({1, 2, 3, 4});
  ASSERT_EQ(Gpu.Orders.size(), 1u);
  EXPECT_EQ(Gpu.Orders[0], Fork);
  std::vector<int> Came = numbers();
  EXPECT_EQ(Came.front(), 1);
  EXPECT_EQ(Came.back(), 4);
  std::sort(Came.begin(), Came.end());
  EXPECT_EQ(Came, (std::vector{1, 2, 3, 4}));
}

TEST_F(OrderTest, AlsoTwoWorks) {
  Order = {{{}, {}}};
  repeat({1, 2});
  run({1, 2});
  ASSERT_EQ(Gpu.Orders.size(), 1u);
  EXPECT_EQ(Gpu.Orders[0], Order);
}

TEST_F(OrderTest, TwoWorksInALineAreNoChain) {
  repeat({1, 2});
  EXPECT_EQ(Gpu.ChainsMade, 0u);
}

/// There is a chain by then.
TEST_F(OrderTest, WorksThatWentInALineRunBesideOthersWhenTheyMay) {
  const std::vector Ten{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  repeat(Ten);
  EXPECT_GT(Gpu.ChainsMade, 0u);
  Order = ChainOrder::line(Ten.size());
  Order.Behind[9] = {7};
  ++Version;
  repeat(Ten);
  run(Ten);
  EXPECT_EQ(Gpu.Orders, std::vector{Order});
}

/// While the host does something else the device could be at work.
TEST_F(OrderTest, WorksAreNotHeldWhereThereIsAPauseBetweenThem) {
  Order = {{{}, {}}};
  for (int I = 0; I < 100; ++I) {
    launch(0, 1);
    std::this_thread::sleep_for(3 * Chained::LaunchTime);
    launch(1, 2);
    ASSERT_TRUE(Runs.fence().ok());
  }
  EXPECT_TRUE(Gpu.Orders.empty());
}

TEST_F(OrderTest, OtherArgumentsKeepTheOrderOfTheStream) {
  Order = Fork;
  repeat({1, 2, 3, 4});
  for (int I = 0; I < 50; ++I) {
    Gpu.Earlies.clear();
    const std::vector Numbers{10 * I + 11, 10 * I + 12, 10 * I + 13,
                              10 * I + 14};
    run(Numbers);
    EXPECT_EQ(numbers(), Numbers);
  }
}

TEST_F(OrderTest, AChangeOfTheRelationsGivesTheOrderOfTheStreamBack) {
  Order = Fork;
  repeat({1, 2, 3, 4});
  Order = ChainOrder::line(4);
  ++Version;
  for (int I = 0; I < 50; ++I) {
    Gpu.Earlies.clear();
    run({1, 2, 3, 4});
    EXPECT_EQ(numbers(), (std::vector{1, 2, 3, 4}));
  }
}

TEST_F(OrderTest, NobodyIsAskedWhereNothingIsRelated) {
  Order = Fork;
  Runs.relateBy(nullptr);
  repeat({1, 2, 3, 4});
  EXPECT_EQ(Asked, 0u);
}

/// The host has time: nothing is held, but for this.
TEST_F(OrderTest, WorksRunBesideOthersAlsoWhereTheHostHasTime) {
  Order = Fork;
  for (int I = 0; I < 100; ++I) {
    run({1, 2, 3, 4});
    Runs.waited(std::chrono::seconds(1));
  }
  Gpu.Orders.clear();
  run({1, 2, 3, 4});
  ASSERT_EQ(Gpu.Orders.size(), 1u);
  EXPECT_EQ(Gpu.Orders[0], Fork);
}

/// A run that begins as another and goes on otherwise is no longer expected.
TEST_F(OrderTest, RunsThatDoNotComeAreHeldInVainAFewTimes) {
  Order = Fork;
  repeat({1, 2, 3, 4});
  int HeldBack = 0;
  for (int I = 0; I < 20; ++I) {
    int Number = 1;
    Result<bool> Held = Runs.gather(work(0, Number));
    ASSERT_TRUE(Held.ok());
    HeldBack += *Held;
    ASSERT_TRUE(Runs.fence().ok());
  }
  EXPECT_EQ(HeldBack, int(ExpectedRuns::MostMissed) + 1);
}

} // namespace
} // namespace blockmaestro
