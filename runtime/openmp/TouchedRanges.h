// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: which bytes a task is going to touch, from its record and what
// the compiler knows of its kind.
// On the data's way: Inspection, of tasks without depend clauses in files
// compiled with -fblockmaestro-infer-depend -> here -> TaskGraph.
// Invariants: the ranges are a superset of what the task reads and writes of
// memory that others can see, variables whose values go with the record aside.
// Threads: one at a time.

#ifndef BLOCKMAESTRO_RUNTIME_OPENMP_TOUCHEDRANGES_H
#define BLOCKMAESTRO_RUNTIME_OPENMP_TOUCHEDRANGES_H

#include "DeviceMemory.h"
#include "TaskGraph.h"
#include "TaskInterface.h"
#include "blockmaestro/Metadata.h"
#include "blockmaestro/Status.h"

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace blockmaestro::openmp {

class TouchedRanges {
public:
  /// Memory of the device around an address; no bytes where nothing is known.
  using Surroundings = std::function<DeviceRange(DeviceAddress)>;

  /// Reads what the table has. Fails where it is no footprint of each kind.
  static Result<TouchedRanges> read(const TaskTable &Table);

  /// Adds the ranges; false where the task may touch anything. Threads: of a
  /// block that runs the task.
  bool add(uint32_t Kind, std::span<const std::byte> Record, unsigned Threads,
           const Surroundings &Around, std::vector<TaskGraph::Range> &To) const;

private:
  explicit TouchedRanges(ModuleRecord Kinds) : Kinds(std::move(Kinds)) {}

  ModuleRecord Kinds; ///< A kernel for each.
};

} // namespace blockmaestro::openmp

#endif
