// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The buffers of the block scheduler, for the reference: entries by number, and
// every counter that is in its buffer by age.

#ifndef BLOCKMAESTRO_TEST_UNIT_SIM_REFERENCEBUFFERS_H
#define BLOCKMAESTRO_TEST_UNIT_SIM_REFERENCEBUFFERS_H

#include "Simulator.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace blockmaestro::sim {

struct ReferenceBuffers {
  using Counter = std::pair<size_t, uint32_t>; ///< Launch and block.

  const Machine &On;
  uint64_t Lists = 0; ///< Entries, also those that have no room.
  std::vector<Counter> Counters = {}; ///< The oldest first.
  SchedulerTraffic Requests = {};

  uint64_t entries(size_t Children) const {
    return Children / On.ChildrenPerEntry +
           (Children % On.ChildrenPerEntry != 0);
  }

  bool holds(const Counter &Which) const {
    return std::find(Counters.begin(), Counters.end(), Which) != Counters.end();
  }

  void fetchList(uint64_t Entries) {
    Requests.ListFetches += Entries;
    for (uint64_t I = 0; I < Entries; ++I)
      Requests.ListRefetches += ++Lists > On.DependencyListEntries;
  }

  void need(const Counter &Which) {
    if (holds(Which))
      return;
    ++Requests.CounterFetches;
    if (Counters.size() == On.ParentCounterEntries) {
      ++Requests.CounterEvictions;
      Counters.erase(Counters.begin());
    }
    Counters.push_back(Which);
  }

  void drop(const Counter &Which) { std::erase(Counters, Which); }
};

} // namespace blockmaestro::sim

#endif
