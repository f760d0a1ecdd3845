// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a finished graph as bytes for a device, in one piece: tasks in
// some topological order, their children, counts and records, and what queues
// need.
// On the data's way: TaskGraph -> here -> memory of the device, in one copy ->
// blockmaestro/task_workers.h.
// Order of use: the constructor, memory of bytes() on the device, fill().
// Ownership: the graph outlives it. Threads: one caller.

#ifndef BLOCKMAESTRO_RUNTIME_TASKS_TASKIMAGE_H
#define BLOCKMAESTRO_RUNTIME_TASKS_TASKIMAGE_H

#include "TaskGraph.h"
#include "blockmaestro/task_workers.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace blockmaestro {

class TaskImage {
public:
  /// Order has the nodes by place. No workers: blocks run the tasks, and there
  /// is nothing but the list of these.
  TaskImage(const TaskGraph &Of, std::vector<uint32_t> Order, TaskQueue Queue,
            uint32_t Workers);

  size_t bytes() const { return Total; }
  /// So many of the first bytes have to be copied.
  size_t filled() const { return Filled; }
  /// The first bytes, as they have to be at Base, a multiple of 256.
  void fill(std::byte *To, uint64_t Base) const;
  /// A part of the first bytes.
  struct Part {
    size_t Begin = 0;
    size_t End = 0;
  };
  /// What a run of workers leaves other than it was, records aside.
  Part state() const;
  Part records() const { return {FirstRecord, Filled}; }
  /// Whether tasks change their records where they are.
  bool hasRecordsInPlace() const { return RecordsInPlace; }
  /// Fills records() again.
  void fillRecords(std::byte *To) const;
  /// What workers are given where the image is at Base.
  TaskWork work(uint64_t Base) const;
  /// Where the list of tasks is.
  uint64_t list(uint64_t Base) const { return Base + Tasks; }

  const std::vector<uint32_t> &order() const { return Order; }
  const std::vector<uint32_t> &places() const { return Places; }

  /// Queues: how many entries each worker begins with, by worker.
  std::vector<uint32_t> firstEntries() const;
  /// The rows of entries with which the workers begin, each of so many, as
  /// they have to be at entries(), a row every rowBytes().
  std::vector<uint32_t> entryRows(size_t &EachRow) const;
  uint64_t entries(uint64_t Base) const { return Base + Entries; }
  size_t rowBytes() const { return Order.size() * sizeof(uint32_t); }

private:
  void measure();
  size_t put(size_t Bytes);
  void fillTasks(std::byte *To, uint64_t Base) const;
  void fillQueues(std::byte *To) const;

  const TaskGraph &Of;
  const std::vector<uint32_t> Order;
  const TaskQueue Queue;
  const uint32_t Workers;
  std::vector<uint32_t> Places; ///< By node.
  std::vector<uint32_t> Roots;  ///< Places of tasks that wait for nothing.
  std::vector<size_t> Records;  ///< By place, where its record is.
  size_t Tasks = 0, Children = 0, Open = 0, Counters = 0, Sizes = 0, Ends = 0,
         Entries = 0;
  size_t FirstRecord = 0;
  size_t RecordStride = 0; ///< As in TaskWork; so is the other.
  size_t ChildStride = 0;
  bool RecordsInPlace = false;
  size_t Filled = 0;
  size_t Total = 0;
};

} // namespace blockmaestro

#endif
