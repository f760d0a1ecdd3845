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

#include <array>
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
  uint32_t Application = 0;
  bool Bypasses = false; ///< Its accesses go past L1.
  std::vector<WarpStart> Warps;
  uint64_t Arguments = 0; ///< When those of its launch are in the SM.
  std::shared_ptr<const void> Keeps; ///< What the sectors are in.
};

/// Of all blocks of an application that an SM has run.
struct SmCounts {
  uint64_t Instructions = 0;
  uint64_t Lanes = 0;      ///< Of all instructions, those that took part.
  uint64_t WarpCycles = 0; ///< Warps of blocks that were there, by cycles.
  /// Cycles for which instructions kept the pipelines of each unit.
  std::array<uint64_t, UnitCount> Kept{};
  /// Lanes of the instructions of each unit.
  std::array<uint64_t, UnitCount> LanesOn{};
  uint64_t Wavefronts = 0; ///< Of accesses to shared memory.

  SmCounts &operator+=(const SmCounts &Other);
};

/// When a warp ended, for those who ask.
struct WarpEnd {
  uint64_t Block = 0;
  uint32_t Warp = 0;
  uint64_t Ended = 0;
  uint32_t Application = 0;
};

/// A time, of an SM: who comes first at one time. Launches begin and end before
/// any SM.
struct Moment {
  static constexpr uint32_t Launches = 0;
  static constexpr uint32_t of(uint32_t Sm) { return Sm + 1; }

  uint64_t Time = 0;
  uint32_t Who = Launches;
  friend auto operator<=>(const Moment &, const Moment &) = default;
};

class Sm {
public:
  static constexpr uint64_t Never = WarpScheduler::Never;

  /// For as many applications as Behind knows.
  Sm(const Machine &On, WarpPolicy By, uint32_t Number, Memory &Behind);

  /// Told when a block has ended: its place is free.
  std::function<void(uint32_t Place, uint64_t Now)> Freed;
  /// Told of the end of each warp, unless it is null.
  std::vector<WarpEnd> *Ends = nullptr;

  /// A launch begins: nothing of its application is in L1, of which blocks take
  /// at most so many bytes. An SM without blocks begins anew.
  void start(uint32_t Application, uint64_t SharedBytes, uint64_t Now);
  /// A block at a place that is free.
  void give(BlockStart &&Block, uint32_t Place, uint64_t At);

  /// Runs up to what comes behind Until and touches what SMs share, or, where
  /// others may be given blocks by what happens here and the other way round,
  /// behind Until whatever it touches; when that is, or Never where no block is
  /// left. Until may become less while it runs.
  uint64_t run(const Moment &Until, bool InOrder);

  /// A launch has ended: counts the cycles until then.
  void finish(uint32_t Application, uint64_t Now);
  /// Counts the cycles until then.
  void settle(uint64_t Now);

  const BlockStart &blockAt(uint32_t Place) const {
    return Places[Place].Block;
  }
  const SmCounts &counts(uint32_t Application) const {
    return Counted[Application];
  }
  const L1Counts &l1Counts(uint32_t Application) const {
    return L1.counts(Application);
  }
  const std::vector<WarpScheduler> &schedulers() const { return Schedulers; }

private:
  struct Place {
    BlockStart Block;
    uint64_t At = Never; ///< When it starts, until it has.
    uint64_t Since = 0;
    std::vector<std::unique_ptr<Warp>> Warps;
    std::vector<uint32_t> SchedulerOf;
    uint32_t Unfinished = 0;
    uint32_t Stopped = 0; ///< Warps at the barrier.
    uint64_t Taken = 0;   ///< When the barrier has taken those that came.
  };

  uint64_t nextEvent() const;
  void startBlocks(uint64_t Now);
  void startBlock(Place &In, uint32_t Number, uint64_t Now);
  bool touchesShared() const;
  void step(uint32_t Which, uint64_t Now);
  uint64_t candidates(uint32_t Which, uint64_t Now) const;
  uint64_t nextOf(uint32_t Which, uint64_t Now) const;
  uint64_t freeAt(unsigned Kind, uint32_t Which) const;
  void keep(const Warp &W, Unit Of, uint32_t Which, uint64_t Now,
            uint64_t Cycles);
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
  uint32_t instance(Unit Of, uint32_t Scheduler) const {
    return Instances[size_t(Of) * Schedulers.size() + Scheduler];
  }
  /// Of each unit, for each scheduler, which of Busy it uses. What needs no
  /// unit has one that is always free.
  std::vector<uint32_t> Instances;
  /// Of each unit, for each instance, when it is free.
  std::vector<uint64_t> Busy;
  std::vector<uint64_t> MemoryIssued; ///< Until then nothing by a scheduler.
  uint64_t GlobalFree = 0; ///< When there is room for sectors under way.
  uint64_t NextStart = Never;
  uint32_t Residents = 0;        ///< Blocks that are here or about to be.
  std::vector<SmCounts> Counted; ///< Of each application.
};

} // namespace blockmaestro::sim

#endif
