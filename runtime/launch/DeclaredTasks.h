// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what the tasks of a graph say that they use, and their order.
// On the data's way: runtime/tasks and the front end -> TaskCheck.
// Invariants: tasks have places; a task's producers have lower ones. The
// producers of place P are Producers[ProducerBegin[P]] up to and without
// Producers[ProducerBegin[P + 1]].
// Ownership and threads: plain values.

#ifndef BLOCKMAESTRO_RUNTIME_LAUNCH_DECLAREDTASKS_H
#define BLOCKMAESTRO_RUNTIME_LAUNCH_DECLAREDTASKS_H

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace blockmaestro {

struct TaskRange {
  uint64_t First = 0;
  uint64_t Last = 0; ///< It has this byte too.
  uint32_t Bits = 0; ///< AccessBits: reads, or reads and writes.
};

struct DeclaredTask {
  std::string Kind; ///< "a.cpp:12"
  uint32_t Number = 0;
  std::vector<TaskRange> Ranges;
};

/// Memory that the program has a name for.
struct NamedMemory {
  uint64_t Begin = 0;
  uint64_t Bytes = 0;
  std::string Name;
};

struct DeclaredTasks {
  std::vector<DeclaredTask> Tasks; ///< By place.
  std::vector<NamedMemory> Names;
  /// Memory of the runtime that the tasks are read from.
  uint64_t OwnBegin = 0;
  uint64_t OwnBytes = 0;
};

struct TaskOrder {
  std::vector<uint32_t> ProducerBegin;
  std::vector<uint32_t> Producers;

  size_t tasks() const { return ProducerBegin.size() - 1; }
  std::span<const uint32_t> producersOf(uint32_t Place) const {
    return {Producers.data() + ProducerBegin[Place],
            Producers.data() + ProducerBegin[Place + 1]};
  }
};

/// A graph that comes next, as launches: the tasks from place LevelBegin[L] on
/// are the blocks of the launch FirstLaunch + L.
struct ExpectedTasks {
  uint64_t FirstLaunch = 0;
  std::vector<uint32_t> LevelBegin; ///< One more than levels.
  TaskOrder Order;
  DeclaredTasks Declared;
};

} // namespace blockmaestro

#endif
