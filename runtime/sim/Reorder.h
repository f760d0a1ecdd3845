// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the command queue as BlockMaestro (ISCA 2021), section III.C, has
// it: launches as near to each other as what they need lets them be, and no
// wait of the host for a copy that brings it nothing.
// On the data's way: inside simulate(), before a scheduler that reorders.
// Invariants: launches keep their order. What a node needs is before it, and
// nodes of which the recording does not know whether one needs the other keep
// their order, and never are in flight together. No firm barrier is passed.
// Ownership and threads: pure functions.
//
// Note [Moving launches together]
// Between two firm barriers the queue becomes: the copies that need no launch
// there; the launches, each behind the copies that it needs; the rest. A copy
// from the host between two launches then no longer keeps the second one from
// being launched while the first runs:
//
//   copy A, K1(A), copy B, K2(B), K3(A)    as issued
//   copy A, copy B, K1(A), K2(B), K3(A)    reordered

#ifndef BLOCKMAESTRO_RUNTIME_SIM_REORDER_H
#define BLOCKMAESTRO_RUNTIME_SIM_REORDER_H

#include "Simulator.h"

#include <vector>

namespace blockmaestro::sim {

struct Reordered {
  Workload Queue;
  std::vector<uint32_t> Issued; ///< Of each place in it, the place as issued.
};

Reordered reorder(const Workload &What);

/// Gives the launches of a report the places in which they were issued.
void restoreOrder(const std::vector<uint32_t> &Issued, SimulationReport &Of);

} // namespace blockmaestro::sim

#endif
