// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the host: when each of its threads asks for what.
// On the data's way: inside the simulator, which tells it what has completed
// and issues nothing before it is asked for.
// Invariants: a thread does one thing after the other, in the order of the
// recording; when something is asked for is known when all has completed that
// its thread waits for before it.
// Ownership and threads: one per simulation.

#ifndef BLOCKMAESTRO_RUNTIME_SIM_HOST_H
#define BLOCKMAESTRO_RUNTIME_SIM_HOST_H

#include "Scheduler.h"
#include "Workload.h"

#include <map>
#include <unordered_map>
#include <vector>

namespace blockmaestro::sim {

class Host {
public:
  /// Up to the first wait. What its calls take counts beside what it computes.
  Host(const Workload &What, const LaunchCosts &Costs);

  /// All launches before First have completed, the last of them now.
  void completed(uint32_t First, uint64_t Now);

  static constexpr uint64_t NotKnown = ~uint64_t(0);

  /// When the launch is asked for; NotKnown before a wait that comes first.
  uint64_t asked(uint32_t Launch) const { return Asked[Launch]; }

private:
  struct Thread {
    std::vector<HostCall> Calls;
    size_t Next = 0;
    uint64_t Clock = 0; ///< Before Next.
  };

  void go(Thread &Which, uint32_t First, uint64_t Now);

  const uint64_t Hearing;
  std::unordered_map<uint32_t, Thread> Threads;
  /// Those that wait, by the launch before which all has to complete.
  std::multimap<uint32_t, Thread *> Waiting;
  std::vector<uint64_t> Asked; ///< Of each launch.
};

} // namespace blockmaestro::sim

#endif
