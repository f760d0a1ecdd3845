// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: running a region's kernel on the device.
// On the data's way: __tgt_target_kernel -> here -> cudaLaunchKernel, or, where
// a region has tasks, TaskRuns.
// Invariants: the region has ended when runRegion returns.
// Ownership: none. Threads: any.

#ifndef BLOCKMAESTRO_RUNTIME_OPENMP_REGIONLAUNCH_H
#define BLOCKMAESTRO_RUNTIME_OPENMP_REGIONLAUNCH_H

#include "LaunchShape.h"
#include "Offloading.h"

namespace blockmaestro::openmp {

/// Of the current device.
unsigned processorCount();

MapList listOf(const KernelLaunch &Launch);

/// Launches Region's kernel with Arguments, device addresses and values, and
/// waits for it.
Status launchRegion(Offloading &On, const RegionKernel &Region,
                    const RegionRequest &Asked, const KernelLaunch &Launch,
                    const RegionArguments &Arguments);

/// Maps the data of Launch, runs Region and unmaps. Where the region's tasks
/// can be recorded they run as a graph, else its kernel does.
Status runRegion(Offloading &On, const CallLocation *Where,
                 const RegionKernel &Region, const RegionRequest &Asked,
                 const KernelLaunch &Launch);

} // namespace blockmaestro::openmp

#endif
