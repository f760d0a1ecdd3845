// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a batch of launches being gathered, and the one piece of memory
// it becomes on the device.
// On the data's way: from tasks to the records that
// runtime/device/Persistent.cu reads. Invariants: a launch names only launches
// gathered before it; those no longer gathered have completed. Addresses are
// only known in write(); until then done-words and counters point at the index
// of their launch. A launch publishes exactly what a later one in the image
// waits for. Ownership and threads: a value; one caller at a time.

#ifndef BLOCKMAESTRO_RUNTIME_EXEC_BATCHIMAGE_H
#define BLOCKMAESTRO_RUNTIME_EXEC_BATCHIMAGE_H

#include "BlockTimes.h"
#include "Executor.h"
#include "Gate.h"
#include "Waits.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace blockmaestro {

/// Whether a piece gives each block of a launch with this grid no producer but
/// the one with its own number.
bool isOwnBlock(const GatePiece &Piece, const uint32_t Grid[3]);

class BatchImage {
public:
  /// Where a batch lies on the device.
  struct Place {
    const unsigned char *Image; ///< bytes() bytes.
    uint32_t *Done;             ///< blocks() words.
    uint64_t *Counters;         ///< One per launch.
    uint32_t Epoch;
    Placement Mode;
  };

  void add(const Task &Next);
  void clear() { *this = BatchImage(); }

  bool empty() const { return Entries.empty(); }
  size_t launches() const { return Entries.size(); }
  uint64_t blocks() const { return Tickets; }
  /// Of the largest launch.
  uint32_t mostBlocks() const { return MostBlocks; }
  /// Threads of the largest block, and dynamic shared memory.
  uint32_t threads() const { return Threads; }
  uint32_t sharedBytes() const { return SharedBytes; }
  const KernelRecord *kernel() const { return Kernel; }
  /// The blocks of its launches, in order.
  std::vector<BlockTimes::Blocks> contents() const;
  /// Of the image, at most.
  size_t bytes() const { return Bytes; }

  /// Writes the records to To, of bytes() bytes, as they will lie at Where, and
  /// what leads to them into Parameter. Adds the blocks of launches that count
  /// to Targets, one per counter. Returns the bytes written.
  size_t write(unsigned char *To, const Place &Where,
               std::vector<uint64_t> &Targets, Batch &Parameter) const;

private:
  struct Entry {
    BatchLaunch Head{};
    Waits Needed; ///< Targets and epochs are not set.
    std::vector<uint8_t> Arguments;
  };

  Waits waitsOf(const Entry &Of, Placement Mode) const;

  std::vector<Entry> Entries;
  std::vector<Published> Running; ///< The entries, for waitsFor().
  size_t Bytes = 0;
  const KernelRecord *Kernel = nullptr;
  uint64_t Tickets = 0;
  uint32_t MostBlocks = 0;
  uint32_t Threads = 0;
  uint32_t SharedBytes = 0;
};

} // namespace blockmaestro

#endif
