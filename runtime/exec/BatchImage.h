// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a batch of launches being gathered, and the one piece of memory
// it becomes on the device.
// On the data's way: from tasks to the arrays that runtime/device/Persistent.cu
// reads.
// Invariants: a launch names only launches gathered before it; those no longer
// gathered have completed. Offsets into the arrays are fixed when a launch is
// added, addresses only in write().
// Ownership and threads: a value; one caller at a time.

#ifndef BLOCKMAESTRO_RUNTIME_EXEC_BATCHIMAGE_H
#define BLOCKMAESTRO_RUNTIME_EXEC_BATCHIMAGE_H

#include "Executor.h"
#include "Gate.h"
#include "Waits.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace blockmaestro {

class BatchImage {
public:
  /// Where a batch lies on the device.
  struct Place {
    unsigned char *Image; ///< Bytes() bytes.
    uint32_t *Done;       ///< blocks() words.
    uint64_t *Counters;   ///< One per launch.
    uint32_t Epoch;
  };

  void add(const Task &Next, unsigned Window);
  void clear() { *this = BatchImage(); }

  bool empty() const { return Launches.empty(); }
  size_t launches() const { return Launches.size(); }
  uint64_t blocks() const { return Tickets; }
  /// Of the largest launch.
  uint32_t mostBlocks() const { return MostBlocks; }
  /// Of any Window + 1 launches in a row, the most blocks.
  uint64_t mostInFlight(unsigned Window) const;
  /// Threads of the largest block, and dynamic shared memory.
  uint32_t threads() const { return Threads; }
  uint32_t sharedBytes() const { return SharedBytes; }
  const KernelRecord *kernel() const { return Kernel; }
  size_t bytes() const;

  /// Writes the arrays to To, of bytes() bytes, as they will lie at Where, and
  /// the addresses of the arrays into Parameter. Adds the launches' blocks to
  /// Targets, one per counter.
  void write(unsigned char *To, const Place &Where,
             std::vector<uint64_t> &Targets, Batch &Parameter) const;

private:
  std::vector<Published> inWindow(unsigned Window) const;

  std::vector<BatchLaunch> Launches;
  std::vector<GatePiece> Pieces; ///< Done counts from address 0 until written.
  std::vector<GateCount> Counts; ///< Counter does so, too; Target is not set.
  std::vector<unsigned char> Arguments;
  const KernelRecord *Kernel = nullptr;
  uint64_t Tickets = 0;
  uint32_t MostBlocks = 0;
  uint32_t Threads = 0;
  uint32_t SharedBytes = 0;
};

} // namespace blockmaestro

#endif
