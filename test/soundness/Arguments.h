// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a launch of a kernel of ours as the runtime would see it: packed
// arguments and the allocations they point into.
// On the data's way: tests only. Invariants: every array has an allocation of
// its own; a pointer argument points into the middle of its. Nothing is really
// allocated. Threads: no state.

#ifndef BLOCKMAESTRO_TEST_SOUNDNESS_ARGUMENTS_H
#define BLOCKMAESTRO_TEST_SOUNDNESS_ARGUMENTS_H

#include "Interpret.h"

#include "Allocations.h"

#include "blockmaestro/Launch.h"

#include <string>

namespace blockmaestro::soundness {

/// What is wrong with R's parameters, as a record of K; empty when nothing is.
std::string checkParameters(const Kernel &K, const KernelRecord &R);

Launch makeLaunch(const Kernel &K, const KernelRecord &R, const LaunchCase &L);
AllocationMap makeAllocations(const Kernel &K);

/// Where the offsets of Array count from, as an address.
uint64_t addressOf(const Kernel &K, unsigned Array);
uint64_t allocationOf(unsigned Array);

/// The array an access is rooted at, or -1.
int arrayOf(const Kernel &K, const Root &Base);

} // namespace blockmaestro::soundness

#endif
