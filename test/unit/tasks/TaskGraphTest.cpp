// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The order of tasks is what their ranges and waits say, no less and no more.

#include "OrderOracle.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

using namespace blockmaestro;

namespace {

constexpr DependKind In = DependKind::In, Out = DependKind::Out,
                     Set = DependKind::InOutSet;

/// A graph and the oracle, told the same.
class GraphAndStarts {
public:
  void add(const std::vector<TaskGraph::Range> &Ranges,
           bool Undeferred = false) {
    const uint32_t Task = Graph.add(0, 8);
    for (const TaskGraph::Range &Each : Ranges)
      Graph.depend(Task, Each);
    if (Undeferred)
      Graph.undeferred(Task);
    Truth.add(Ranges, Undeferred);
  }

  TaskGraph Graph;
  OrderOracle Truth;
};

/// Numbers of a seed that become those of another one.
class TurningNumbers {
public:
  TurningNumbers(uint64_t Seed, uint64_t Turn) : From(Seed), Left(Turn) {}
  uint64_t operator()() {
    if (Left-- == 0)
      From.seed(From() + 1);
    return From();
  }

private:
  std::mt19937_64 From;
  uint64_t Left;
};

constexpr uint64_t Never = UINT64_MAX;

class RandomTasks {
public:
  /// Tasks of the same seed are the same up to some step before Turn.
  explicit RandomTasks(uint64_t Seed, uint64_t Turn = Never)
      : Numbers(Seed, Turn), Space(1 + Numbers() % (Seed % 2 ? 250 : 40)),
        Longest(1 + Numbers() % 12), Kinds(1 + Numbers() % 4),
        Waits(Numbers() % 3), Rows(Numbers() % 4) {}

  void fill(GraphAndStarts &To) {
    for (unsigned Count = 1 + Numbers() % 60; Count > 0; --Count) {
      if (Numbers() % 8 < Waits)
        wait(To);
      To.add(ranges(), Numbers() % 32 < Waits);
    }
    for (; Depth > 0; --Depth)
      endGroup(To);
  }

private:
  std::vector<TaskGraph::Range> ranges() {
    std::vector<TaskGraph::Range> Made(Numbers() % 4);
    for (TaskGraph::Range &Each : Made)
      Each =
          Numbers() % 4 < Rows
              ? tile()
              : TaskGraph::Range{1000 + Numbers() % Space, Numbers() % Longest,
                                 DependKind(Numbers() % Kinds)};
    return Made;
  }
  /// Few, which come again and again; a triangle of one, which shares bytes
  /// with it; two that stand one below the other; or rows that lie anywhere,
  /// and meet.
  TaskGraph::Range tile() {
    const auto How = DependKind(Numbers() % Kinds);
    const uint64_t First = 1000 + Numbers() % 4 * 4 + Numbers() % 3 * 64;
    switch (Numbers() % 8) {
    case 0:
      return {First, 1, How, 4, 16, 1};
    case 1:
      return {First, 4, How, 4, 17, uint64_t(-1)};
    case 2:
      return {1060 - Numbers() % 8, 2, How, 5, 0 - Numbers() % 12, 1};
    case 3:
      return {First, 1 + Numbers() % 4, How, 3, Numbers() % 6, Numbers() % 3};
    case 4:
      return {First, 4, How, 8, 16, 0};
    default:
      return {First, 4, How, 4, 16, 0};
    }
  }
  void endGroup(GraphAndStarts &To) {
    To.Graph.endGroup();
    To.Truth.endGroup();
  }
  void wait(GraphAndStarts &To) {
    switch (Numbers() % 4) {
    case 0:
      To.Graph.waitAll();
      return To.Truth.waitAll();
    case 1: {
      const auto Ranges = ranges();
      To.Graph.waitFor(Ranges);
      return Ranges.empty() ? void() : To.Truth.waitFor(Ranges);
    }
    case 2:
      ++Depth;
      To.Graph.beginGroup();
      return To.Truth.beginGroup();
    default:
      if (Depth == 0)
        return;
      --Depth;
      endGroup(To);
    }
  }

  TurningNumbers Numbers;
  uint64_t Space, Longest, Kinds, Waits, Rows;
  unsigned Depth = 0;
};

TEST(TaskGraphTest, RandomGraphsHaveTheOrderOfTheirRangesAndWaits) {
  for (uint64_t Seed = 0; Seed < 5000; ++Seed) {
    GraphAndStarts Given;
    RandomTasks(Seed).fill(Given);
    Given.Graph.finish();
    ASSERT_EQ(tasksBefore(Given.Graph), Given.Truth.before())
        << "seed " << Seed;
  }
}

TEST(TaskGraphTest, MemoryMayBeBroughtBefore) {
  for (uint64_t Seed = 0; Seed < 50; ++Seed) {
    GraphAndStarts Given;
    Given.Graph.bringMemory();
    RandomTasks(Seed).fill(Given);
    Given.Graph.finish();
    ASSERT_EQ(tasksBefore(Given.Graph), Given.Truth.before())
        << "seed " << Seed;
  }
}

/// The same graph again is known, and one that is the same for a while is not
/// taken for it.
TEST(TaskGraphTest, GraphsThatComeAgainAreKnown) {
  for (uint64_t Seed = 0; Seed < 2000; ++Seed) {
    GraphAndStarts Given;
    RandomTasks(Seed).fill(Given);
    Given.Graph.finish();
    const uint64_t First = Given.Graph.version();
    const auto Before = Given.Truth.before();
    Given.Graph.clear();
    Given.Truth = {};
    RandomTasks(Seed).fill(Given);
    Given.Graph.finish();
    ASSERT_EQ(Given.Graph.version(), First) << "seed " << Seed;
    ASSERT_EQ(tasksBefore(Given.Graph), Before) << "seed " << Seed;
    Given.Graph.clear();
    Given.Truth = {};
    RandomTasks(Seed, Seed % 150).fill(Given);
    Given.Graph.finish();
    ASSERT_EQ(tasksBefore(Given.Graph), Given.Truth.before())
        << "seed " << Seed;
    ASSERT_TRUE(Given.Graph.version() != First ||
                Given.Truth.before() == Before)
        << "seed " << Seed;
  }
}

TEST(TaskGraphTest, DataOfKnownGraphsIsCompared) {
  TaskGraph Graph;
  const auto Fill = [&](int First, int Second) {
    Graph.clear();
    Graph.add(0, &First, sizeof(First));
    Graph.add(0, &Second, sizeof(Second));
    Graph.finish();
    return Graph.dataVersion();
  };
  const auto At = [&](uint32_t Node) {
    return *static_cast<const int *>(Graph.nodes()[Node].Data);
  };
  const uint64_t Begin = Fill(1, 2);
  EXPECT_EQ(Fill(1, 2), Begin);
  const uint64_t Changed = Fill(1, 3);
  EXPECT_NE(Changed, Begin);
  EXPECT_EQ(At(0), 1);
  EXPECT_EQ(At(1), 3);
  EXPECT_EQ(Fill(1, 3), Changed);
  // Less of it, and more again.
  Graph.clear();
  const int One = 1;
  Graph.add(0, &One, sizeof(One));
  Graph.finish();
  EXPECT_EQ(Graph.tasks(), 1u);
  EXPECT_EQ(Graph.nodes().size(), 1u);
  Fill(1, 4);
  EXPECT_EQ(Graph.nodes().size(), 2u);
  EXPECT_EQ(At(1), 4);
}

TEST(TaskGraphTest, NoEdgeTwiceAndAllLeadUpwards) {
  for (uint64_t Seed = 0; Seed < 300; ++Seed) {
    GraphAndStarts Given;
    RandomTasks(Seed).fill(Given);
    Given.Graph.finish();
    for (uint32_t Node = 0; Node < Given.Graph.nodes().size(); ++Node) {
      uint32_t Next = 0;
      for (uint32_t Each : Given.Graph.producers().of(Node)) {
        ASSERT_LT(Each, Node);
        ASSERT_GE(Each, Next);
        Next = Each + 1;
      }
    }
  }
}

TEST(TaskGraphTest, ManyBehindManyAreJoined) {
  TaskGraph Graph;
  for (unsigned Round = 0; Round < 4; ++Round)
    for (unsigned Task = 0; Task < 500; ++Task)
      Graph.depend(Graph.add(0, 0), 64, 4, Round % 2 ? In : Set);
  Graph.finish();
  EXPECT_EQ(Graph.tasks(), 2000u);
  EXPECT_EQ(Graph.nodes().size(), 2003u);
  EXPECT_EQ(Graph.edges(), 3u * 1000);
}

TEST(TaskGraphTest, AllMemoryComesBetween) {
  TaskGraph Graph;
  Graph.depend(Graph.add(0, 0), 0, 8, Out);
  Graph.depend(Graph.add(0, 0), UINT64_MAX, 1, Out);
  Graph.dependAll(Graph.add(0, 0));
  Graph.depend(Graph.add(0, 0), UINT64_MAX - 3, 100, In);
  Graph.depend(Graph.add(0, 0), 4, 1, In);
  Graph.finish();
  EXPECT_EQ(tasksBefore(Graph), (std::vector<uint64_t>{0, 0, 3, 7, 7}));
}

TEST(TaskGraphTest, DataStaysWhereItIs) {
  TaskGraph Graph;
  std::vector<char *> Places;
  for (uint32_t Task = 0; Task < 3000; ++Task) {
    const size_t Bytes = Task == 1500 ? size_t(3) << 20 : Task % 900;
    ASSERT_EQ(Graph.add(Task % 7, Bytes), Task);
    Places.push_back(static_cast<char *>(Graph.data(Task)));
    ASSERT_EQ(reinterpret_cast<uintptr_t>(Places.back()) % 16, 0u);
    for (size_t Byte = 0; Byte < Bytes; ++Byte)
      ASSERT_EQ(std::exchange(Places.back()[Byte], char(Task)), 0);
  }
  Graph.finish();
  for (uint32_t Task = 0; Task < 3000; ++Task) {
    ASSERT_EQ(Graph.data(Task), Places[Task]);
    ASSERT_EQ(Graph.nodes()[Task].Kind, Task % 7);
    for (size_t Byte = 0; Byte < Graph.nodes()[Task].Bytes; ++Byte)
      ASSERT_EQ(Places[Task][Byte], char(Task));
  }
}

TEST(TaskGraphTest, AGraphOfNothingHasNoNodes) {
  TaskGraph Graph;
  Graph.waitAll();
  Graph.waitFor({});
  Graph.beginGroup();
  Graph.endGroup();
  Graph.finish();
  EXPECT_TRUE(Graph.nodes().empty());
  EXPECT_TRUE(Graph.byLevel().Order.empty());
  EXPECT_TRUE(Graph.ticketOrder(4).empty());
}

TEST(TaskGraphTest, AClearedGraphBeginsAnew) {
  TaskGraph Graph;
  Graph.nameKind(1, "sweep");
  Graph.depend(Graph.add(1, 16), 64, 4, Out);
  Graph.waitAll();
  Graph.finish();
  Graph.clear();
  Graph.depend(Graph.add(1, 16), 64, 4, In);
  Graph.finish();
  EXPECT_EQ(Graph.nodes().size(), 1u);
  EXPECT_EQ(Graph.edges(), 0u);
  EXPECT_EQ(Graph.kindName(1), "sweep");
  EXPECT_EQ(Graph.kindName(2), "kind 2");
}

} // namespace
