// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what the compiler has written of regions with tasks, of all files
// that are loaded.
// On the data's way: __blockmaestro_register_tasks -> here -> RegionLaunch.
// Ownership: tables are the program's. Threads: any; one lock.

#ifndef BLOCKMAESTRO_RUNTIME_OPENMP_TASKREGIONS_H
#define BLOCKMAESTRO_RUNTIME_OPENMP_TASKREGIONS_H

#include "TaskInterface.h"

#include <atomic>
#include <shared_mutex>
#include <unordered_map>
#include <vector>

namespace blockmaestro::openmp {

struct KnownTaskRegion {
  const TaskTable *In = nullptr;
  const TaskRegion *Region = nullptr; ///< Null: it has no tasks.
};

class TaskRegions {
public:
  void add(const TaskTable &Table);
  void remove(const TaskTable &Table);
  KnownTaskRegion find(const void *Region);
  /// The tables that have come since the last time.
  std::vector<const TaskTable *> takeNew();

private:
  std::shared_mutex Lock;
  std::unordered_map<const void *, KnownTaskRegion> All;
  std::vector<const TaskTable *> New;
  std::atomic<bool> AnyNew = false; ///< Asked for by each construct.
};

} // namespace blockmaestro::openmp

#endif
