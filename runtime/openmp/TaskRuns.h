// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: regions with tasks, run: the inspection function first, and what
// it records on the device.
// On the data's way: RegionLaunch -> here -> Inspection; TaskCalls ask here for
// the inspection of their thread.
//
// Note [Which inspection]
// An inspection knows the graph of the call that it has run last, and its
// device has it. So a call gets the one that has run it; else the latest that
// has run the region, whose graph may be the same. Where programs take turns,
// with two arrays, say, each call would take the other's: a call that has lost
// its inspection so, and comes again, gets one of its own.
//
// Invariants: all tasks of a region have ended when runTasks() returns. Errors
// end the program.
// Ownership: some inspections are kept from region to region, and never
// destroyed.
// Threads: any.

#ifndef BLOCKMAESTRO_RUNTIME_OPENMP_TASKRUNS_H
#define BLOCKMAESTRO_RUNTIME_OPENMP_TASKRUNS_H

#include "Images.h"
#include "Inspection.h"
#include "TaskRegions.h"

namespace blockmaestro::openmp {

/// Of this process.
TaskRegions &taskRegions();

/// Asks the device, in threads of their own, for what the first regions of
/// tables take long to get, once for a table. For a construct that is about to
/// use the device; it goes on at once.
void prepareTasks();

/// Region can be inspected. Threads: of a block that runs a task. Arguments:
/// of the region's kernel behind its first.
void runTasks(const CallLocation *Where, const KnownTaskRegion &Region,
              const std::string &Name, unsigned Threads,
              const std::vector<uint64_t> &Arguments);

/// The code of the table's regions goes away.
void forgetInspections(const TaskTable &Table);

/// Of the region that the thread inspects; there is one.
Inspection &currentInspection();

} // namespace blockmaestro::openmp

#endif
