// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Whether regions that come again are inspected again.

#include "FakeTasks.h"

#include <gtest/gtest.h>

using namespace blockmaestro;
using namespace blockmaestro::openmp;

namespace {

class RegionsAgainTest : public ::testing::Test {
public:
  using Body = std::function<void(RegionsAgainTest &, const uint64_t *)>;

  RegionsAgainTest() {
    Cells = *Port.Memory.allocate(CellCount * 8);
    std::memset(cells(), 0, CellCount * 8);
    Port.Known = {{Cells, CellCount * 8}};
    Port.Body = [](const FakeTask &Task) {
      *Task.at<uint64_t *>(48) += Task.at<uint64_t>(40);
    };
  }

  uint64_t *cells() { return reinterpret_cast<uint64_t *>(Cells); }

  /// The region is What, which gets the arguments.
  InspectionCounts run(Body What, uint64_t Argument = 0) {
    Do = std::move(What);
    RegionCall Call = {&Kinds.Table,
                       inspect,
                       32,
                       {reinterpret_cast<uint64_t>(this), Argument}};
    return Of.run(Call);
  }

  /// A task that adds Number to the cell.
  void task(uint64_t Number, void *To) {
    auto *Record = static_cast<uint64_t *>(Of.newTask(0, 64, 24));
    Record[5] = Number;
    Record[6] = reinterpret_cast<uint64_t>(To);
    Of.addTask(Record, {});
  }
  uint64_t load(const void *From) {
    uint64_t Value = 0;
    Of.load(&Value, From, 8);
    return Value;
  }
  void store(void *To, uint64_t Value) { Of.store(To, &Value, 8); }

  static void inspect(const uint64_t *Arguments) {
    auto &Test = *reinterpret_cast<RegionsAgainTest *>(Arguments[0]);
    ++Test.Inspected;
    Test.Do(Test, Arguments);
  }

  static constexpr size_t CellCount = 64;
  FakePort Port;
  FakeTable Kinds;
  Inspection Of{Port};
  DeviceAddress Cells = 0;
  Body Do;
  unsigned Inspected = 0;
};

TEST_F(RegionsAgainTest, TheSameArgumentsHaveTheSameTasks) {
  const Body Add = [](auto &Test, const uint64_t *Arguments) {
    Test.task(Arguments[1], Test.cells());
    Test.task(Arguments[1], Test.cells() + 1);
  };
  for (unsigned Time = 1; Time <= 3; ++Time) {
    const InspectionCounts Counts = run(Add, 5);
    EXPECT_EQ(Counts.Tasks, 2u);
    EXPECT_EQ(Counts.Flushes, 1u);
    EXPECT_EQ(Counts.Again, Time > 1);
    EXPECT_EQ(Inspected, 1u);
    EXPECT_EQ(cells()[0], 5u * Time);
    EXPECT_EQ(cells()[1], 5u * Time);
  }
  run(Add, 7);
  EXPECT_EQ(Inspected, 2u);
  EXPECT_EQ(cells()[0], 22u);
}

TEST_F(RegionsAgainTest, WhatWasReadIsLookedAtAgain) {
  const Body Add = [](auto &Test, const uint64_t *) {
    for (uint64_t I = 0; I < Test.load(Test.cells() + 2); ++I)
      Test.task(1, Test.cells());
  };
  cells()[2] = 3;
  run(Add);
  run(Add);
  EXPECT_EQ(Inspected, 1u);
  EXPECT_EQ(cells()[0], 6u);
  cells()[2] = 4;
  run(Add);
  EXPECT_EQ(Inspected, 2u);
  EXPECT_EQ(cells()[0], 10u);
  cells()[3] = 1; // Near, but not read.
  run(Add);
  EXPECT_EQ(Inspected, 2u);
}

TEST_F(RegionsAgainTest, WhatTasksChangeIsLookedAtAgain) {
  const Body Add = [](auto &Test, const uint64_t *) {
    Test.task(Test.load(Test.cells()), Test.cells());
  };
  cells()[0] = 1;
  run(Add);
  run(Add);
  EXPECT_EQ(Inspected, 2u);
  EXPECT_EQ(cells()[0], 4u);
}

TEST_F(RegionsAgainTest, WhatIsCopiedIsLookedAtAgain) {
  const Body Add = [](auto &Test, const uint64_t *) {
    auto *Own = static_cast<uint64_t *>(Test.Of.newLocal(16));
    Test.Of.copy(Own, Test.cells() + 2, 16);
    Test.task(Test.load(Own + 1), Test.cells());
  };
  cells()[3] = 2;
  run(Add);
  run(Add);
  EXPECT_EQ(Inspected, 1u);
  EXPECT_EQ(cells()[0], 4u);
  cells()[3] = 5;
  run(Add);
  EXPECT_EQ(Inspected, 2u);
  EXPECT_EQ(cells()[0], 9u);
}

TEST_F(RegionsAgainTest, VariablesThatTasksChangeAreAsTheyWere) {
  Port.Body = [](const FakeTask &Task) {
    auto *Own = Task.at<uint64_t *>(40);
    *Own += 1;
    *Task.at<uint64_t *>(48) += *Own;
  };
  for (const bool Ends : {false, true}) {
    const Body Add = [Ends](auto &Test, const uint64_t *) {
      auto *Own = static_cast<uint64_t *>(Test.Of.newLocal(8));
      Test.store(Own, 3);
      Test.task(reinterpret_cast<uint64_t>(Own), Test.cells());
      if (Ends)
        Test.Of.endLocals(Own);
    };
    Inspected = 0;
    cells()[0] = 0;
    for (unsigned Time = 1; Time <= 3; ++Time) {
      EXPECT_EQ(run(Add, Ends).Again, Time > 1);
      EXPECT_EQ(cells()[0], 4u * Time);
    }
    EXPECT_EQ(Inspected, 1u);
  }
}

/// Each region is inspected as often as it runs.
TEST_F(RegionsAgainTest, RegionsThatDoMoreAreInspected) {
  uint64_t OfHost = 1;
  const Body Regions[] = {
      [](auto &Test, const uint64_t *) { // Writes.
        Test.task(1, Test.cells());
        Test.store(Test.cells() + 1, 1);
      },
      [](auto &Test, const uint64_t *) { // Looks at what tasks have done.
        Test.task(1, Test.cells());
        Test.Of.waitAll();
        Test.task(Test.load(Test.cells()), Test.cells() + 1);
      },
      [&](auto &Test, const uint64_t *) { // Reads the host's memory.
        Test.task(Test.load(&OfHost), Test.cells());
      }};
  for (const Body &Each : Regions) {
    Inspected = 0;
    run(Each);
    run(Each);
    run(Each);
    EXPECT_EQ(Inspected, 3u) << &Each - Regions;
  }
}

TEST_F(RegionsAgainTest, OnlyTheLastRegionIsKnown) {
  const Body Add = [](auto &Test, const uint64_t *Arguments) {
    Test.task(Arguments[1], Test.cells());
  };
  run(Add, 1);
  run(Add, 2);
  run(Add, 1);
  EXPECT_EQ(Inspected, 3u);
  Of.begin(Kinds.Table, 32);
  task(10, cells());
  Of.end();
  run(Add, 1);
  EXPECT_EQ(Inspected, 4u);
  EXPECT_EQ(cells()[0], 15u);
  Of.forget();
  run(Add, 1);
  EXPECT_EQ(Inspected, 5u);
}

TEST(RecentCallsTest, KnowsCallsOfLate) {
  RecentCalls Calls;
  RegionCall Call;
  EXPECT_FALSE(Calls.remove(Call));
  for (uint64_t I = 0; I < 65; ++I) {
    Call.Arguments = {I};
    Calls.add(Call);
  }
  EXPECT_TRUE(Calls.remove(Call));
  EXPECT_FALSE(Calls.remove(Call));
  Call.Arguments = {0};
  EXPECT_FALSE(Calls.remove(Call));
  Call.Arguments = {1};
  EXPECT_TRUE(Calls.remove(Call));
}

} // namespace
