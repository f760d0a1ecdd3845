// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the only thing an executor reports: one block has run.
// On the data's way: from runtime/exec to the recording.
// Invariants: times are nanoseconds of one monotonic clock per recording,
// Start <= End. Threads: plain value; executors may report from any thread.

#ifndef BLOCKMAESTRO_EVENT_H
#define BLOCKMAESTRO_EVENT_H

#include <cstdint>

namespace blockmaestro {

struct Event {
  uint64_t Launch = 0;
  uint64_t Block = 0; ///< Linear, x fastest.
  uint64_t Start = 0;
  uint64_t End = 0;
  uint32_t Where = 0; ///< SM, or worker thread on the emulated device.
};

/// What one block executed; counted by the emulated device when recording.
/// A warp instruction counts once however many of its lanes were active.
struct BlockCost {
  uint64_t Arithmetic = 0;
  uint64_t GlobalReads = 0;
  uint64_t GlobalWrites = 0;
  uint64_t SharedAccesses = 0;
  uint64_t Barriers = 0;
  uint64_t Other = 0;

  uint64_t instructions() const {
    return Arithmetic + GlobalReads + GlobalWrites + SharedAccesses + Barriers +
           Other;
  }
};

/// What a number of a BlockCost is called in recordings and dumps.
struct CostField {
  const char *Name;
  uint64_t BlockCost::*Value;
};

inline constexpr CostField CostFields[] = {
    {"arithmetic", &BlockCost::Arithmetic},
    {"global_reads", &BlockCost::GlobalReads},
    {"global_writes", &BlockCost::GlobalWrites},
    {"shared", &BlockCost::SharedAccesses},
    {"barriers", &BlockCost::Barriers},
    {"other", &BlockCost::Other},
};

} // namespace blockmaestro

#endif
