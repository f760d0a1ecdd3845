// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the records of tasks that a region is about to create.
// On the data's way: __bm_omp_task_alloc -> here -> TaskGraph, when the task is
// complete.
// Ownership: owns the memory, which it keeps. Threads: one.

#ifndef BLOCKMAESTRO_RUNTIME_OPENMP_TASKRECORDS_H
#define BLOCKMAESTRO_RUNTIME_OPENMP_TASKRECORDS_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace blockmaestro::openmp {

class TaskRecords {
public:
  /// Zeroed memory of so many bytes for a task of this kind.
  void *take(uint32_t Kind, size_t Bytes);
  /// Of a record that was taken and not given back.
  uint32_t kindOf(const void *Record) const { return headOf(Record)->Kind; }
  void give(void *Record);
  bool has(const void *Where) const;

private:
  struct alignas(16) Head {
    uint32_t Kind;
    uint32_t Size; ///< Of the record, as its place in Free says.
  };
  struct Slab {
    std::unique_ptr<std::byte[]> Memory;
    size_t Bytes;
  };
  static constexpr uint32_t SmallestBits = 8, Sizes = 40;
  static constexpr size_t SlabBytes = 64 << 10;

  static Head *headOf(const void *Record) {
    return static_cast<Head *>(const_cast<void *>(Record)) - 1;
  }
  void addSlab(uint32_t Size);

  std::vector<Slab> Slabs;
  std::vector<Head *> Free[Sizes]; ///< Place N: of 2^(N + SmallestBits) bytes.
};

} // namespace blockmaestro::openmp

#endif
