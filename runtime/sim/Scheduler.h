// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the block-level scheduling policies, as a table.
// On the data's way: chosen by name in bm-sim, read by the simulator.
// A new policy is one line of the table where the existing parameters can say
// it. Ownership and threads: constant data.

#ifndef BLOCKMAESTRO_RUNTIME_SIM_SCHEDULER_H
#define BLOCKMAESTRO_RUNTIME_SIM_SCHEDULER_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace blockmaestro::sim {

/// What a block waits for where launches are related.
enum class Granularity : uint8_t {
  Kernel, ///< All blocks of every related earlier launch.
  Block,  ///< Its own parents.
};

/// Whose ready blocks go first.
enum class Priority : uint8_t { Producer, Consumer };

struct Scheduler {
  const char *Name;
  /// Launches that are launching, waiting or running at the same time. A
  /// launch leaves the count when it and all earlier ones have completed.
  uint32_t KernelsInFlight;
  bool LaunchOverhead;
  Granularity Waits;
  Priority First;
  const char *What; ///< One line for people.
};

struct SchedulerTable {
  const Scheduler *First;
  size_t Count;
  const Scheduler *begin() const { return First; }
  const Scheduler *end() const { return First + Count; }
};

/// All of them, the one that others are compared with first.
SchedulerTable schedulers();

/// Null when there is none of that name.
const Scheduler *findScheduler(const std::string &Name);

} // namespace blockmaestro::sim

#endif
