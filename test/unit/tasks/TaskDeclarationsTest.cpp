// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What checks are told that tasks declare.

#include "TaskDeclarations.h"

#include "blockmaestro/AccessObserver.h"

#include <gtest/gtest.h>

using namespace blockmaestro;

namespace {

constexpr uint32_t Reads = AccessReads, Both = AccessReads | AccessWrites;

void addTasks(TaskGraph &Graph) {
  Graph.nameKind(1, "a.cpp:3");
  Graph.depend(Graph.add(1, 8), 16, 8, DependKind::In);
  Graph.depend(Graph.add(2, 8), 64, 0, DependKind::Out);
  Graph.waitFor({{16, 8, DependKind::Out}, {64, 4, DependKind::In}});
  const uint32_t Third = Graph.add(1, 8);
  Graph.depend(Third, 16, 4, DependKind::InOutSet);
  Graph.depend(Third, 80, 4, DependKind::MutexInOutSet);
  Graph.dependAll(Graph.add(1, 8));
  Graph.finish();
}

void expectRange(const TaskRange &Of, uint64_t First, uint64_t Last,
                 uint32_t Bits) {
  EXPECT_EQ(Of.First, First);
  EXPECT_EQ(Of.Last, Last);
  EXPECT_EQ(Of.Bits, Bits);
}

void expectDeclared(const TaskGraph &Graph) {
  // The wait stands behind the two first tasks.
  const std::vector<DeclaredTask> Of = declarationsOf(Graph, {1, 0, 2, 3, 4});
  ASSERT_EQ(Of.size(), 5u);
  EXPECT_EQ(Of[0].Kind, "kind 2");
  EXPECT_EQ(Of[0].Number, 1u);
  ASSERT_EQ(Of[0].Ranges.size(), 1u);
  expectRange(Of[0].Ranges[0], 64, 64, Both);
  EXPECT_EQ(Of[1].Kind, "a.cpp:3");
  ASSERT_EQ(Of[1].Ranges.size(), 1u);
  expectRange(Of[1].Ranges[0], 16, 23, Reads);
  EXPECT_TRUE(Of[2].Ranges.empty());
  EXPECT_EQ(Of[3].Number, 2u);
  ASSERT_EQ(Of[3].Ranges.size(), 2u);
  expectRange(Of[3].Ranges[0], 16, 19, Both);
  expectRange(Of[3].Ranges[1], 80, 83, Both);
  ASSERT_EQ(Of[4].Ranges.size(), 1u);
  expectRange(Of[4].Ranges[0], 0, UINT64_MAX, Both);
}

TEST(TaskDeclarations, AreTheRangesOfEachTask) {
  TaskGraph Graph;
  addTasks(Graph);
  expectDeclared(Graph);
}

TEST(TaskDeclarations, OfAGraphThatIsKnownToo) {
  TaskGraph Graph;
  addTasks(Graph);
  const uint64_t Version = Graph.version();
  Graph.clear();
  addTasks(Graph);
  EXPECT_EQ(Graph.version(), Version);
  expectDeclared(Graph);
}

} // namespace
