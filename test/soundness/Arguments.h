// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a launch of a kernel of ours as the runtime would see it: packed
// arguments and the allocations they point into.
// On the data's way: tests only.
// Invariants: what a launch touches of an array is in one allocation, which no
// other array has that is touched; the array's pointer is in it, at its end, or
// at most 64 bytes before it. Nothing is really allocated. Threads: no state.

#ifndef BLOCKMAESTRO_TEST_SOUNDNESS_ARGUMENTS_H
#define BLOCKMAESTRO_TEST_SOUNDNESS_ARGUMENTS_H

#include "Interpret.h"

#include "Allocations.h"

#include "blockmaestro/Launch.h"

#include <string>
#include <vector>

namespace blockmaestro::soundness {

/// What is wrong with R's parameters, as a record of K; empty when nothing is.
std::string checkParameters(const Kernel &K, const KernelRecord &R);

/// The memory of a launch.
struct MemoryPlan {
  std::vector<uint64_t> Pointers;      ///< What offsets count from, by array.
  std::vector<Allocation> Allocations; ///< By array; without bytes: in none.
  AllocationMap Known;
};

/// Memory for a launch that touches what Blocks say: each array alone in the
/// middle of a large allocation, or side by side in allocations as small as
/// that allows, with pointers at their edges.
MemoryPlan planMemory(const Kernel &K, const LaunchCase &L,
                      const std::vector<BlockTruth> &Blocks);

Launch makeLaunch(const Kernel &K, const KernelRecord &R, const LaunchCase &L,
                  const MemoryPlan &Memory);

/// What a root is in a bundle where no array is.
constexpr int NoArray = -2;

/// The array an access is rooted at, NoArray or -1.
int arrayOf(const Kernel &K, const Root &Base);

} // namespace blockmaestro::soundness

#endif
