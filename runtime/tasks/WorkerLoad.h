// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: how many tasks of a graph workers have had.
// On the data's way: RunTasks -> here -> RegionReport.
// Threads: plain values.

#ifndef BLOCKMAESTRO_RUNTIME_TASKS_WORKERLOAD_H
#define BLOCKMAESTRO_RUNTIME_TASKS_WORKERLOAD_H

#include <cstdint>

namespace blockmaestro {

/// How a run's tasks were shared; joins count as tasks. No workers: there were
/// none, or it is not known.
struct WorkerLoad {
  uint32_t Workers = 0;
  uint32_t Least = 0; ///< So many of the tasks had one of them.
  uint32_t Most = 0;
};

} // namespace blockmaestro

#endif
