// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the two buffers of the simulated block scheduler and what they
// have to fetch from memory.
// On the data's way: told by the simulator, read into SchedulerTraffic. Whether
// a block waits for room in them is for those who ask whether there is any.
// Invariants: at most the machine's number of counters is resident; the oldest
// is evicted. A block's counter is dropped when the block starts.
// Ownership and threads: one per simulation.

#ifndef BLOCKMAESTRO_RUNTIME_SIM_TRAFFIC_H
#define BLOCKMAESTRO_RUNTIME_SIM_TRAFFIC_H

#include "Simulator.h"

#include <deque>
#include <utility>

namespace blockmaestro::sim {

class Buffers {
public:
  Buffers(const Machine &On, size_t Launches) : On(On), Resident(Launches) {}

  /// Begins to track the counters of a launch, all of them in memory.
  void open(uint32_t Launch, uint32_t Blocks) {
    Resident[Launch].assign(Blocks, 0);
  }
  /// The launch's blocks have all started.
  void close(uint32_t Launch) { Resident[Launch] = {}; }

  uint32_t entriesOf(uint64_t Children) const {
    return uint32_t((Children + On.ChildrenPerEntry - 1) / On.ChildrenPerEntry);
  }
  bool isResident(uint32_t Launch, uint32_t Block) const {
    return !Resident[Launch].empty() && Resident[Launch][Block];
  }
  /// Whether so many more fit without anything being put out.
  bool haveRoom(uint64_t MoreLists, uint64_t MoreCounters) const {
    return (MoreLists == 0 ||
            ListEntries + MoreLists <= On.DependencyListEntries) &&
           (MoreCounters == 0 ||
            Counters + MoreCounters <= On.ParentCounterEntries);
  }

  /// Fetches a list of Children into the list buffer; returns the entries it
  /// holds there until release.
  uint32_t fetchList(uint64_t Children);
  void releaseList(uint32_t Entries) { ListEntries -= Entries; }

  /// The counter of a block is needed.
  void touch(uint32_t Launch, uint32_t Block) {
    if (!Resident[Launch][Block])
      fetchCounter(Launch, Block);
  }
  /// The block has started, nobody needs its counter any more.
  void drop(uint32_t Launch, uint32_t Block);

  const SchedulerTraffic &traffic() const { return Counted; }

private:
  bool isResident(std::pair<uint32_t, uint32_t> Which) const {
    return isResident(Which.first, Which.second);
  }
  void fetchCounter(uint32_t Launch, uint32_t Block);
  void evictOldest();

  const Machine &On;
  SchedulerTraffic Counted;
  uint64_t ListEntries = 0;
  uint64_t Counters = 0;
  std::vector<std::vector<uint8_t>> Resident;
  /// Launch and block by age; blocks that have been dropped since stay in it
  /// until they are the oldest.
  std::deque<std::pair<uint32_t, uint32_t>> ByAge;
};

} // namespace blockmaestro::sim

#endif
