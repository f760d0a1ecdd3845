// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The orders in which a graph is brought to a device.

#include "TaskGraph.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

using namespace blockmaestro;

namespace {

TaskGraph randomGraph(uint64_t Seed) {
  std::mt19937_64 Numbers(Seed);
  TaskGraph Graph;
  for (unsigned Count = Numbers() % 300; Count > 0; --Count) {
    const uint32_t Task = Graph.add(0, 0);
    for (unsigned Range = Numbers() % 4; Range > 0; --Range)
      Graph.depend(Task, Numbers() % 200, Numbers() % 9,
                   Numbers() % 2 ? DependKind::In : DependKind::Out);
  }
  Graph.finish();
  return Graph;
}

/// The place of each node in the order, where every node is there once.
std::vector<uint32_t> placesIn(const std::vector<uint32_t> &Order) {
  std::vector<uint32_t> Out(Order.size(), UINT32_MAX);
  for (uint32_t Place = 0; Place < Order.size(); ++Place)
    Out.at(Order[Place]) = Place;
  EXPECT_EQ(std::count(Out.begin(), Out.end(), UINT32_MAX), 0);
  return Out;
}

TEST(TaskOrderTest, TicketsAndLevelsKeepProducersFirst) {
  for (uint64_t Seed = 0; Seed < 300; ++Seed) {
    const TaskGraph Graph = randomGraph(Seed);
    const auto Tickets = placesIn(Graph.ticketOrder(1 + Seed % 9));
    const TaskGraph::ByLevel Levels = Graph.byLevel();
    const auto Places = placesIn(Levels.Order);
    ASSERT_EQ(Levels.Begin.back(), Graph.nodes().size());
    for (uint32_t Node = 0; Node < Graph.nodes().size(); ++Node) {
      const uint32_t Level = Graph.levels()[Node];
      ASSERT_GE(Places[Node], Levels.Begin[Level]);
      ASSERT_LT(Places[Node], Levels.Begin[Level + 1]);
      for (uint32_t Each : Graph.producers().of(Node)) {
        ASSERT_LT(Tickets[Each], Tickets[Node]);
        ASSERT_LT(Graph.levels()[Each], Level);
      }
    }
  }
}

TEST(TaskOrderTest, ChildrenAreProducersTurnedAround) {
  for (uint64_t Seed = 0; Seed < 20; ++Seed) {
    const TaskGraph Graph = randomGraph(Seed);
    size_t Count = 0;
    for (uint32_t Node = 0; Node < Graph.nodes().size(); ++Node)
      for (uint32_t Each : Graph.children().of(Node)) {
        const auto Back = Graph.producers().of(Each);
        EXPECT_EQ(std::count(Back.begin(), Back.end(), Node), 1);
        ++Count;
      }
    EXPECT_EQ(Count, Graph.edges());
  }
}

/// A chain beside many tasks that nothing waits for: each task of the chain is
/// taken when the one before may have ended, not all of them at the front.
TEST(TaskOrderTest, AChainIsSpreadOverTheWorkBesideIt) {
  TaskGraph Graph;
  for (unsigned Task = 0; Task < 10; ++Task)
    Graph.depend(Graph.add(0, 0), 8, 8, DependKind::Out);
  for (unsigned Task = 0; Task < 30; ++Task)
    Graph.add(0, 0);
  Graph.finish();
  const std::vector<uint32_t> Places = placesIn(Graph.ticketOrder(4));
  for (uint32_t Task = 0; Task < 10; ++Task)
    EXPECT_EQ(Places[Task], 4 * Task);
}

} // namespace
