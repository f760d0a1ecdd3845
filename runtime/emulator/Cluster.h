// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: where the threads of a cluster of blocks meet, and who runs the
// blocks.
// On the data's way: made by the emulator for blocks that are begun; compiled
// code calls it through ClusterCalls.
//
// Note [Clusters]
// One worker runs all blocks of a cluster, in turns, so that their shared
// memory, which is one buffer, needs no atomics: the worker that begins a block
// of it first. For it the block is a ClusterBlock, which is the whole cluster;
// the other blocks are followers, which end when their block has ended there,
// whoever begins them and in whatever order.
//
// Invariants: a thread that has returned counts as arrived at the barrier.
// Threads: a cluster one worker; its progress any.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_CLUSTER_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_CLUSTER_H

#include "BlockContext.h"

#include <cstdint>
#include <vector>

namespace blockmaestro {

/// The barrier of the threads of a cluster.
class Cluster {
public:
  /// A new cluster of \p Blocks blocks of \p Threads threads each, of which
  /// \p Ended have returned.
  void begin(uint32_t Blocks, uint32_t Threads, uint32_t Ended = 0);
  void arrive(uint32_t Rank, uint32_t Thread);
  /// Whether all threads have arrived since \p Thread has.
  bool passed(uint32_t Rank, uint32_t Thread) const {
    return Arrivals[indexOf(Rank, Thread)] != Phase;
  }
  void threadEnded(uint32_t Rank, uint32_t Thread);
  /// What stands for the barrier where accesses are observed.
  uint64_t word() const { return reinterpret_cast<uint64_t>(&Phase); }
  static constexpr uint64_t WordBytes = sizeof(uint32_t);
  /// How often all have met.
  uint32_t phase() const { return Phase; }

private:
  static constexpr uint32_t None = ~0u;
  size_t indexOf(uint32_t Rank, uint32_t Thread) const {
    return size_t(Rank) * ThreadsEach + Thread;
  }
  void openIfComplete();

  uint32_t ThreadsEach = 0;
  uint64_t Live = 0;
  uint64_t Arrived = 0; ///< Of the living, in this phase.
  uint32_t Phase = 0;
  /// By thread, the phase in which it arrived last.
  std::vector<uint32_t> Arrivals;
};

} // namespace blockmaestro

extern "C" {

/// barrier.cluster.arrive and barrier.cluster.wait.
void bm_cluster_arrive(blockmaestro::BlockContext *Context);
void bm_cluster_wait(blockmaestro::BlockContext *Context, uint32_t Site);
}

#endif
