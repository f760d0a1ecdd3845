// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Which works of a chain run beside each other, by what they touch.

#include "ChainRelations.h"
#include "FrontEnd.h"
#include "Waits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace blockmaestro;

namespace {

using Behind = std::vector<std::vector<uint32_t>>;

/// Buffers of Elements ints. A launch copies one to
/// another, and adds one.
class ChainRelationsTest : public testing::Test {
protected:
  ChainRelationsTest() {
    for (uint64_t Number = 0; Number < 8; ++Number)
      Memory.add({address(Number), Bytes}, /*Own=*/true);
  }

  static constexpr uint64_t Bytes = Elements * sizeof(int);
  static uint64_t address(uint64_t Number) { return 4096 * (Number + 1); }
  static void *pointer(uint64_t Number) {
    return reinterpret_cast<void *>(address(Number));
  }

  void step(uint64_t From, uint64_t To) {
    Passed &Mine = Arguments.emplace_back();
    Mine.Values = {pointer(From), pointer(To)};
    Mine.Places = {&Mine.Values[0], &Mine.Values[1]};
    GpuLaunch Out;
    Out.Kernel = &Kernel;
    Out.Grid = {Blocks, 1, 1};
    Out.Block = {Threads, 1, 1};
    Out.Arguments = Mine.Places.data();
    Works.push_back(Out);
  }
  void copy(uint64_t From, uint64_t To) {
    Works.push_back(GpuCopy{pointer(To), pointer(From), Bytes, nullptr});
  }
  void fill(uint64_t To, uint64_t Offset, size_t Count) {
    Works.push_back(
        GpuFill{static_cast<char *>(pointer(To)) + Offset, 0, Count, nullptr});
  }
  Behind order(std::vector<bool> Free = {}) {
    Free.resize(Works.size());
    return Relations.orderOf(Works, Free)().Behind;
  }

  /// Of each work, the launches that its blocks wait for; with a star where
  /// they wait for all of it.
  std::string needs() {
    std::string Out;
    for (const std::vector<Dependence> &Behind : Relations.needsOf(Works)()) {
      for (const Dependence &Each : Behind)
        Out += std::to_string(Each.Producer) +
               (waitsForAll(Each, Gate::MaxPieces) ? "*" : "");
      Out += ".";
    }
    return Out;
  }

  KernelRecord Kernel = stepKernel();
  AllocationMap Memory;
  ChainRelations Relations{Memory};
  struct Passed {
    std::array<void *, 2> Values, Places;
  };
  std::deque<Passed> Arguments;
  std::vector<GpuWork> Works;
};

TEST_F(ChainRelationsTest, AReadIsBehindTheWrite) {
  step(0, 1);
  step(0, 2);
  step(1, 3);
  EXPECT_EQ(order(), (Behind{{}, {}, {0}}));
}

TEST_F(ChainRelationsTest, AWriteIsBehindTheReadAndTheWrite) {
  step(0, 1);
  step(2, 0);
  step(3, 1);
  EXPECT_EQ(order(), (Behind{{}, {0}, {0}}));
}

TEST_F(ChainRelationsTest, AFork) {
  step(0, 1);
  step(1, 2);
  step(1, 3);
  copy(1, 4);
  step(2, 1);
  EXPECT_EQ(order(), (Behind{{}, {0}, {0}, {0}, {1, 2, 3}}));
}

TEST_F(ChainRelationsTest, CopiesAndFillsByTheirBytes) {
  copy(0, 1);
  fill(2, 0, Bytes / 2);
  fill(2, Bytes / 2, Bytes / 2);
  copy(2, 3);
  fill(0, Bytes - 1, 1);
  EXPECT_EQ(order(), (Behind{{}, {}, {}, {1, 2}, {0}}));
}

/// Two atomic operations on one number, in whatever order, are not the same to
/// who adds floats.
TEST_F(ChainRelationsTest, AtomicsKeepTheirOrder) {
  Kernel.Bytes.Accesses[1].Kind = AccessKind::Atomic;
  step(0, 1);
  step(2, 1);
  EXPECT_EQ(order(), (Behind{{}, {0}}));
}

TEST_F(ChainRelationsTest, FreeWorksAreBetweenAll) {
  step(0, 1);
  step(2, 3);
  step(4, 5);
  step(6, 7);
  EXPECT_EQ(order({false, false, true, false}), (Behind{{}, {}, {0, 1}, {2}}));
}

/// The program may watch what the host sees: it is written in its order.
TEST_F(ChainRelationsTest, MemoryThatOthersSeeIsTouchedInOrder) {
  Memory.add({address(3), Bytes}, /*Own=*/false);
  step(0, 1);
  step(2, 3);
  step(4, 5);
  EXPECT_EQ(order(), (Behind{{}, {0}, {1}}));
}

TEST_F(ChainRelationsTest, MemoryThatIsNotKnownIsTouchedInOrder) {
  Memory.remove(address(3));
  step(0, 1);
  copy(2, 3);
  step(4, 5);
  EXPECT_EQ(order(), (Behind{{}, {0}, {1}}));
}

TEST_F(ChainRelationsTest, LaunchesThatTheHostNoticesKeepTheirPlace) {
  for (Feature Each :
       {Feature::Prints, Feature::Asserts, Feature::DeviceHeap,
        Feature::Volatile, Feature::BlockWait, Feature::GridSync}) {
    KernelRecord Noticed = stepKernel();
    Noticed.add(Each);
    Works.clear();
    step(0, 1);
    step(2, 3);
    step(4, 5);
    std::get<GpuLaunch>(Works[1]).Kernel = &Noticed;
    EXPECT_EQ(order(), (Behind{{}, {0}, {1}})) << int(Each);
  }
}

TEST_F(ChainRelationsTest, BlocksWaitForBlocks) {
  step(0, 1);
  step(1, 2);
  step(3, 4);
  step(2, 0);
  EXPECT_EQ(needs(), ".0..1.") << "what 0 has read, 1 waited for";
}

TEST_F(ChainRelationsTest, OlderLaunchesHaveCompleted) {
  step(0, 1);
  step(2, 3);
  step(2, 4);
  step(2, 5);
  step(1, 6);
  EXPECT_EQ(needs(), ".....");
}

/// A copy waits for all in front, and all behind wait for it.
TEST_F(ChainRelationsTest, NoBlockWaitsOverACopy) {
  step(0, 1);
  copy(1, 2);
  step(1, 3);
  step(3, 4);
  EXPECT_EQ(needs(), "...2.");
}

TEST_F(ChainRelationsTest, BlocksDoNotWaitWhereTheOrderHasToStay) {
  step(0, 1);
  step(1, 2);
  Memory.add({address(3), Bytes}, /*Own=*/false);
  step(2, 3);
  EXPECT_EQ(needs(), "") << "others see what is written";
  KernelRecord Noticed = stepKernel();
  Noticed.add(Feature::Prints);
  std::get<GpuLaunch>(Works[2]).Kernel = &Noticed;
  Memory.add({address(3), Bytes}, /*Own=*/true);
  EXPECT_EQ(needs(), "");
}

/// Of two works at a time, when they come.
TEST_F(ChainRelationsTest, TwoWorksMeetWhereOneWritesWhatTheOtherTouches) {
  step(0, 1);
  step(0, 2);
  copy(1, 3);
  fill(0, 0, 4);
  std::vector<std::unique_ptr<WorkRelations::Touched>> All;
  for (const GpuWork &Each : Works)
    All.push_back(Relations.touchedBy(Each));
  EXPECT_FALSE(Relations.meet(*All[0], *All[1])) << "both read";
  EXPECT_TRUE(Relations.meet(*All[0], *All[2])) << "RAW";
  EXPECT_TRUE(Relations.meet(*All[0], *All[3])) << "WAR";
  EXPECT_NE(All[0]->Writes & All[2]->Reads, 0u);
  EXPECT_NE(All[0]->Reads & All[3]->Writes, 0u);
  EXPECT_FALSE(Relations.meet(*All[1], *All[2]));
}

/// What tells works apart is what decides which bytes they touch.
TEST_F(ChainRelationsTest, WorksAreDescribedByWhatDecidesWhatTheyTouch) {
  Kernel.Parameters.push_back({16, 4, 4, false, false});
  Kernel.ArgumentBytes = 20;
  int Salt = 1;
  void *Places[3] = {};
  const auto Described = [&](auto Change) {
    Works.clear();
    step(0, 1);
    auto &Launch = std::get<GpuLaunch>(Works[0]);
    std::copy_n(Launch.Arguments, 2, Places);
    Places[2] = &Salt;
    Launch.Arguments = Places;
    Change(Launch);
    std::vector<uint64_t> Key;
    Relations.describe(Launch, Key);
    return Key;
  };
  const auto Same = Described([](GpuLaunch &) {});
  EXPECT_EQ(Described([&](GpuLaunch &) { Salt = 2; }), Same);
  EXPECT_EQ(Described([](GpuLaunch &What) { What.Stream = &What; }), Same);
  EXPECT_NE(Described([](GpuLaunch &What) { ++What.Grid.Y; }), Same);
  EXPECT_NE(Described([](GpuLaunch &What) { ++What.Block.Z; }), Same);
  EXPECT_NE(Described([](GpuLaunch &What) {
              std::swap(What.Arguments[0], What.Arguments[1]);
            }),
            Same);
}

TEST_F(ChainRelationsTest, AWorkThatKeepsItsPlaceIsHeldAgainstNone) {
  step(0, 1);
  Memory.add({address(1), Bytes}, /*Own=*/false);
  EXPECT_EQ(Relations.touchedBy(Works[0]), nullptr) << "others see it";
  Memory.add({address(1), Bytes}, /*Own=*/true);
  EXPECT_NE(Relations.touchedBy(Works[0]), nullptr);
  Kernel.add(Feature::Prints);
  EXPECT_EQ(Relations.touchedBy(Works[0]), nullptr);
}

/// What is asked for later is answered for the memory of then.
TEST_F(ChainRelationsTest, TheAnswerIsOfWhenItWasAskedFor) {
  step(0, 1);
  step(2, 3);
  const auto Finder = Relations.orderOf(Works, {false, false});
  const uint64_t Version = Relations.version();
  Memory.remove(address(3));
  EXPECT_NE(Relations.version(), Version);
  EXPECT_EQ(Finder().Behind, (Behind{{}, {}}));
  EXPECT_EQ(order(), (Behind{{}, {0}}));
}

} // namespace
