// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the time that no scheduler can be faster than on a machine,
// whatever it knows: blocks after those they need, and no resource used more
// than there is of it.
// On the data's way: from Workload to bm-sim's output, beside the simulations.
// Invariants: a true bound of every schedule that keeps the relations and the
// fences, and issues nothing before the host asks for it. Left out is what a
// scheduler may do without: launch overheads, counters that are too small,
// barriers at which the host did not wait. Ownership and threads: pure
// functions.

#ifndef BLOCKMAESTRO_RUNTIME_SIM_BOUND_H
#define BLOCKMAESTRO_RUNTIME_SIM_BOUND_H

#include "Workload.h"

namespace blockmaestro::sim {

struct Bound {
  /// Of the longest chain of blocks that need each other.
  uint64_t CriticalPathNs = 0;
  /// Of all work on the scarcest of: places, threads, shared memory and
  /// registers of SMs, issue slots, memory, paths of copies; behind the chain
  /// that leads to the copies that the host read before it.
  uint64_t AreaNs = 0;
  /// From fence to fence the larger of both, in sum.
  uint64_t Ns = 0;
};

Bound lowerBound(const Workload &What, const Machine &On);

} // namespace blockmaestro::sim

#endif
