// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a graph of tasks as launches of one kernel: the tasks of one
// level are the blocks of one launch, and which task waits for which is a
// relation between blocks.
// On the data's way: runtime/tasks -> Runtime::runTasks -> executor.
// Invariants: tasks have places, level by level; a task's producers have lower
// levels. The lists are NodeLists by place: those of place P are
// Producers[ProducerBegin[P]] up to and without Producers[ProducerBegin[P+1]].
// Ownership and threads: plain values; the list of tasks is memory of the
// device that stays until the stream has done them.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_LEVELEDTASKS_H
#define BLOCKMAESTRO_RUNTIME_CUDA_LEVELEDTASKS_H

#include "DeclaredTasks.h"
#include "Options.h"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace blockmaestro {

/// How a graph of tasks runs on a device.
struct TaskPlace {
  bool ByLevels = false; ///< Its executor takes them; else workers do.
  QueueKind Queue = QueueKind::Default;
  std::optional<unsigned> TimeoutSeconds;
  bool Checked = false; ///< It asks what tasks declare.
};

struct LeveledTasks {
  /// Of the kernel whose block B runs task B of the list that its last argument
  /// points to.
  const void *Stub = nullptr;
  unsigned Threads = 0; ///< Of a block.
  size_t SharedBytes = 0;
  cudaStream_t Stream = nullptr;
  std::vector<void *> Leading; ///< Pointers to the arguments before that one.
  uint64_t List = 0;           ///< The task in the first place.
  size_t Stride = 0;           ///< From one task of the list to the next.
  std::vector<uint32_t> LevelBegin; ///< Places; one more than levels.
  std::vector<uint32_t> ProducerBegin;
  std::vector<uint32_t> Producers;
  DeclaredTasks Declared; ///< Where a device asks for it.
  /// What messages call the task in a place, until the stream has done them.
  std::function<std::string(uint32_t Place)> Name;

  size_t levels() const { return LevelBegin.size() - 1; }
  uint32_t sizeOf(size_t Level) const {
    return LevelBegin[Level + 1] - LevelBegin[Level];
  }
  std::span<const uint32_t> producersOf(uint32_t Place) const {
    return {Producers.data() + ProducerBegin[Place],
            Producers.data() + ProducerBegin[Place + 1]};
  }
};

} // namespace blockmaestro

#endif
