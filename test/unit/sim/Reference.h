// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: docs/simulator.md as a program that is as simple as can be, to
// compare the simulator with: nanosecond after nanosecond, everything looked at
// anew, nothing remembered but what has happened. Of runtime/sim it uses what
// the simulator is given, and nothing of how it works.
// Invariants: durations do not depend on what runs beside a block.

#ifndef BLOCKMAESTRO_TEST_UNIT_SIM_REFERENCE_H
#define BLOCKMAESTRO_TEST_UNIT_SIM_REFERENCE_H

#include "Simulator.h"

#include <cstdint>
#include <vector>

namespace blockmaestro::sim {

inline constexpr uint64_t NotYet = ~uint64_t(0);

struct ReferenceBlock {
  bool IsReady = false;
  bool WasHeld = false; ///< For want of room in the buffers.
  uint64_t ListEntries = 0;
  size_t KnownUpTo = 0; ///< Launches issued at its start.
  uint64_t Start = NotYet;
  uint64_t End = NotYet; ///< Known from the start on.
  uint32_t Sm = 0;
  bool HasEnded = false;
};

struct ReferenceLaunch {
  uint64_t Issued = NotYet;
  uint64_t Begun = NotYet; ///< The overhead.
  uint64_t LaunchEnds = NotYet;
  uint64_t Leaves = NotYet; ///< Known from the last block's end on.
  uint64_t Completed = NotYet;
  bool IsLaunched = false;
  bool HasLeft = false;
  std::vector<ReferenceBlock> Blocks;
  std::vector<uint32_t> Queue; ///< Ready blocks that have not been placed.
};

struct ReferenceRun {
  std::vector<ReferenceLaunch> Launches; ///< And copies.
  SchedulerTraffic Requests;
  uint64_t Decoded = 0; ///< Entries of lists that were not fetched.
  BufferStalls Buffers;
};

/// When all launches and copies of the workload have completed.
ReferenceRun referenceRun(const Workload &What, const Machine &On,
                          const Scheduler &By);

} // namespace blockmaestro::sim

#endif
