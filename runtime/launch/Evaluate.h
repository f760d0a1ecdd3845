// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: turns a kernel's footprint and one launch's numbers into the
// bytes each block touches.
// On the data's way: Metadata + Launch -> evaluate -> LaunchAccesses -> Graph.
// Invariants:
//  - Never smaller than the truth. What cannot be followed widens: to one range
//    per block, to the allocation, to everything; each time with a Reason.
//  - An access no block makes at this launch is left out.
//  - An exact access that would leave its allocation is an error of the
//    program; it may touch anything (Everything). One that is not exact keeps
//    its coordinates: only its surplus is outside.
//  - Cost does not depend on the number of threads, blocks or iterations.
// Threads: no state.

#ifndef BLOCKMAESTRO_RUNTIME_LAUNCH_EVALUATE_H
#define BLOCKMAESTRO_RUNTIME_LAUNCH_EVALUATE_H

#include "Allocations.h"
#include "Points.h"

#include "blockmaestro/BlockAccess.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace blockmaestro {

/// One BlockAccess, or several, for each access of L.Kernel->Bytes that some
/// block makes, in their order. Several of one access are its parts.
LaunchAccesses evaluate(const Launch &L, const AllocationMap &Known);

/// What it takes to evaluate a launch once more, for one block alone.
struct LaunchInputs {
  Launch What;
  AllocationMap Known;         ///< As much of it as the launch touches.
  std::vector<uint32_t> Which; ///< The accesses of the kernel that narrow.
  /// Those of Which over their indices; none where not even that is exact.
  std::vector<std::optional<AccessForm>> Forms;
  std::string Key; ///< Equal keys and equal accesses: equal answers.
};

/// Appends the accesses of From.Which that have no form as block Block makes
/// them, Narrows as in the accesses they stand for. Whether one of these has no
/// more than is known of it.
bool evaluateBlock(const LaunchInputs &From, Dim3 Block,
                   std::vector<BlockAccess> &Out);

} // namespace blockmaestro

#endif
