// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WarpScheduler.h"

#include <algorithm>

namespace blockmaestro::sim {

static uint64_t bitOf(unsigned Position) { return uint64_t(1) << Position; }

/// Bits below a position, which may be 64.
static uint64_t below(unsigned Position) {
  return Position >= 64 ? ~uint64_t(0) : bitOf(Position) - 1;
}

void WarpScheduler::add(Warp *Which, uint64_t Now) {
  Warps[Count++] = Which;
  place(Count - 1, Now);
}

unsigned WarpScheduler::positionOf(const Warp *Which) const {
  return unsigned(std::find(Warps.begin(), Warps.begin() + Count, Which) -
                  Warps.begin());
}

void WarpScheduler::remove(const Warp *Which) {
  const unsigned At = positionOf(Which);
  const auto Close = [At](uint64_t Mask) {
    return (Mask & below(At)) | (Mask >> 1 & ~below(At));
  };
  for (uint64_t &Mask : Ready)
    Mask = Close(Mask);
  Stopped = Close(Stopped);
  std::copy(Warps.begin() + At + 1, Warps.begin() + Count, Warps.begin() + At);
  std::copy(WakeAt.begin() + At + 1, WakeAt.begin() + Count,
            WakeAt.begin() + At);
  std::copy(Why.begin() + At + 1, Why.begin() + Count, Why.begin() + At);
  WakeAt[--Count] = Never;
  if (At + 1 == After)
    LastLives = false;
  if (At < After)
    --After;
}

Stall WarpScheduler::cause() const {
  uint64_t Any = 0;
  for (unsigned Kind = 0; Kind < EndKind; ++Kind)
    Any |= Ready[Kind];
  if (Any)
    return Stall::Structural;
  for (Stall Each : {Stall::Memory, Stall::Dependence, Stall::Barrier})
    if (Waiting[size_t(Each)])
      return Each;
  return Stall::NoWarp;
}

void WarpScheduler::settle(uint64_t Now) {
  if (Now <= Settled)
    return;
  const Stall Why = cause();
  if (Counted.size() > 1 && Why == Stall::NoWarp)
    NoWarp += Now - Settled;
  else
    Counted[charged(Why)].Stalls[size_t(Why)] += Now - Settled;
  Settled = Now;
}

/// The application of the oldest warp for which the cause holds.
uint32_t WarpScheduler::charged(Stall To) const {
  if (Counted.size() == 1)
    return 0;
  uint64_t Any = 0;
  for (unsigned Kind = 0; Kind < EndKind; ++Kind)
    Any |= Ready[Kind];
  if (To == Stall::Structural)
    return Warps[unsigned(std::countr_zero(Any))]->Application;
  for (unsigned I = 0; I < Count; ++I)
    if (Why[I] == To && (WakeAt[I] != Never || (Stopped >> I & 1)))
      return Warps[I]->Application;
  return 0;
}

void WarpScheduler::wake(uint64_t Now) {
  if (NextWake > Now)
    return;
  uint64_t First = Never;
  for (unsigned I = 0; I < Count; ++I) {
    if (WakeAt[I] <= Now) {
      WakeAt[I] = Never;
      --Waiting[size_t(Why[I])];
      setReady(I);
    }
    First = std::min(First, WakeAt[I]);
  }
  NextWake = First;
}

unsigned WarpScheduler::pick(uint64_t Candidates) const {
  if (By == WarpPolicy::GreedyThenOldest) {
    if (LastLives && (Candidates & bitOf(After - 1)))
      return After - 1;
    return unsigned(std::countr_zero(Candidates));
  }
  const uint64_t Behind = Candidates & ~below(After);
  return unsigned(std::countr_zero(Behind ? Behind : Candidates));
}

void WarpScheduler::take(unsigned Position) {
  for (uint64_t &Mask : Ready)
    Mask &= ~bitOf(Position);
  After = Position + 1;
  LastLives = true;
}

void WarpScheduler::setReady(unsigned Position) {
  const Warp &W = *Warps[Position];
  const unsigned Kind = W.isDone()         ? unsigned(EndKind)
                        : W.nextIsGlobal() ? unsigned(GlobalKind)
                                           : unsigned(W.next().On);
  Ready[Kind] |= bitOf(Position);
}

void WarpScheduler::sleep(unsigned Position, uint64_t Until, Stall Reason) {
  Why[Position] = Reason;
  WakeAt[Position] = Until;
  ++Waiting[size_t(Reason)];
  NextWake = std::min(NextWake, Until);
}

void WarpScheduler::place(unsigned Position, uint64_t Now) {
  const Due Until = Warps[Position]->due();
  if (Until.time() <= Now)
    setReady(Position);
  else
    sleep(Position, Until.time(),
          Until.byMemory() ? Stall::Memory : Stall::Dependence);
}

void WarpScheduler::stop(unsigned Position) {
  Stopped |= bitOf(Position);
  sleep(Position, Never, Stall::Barrier);
}

void WarpScheduler::release(const Warp *Which, uint64_t At, uint64_t Now) {
  settle(Now);
  const unsigned Position = positionOf(Which);
  Stopped &= ~bitOf(Position);
  --Waiting[size_t(Stall::Barrier)];
  const Due Until = Warps[Position]->due();
  if (Until.time() > At)
    sleep(Position, Until.time(),
          Until.byMemory() ? Stall::Memory : Stall::Dependence);
  else
    sleep(Position, At, Stall::Barrier);
  Next = std::min(Next, NextWake);
}

void WarpScheduler::end(unsigned Position) {
  Ready[EndKind] &= ~bitOf(Position);
}

} // namespace blockmaestro::sim
