// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what launches in flight, and their blocks, wait for: whole
// launches by gates, parents by counters.
// On the data's way: inside the simulator: told when launches are issued and
// leave, and when blocks start and end; says which blocks are ready.
// Invariants: a block is ready when its launch's overhead has ended and all of
// every relation to what was in flight at its issue. Lists and counters pass
// through the scheduler's buffers (Traffic.h) wherever they are needed.
// Ownership and threads: one per simulation; owns the launches' states, and
// uses those of completed launches again.

#ifndef BLOCKMAESTRO_RUNTIME_SIM_DEPENDENCIES_H
#define BLOCKMAESTRO_RUNTIME_SIM_DEPENDENCIES_H

#include "LaunchState.h"
#include "LaunchWindow.h"
#include "RunningBlocks.h"
#include "Traffic.h"

#include <vector>

namespace blockmaestro::sim {

class Dependencies {
public:
  Dependencies(const Workload &What, const Machine &On, const Scheduler &By,
               LaunchWindow &Window)
      : What(What), On(On), By(By), Window(Window),
        Hardware(On, What.Launches.size()), State(What.Launches.size()),
        Decoded(What.Expansions.size()) {}

  LaunchState &operator[](uint32_t Launch) { return State[Launch]; }
  const SchedulerTraffic &traffic() const { return Hardware.traffic(); }
  /// Relations to launches in flight that were waited for as a whole.
  uint64_t kernelLevelRelations() const { return KernelLevelRelations; }

  /// By pattern.
  std::vector<DecodedLists> decodedLists() const;

  /// The window has issued the launch.
  void issue(uint32_t Launch);
  /// One thing that the whole launch waits for is over, such as its overhead.
  void openGate(uint32_t Launch);
  /// Whether blocks of the launch may start as far as updates go.
  bool hasUpdateRoom(uint32_t Launch) const {
    return !By.BoundsUpdates || Launch == Window.first() ||
           PartlyUpdated < On.PendingUpdateEntries;
  }
  /// Whether all that the block needs of the buffers has room.
  bool hasBufferRoom(uint32_t Launch, uint32_t Block) const;
  /// The block has its place; returns the list entries that it holds.
  uint32_t start(uint32_t Launch, uint32_t Block);
  void end(const RunningBlock &Which);
  /// Nothing waits for the whole launch any more.
  void openConsumers(uint32_t Launch);
  /// Every earlier launch has completed too.
  void complete(uint32_t Launch);

private:
  void waitFor(LaunchState &Consumer, const WorkRelation &Relation);
  void findUpdates(uint32_t Launch);
  void update(LaunchState &Consumer, uint32_t Block, bool IsPartly);
  uint32_t fetchList(const WorkRelation &Relation, uint32_t Parent);
  void tell(const WorkRelation &Relation, uint32_t Parent);

  /// Whether the consumer waits for the whole producer.
  bool waitsWhole(const WorkRelation &R) const {
    return By.Waits == Granularity::Kernel || R.KernelLevel;
  }
  const Expansion &expansionOf(const WorkRelation &R) const {
    return What.Expansions[R.Expanded];
  }
  bool decodes(const WorkRelation &R) const {
    return On.ClosedFormsDecode && expansionOf(R).Decodes;
  }
  bool independent(const WorkRelation &R) const {
    return expansionOf(R).independent();
  }

  /// Calls Each(relation) for what waits block by block for this launch and is
  /// in flight already; consumers below From are left out.
  template <typename Function>
  void forEachTracked(uint32_t Producer, uint32_t From, Function Each) const {
    if (By.Waits == Granularity::Kernel)
      return;
    for (uint32_t Index : What.Launches[Producer].Out) {
      const WorkRelation &R = What.Relations[Index];
      if (R.Consumer >= Window.next())
        break;
      if (R.Consumer >= From && !R.KernelLevel)
        Each(R);
    }
  }

  const Workload &What;
  const Machine &On;
  const Scheduler &By;
  LaunchWindow &Window;
  Buffers Hardware;
  std::vector<LaunchState> State;
  std::vector<LaunchState> Spare; ///< Of launches that have completed.
  uint32_t PartlyUpdated = 0; ///< Blocks in flight, where updates are bounded.
  uint64_t KernelLevelRelations = 0;
  std::vector<uint64_t> Decoded; ///< Requests that each expansion saved.
};

} // namespace blockmaestro::sim

#endif
