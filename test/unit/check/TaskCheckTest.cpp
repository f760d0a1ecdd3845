// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TaskCheck.h"

#include "Touches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace blockmaestro {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr uint32_t Reads = AccessReads, Writes = AccessWrites,
                   Release = AccessWrites | AccessSynchronizes;

/// Tasks are in places by number, and all of one level.
struct TaskCheckTest : testing::Test {
  TaskCheckTest()
      : Found([this](const std::string &Text) { Said.push_back(Text); }),
        Check(Found) {}

  /// A task behind these, which declares the ranges.
  void task(std::vector<uint32_t> Behind, std::vector<TaskRange> Ranges = {}) {
    const auto Number = uint32_t(Declared.Tasks.size());
    Declared.Tasks.push_back({"k" + std::to_string(Number), Number, Ranges});
    Producers.insert(Producers.end(), Behind.begin(), Behind.end());
    ProducerBegin.push_back(uint32_t(Producers.size()));
  }

  void begin() {
    Count = uint32_t(Declared.Tasks.size());
    Level.Id = 7;
    Level.Grid = {Count, 1, 1};
    Check.expect({7, {0, Count}, {ProducerBegin, Producers}, Declared});
  }

  /// All tasks end but the last ones.
  void end(uint32_t Without = 0) {
    for (uint32_t Task = 0; Task + Without < Count; ++Task)
      Check.ends(Level, Task);
  }

  void touch(uint64_t Task, uint32_t Bits, uint64_t Address, uint64_t Bytes = 4,
             uint32_t Thread = 0, AccessSpace Space = AccessSpace::Global) {
    ObservedAccess T;
    T.What = &Level;
    T.Block = Task;
    T.Thread = Thread;
    T.Address = Address;
    T.Bytes = Bytes;
    T.Bits = Bits;
    T.Space = Space;
    T.Where = Line;
    Check.touches(T);
  }

  void lock(uint64_t Task, uint64_t Address, uint32_t Thread = 0) {
    touch(Task, Atomic, Address, 4, Thread);
    Check.fences(Level, Task, Thread);
  }
  void unlock(uint64_t Task, uint64_t Address, uint32_t Thread = 0) {
    Check.fences(Level, Task, Thread);
    touch(Task, Release, Address, 4, Thread);
  }

  static TaskRange in(uint64_t First, uint64_t Bytes) {
    return {First, First + Bytes - 1, Reads};
  }
  static TaskRange out(uint64_t First, uint64_t Bytes) {
    return {First, First + Bytes - 1, Reads | Writes};
  }

  std::vector<std::string> Said;
  Findings Found;
  TaskCheck Check;
  DeclaredTasks Declared;
  std::vector<uint32_t> ProducerBegin = {0}, Producers;
  uint32_t Count = 0;
  Launch Level;
  const char *Line = "";
};

TEST_F(TaskCheckTest, ReportsWhatIsNotDeclaredAndMeetsAnother) {
  Declared.Names = {{X - 8, 100, "x[0:25]"}};
  task({}, {out(X, 8)});
  task({}, {in(X + 8, 8)});
  begin();
  Line = "a.cpp:3";
  touch(0, Writes, X, 8);
  Line = "a.cpp:5";
  touch(1, Reads, X + 4, 12);
  end();
  EXPECT_THAT(
      Said,
      ElementsAre("footprint: task 1 (k1) reads 4 bytes at 0x8004 (12 bytes "
                  "into x[0:25]) at a.cpp:5, which it does not declare; task 0 "
                  "(k0), which nothing orders with it, writes them at "
                  "a.cpp:3"));
}

TEST_F(TaskCheckTest, SaysNothingOfTasksThatAreOrdered) {
  task({});
  task({0});
  task({1});
  task({0});
  begin();
  touch(0, Writes, X);
  touch(1, Reads, X + 4);
  touch(2, Reads, X); // Behind task 0 by task 1.
  touch(3, Reads, X);
  end();
  EXPECT_THAT(Said, IsEmpty());
}

TEST_F(TaskCheckTest, SaysNothingWhereNobodyWritesOrAllIsDeclared) {
  task({}, {out(X + 8, 4)});
  task({}, {out(X + 8, 4)});
  begin();
  touch(0, Reads, X);
  touch(1, Reads, X);
  touch(0, Writes, X + 8); // Of one inoutset.
  touch(1, Writes, X + 8);
  end();
  EXPECT_THAT(Said, IsEmpty());
}

TEST_F(TaskCheckTest, InDoesNotAllowWrites) {
  task({}, {in(X, 4)});
  task({}, {in(X, 4)});
  begin();
  touch(0, Reads, X);
  touch(1, Writes, X);
  end();
  EXPECT_THAT(Said, ElementsAre(HasSubstr("task 1 (k1) writes 4 bytes")));
}

TEST_F(TaskCheckTest, TheEarlierTaskMayBeTheOneThatDidNotDeclare) {
  task({});
  task({}, {out(X, 4)});
  begin();
  touch(0, Reads, X + 3, 1);
  touch(1, Writes, X);
  end();
  EXPECT_THAT(Said, ElementsAre(HasSubstr(
                        "task 0 (k0) reads 1 byte at 0x8003, which it does not "
                        "declare; task 1 (k1), which nothing orders with it, "
                        "writes it")));
}

/// Task 2 comes behind the last writer, but not behind the reader before.
TEST_F(TaskCheckTest, RemembersUsesThatNoWriteComesBehind) {
  task({});
  task({});
  task({1});
  begin();
  touch(0, Reads, X);
  touch(1, Writes, X + 4);
  touch(2, Writes, X, 8);
  end();
  EXPECT_THAT(Said, ElementsAre(HasSubstr("task 2 (k2) writes 4 bytes at "
                                          "0x8000,")));
}

TEST_F(TaskCheckTest, PartsOfRangesMeet) {
  task({});
  task({0});
  task({});
  begin();
  touch(0, Writes, X, 16);
  touch(1, Writes, X + 4, 4);
  touch(2, Reads, X + 6, 1);
  touch(2, Reads, X + 12, 1);
  end();
  EXPECT_THAT(Said, ElementsAre(HasSubstr("1 byte at 0x8006, which it does "
                                          "not declare; task 1 (k1)"),
                                HasSubstr("1 byte at 0x800c, which it does "
                                          "not declare; task 0 (k0)")));
}

TEST_F(TaskCheckTest, AtomicsDoNotConflict) {
  task({});
  task({});
  task({});
  begin();
  touch(0, Atomic, X);
  touch(1, Atomic, X);
  touch(2, Reads, X);
  end();
  EXPECT_THAT(Said, SizeIs(2)); // Task 2 and each of the others.
}

TEST_F(TaskCheckTest, LocksOrder) {
  const uint64_t A = X + 100, B = X + 200;
  task({});
  task({});
  begin();
  for (uint64_t Task : {0, 1}) {
    Line = "";
    lock(Task, A);
    touch(Task, Writes, X);
    unlock(Task, A);
    lock(Task, Task == 0 ? A : B);
    touch(Task, Writes, X + 8);
    unlock(Task, Task == 0 ? A : B);
    lock(Task, B);
    Line = "a.cpp:3";
    touch(Task, Writes, X + 16, 4, /*Thread=*/1); // Not its lock.
    unlock(Task, B);
  }
  end();
  ASSERT_THAT(Said, SizeIs(2));
  EXPECT_THAT(Said[0], HasSubstr("at 0x8008"));
  EXPECT_THAT(Said[1], HasSubstr("at 0x8010"));
}

TEST_F(TaskCheckTest, LeavesOutWhatIsNotTheProgramsData) {
  Declared.OwnBegin = 0x100;
  Declared.OwnBytes = 16;
  task({});
  task({});
  begin();
  Check.allocated(0x500, 16);
  for (uint64_t Task : {0, 1}) {
    touch(Task, Writes, 0x108);
    touch(Task, Writes, 0x504);
    touch(Task, Writes, X, 4, 0, AccessSpace::Shared);
  }
  Level.Id = 8; // Another launch.
  touch(0, Writes, X);
  touch(1, Writes, X);
  Level.Id = 7;
  end();
  EXPECT_THAT(Said, IsEmpty());
}

TEST_F(TaskCheckTest, AGraphThatDoesNotEndIsNotJudged) {
  task({});
  task({});
  begin();
  touch(0, Writes, X);
  touch(1, Writes, X);
  end(/*Without=*/1);
  EXPECT_THAT(Said, IsEmpty());
}

} // namespace
} // namespace blockmaestro
