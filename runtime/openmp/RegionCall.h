// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a region with tasks and all it is given; and what an inspection
// of it has read besides, so that it can be told whether another inspection
// would find the same tasks.
// On the data's way: TaskRuns -> here -> Inspection.
// Ownership: values. Threads: one.

#ifndef BLOCKMAESTRO_RUNTIME_OPENMP_REGIONCALL_H
#define BLOCKMAESTRO_RUNTIME_OPENMP_REGIONCALL_H

#include "DeviceView.h"
#include "TaskInterface.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace blockmaestro::openmp {

struct RegionCall {
  const TaskTable *Table = nullptr;
  InspectionFunction Inspect = nullptr;
  unsigned Threads = 0; ///< Of a block that runs a task.
  std::vector<uint64_t> Arguments;

  bool operator==(const RegionCall &) const = default;
};

/// Memory that an inspection has read and not written, and nothing else could
/// change meanwhile.
class InspectionReads {
public:
  /// Nothing has been read.
  void begin();
  /// The inspection rests on more than what is noted.
  void spoil() { Spoiled = true; }
  bool spoiled() const { return Spoiled; }
  void note(DeviceAddress From, const void *Value, size_t Bytes);
  /// Whether it would read the same now.
  bool hold(DeviceView &Now) const;

private:
  struct Read {
    DeviceAddress From = 0;
    size_t Bytes = 0;
  };
  /// More is not worth to be looked at again.
  static constexpr size_t MostReads = size_t(1) << 16;
  static constexpr size_t MostBytes = size_t(1) << 20;

  std::vector<Read> Reads;
  std::vector<std::byte> Values; ///< Of the reads, one behind the other.
  bool Spoiled = true;
};

/// Calls that were made not long ago.
class RecentCalls {
public:
  void add(const RegionCall &Call);
  /// Whether it was among them.
  bool remove(const RegionCall &Call);

private:
  static constexpr size_t Most = 64;

  std::deque<RegionCall> Calls;
};

} // namespace blockmaestro::openmp

#endif
