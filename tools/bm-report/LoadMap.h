// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: how many blocks ran in each row (SM or worker) over a run, in
// buckets of time.
// On the data's way: told of blocks as they end, written as the coarse picture
// of a run's timeline.
// Invariants: a bucket is a power of two nanoseconds long, no longer than it
// must be for MostCells buckets of all rows to hold the run. Takes the same
// memory however many blocks there are, and does not depend on their order.
// Ownership and threads: plain value; one thread.

#ifndef BLOCKMAESTRO_TOOLS_BM_REPORT_LOADMAP_H
#define BLOCKMAESTRO_TOOLS_BM_REPORT_LOADMAP_H

#include "llvm/Support/JSON.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace blockmaestro {

class LoadMap {
public:
  static constexpr size_t MostCells = size_t(1) << 17;

  explicit LoadMap(size_t Rows);

  /// A block that ran in Row from Start to End.
  void add(size_t Row, uint64_t Start, uint64_t End);

  uint64_t bucketNs() const { return Width; }
  size_t buckets() const { return Used; }
  /// Of the blocks' time, what is in a bucket.
  uint64_t busyNs(size_t Row, size_t Bucket) const {
    return Busy[Row * Most + Bucket];
  }

  void write(llvm::json::OStream &Out) const;

private:
  void widen();

  size_t Rows;
  size_t Most; ///< Buckets of a row.
  size_t Used = 0;
  uint64_t Width = 1;
  std::vector<uint64_t> Busy;
};

} // namespace blockmaestro

#endif
