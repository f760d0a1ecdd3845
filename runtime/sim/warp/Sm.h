// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: one SM: the blocks it holds, its schedulers and pipelines, its
// L1. On the data's way: given blocks by WarpModel, which lets each SM run
// until it would touch what all share; asks Memory for what L1 does not have.
// Invariants: within a cycle first whatever was waited for is there, then the
// schedulers come in their order, each first with the warps that have ended. A
// block's place is free again when its last warp has ended; the next block is
// there a cycle later at the earliest. Nothing happens in a cycle in which no
// warp wakes and no pipeline gets free: time goes on to the next such one.
// Ownership and threads: Memory outlives it; one owner, no locks.

#ifndef BLOCKMAESTRO_RUNTIME_SIM_WARP_SM_H
#define BLOCKMAESTRO_RUNTIME_SIM_WARP_SM_H

#include "L1Cache.h"
#include "WarpScheduler.h"

#include <functional>
#include <memory>
#include <vector>

namespace blockmaestro::sim {

/// A warp of a block that is to run.
struct WarpStart {
  const Program *Code = nullptr;
  const Route *Way = nullptr;
  const std::vector<uint64_t> *Sectors = nullptr;
};

struct BlockStart {
  uint64_t Block = 0;
  std::vector<WarpStart> Warps;
  std::shared_ptr<const void> Keeps; ///< What the sectors are in.
};

/// Of all blocks that an SM has run in a launch.
struct SmCounts {
  uint64_t Instructions = 0;
  uint64_t Lanes = 0;      ///< Of all instructions, those that took part.
  uint64_t WarpCycles = 0; ///< Warps of blocks that were there, by cycles.
};

/// When a warp ended, for those who ask.
struct WarpEnd {
  uint64_t Block = 0;
  uint32_t Warp = 0;
  uint64_t Ended = 0;
};

/// A time, of an SM: who comes first at one time.
struct Moment {
  uint64_t Time = 0;
  uint32_t Sm = 0;
  friend auto operator<=>(const Moment &, const Moment &) = default;
};

class Sm {
public:
  static constexpr uint64_t Never = WarpScheduler::Never;

  Sm(const Machine &On, WarpPolicy By, uint32_t Number, Memory &Behind);

  /// Gives the next block of the launch; false where there is none left.
  std::function<bool(BlockStart &)> NextBlock;
  /// Told of the end of each warp, unless it is null.
  std::vector<WarpEnd> *Ends = nullptr;

  /// For a launch: nothing in L1, so many shared bytes of each block.
  void start(uint32_t Places, uint64_t SharedBytes, uint64_t Now);
  /// A block at a place that is free.
  void give(BlockStart &&Block, uint32_t Place, uint64_t At);

  /// Runs up to what comes behind Until and touches what SMs share; when that
  /// is, or Never where no block is left.
  uint64_t run(Moment Until);

  /// The launch has ended: counts the cycles until then.
  void finish(uint64_t Now);

  const SmCounts &counts() const { return Counted; }
  const L1Counts &l1Counts() const { return L1.counts(); }
  const std::vector<WarpScheduler> &schedulers() const { return Schedulers; }
  uint64_t lastEnd() const { return LastEnd; }

private:
  struct Place {
    BlockStart Block;
    uint64_t At = Never; ///< When it starts, until it has.
    uint64_t Since = 0;
    std::vector<std::unique_ptr<Warp>> Warps;
    std::vector<uint32_t> SchedulerOf;
    uint32_t Unfinished = 0;
    uint32_t Stopped = 0; ///< Warps at the barrier.
  };

  uint64_t nextEvent() const;
  void startBlocks(uint64_t Now);
  void startBlock(Place &In, uint32_t Number, uint64_t Now);
  bool touchesShared() const;
  void step(uint32_t Which, uint64_t Now);
  uint64_t candidates(uint32_t Which, uint64_t Now) const;
  uint64_t nextOf(uint32_t Which, uint64_t Now) const;
  uint64_t freeAt(unsigned Kind, uint32_t Which) const;
  uint64_t &busy(Unit On, uint32_t Which);
  void issue(uint32_t Which, unsigned Position, uint64_t Now);
  Due execute(uint32_t Which, const Warp &W, uint64_t Now);
  Due executeAccess(uint32_t Which, const Warp &W, uint64_t Now);
  void arrive(uint32_t Which, unsigned Position, uint64_t Now);
  void release(Place &In, uint32_t Current, uint64_t Now);
  void endWarp(uint32_t Which, unsigned Position, uint64_t Now);
  void endBlock(Place &In, uint64_t Now);

  const Machine &On;
  const uint32_t Number;
  L1Cache L1;
  std::vector<WarpScheduler> Schedulers;
  std::vector<Place> Places;
  /// Of each unit, for each scheduler's instance, when it is free.
  std::vector<uint64_t> Busy;
  uint64_t GlobalFree = 0; ///< When there is room for sectors under way.
  uint64_t NextStart = Never;
  uint64_t Turnaround;
  uint64_t LastEnd = 0;
  SmCounts Counted;
};

} // namespace blockmaestro::sim

#endif
