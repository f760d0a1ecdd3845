// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: regions with tasks, run: the inspection function first, and what
// it records on the device.
// On the data's way: RegionLaunch -> here -> Inspection; TaskCalls ask here for
// the inspection of their thread.
// Invariants: all tasks of a region have ended when runTasks() returns. Errors
// end the program.
// Ownership: inspections are kept from region to region, and never destroyed.
// Threads: any.

#ifndef BLOCKMAESTRO_RUNTIME_OPENMP_TASKRUNS_H
#define BLOCKMAESTRO_RUNTIME_OPENMP_TASKRUNS_H

#include "Images.h"
#include "Inspection.h"
#include "TaskRegions.h"

namespace blockmaestro::openmp {

/// Of this process.
TaskRegions &taskRegions();

/// Region can be inspected. Threads: of a block that runs a task. Arguments:
/// of the region's kernel behind its first.
void runTasks(const SourceLocation *Where, const KnownTaskRegion &Region,
              const std::string &Name, unsigned Threads,
              const std::vector<uint64_t> &Arguments);

/// Of the region that the thread inspects; there is one.
Inspection &currentInspection();

} // namespace blockmaestro::openmp

#endif
