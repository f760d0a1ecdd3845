// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the order of tasks by definition: every pair compared, byte
// ranges against byte ranges, and closed over; nothing shared with TaskGraph.
// At most 64 tasks.

#ifndef BLOCKMAESTRO_TEST_UNIT_TASKS_ORDERORACLE_H
#define BLOCKMAESTRO_TEST_UNIT_TASKS_ORDERORACLE_H

#include "TaskGraph.h"

#include <cstdint>
#include <vector>

namespace blockmaestro {

class OrderOracle {
public:
  using Range = TaskGraph::Range;

  void add(const std::vector<Range> &Ranges, bool Undeferred);
  void waitAll();
  void waitFor(const std::vector<Range> &Ranges);
  void beginGroup();
  void endGroup();

  /// By task, the tasks before it as bits.
  const std::vector<uint64_t> &before() const { return Before; }

private:
  uint64_t conflicts(const std::vector<Range> &Ranges) const;

  std::vector<std::vector<Range>> Tasks;
  std::vector<uint64_t> Before;
  uint64_t Ended = 0; ///< Behind which all later tasks come.
  std::vector<size_t> Groups;
};

/// By task, the tasks that a finished graph puts before it as bits.
std::vector<uint64_t> tasksBefore(const TaskGraph &Graph);

} // namespace blockmaestro

#endif
