// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: how often the warps of a block come to each basic block of its
// kernel, of how often their lanes do.
// On the data's way: counted code counts for every thread (Retarget), and tells
// before every barrier of the block (Costs); afterwards Costs asks for the
// sums.
//
// From one barrier to the next a warp comes as often as that of its lanes which
// comes most often: lanes that come the same number of times do so together,
// as far as nothing keeps them apart. A barrier does: along the diagonals of a
// tile each lane has a turn of its own, and the warp has them all. What a lane
// does behind its last barrier counts behind that of the others.
// Threads: one block, one thread.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_WARPVISITS_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_WARPVISITS_H

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace blockmaestro {

struct BlockContext;

class WarpVisits {
public:
  /// Where counted code counts, all zero: basic block k of a thread is
  /// [thread * \p Places + k].
  uint32_t *begin(uint64_t Threads, size_t Places);
  /// \p Thread comes to a barrier of the block.
  void meet(uint64_t Thread);
  /// The sums, a row for each warp. begin() is next.
  std::span<const uint64_t> end();

private:
  /// What the thread has done since its last barrier is part of its warp's.
  void gather(uint64_t Thread);
  /// The next barrier's begins.
  void close(uint64_t Warp);

  size_t Places = 0;
  uint64_t Threads = 0;
  std::vector<uint32_t> Visits;  ///< Of threads, since their last barrier.
  std::vector<uint32_t> Passed;  ///< Barriers, by thread.
  std::vector<uint32_t> Barrier; ///< That a warp's lanes come to.
  std::vector<uint32_t> Most;    ///< Of a warp's lanes, for that barrier.
  std::vector<uint64_t> Sums;    ///< Of a warp, up to that barrier.
};

} // namespace blockmaestro

extern "C" {
void bm_barrier_ahead(blockmaestro::BlockContext *Context, uint32_t Thread);
}

#endif
