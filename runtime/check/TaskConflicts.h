// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: which tasks of a graph share a byte that one of them writes and
// are not ordered by it.
// On the data's way: TaskCheck gathers what tasks touch -> here -> its reports.
//
// Note [Which uses conflict]
// Two uses of one byte, at least one a write, but not where both are atomic or
// volatile, nor where both tasks hold the same lock. Of uses of a byte only
// those are remembered that no later write comes behind: a task that conflicts
// with an older one, and not with that write, comes behind both.
//
// Invariants: a pair of uses may be told of several times, for bytes that are
// not neighbours. Threads: one.

#ifndef BLOCKMAESTRO_RUNTIME_CHECK_TASKCONFLICTS_H
#define BLOCKMAESTRO_RUNTIME_CHECK_TASKCONFLICTS_H

#include "ByteSet.h"
#include "DeclaredTasks.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace blockmaestro {

/// What a task does at one line of its code, under the same locks.
struct TaskUse {
  const char *Where = "";
  uint32_t Bits = 0; ///< AccessBits.
  std::vector<uint64_t> Locks;
  ByteSet Bytes;
};

/// A use of the task in that place, by its number there.
struct TaskUseName {
  uint32_t Place = 0;
  uint32_t Use = 0;
};

struct TaskConflict {
  TaskUseName Earlier; ///< In a lower place.
  TaskUseName Later;
  ByteRange Bytes;
};

class TaskConflicts {
public:
  /// Uses are by place.
  TaskConflicts(const TaskOrder &Order,
                std::vector<std::vector<TaskUse>> &Uses);

  void find(const std::function<void(const TaskConflict &)> &Each);

private:
  using Names = std::vector<TaskUseName>;
  struct Segment {
    uint64_t End = 0;
    Names Users;
  };
  using Map = std::map<uint64_t, Segment>;

  TaskUse &useOf(TaskUseName Of) { return Uses[Of.Place][Of.Use]; }
  void collect(TaskUseName Mine, ByteRange In);
  void markOrdered(uint32_t Place);
  bool isOrdered(uint32_t Before, uint32_t Place) const {
    return Reached[Before] == Place + 1;
  }
  void remember(TaskUseName Mine, ByteRange In);
  void cutAt(uint64_t Where);
  void add(Segment &To, TaskUseName Mine);

  const TaskOrder &Order;
  std::vector<std::vector<TaskUse>> &Uses;
  Map Segments;                    ///< By first byte.
  std::vector<TaskConflict> Found; ///< Of one task, ordered ones too.
  /// By place: one more than the last one that is known to come behind it.
  std::vector<uint32_t> Reached;
  std::vector<uint32_t> Stack; ///< Kept for its memory.
};

} // namespace blockmaestro

#endif
