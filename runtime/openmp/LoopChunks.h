// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: how the iterations of a taskloop become tasks.
// On the data's way: __bm_omp_taskloop -> here -> Inspection.
// Invariants: chunks follow one another and have all iterations. Those with one
// more are the first ones; only the last may have fewer, where sizes are
// strict. Threads: no state.

#ifndef BLOCKMAESTRO_RUNTIME_OPENMP_LOOPCHUNKS_H
#define BLOCKMAESTRO_RUNTIME_OPENMP_LOOPCHUNKS_H

#include <cstdint>

namespace blockmaestro::openmp {

/// As clang numbers them, and a grainsize that is strict. A number of tasks
/// that is strict asks for what we do anyway.
enum class LoopSchedule : int32_t {
  None = 0,
  GrainSize = 1,
  TaskCount = 2,
  StrictGrainSize = 3
};

struct LoopChunks {
  uint64_t Count = 0;   ///< Of tasks.
  uint64_t Each = 0;    ///< Iterations of a task,
  uint64_t Longer = 0;  ///< and one more of so many first ones.
  uint64_t Lacking = 0; ///< So many fewer of the last one.

  uint64_t sizeOf(uint64_t Chunk) const {
    return Each + (Chunk < Longer) - (Chunk + 1 == Count ? Lacking : 0);
  }
};

/// The number of iterations from Lower on, up to and with Upper; bounds are
/// signed or not, as wide as they are here.
uint64_t tripCount(uint64_t Lower, uint64_t Upper, int64_t Step);

/// Usual: the number of tasks where the program says nothing.
LoopChunks chunksOf(uint64_t Trip, LoopSchedule Schedule, uint64_t Size,
                    uint64_t Usual);

} // namespace blockmaestro::openmp

#endif
