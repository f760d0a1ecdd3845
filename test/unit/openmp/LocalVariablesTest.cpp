// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Variables of a region that tasks share: what tasks and region see of them,
// and when that makes tasks run.

#include "FakeTasks.h"

#include <gtest/gtest.h>

using namespace blockmaestro;
using namespace blockmaestro::openmp;

namespace {

class LocalVariablesTest : public ::testing::Test {
protected:
  using Runs = std::vector<uint32_t>;

  LocalVariablesTest() { Region.begin(Kinds.Table, 32); }

  uint64_t *local(uint64_t First, size_t Words = 1) {
    auto *Made = static_cast<uint64_t *>(Region.newLocal(Words * 8));
    for (size_t I = 0; I < Words; ++I)
      store(Made + I, First);
    return Made;
  }
  uint64_t load(const void *From) {
    uint64_t Value = 0;
    Region.load(&Value, From, 8);
    return Value;
  }
  template <typename T> void store(void *To, T Value) {
    static_assert(sizeof(T) == 8);
    Region.store(To, &Value, 8);
  }
  /// A task with the pointers among its shareds.
  void task(uint32_t Kind, std::vector<const void *> Pointers) {
    auto *Record = static_cast<const void **>(Region.newTask(Kind, 64, 24));
    for (size_t I = 0; I < Pointers.size(); ++I)
      Record[8 + I] = Pointers[I];
    Region.addTask(Record, {});
  }
  /// What Kind 0 does: what the shared pointer points to becomes Value.
  void tasksWrite(uint64_t Value) {
    Port.Body = [Value](const FakeTask &Task) {
      *Task.at<uint64_t *>(FakeTable::Shareds) = Value;
    };
  }

  FakePort Port;
  FakeTable Kinds;
  Inspection Region{Port};
};

TEST_F(LocalVariablesTest, AreTheDevicesForTasksAndComeBack) {
  uint64_t *Shared = local(1);
  EXPECT_TRUE(Port.isOnDevice(reinterpret_cast<uint64_t>(Shared)));
  EXPECT_EQ(reinterpret_cast<uint64_t>(Shared) % 16, 0u);
  Port.Body = [](const FakeTask &Task) { ++*Task.at<uint64_t *>(64); };
  task(0, {Shared});
  EXPECT_EQ(load(Shared), 1u);
  Region.waitAll();
  EXPECT_EQ(load(Shared), 2u);
  EXPECT_EQ(Port.Runs, Runs({1}));
  store<uint64_t>(Shared, 7);
  task(0, {Shared});
  Region.waitAll();
  EXPECT_EQ(load(Shared), 8u);
}

TEST_F(LocalVariablesTest, ThatNoTaskReachesRunNothing) {
  uint64_t *Shared = local(1), *Own = local(2);
  tasksWrite(9);
  task(0, {Shared});
  Region.waitAll();
  EXPECT_EQ(load(Own), 2u);
  store<uint64_t>(Own, 3);
  EXPECT_EQ(load(Own), 3u);
  EXPECT_TRUE(Port.Runs.empty());
  store<uint64_t>(Shared, 4);
  EXPECT_EQ(Port.Runs, Runs({1}));
  EXPECT_EQ(load(Shared), 4u);
  EXPECT_EQ(load(Own), 3u);
}

TEST_F(LocalVariablesTest, StayOnTheHostWhereNoTaskReachesThem) {
  local(1, 100);
  const size_t Before = Port.Memory.BytesTo;
  task(0, {});
  Region.end();
  EXPECT_EQ(Port.Memory.BytesTo, Before);
  EXPECT_EQ(Port.Memory.BytesFrom, 0u);
}

TEST_F(LocalVariablesTest, AreReachedThroughOthers) {
  uint64_t *End = local(5), *Middle = local(0), *First = local(0);
  store(First, Middle);
  store(Middle, End);
  Port.Body = [](const FakeTask &Task) { ***Task.at<uint64_t ***>(64) = 6; };
  task(0, {First});
  Region.waitAll();
  EXPECT_EQ(load(End), 6u);
}

TEST_F(LocalVariablesTest, AreReachedThroughWhatIsStoredLater) {
  // The task may look at the second word, which changes later.
  uint64_t *End = local(5), *First = local(0, 2);
  task(0, {First});
  store(First, End);
  Port.Body = [](const FakeTask &Task) { **Task.at<uint64_t **>(64) = 6; };
  task(0, {First});
  Region.waitAll();
  EXPECT_EQ(load(End), 6u);
}

TEST_F(LocalVariablesTest, AreReachedThroughTheDevice) {
  const DeviceAddress Global = *Port.Memory.allocate(8);
  uint64_t *Shared = local(5);
  store(reinterpret_cast<void *>(Global), Shared);
  Port.Body = [&](const FakeTask &) {
    **reinterpret_cast<uint64_t **>(Global) = 6;
  };
  task(0, {});
  Region.waitAll();
  EXPECT_EQ(load(Shared), 6u);
}

TEST_F(LocalVariablesTest, AreReachedByAnyTaskAfterOneThatDid) {
  const DeviceAddress Global = *Port.Memory.allocate(8);
  uint64_t *Shared = local(5);
  Port.Body = [&](const FakeTask &Task) {
    *reinterpret_cast<uint64_t *>(Global) = Task.at<uint64_t>(64);
  };
  task(0, {Shared});
  Region.waitAll();
  EXPECT_EQ(load(Shared), 5u);
  Port.Body = [&](const FakeTask &) {
    **reinterpret_cast<uint64_t **>(Global) = 6;
  };
  task(0, {});
  Region.waitAll();
  EXPECT_EQ(load(Shared), 6u);
}

TEST_F(LocalVariablesTest, AreOneWithTheAddressBehindThem) {
  uint64_t *Before = local(1, 2), *Behind = local(2);
  task(0, {Before + 2});
  Region.waitAll();
  EXPECT_EQ(load(Behind), 2u);
  EXPECT_TRUE(Port.Runs.empty());
  EXPECT_EQ(load(Before), 1u);
  EXPECT_EQ(Port.Runs.size(), 1u);
}

TEST_F(LocalVariablesTest, OfAFunctionThatHasEndedStayUntilTasksHaveRun) {
  tasksWrite(9);
  uint64_t *Outer = local(1);
  uint64_t *Shared = local(2);
  task(0, {Shared});
  Region.waitAll();
  Region.endLocals(Shared);
  uint64_t *Next = local(3);
  EXPECT_NE(Next, Shared);
  EXPECT_TRUE(Port.Runs.empty());
  Region.endLocals(Next);
  EXPECT_EQ(local(4), Next);
  Region.endLocals(Next);
  task(0, {Outer});
  Region.waitAll();
  EXPECT_EQ(load(Outer), 9u);
  EXPECT_EQ(local(5), Shared);
}

TEST_F(LocalVariablesTest, WhoseMemoryIsFreeAreUsedAgain) {
  uint64_t *First = local(1);
  uint64_t *Second = local(2);
  Region.endLocals(First);
  EXPECT_EQ(local(3), First);
  EXPECT_EQ(local(4), Second);
}

TEST_F(LocalVariablesTest, MayBeLargerThanAChunk) {
  Port.Memory.Most = size_t(64) << 20;
  uint64_t *Small = local(1);
  auto *Large = static_cast<uint64_t *>(Region.newLocal(5 << 20));
  auto *Other = local(3);
  store<uint64_t>(Large + (5 << 17) - 1, 7);
  Port.Body = [](const FakeTask &Task) {
    Task.at<uint64_t *>(64)[(5 << 17) - 1] += *Task.at<uint64_t *>(72);
  };
  task(0, {Large, Small});
  Region.waitAll();
  EXPECT_EQ(load(Large + (5 << 17) - 1), 8u);
  EXPECT_EQ(load(Other), 3u);
}

TEST_F(LocalVariablesTest, NoMemoryForThemEndsTheProgram) {
  EXPECT_THROW(Region.newLocal(5 << 20), std::runtime_error);
}

/// The value that a task of kind 1 finds in its shared variable.
uint64_t seenBy(const FakeTask &Task) {
  auto &Field = Task.at<uint64_t>(FakeTable::Shareds);
  if (Field == FakeTable::Copy)
    Field = reinterpret_cast<uint64_t>(Task.Record + Field);
  return *reinterpret_cast<uint64_t *>(Field);
}

class SharedCopiesTest : public LocalVariablesTest {
protected:
  SharedCopiesTest() {
    Port.Body = [this](const FakeTask &Task) {
      if (Task.Kind == 1)
        Seen.push_back(seenBy(Task));
      else
        *Task.at<uint64_t *>(FakeTable::Shareds) = 9;
    };
  }
  std::vector<uint64_t> Seen;
};

TEST_F(SharedCopiesTest, HaveTheValueAtTheTasksCreation) {
  uint64_t *Shared = local(1);
  const size_t Before = Port.Memory.BytesTo;
  task(1, {Shared});
  Region.waitAll();
  store<uint64_t>(Shared, 2);
  EXPECT_TRUE(Port.Runs.empty());
  task(1, {Shared});
  Region.end();
  EXPECT_EQ(Seen, std::vector<uint64_t>({1, 2}));
  EXPECT_EQ(Port.Memory.BytesTo, Before);
}

TEST_F(SharedCopiesTest, AreNotMadeOfWhatAPendingTaskMayWrite) {
  uint64_t *Shared = local(1);
  task(0, {Shared});
  Region.waitAll();
  task(1, {Shared});
  Region.end();
  EXPECT_EQ(Port.Runs, Runs({2}));
  EXPECT_EQ(Seen, std::vector<uint64_t>({9}));
}

TEST_F(SharedCopiesTest, AreNotMadeOfWhatTheTaskItselfReachesElsewhere) {
  uint64_t *Shared = local(1);
  Port.Body = [this](const FakeTask &Task) {
    *Task.at<uint64_t *>(FakeTable::Shareds + 16) = 5;
    Seen.push_back(seenBy(Task));
  };
  task(1, {Shared, nullptr, Shared});
  Region.waitAll();
  EXPECT_EQ(load(Shared), 5u);
  EXPECT_EQ(Seen, std::vector<uint64_t>({5}));
}

TEST_F(SharedCopiesTest, AreNotMadeOfWhatTheCopyPointsTo) {
  // A variable that points to itself.
  uint64_t *Shared = local(0);
  store(Shared, Shared);
  Port.Body = [](const FakeTask &Task) {
    auto *Pointed = reinterpret_cast<uint64_t *>(seenBy(Task));
    *Pointed = 5;
  };
  task(1, {Shared});
  Region.waitAll();
  EXPECT_EQ(load(Shared), 5u);
}

TEST_F(SharedCopiesTest, ReachWhatTheyPointTo) {
  uint64_t *End = local(1), *Shared = local(0);
  store(Shared, End);
  Port.Body = [](const FakeTask &Task) {
    *reinterpret_cast<uint64_t *>(seenBy(Task)) = 5;
  };
  task(1, {Shared});
  Region.waitAll();
  EXPECT_EQ(load(End), 5u);
}

TEST_F(SharedCopiesTest, AreNotMadeOfMemoryOfTheDevice) {
  const DeviceAddress Mapped = *Port.Memory.allocate(8);
  auto *Value = reinterpret_cast<uint64_t *>(Mapped);
  *Value = 1;
  task(0, {Value});
  Region.waitAll();
  task(1, {Value});
  Region.end();
  EXPECT_EQ(Seen, std::vector<uint64_t>({9}));
}

TEST_F(SharedCopiesTest, FieldsThatNobodyLooksAtReachNothing) {
  uint64_t *Shared = local(1), *Other = local(2);
  task(1, {Shared, Other});
  Region.waitAll();
  store<uint64_t>(Other, 3);
  EXPECT_TRUE(Port.Runs.empty());
}

} // namespace
