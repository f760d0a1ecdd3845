// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: BLOCKMAESTRO_CHECK=footprints of the tasks of a graph: whether
// what they touch beyond what they declare meets another task.
// On the data's way: told by the front end of a graph before and after it runs,
// by the emulator what every block touches; reports pairs of tasks.
//
// Note [What is reported of tasks]
// Two tasks that share a byte, at least one of them writing, that nothing in
// the graph orders, of which one has not declared the byte for what it does to
// it. So a task may touch what it has not declared where no other does, where
// all only read, or where the two are ordered anyway: by other ranges, waits or
// groups. Not looked at: data of the task's own, the block's shared memory,
// memory that kernels allocate while the graph runs; two atomic or volatile
// accesses; accesses under a lock that both tasks hold. A lock is what a thread
// changes atomically just before a fence, until it writes it atomically.
//
// Invariants: nothing is said of a graph that does not come to its end.
// Ownership: the findings outlive it. Threads: any; a block's accesses come
// from one thread at a time.

#ifndef BLOCKMAESTRO_RUNTIME_CHECK_TASKCHECK_H
#define BLOCKMAESTRO_RUNTIME_CHECK_TASKCHECK_H

#include "Findings.h"
#include "TaskConflicts.h"

#include "blockmaestro/AccessObserver.h"

#include <atomic>
#include <map>
#include <memory>
#include <shared_mutex>
#include <vector>

namespace blockmaestro {

class TaskCheck {
public:
  explicit TaskCheck(Findings &Found) : Found(Found) {}

  /// Before its first task runs.
  void expect(ExpectedTasks Next);
  void touches(const ObservedAccess &What);
  void fences(const Launch &What, uint64_t Block, uint32_t Thread);
  void ends(const Launch &What, uint64_t Block);
  /// A kernel has allocated this memory.
  void allocated(uint64_t Address, uint64_t Bytes);

private:
  struct HeldLock {
    uint32_t Thread = 0;
    uint64_t Lock = 0;
  };
  struct RunningTask {
    std::vector<HeldLock> Locks;
    /// What threads have changed atomically by their last access.
    std::vector<HeldLock> Changed;
    size_t LastUse = 0;
  };
  struct Graph {
    ExpectedTasks Expected;
    std::vector<std::vector<TaskUse>> Uses; ///< By place.
    std::vector<RunningTask> Running;       ///< The same.
    ByteSet Allocated;                      ///< By kernels meanwhile.
    std::atomic<uint64_t> Left = 0;         ///< Tasks that have not ended.
  };
  using GraphRef = std::shared_ptr<Graph>;
  struct PlacedTask {
    Graph *In = nullptr; ///< Null: it is none.
    size_t Place = 0;
  };

  GraphRef graphOf(const Launch &What) const;
  PlacedTask taskOf(const Launch &What, uint64_t Block) const;
  static void followLocks(RunningTask &Of, const ObservedAccess &What);
  static void release(RunningTask &Of, const HeldLock &What);
  static TaskUse &useOf(const PlacedTask &Of, const ObservedAccess &What);
  void judge(Graph &Of);

  static uint64_t nextNumber();

  /// Of all checks there ever were, this one.
  const uint64_t Number = nextNumber();
  Findings &Found;
  mutable std::shared_mutex Lock;
  std::map<uint64_t, GraphRef> Graphs; ///< By first launch.
};

} // namespace blockmaestro

#endif
