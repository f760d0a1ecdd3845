// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// When recorded tasks run, and what a region sees of them.

#include "FakeTasks.h"

#include <gtest/gtest.h>

using namespace blockmaestro;
using namespace blockmaestro::openmp;

namespace {

constexpr uint8_t In = 1, Out = 3, Mutex = 4, Set = 8, All = 0x80;

class InspectionTest : public ::testing::Test {
protected:
  using Runs = std::vector<uint32_t>;

  InspectionTest() {
    Array = *Port.Memory.allocate(ArrayBytes);
    std::memset(array(), 0, ArrayBytes);
    Port.Body = [this](const FakeTask &Task) {
      Ran.push_back(Task.at<uint64_t>(40));
      if (auto *Where = Task.at<uint64_t *>(48))
        *Where = *Where * 10 + Task.at<uint64_t>(40);
    };
    Region.begin(Kinds.Table, 32);
  }

  uint64_t *array() { return reinterpret_cast<uint64_t *>(Array); }
  /// A task that is called Number and puts it behind the digits at Where.
  uint64_t *newTask(uint64_t Number, const void *Where, uint32_t Kind = 0) {
    auto *Record = static_cast<uint64_t *>(Region.newTask(Kind, 64, 24));
    Record[5] = Number;
    Record[6] = reinterpret_cast<uint64_t>(Where);
    return Record;
  }
  void add(void *Record, std::vector<Dependence> Behind = {}) {
    Region.addTask(Record, {int32_t(Behind.size()), Behind.data(), 0, nullptr});
  }
  void task(uint64_t Number, std::vector<Dependence> Behind = {},
            const void *Where = nullptr) {
    add(newTask(Number, Where), std::move(Behind));
  }
  Dependence on(uint64_t Cell, uint8_t Flags) {
    return {Array + Cell * 8, 8, Flags};
  }
  template <typename T = uint64_t> T load(const void *From) {
    T Value = {};
    Region.load(&Value, From, sizeof(T));
    return Value;
  }
  template <typename T> void store(void *To, T Value) {
    Region.store(To, &Value, sizeof(T));
  }
  uint64_t *local(uint64_t First) {
    auto *Made = static_cast<uint64_t *>(Region.newLocal(8));
    store(Made, First);
    return Made;
  }

  static constexpr size_t ArrayBytes = 400 << 10;
  FakePort Port;
  FakeTable Kinds;
  Inspection Region{Port};
  DeviceAddress Array = 0;
  std::vector<uint64_t> Ran;
};

TEST_F(InspectionTest, FootprintsThatAreNoneEndTheProgram) {
  const uint8_t Bytes[64] = {1};
  TaskTable Other = Kinds.Table;
  Other.Footprints = Bytes;
  Other.FootprintBytes = sizeof(Bytes);
  EXPECT_THROW(Region.begin(Other, 32), std::runtime_error);
}

TEST_F(InspectionTest, TasksRunAtTheEndAllTogether) {
  task(1, {}, array());
  task(2, {}, array() + 1);
  EXPECT_TRUE(Port.Runs.empty());
  InspectionCounts Counts = Region.end();
  EXPECT_EQ(Port.Runs, Runs({2}));
  EXPECT_EQ(array()[0] + array()[1], 3u);
  EXPECT_EQ(Counts.Tasks, 2u);
  EXPECT_EQ(Counts.Edges, 0u);
  EXPECT_EQ(Counts.Flushes, 1u);
}

TEST_F(InspectionTest, NothingRunsWhereThereIsNoTask) {
  Region.waitAll();
  Region.beginGroup();
  Region.endGroup();
  load(array());
  EXPECT_EQ(Region.end().Flushes, 0u);
  EXPECT_TRUE(Port.Runs.empty());
}

TEST_F(InspectionTest, DependencesOrderTasks) {
  for (uint64_t I = 1; I <= 5; ++I)
    task(I, {on(0, Out)}, array());
  Region.end();
  EXPECT_EQ(array()[0], 12345u);
}

TEST_F(InspectionTest, FlagsAreClangs) {
  struct Case {
    uint8_t First, Second;
    uint64_t Edges;
  };
  for (const Case &Each :
       {Case{In, In, 0}, Case{In, Out, 1}, Case{Out, In, 1}, Case{2, 2, 1},
        Case{Set, Set, 0}, Case{Set, In, 1}, Case{Mutex, Mutex, 1},
        Case{In, Mutex, 1}, Case{All, In, 1}, Case{In, All, 1}}) {
    task(1, {on(0, Each.First)});
    task(2, {on(0, Each.Second)});
    EXPECT_EQ(Region.end().Edges, Each.Edges)
        << int(Each.First) << " " << int(Each.Second);
    Region.begin(Kinds.Table, 32);
  }
}

TEST_F(InspectionTest, AllMemoryIsByFlagOrAddress) {
  task(1, {on(7, In)});
  task(2, {{0, 0, All}});
  task(3, {on(9, In)});
  task(4, {{UINT64_MAX, 0, Out}});
  Region.end();
  EXPECT_EQ(Ran, std::vector<uint64_t>({1, 2, 3, 4}));
}

TEST_F(InspectionTest, NullDependsOnNothing) {
  task(1, {{0, 8, Out}});
  task(2, {{0, 8, Out}});
  EXPECT_EQ(Region.end().Edges, 0u);
}

/// Ten dependences, each Step bytes further and Longer bytes longer than the
/// one before.
std::vector<Dependence> rows(Dependence First, uint64_t Step,
                             uint64_t Longer = 0) {
  std::vector<Dependence> Out;
  for (uint64_t I = 0; I < 10; ++I)
    Out.push_back(
        {First.Address + I * Step, First.Bytes + I * Longer, First.Flags});
  return Out;
}

/// In the order of creation is 12, else 21.
TEST_F(InspectionTest, EachRowOfATileCounts) {
  struct Case {
    uint64_t Offset, Order;
  };
  for (const auto &[Offset, Order] :
       {Case{0, 12}, {7, 12}, {8, 21}, {63, 21}, {64 * 9 + 7, 12}, {584, 21}}) {
    array()[0] = 0;
    task(1, rows(on(0, Out), 64), array());
    task(2, {{Array + Offset, 1, Out}}, array());
    Region.end();
    EXPECT_EQ(array()[0], Order) << Offset;
    Region.begin(Kinds.Table, 32);
  }
}

TEST_F(InspectionTest, RowsOfATriangleGrow) {
  struct Case {
    uint64_t Offset, Order;
  };
  for (const auto &[Offset, Order] :
       {Case{64 * 9 + 80, 21}, {64 * 9 + 79, 12}, {64 * 3 + 32, 21}}) {
    array()[0] = 0;
    task(1, rows(on(0, Out), 64, 8), array());
    task(2, {{Array + Offset, 1, Out}}, array());
    Region.end();
    EXPECT_EQ(array()[0], Order) << Offset;
    Region.begin(Kinds.Table, 32);
  }
}

TEST_F(InspectionTest, DependencesAroundRowsCount) {
  std::vector<Dependence> Behind = rows(on(0, Out), 64);
  Behind.insert(Behind.begin(), on(100, Out));
  Behind.push_back(on(200, Out));
  task(1, Behind, array());
  task(2, {on(100, Out)}, array());
  task(3, {on(200, Out)}, array() + 1);
  task(4, {{Array + 65, 1, In}}, array() + 2);
  task(1, Behind, array() + 1);
  Region.end();
  EXPECT_EQ(array()[0], 12u);
  EXPECT_EQ(array()[1], 31u);
}

/// The first has nothing, which counts as a byte: the rule is not that of
/// bytes.
TEST_F(InspectionTest, RowsBeginWithBytes) {
  task(1, rows({Array, 0, Out}, 64, 8), array());
  task(2, {{Array + 64 * 3 + 24, 1, Out}}, array());
  Region.end();
  EXPECT_EQ(array()[0], 21u);
}

TEST_F(InspectionTest, RowsMayPassNullAndTheEndOfMemory) {
  task(1, rows({uint64_t(-3 * 64), 8, Out}, 64), array());
  task(2, {{uint64_t(-2 * 64), 8, Out}}, array());
  task(3, rows({uint64_t(-4), 1, Out}, 1), array());
  task(4, {on(300, Out)}, array());
  Region.end();
  EXPECT_EQ(array()[0], 1234u);
}

TEST_F(InspectionTest, RowsOfAllMemoryAreAllMemory) {
  task(1, {on(7, Out)}, array());
  task(2, rows({Array, 8, All}, 64), array());
  Region.end();
  EXPECT_EQ(array()[0], 12u);
}

TEST_F(InspectionTest, BothListsCount) {
  Dependence First = on(0, Out), More = on(1, Out);
  Region.addTask(newTask(1, nullptr), {1, &First, 0, nullptr});
  Region.addTask(newTask(2, nullptr), {0, nullptr, 1, &More});
  Region.addTask(newTask(3, nullptr), {1, &First, 1, &More});
  EXPECT_EQ(Region.end().Edges, 2u);
}

TEST_F(InspectionTest, ListsMayBeVariablesOfTheRegion) {
  auto *List = static_cast<Dependence *>(Region.newLocal(sizeof(Dependence)));
  Dependence Only = on(0, Out);
  Region.copy(List, &Only, sizeof(Only));
  Region.addTask(newTask(1, nullptr), {1, List, 0, nullptr});
  Region.addTask(newTask(2, nullptr), {0, nullptr, 1, List});
  EXPECT_EQ(Region.end().Edges, 1u);
}

TEST_F(InspectionTest, BeforeAWaitTheDeviceIsReadAndWrittenAsItIs) {
  array()[5] = 55;
  task(1, {}, array());
  EXPECT_EQ(load(array() + 5), 55u);
  store<uint64_t>(array() + 6, 66);
  EXPECT_EQ(array()[6], 66u);
  EXPECT_TRUE(Port.Runs.empty());
}

TEST_F(InspectionTest, BehindEachWaitTheDeviceIsReadBehindTheTasks) {
  std::function<void()> Waits[] = {
      [&] { Region.waitAll(); },
      [&] {
        Dependence List = on(0, In);
        Region.waitFor({1, &List, 0, nullptr});
      },
      [&] { Region.endGroup(); },
      [&] { Region.addUndeferred(newTask(9, nullptr)); },
  };
  for (const auto &Wait : Waits) {
    array()[0] = 0;
    Port.Runs.clear();
    Region.beginGroup();
    task(1, {on(0, Out)}, array());
    EXPECT_EQ(load(array()), 0u);
    Wait();
    EXPECT_TRUE(Port.Runs.empty());
    EXPECT_EQ(load(array()), 1u);
    EXPECT_EQ(Port.Runs.size(), 1u);
    EXPECT_EQ(load(array()), 1u);
    Region.end();
    EXPECT_EQ(Port.Runs.size(), 1u);
    Region.begin(Kinds.Table, 32);
  }
}

TEST_F(InspectionTest, BehindAWaitTheDeviceIsWrittenBehindTheTasks) {
  task(1, {}, array());
  Region.waitAll();
  store<uint64_t>(array(), 5);
  EXPECT_EQ(Port.Runs, Runs({1}));
  EXPECT_EQ(array()[0], 5u);
}

TEST_F(InspectionTest, TasksBehindAWaitComeBehindThoseBefore) {
  task(1, {}, array());
  Region.waitAll();
  task(2, {}, array());
  Region.end();
  EXPECT_EQ(array()[0], 12u);
  EXPECT_EQ(Port.Runs, Runs({2}));
}

TEST_F(InspectionTest, OpenGroupsOutliveARun) {
  Region.beginGroup();
  task(1, {}, array());
  Region.waitAll();
  EXPECT_EQ(load(array()), 1u);
  task(2, {}, array());
  Region.endGroup();
  task(3, {}, array());
  Region.end();
  EXPECT_EQ(array()[0], 123u);
  EXPECT_EQ(Port.Runs, Runs({1, 2}));
}

TEST_F(InspectionTest, AGroupThatHasNotBegunIsRefused) {
  EXPECT_THROW(Region.endGroup(), std::runtime_error);
}

TEST_F(InspectionTest, UndeferredTasksComeBeforeAllThatFollow) {
  Region.addUndeferred(newTask(1, array()));
  task(2, {}, array());
  Region.end();
  EXPECT_EQ(array()[0], 12u);
}

TEST_F(InspectionTest, WhatIsReadIsKeptUntilTasksRun) {
  Port.Known = {{Array, ArrayBytes}};
  for (int I = 0; I < 1000; ++I)
    EXPECT_EQ(load(array() + I), 0u);
  const size_t Read = Port.Memory.BytesFrom;
  EXPECT_GE(Read, 8000u);
  EXPECT_LE(Read, size_t(128) << 10);
  store<uint64_t>(array() + 3, 33);
  EXPECT_EQ(load(array() + 3), 33u);
  EXPECT_EQ(array()[3], 33u);
  EXPECT_EQ(Port.Memory.BytesFrom, Read);
  task(1, {}, array());
  Region.waitAll();
  EXPECT_EQ(load(array()), 1u);
}

TEST_F(InspectionTest, EachValueOfAFieldIsRead) {
  Port.Known = {{Array, ArrayBytes}};
  const size_t Count = ArrayBytes / 8;
  for (size_t I = 0; I < Count; ++I)
    array()[I] = I;
  for (size_t I = 0; I < Count; ++I)
    EXPECT_EQ(load(array() + I * 7919 % Count), I * 7919 % Count);
  // Over the end of a window, and of what is known.
  EXPECT_EQ(load(reinterpret_cast<std::byte *>(array()) + (64 << 10) - 1),
            *reinterpret_cast<uint64_t *>(
                reinterpret_cast<std::byte *>(array()) + (64 << 10) - 1));
}

TEST_F(InspectionTest, WindowsThatMayOverlapAStoreAreWritten) {
  Port.Known = {{Array, ArrayBytes}};
  load(array());
  load(array() + 30000);
  std::vector<uint64_t> Zeroes(20000, 7);
  Region.copy(array() + 4000, Zeroes.data(), Zeroes.size() * 8);
  EXPECT_EQ(load(array() + 3999), 0u);
  EXPECT_EQ(load(array() + 4000), 7u);
  EXPECT_EQ(load(array() + 23999), 7u);
  EXPECT_EQ(load(array() + 24000), 0u);
}

TEST_F(InspectionTest, TheNextRegionReadsAgain) {
  Port.Known = {{Array, ArrayBytes}};
  EXPECT_EQ(load(array()), 0u);
  Region.end();
  array()[0] = 4;
  Region.begin(Kinds.Table, 32);
  EXPECT_EQ(load(array()), 4u);
}

TEST_F(InspectionTest, AnotherSizeThanTheDevicesIsRefused) {
  EXPECT_THROW(Region.newTask(0, 72, 24), std::runtime_error);
  EXPECT_THROW(Region.newTask(0, 64, 16), std::runtime_error);
  EXPECT_THROW(Region.newTask(2, 64, 24), std::runtime_error);
}

TEST_F(InspectionTest, WhatTheDeviceSaysEndsTheProgram) {
  task(1);
  Port.Ending = Status(StatusCode::Device, "task 0 (a.cpp:1) has failed");
  try {
    Region.end();
    FAIL();
  } catch (const std::runtime_error &Why) {
    EXPECT_STREQ(Why.what(), "task 0 (a.cpp:1) has failed");
  }
}

TEST_F(InspectionTest, RecordsHaveTheirSharedsBehindThem) {
  uint64_t *First = newTask(1, nullptr);
  uint64_t *Second = newTask(2, nullptr);
  EXPECT_EQ(First[0], reinterpret_cast<uint64_t>(First + 8));
  EXPECT_NE(First, Second);
  Second[9] = 77;
  std::vector<uint64_t> Seen;
  Port.Body = [&](const FakeTask &Task) {
    Seen.push_back(Task.at<uint64_t>(72));
  };
  add(Second, {on(0, Out)});
  add(First, {on(0, Out)});
  Region.end();
  EXPECT_EQ(Seen, std::vector<uint64_t>({77, 0}));
}

TEST_F(InspectionTest, RecordsAreTheHostsForCopiesToo) {
  uint64_t *Record = newTask(1, nullptr);
  uint64_t *Variable = local(42);
  Region.copy(Record + 5, Variable, 8);
  Region.store(Record + 6, &Array, 8);
  EXPECT_EQ(load(Record + 5), 42u);
  add(Record);
  Region.end();
  EXPECT_EQ(array()[0], 42u);
}

TEST_F(InspectionTest, CopiesGoBetweenAllKindsOfMemory) {
  uint64_t Host[4] = {1, 2, 3, 4};
  auto *Variable = static_cast<uint64_t *>(Region.newLocal(32));
  Region.copy(Variable, Host, 32);
  Region.copy(array(), Variable, 32);
  Region.copy(array() + 4, array(), 32);
  Region.fill(array() + 2, 1, 8);
  Region.fill(Variable + 3, 0x102, 8);
  Region.copy(Variable, array() + 4, 24);
  Region.copy(Host, Variable, 32);
  EXPECT_EQ(array()[2], 0x0101010101010101u);
  EXPECT_EQ(array()[7], 4u);
  EXPECT_EQ(Host[2], 3u);
  EXPECT_EQ(Host[3], 0x0202020202020202u);
}

TEST_F(InspectionTest, LoopsBecomeTasksWithTheirBounds) {
  std::vector<std::array<int64_t, 4>> Seen;
  Port.Body = [&](const FakeTask &Task) {
    Seen.push_back({Task.at<int64_t>(40), Task.at<int64_t>(48),
                    Task.at<int64_t>(56), Task.at<int32_t>(64)});
  };
  auto *Record = static_cast<uint64_t *>(Region.newTask(0, 64, 24));
  Record[5] = 10;
  Record[6] = uint64_t(-13);
  Region.addLoop(Record, true, Record + 5, Record + 6, -2,
                 LoopSchedule::TaskCount, 5);
  Region.end();
  std::sort(Seen.begin(), Seen.end(), std::greater<>());
  EXPECT_EQ(Seen, (std::vector<std::array<int64_t, 4>>{{10, 6, -2, 0},
                                                       {4, 0, -2, 0},
                                                       {-2, -4, -2, 0},
                                                       {-6, -8, -2, 0},
                                                       {-10, -12, -2, 1}}));
}

TEST_F(InspectionTest, LoopsMayBeUndeferred) {
  Port.Body = [&](const FakeTask &Task) {
    Ran.push_back(Task.at<uint64_t>(40));
  };
  uint64_t *Record = newTask(0, nullptr);
  Record[6] = 3;
  Region.addLoop(Record, false, Record + 5, Record + 6, 1,
                 LoopSchedule::GrainSize, 1);
  EXPECT_EQ(load(array()), 0u);
  EXPECT_EQ(Port.Runs, Runs({4}));
  EXPECT_EQ(Ran, std::vector<uint64_t>({0, 1, 2, 3}));
}

} // namespace
