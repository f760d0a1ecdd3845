// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what compiled code of a kernel reads to run one block; its layout
// is known to the code generator (Retarget, BlockFunction) by offset.
// On the data's way: filled by the emulator for every block.
// Ownership: everything is borrowed for the duration of one block.
// Threads: one block, one thread.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_BLOCKCONTEXT_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_BLOCKCONTEXT_H

#include <cstdint>
#include <string>
#include <vector>

namespace blockmaestro {

struct Launch;
class ThreadScheduler;
class KernelHeap;
class AccessObserver;
class BlockAccesses;
class WarpTracer;
class WarpVisits;
class Cluster;

struct BlockContext {
  const uint8_t *Arguments; ///< The packed argument block.
  uint8_t *Shared;          ///< Static shared memory, then the dynamic part.
  uint32_t *Visits;         ///< WarpVisits::begin(); null when not counted.
  /// Memory until the end of the block, aligned to FrameAlignment.
  void *(*Allocate)(BlockContext *Context, uint64_t Bytes);
  void *Arena; ///< For Allocate.
  uint32_t Grid[3];
  uint32_t Block[3];
  uint32_t Index[3];
  uint32_t DynamicSharedBytes;
  /// Where cooperative groups keep the grid's barrier; null unless the launch
  /// is cooperative.
  void *GridWorkspace;
  uint64_t LaunchId;
  ThreadScheduler *Scheduler; ///< Of kernels whose threads are fibers.
  AccessObserver *Observer;   ///< Null unless accesses are checked.
  uint32_t StaticSharedBytes; ///< Where the dynamic part begins.
  uint32_t Worker;            ///< Who runs the block.
  const Launch *What;
  uint64_t LinearBlock;
  uint64_t SharedBytes;                  ///< Static and dynamic.
  const std::vector<std::string> *Sites; ///< CompiledKernel::Sites.
  KernelHeap *Heap;                      ///< What kernels allocate from.
  BlockAccesses *Accesses;               ///< Null when not counted.
  /// How many blocks, neighbours in x from Index on, the block function runs;
  /// of kernels that can (see KernelFacts::StripThreads).
  uint32_t StripBlocks = 1;
  uint32_t ClusterBlocks[3] = {1, 1, 1}; ///< A cluster's extents.
  /// The cluster's shared memory: that of one block behind that of another, the
  /// block's own too.
  uint8_t *ClusterShared;
  uint64_t ClusterSharedBytes; ///< Of all blocks.
  uint64_t ClusterStride;      ///< From block to block.
  /// Of kernels whose threads are fibers; null where the block is alone and has
  /// not needed it. Alone is the one it then has.
  Cluster *InCluster;
  Cluster *Alone;
  uint32_t ClusterRank; ///< The block's number in it.
  WarpTracer *Tracer;   ///< Null when warps are not traced.
  WarpVisits *Visited;  ///< Null when not counted.
};

inline constexpr uint32_t FrameAlignment = 64;
inline constexpr uint32_t WarpSize = 32;

} // namespace blockmaestro

#endif
