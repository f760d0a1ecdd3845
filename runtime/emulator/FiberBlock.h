// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what a worker keeps from block to block, and a block of fibers
// that is under way.
// On the data's way: between OrcEmulator and ThreadScheduler.
// Invariants: a worker may have any number of blocks under way; each has its
// own threads, stacks, shared memory and context. Ownership: a worker's state
// outlives its blocks. Threads: one worker.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_FIBERBLOCK_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_FIBERBLOCK_H

#include "BlockContext.h"
#include "FrameArena.h"
#include "KernelCache.h"
#include "ThreadScheduler.h"

#include "../exec/Executor.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace blockmaestro {

/// Memory that a block uses and the next one gets as it was left.
class BlockMemory {
public:
  /// \p Bytes of shared memory, aligned to 256.
  uint8_t *shared(uint64_t Bytes);
  /// \p Count zeros.
  uint32_t *visits(uint64_t Count);

private:
  std::vector<uint64_t> Shared; ///< Words, with room to align.
  std::vector<uint32_t> Visits;
};

/// What a block of fibers needs, used again by later blocks of the worker.
struct FiberState {
  ThreadScheduler Threads;
  BlockMemory Memory;
  BlockContext Context{};
};

/// What one worker keeps from block to block.
struct WorkerState {
  FrameArena Frames;
  BlockMemory Memory;
  /// The kernel of the last block, so that the next one needs no lock.
  const KernelRecord *Record = nullptr;
  bool Counted = false;
  const CompiledKernel *Kernel = nullptr;
  /// The launch claimFaults() was last called for.
  uint64_t FaultsClaimed = ~0ull;
  std::vector<std::unique_ptr<StackPool>> Stacks;
  std::vector<std::unique_ptr<FiberState>> Idle;

  /// The pool of stacks for kernels like \p K; \p DeepBytes where the depth of
  /// calls is not known.
  StackPool &stacksFor(const CompiledKernel &K, uint64_t DeepBytes);
  std::unique_ptr<FiberState> takeState();
};

/// The sentence about what a block of \p What died of.
Status faultOfBlock(const Fault &Died, const Launch &What, uint64_t Block,
                    const CompiledKernel &K);

class FiberBlock final : public RunningBlock {
public:
  /// \p State's context is filled in. \p Ended is called when the block is
  /// gone, whether or not it came to its end.
  FiberBlock(WorkerState &Worker, std::unique_ptr<FiberState> State,
             StackPool &Stacks, const CompiledKernel &K, BlockCost *Cost,
             std::function<void()> Gone);
  ~FiberBlock() override;

  Result<Progress> advance() override;
  std::string waitsFor() const override;

private:
  WorkerState &Worker;
  std::unique_ptr<FiberState> State;
  const CompiledKernel &Kernel;
  BlockCost *Cost;
  std::function<void()> Gone;
};

} // namespace blockmaestro

#endif
