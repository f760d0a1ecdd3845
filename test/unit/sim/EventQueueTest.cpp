// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The queue of events takes them in the order of their times, and at one time
// in theirs, as a sorted list does.

#include "EventQueue.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <utility>

using namespace blockmaestro::sim;

namespace {

using TimeAndOrder = std::pair<uint64_t, uint64_t>;

TEST(EventQueue, IsASortedListAlsoOfWhatIsPushedMeanwhile) {
  std::mt19937_64 Random(1);
  EventQueue Queue;
  std::set<TimeAndOrder> Expected;
  uint32_t Block = 0;
  const auto Push = [&](uint64_t Time) {
    const SimEvent Event(SimEvent::What(Random() % 7), uint32_t(Random()),
                         Block++);
    Queue.push(Time, Event);
    Expected.insert({Time, Event.order()});
  };
  for (int I = 0; I < 50; ++I)
    Push(Random() % 3000);
  for (uint64_t Now = 0; Queue.advance(Now);)
    for (SimEvent Event; Queue.take(Event);) {
      ASSERT_EQ((TimeAndOrder{Now, Event.order()}), *Expected.begin());
      Expected.erase(Expected.begin());
      for (uint64_t I = Random() % 3; I > 0 && Block < 20000; --I)
        Push(Now + Random() % (uint64_t(1) << Random() % 40));
    }
  EXPECT_TRUE(Expected.empty());
  EXPECT_GT(Block, 1000u);
}

TEST(EventQueue, GoesToTheEndOfTime) {
  EventQueue Queue;
  Queue.push(~uint64_t(0), {SimEvent::What::RateWakes, ~0u, 5, 6});
  uint64_t Now = 0;
  ASSERT_TRUE(Queue.advance(Now));
  EXPECT_EQ(Now, ~uint64_t(0));
  SimEvent Event;
  ASSERT_TRUE(Queue.take(Event));
  EXPECT_EQ(Event.kind(), SimEvent::What::RateWakes);
  EXPECT_EQ(Event.launch(), ~0u);
  EXPECT_EQ(Event.block(), 5u);
  EXPECT_EQ(Event.slot(), 6u);
  EXPECT_FALSE(Queue.advance(Now));
}

} // namespace
