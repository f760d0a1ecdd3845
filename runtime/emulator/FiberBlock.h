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
#include "Cluster.h"
#include "FrameArena.h"
#include "KernelCache.h"
#include "ThreadScheduler.h"
#include "Transactions.h"
#include "WarpTracer.h"
#include "WarpVisits.h"

#include "../exec/Executor.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace blockmaestro {

/// Memory that a block uses and the next one gets as it was left.
class BlockMemory {
public:
  /// \p Bytes of shared memory, aligned to 256.
  uint8_t *shared(uint64_t Bytes);

  BlockAccesses Accesses;
  WarpTracer Tracer;
  WarpVisits Visits;

private:
  std::vector<uint64_t> Shared; ///< Words, with room to align.
};

/// What a block of fibers needs, used again by later blocks of the worker.
struct FiberState {
  ThreadScheduler Threads;
  BlockMemory Memory;
  BlockContext Context{};
  Cluster Meeting; ///< Of the cluster that the block is alone or the first in.
};

/// Where the blocks of each cooperative launch under way meet.
class GridWorkspaces {
public:
  /// A block's part in its launch's workspace, which goes with the last one.
  class Hold {
  public:
    Hold() = default;
    Hold(Hold &&Other) noexcept
        : Of(std::exchange(Other.Of, nullptr)), Key(Other.Key) {}
    Hold &operator=(Hold &&) = delete;
    ~Hold() {
      if (Of)
        Of->release(Key);
    }

  private:
    friend class GridWorkspaces;
    GridWorkspaces *Of = nullptr;
    std::pair<const Launch *, uint64_t> Key;
  };

  /// The workspace of \p What, and in \p Part the block's part in it.
  void *get(const Launch &What, Hold &Part);
  /// \p Who learns where workspaces are; may be null.
  void observe(AccessObserver *Who) { Observer = Who; }

private:
  /// As cooperative groups' headers read it.
  struct alignas(64) Layout {
    uint32_t Bytes = 0;
    uint32_t Barrier = 0;
  };
  struct Entry {
    std::unique_ptr<Layout> Memory;
    uint64_t Left = 0; ///< Blocks that have not ended.
  };
  void release(std::pair<const Launch *, uint64_t> Key);

  std::mutex Lock;
  std::map<std::pair<const Launch *, uint64_t>, Entry> ByLaunch;
  AccessObserver *Observer = nullptr;
};

/// What one worker keeps from block to block.
struct WorkerState {
  FrameArena Frames;
  BlockMemory Memory;
  /// The kernel of the last block, so that the next one needs no lock.
  const KernelRecord *Record = nullptr;
  Counting Counts = Counting::Nothing;
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

/// What the counted block of \p C, which has ended, executed; what its warps
/// did goes to who asked for it.
BlockCost costOf(const CompiledKernel &K, const BlockContext &C);

/// The sentence about what a block of \p What died of.
Status faultOfBlock(const Fault &Died, const Launch &What, uint64_t Block,
                    const CompiledKernel &K);

class FiberBlock final : public RunningBlock {
public:
  /// \p State's context is filled in.
  FiberBlock(WorkerState &Worker, std::unique_ptr<FiberState> State,
             StackPool &Stacks, const CompiledKernel &K, BlockCost *Cost,
             GridWorkspaces::Hold Grid);
  ~FiberBlock() override;

  Result<Progress> advance() override;
  std::string waitsFor() const override;

private:
  WorkerState &Worker;
  std::unique_ptr<FiberState> State;
  const CompiledKernel &Kernel;
  BlockCost *Cost;
  GridWorkspaces::Hold Grid;
};

} // namespace blockmaestro

#endif
