// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: one of an SM's schedulers: its warps, which of them could issue,
// which it takes, and what kept it from issuing in each cycle.
// On the data's way: inside Sm, which tells it what became of its warps.
// Invariants: warps stand by age, the oldest first, at most 64. Each is in one
// state: it could issue (a bit in one of the masks), it sleeps until a time, it
// is at a barrier, or it has ended. A cycle counts as issued or for one cause:
// structural before memory before dependence before barrier before no warp.
// Cycles are counted when they end or something changes: settle() first.
// Ownership and threads: the warps are the SM's; one owner, no locks.

#ifndef BLOCKMAESTRO_RUNTIME_SIM_WARP_WARPSCHEDULER_H
#define BLOCKMAESTRO_RUNTIME_SIM_WARP_WARPSCHEDULER_H

#include "Warp.h"

#include <array>
#include <cstdint>
#include <vector>

namespace blockmaestro::sim {

/// Which of the warps that could issue does: the one that issued last, then the
/// oldest; or the next one behind that which issued last, round.
enum class WarpPolicy : uint8_t { GreedyThenOldest, LooseRoundRobin };

enum class Stall : uint8_t {
  Structural, ///< A pipeline was taken, or too many sectors under way.
  Memory,     ///< A result of global memory.
  Dependence, ///< Any other result, and branches.
  Barrier,
  NoWarp,
};

inline constexpr unsigned StallCount = 5;
inline constexpr const char *StallNames[] = {
    "structural", "memory", "dependence", "barrier", "no_warp"};

/// What a warp that could issue needs: a unit, or the two that the SM shares
/// with others.
enum : unsigned { GlobalKind = UnitCount, EndKind, KindCount };

class WarpScheduler {
public:
  static constexpr uint64_t Never = ~uint64_t(0);
  static constexpr unsigned Most = 64; ///< Warps.

  WarpScheduler(WarpPolicy By, uint32_t Applications)
      : Counted(Applications), By(By) {
    WakeAt.fill(Never);
  }

  unsigned size() const { return Count; }
  Warp &at(unsigned Position) const { return *Warps[Position]; }

  /// As the youngest; it has just started.
  void add(Warp *Which, uint64_t Now);
  /// A warp that has ended goes.
  void remove(const Warp *Which);
  /// Nobody has issued yet.
  void restart() { After = 0, LastLives = false; }

  /// Counts the cycles up to Now, in which nothing changed.
  void settle(uint64_t Now);
  /// This cycle is one in which something was issued.
  void countIssue(uint32_t Application, uint64_t Now) {
    ++Counted[Application].Issued, Settled = Now + 1;
  }

  /// Those whose time has come could issue from now on.
  void wake(uint64_t Now);
  /// When the first that sleeps wakes.
  uint64_t nextWake() const { return NextWake; }

  /// Which could issue and need this.
  uint64_t ready(unsigned Kind) const { return Ready[Kind]; }
  /// Which of the candidates issues.
  unsigned pick(uint64_t Candidates) const;

  /// The one at a position issues: it could not again before place() says so.
  void take(unsigned Position);
  /// Where the warp stands now: it could issue, or sleeps.
  void place(unsigned Position, uint64_t Now);
  /// It waits for others of its block.
  void stop(unsigned Position);
  bool isStopped(const Warp *Which) const {
    return Stopped >> positionOf(Which) & 1;
  }
  /// The others are there: it may go on at At.
  void release(const Warp *Which, uint64_t At, uint64_t Now);
  /// It has ended and is only here until its block has.
  void end(unsigned Position);

  /// Cycles of an application: those in which it issued (first, where several
  /// do), and those whose cause holds for its warp, the oldest of such.
  struct Cycles {
    std::array<uint64_t, StallCount> Stalls{};
    uint64_t Issued = 0;
  };
  /// Of each application. Cycles without a warp are those of a single one.
  std::vector<Cycles> Counted;
  uint64_t NoWarp = 0; ///< Such cycles where there are several.
  uint64_t Settled = 0;
  uint64_t Next = Never; ///< When the SM is to look at it again.

private:
  Stall cause() const;
  uint32_t charged(Stall To) const;
  unsigned positionOf(const Warp *Which) const;
  void sleep(unsigned Position, uint64_t Until, Stall Why);
  void setReady(unsigned Position);

  WarpPolicy By;
  unsigned Count = 0;
  unsigned After = 0; ///< Warps that are no younger than the last to issue.
  bool LastLives = false;
  std::array<Warp *, Most> Warps{};
  std::array<uint64_t, Most> WakeAt{}; ///< Never where it does not sleep.
  std::array<Stall, Most> Why{};       ///< Of those that sleep or stand.
  std::array<uint64_t, KindCount> Ready{};
  uint64_t Stopped = 0; ///< At a barrier that others have not reached.
  std::array<uint32_t, StallCount> Waiting{};
  uint64_t NextWake = Never;
};

} // namespace blockmaestro::sim

#endif
