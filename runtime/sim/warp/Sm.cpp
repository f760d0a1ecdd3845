// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Sm.h"

#include <algorithm>

namespace blockmaestro::sim {

SmCounts &SmCounts::operator+=(const SmCounts &Other) {
  Instructions += Other.Instructions;
  Lanes += Other.Lanes;
  WarpCycles += Other.WarpCycles;
  Wavefronts += Other.Wavefronts;
  for (unsigned I = 0; I < UnitCount; ++I) {
    Kept[I] += Other.Kept[I];
    LanesOn[I] += Other.LanesOn[I];
  }
  return *this;
}

Sm::Sm(const Machine &On, WarpPolicy By, uint32_t Number, Memory &Behind)
    : On(On), Number(Number), L1(On, Number, Behind),
      Schedulers(On.Warps.Schedulers, WarpScheduler(By, Behind.applications())),
      Places(On.BlocksPerSm), Busy(UnitCount * On.Warps.Schedulers),
      MemoryIssued(On.Warps.Schedulers), Counted(Behind.applications()) {
  for (unsigned Of = 0; Of < UnitCount; ++Of)
    for (uint32_t I = 0; I < Schedulers.size(); ++I) {
      const Pipeline *Line = pipelineOf(Unit(Of), On.Warps);
      const size_t Instance = Line ? I % Line->Count : 0;
      Instances.push_back(uint32_t(Of * Schedulers.size() + Instance));
    }
}

void Sm::start(uint32_t Application, uint64_t SharedBytes, uint64_t Now) {
  if (Residents > 0) {
    L1.flush(Now, Application);
    L1.change(SharedBytes, Now);
    return;
  }
  L1.start(SharedBytes, Now);
  std::fill(Busy.begin(), Busy.end(), 0);
  std::fill(MemoryIssued.begin(), MemoryIssued.end(), 0);
  GlobalFree = 0;
  NextStart = Never;
  for (WarpScheduler &Each : Schedulers) {
    Each.restart();
    Each.settle(Now);
    Each.Next = Never;
  }
}

void Sm::give(BlockStart &&Block, uint32_t Which, uint64_t At) {
  ++Residents;
  Places[Which].Block = std::move(Block);
  Places[Which].At = At;
  NextStart = std::min(NextStart, At);
}

uint64_t Sm::nextEvent() const {
  uint64_t Out = NextStart;
  for (const WarpScheduler &Each : Schedulers)
    Out = std::min(Out, Each.Next);
  return Out;
}

/// Each warp goes to the scheduler that has fewest, the first of these.
void Sm::startBlock(Place &In, uint32_t Which, uint64_t Now) {
  In.At = Never;
  In.Since = Now;
  In.Unfinished = uint32_t(In.Block.Warps.size());
  In.Stopped = 0;
  In.Taken = 0;
  In.Warps.resize(In.Block.Warps.size());
  In.SchedulerOf.resize(In.Block.Warps.size());
  for (uint32_t I = 0; I < In.Warps.size(); ++I) {
    const auto Least = std::min_element(
        Schedulers.begin(), Schedulers.end(),
        [](const auto &A, const auto &B) { return A.size() < B.size(); });
    if (!In.Warps[I])
      In.Warps[I] = std::make_unique<Warp>();
    Warp &W = *In.Warps[I];
    const WarpStart &From = In.Block.Warps[I];
    W.Block = Which;
    W.Number = I;
    W.Application = In.Block.Application;
    W.start(*From.Code, *From.Way, *From.Sectors,
            std::max(Now, In.Block.Arguments));
    In.SchedulerOf[I] = uint32_t(Least - Schedulers.begin());
    Least->settle(Now);
    Least->add(&W, Now);
    Least->Next = Now;
  }
}

void Sm::startBlocks(uint64_t Now) {
  if (NextStart > Now)
    return;
  NextStart = Never;
  for (uint32_t I = 0; I < Places.size(); ++I) {
    if (Places[I].At <= Now)
      startBlock(Places[I], I, Now);
    NextStart = std::min(NextStart, Places[I].At);
  }
}

/// Whether something could happen now that other SMs notice. A scheduler that
/// issues more than once a cycle may come to anything that its warps do next.
bool Sm::touchesShared() const {
  if (On.Warps.IssuesPerScheduler > 1)
    return true;
  return std::any_of(Schedulers.begin(), Schedulers.end(), [](const auto &S) {
    return S.ready(GlobalKind) || S.ready(EndKind);
  });
}

uint64_t Sm::run(const Moment &Until, bool InOrder) {
  for (;;) {
    const uint64_t Now = nextEvent();
    if (Now == Never || (InOrder && Moment{Now, Moment::of(Number)} > Until))
      return Now;
    startBlocks(Now);
    for (WarpScheduler &Each : Schedulers)
      if (Each.nextWake() <= Now) {
        Each.settle(Now);
        Each.wake(Now);
        Each.Next = Now;
      }
    if (touchesShared() && Moment{Now, Moment::of(Number)} > Until)
      return Now;
    for (uint32_t I = 0; I < Schedulers.size(); ++I)
      if (Schedulers[I].Next <= Now)
        step(I, Now);
  }
}

void Sm::step(uint32_t Which, uint64_t Now) {
  WarpScheduler &S = Schedulers[Which];
  S.settle(Now);
  while (S.ready(EndKind))
    endWarp(Which, unsigned(std::countr_zero(S.ready(EndKind))), Now);
  const Warp *First = nullptr;
  for (uint32_t I = 0; I < On.Warps.IssuesPerScheduler; ++I) {
    const uint64_t Candidates = candidates(Which, Now);
    if (Candidates == 0)
      break;
    const unsigned Position = S.pick(Candidates);
    First = First ? First : &S.at(Position);
    issue(Which, Position, Now);
  }
  if (First)
    S.countIssue(First->Application, Now);
  S.Next = nextOf(Which, Now);
}

/// A warp's instruction keeps a scheduler's instance of a unit, and what is to
/// go through memory the scheduler's own way there.
void Sm::keep(const Warp &W, Unit Of, uint32_t Which, uint64_t Now,
              uint64_t Cycles) {
  Busy[instance(Of, Which)] = Now + Cycles;
  if (Of == Unit::Memory)
    MemoryIssued[Which] = Now + On.Warps.MemoryIssueInterval;
  Counted[W.Application].Kept[size_t(Of)] += Cycles;
}

/// When what warps of a kind need is free for a scheduler.
uint64_t Sm::freeAt(unsigned Kind, uint32_t Which) const {
  const Unit Of = Kind == GlobalKind ? Unit::Memory : Unit(Kind);
  uint64_t Free = Busy[instance(Of, Which)];
  if (Of == Unit::Memory)
    Free = std::max(Free, MemoryIssued[Which]);
  return Kind == GlobalKind ? std::max(Free, GlobalFree) : Free;
}

uint64_t Sm::candidates(uint32_t Which, uint64_t Now) const {
  const WarpScheduler &S = Schedulers[Which];
  uint64_t Out = 0;
  for (unsigned Kind = 0; Kind < EndKind; ++Kind)
    if (S.ready(Kind) && freeAt(Kind, Which) <= Now)
      Out |= S.ready(Kind);
  return Out;
}

/// When a scheduler is to be looked at again.
uint64_t Sm::nextOf(uint32_t Which, uint64_t Now) const {
  const WarpScheduler &S = Schedulers[Which];
  uint64_t Out = S.nextWake();
  for (unsigned Kind = 0; Kind < EndKind; ++Kind)
    if (S.ready(Kind))
      Out = std::min(Out, std::max(Now + 1, freeAt(Kind, Which)));
  return Out;
}

void Sm::issue(uint32_t Which, unsigned Position, uint64_t Now) {
  WarpScheduler &S = Schedulers[Which];
  Warp &W = S.at(Position);
  SmCounts &C = Counted[W.Application];
  ++C.Instructions;
  C.Lanes += W.lanes();
  C.LanesOn[size_t(W.next().On)] += W.lanes();
  const WarpClass Class = W.next().Class;
  S.take(Position);
  if (Class == WarpClass::Branch)
    W.holdUntil(Now + W.next().Latency);
  const Due Ready = execute(Which, W, Now);
  W.issued(Ready);
  if (W.isDone())
    W.holdUntil(Now + 1);
  if (Class == WarpClass::Barrier)
    arrive(Which, Position, Now);
  else
    S.place(Position, Now);
}

/// Takes the unit; when the result is there.
Due Sm::execute(uint32_t Which, const Warp &W, uint64_t Now) {
  const Instruction &I = W.next();
  if (isAccess(I.Class))
    return executeAccess(Which, W, Now);
  if (I.On != Unit::None)
    keep(W, I.On, Which, Now, pipelineOf(I.On, On.Warps)->Interval);
  return {Now + I.Latency, false};
}

Due Sm::executeAccess(uint32_t Which, const Warp &W, uint64_t Now) {
  const WarpAccess &Made = W.access();
  const uint32_t Interval = On.Warps.Memory.Interval;
  if (Made.Shared) {
    const uint64_t Wavefronts = std::max(1u, Made.Count);
    keep(W, Unit::Memory, Which, Now, Wavefronts * Interval);
    Counted[W.Application].Wavefronts += Wavefronts;
    return {Now + W.next().Latency + Wavefronts - 1, false};
  }
  const bool Bypasses =
      W.Block < On.Warps.L1BypassBlocks || Places[W.Block].Block.Bypasses;
  const AccessTimes Is = L1.access(W.next().Class, W.sectors(), Bypasses, Now,
                                   W.Application, Made.Together);
  const uint64_t Atomics = W.next().Class == WarpClass::Atomic
                               ? uint64_t(Made.Count) * On.Warps.AtomicInterval
                               : 0;
  keep(W, Unit::Memory, Which, Now,
       std::max<uint64_t>({Interval, Is.PipeFree - Now, Atomics}));
  GlobalFree = Is.NextMay;
  return {Is.Ready, true};
}

void Sm::arrive(uint32_t Which, unsigned Position, uint64_t Now) {
  WarpScheduler &S = Schedulers[Which];
  Place &In = Places[S.at(Position).Block];
  S.stop(Position);
  In.Taken = std::max(In.Taken, Now) + On.Cycles.BarrierWarp;
  if (++In.Stopped == In.Unfinished)
    release(In, Which, Now);
}

/// All that have not ended are at the barrier. Schedulers before the current
/// one have had their cycle.
void Sm::release(Place &In, uint32_t Current, uint64_t Now) {
  const uint64_t Warps = In.Warps.size();
  const uint64_t At = std::max(Now + 1, In.Taken + On.Cycles.Barrier);
  for (uint32_t I = 0; I < Warps; ++I) {
    const uint32_t By = In.SchedulerOf[I];
    if (Schedulers[By].isStopped(In.Warps[I].get()))
      Schedulers[By].release(In.Warps[I].get(), At,
                             By < Current ? Now + 1 : Now);
  }
  In.Stopped = 0;
}

void Sm::endWarp(uint32_t Which, unsigned Position, uint64_t Now) {
  WarpScheduler &S = Schedulers[Which];
  const Warp &W = S.at(Position);
  Place &In = Places[W.Block];
  S.end(Position);
  if (Ends)
    Ends->push_back({In.Block.Block, W.Number, Now, W.Application});
  if (--In.Unfinished == 0)
    endBlock(In, Now);
  else if (In.Stopped == In.Unfinished)
    release(In, Which, Now);
}

void Sm::endBlock(Place &In, uint64_t Now) {
  Counted[In.Block.Application].WarpCycles +=
      In.Block.Warps.size() * (Now - In.Since);
  for (uint32_t I = 0; I < In.Warps.size(); ++I)
    Schedulers[In.SchedulerOf[I]].remove(In.Warps[I].get());
  --Residents;
  Freed(uint32_t(&In - Places.data()), Now);
}

void Sm::settle(uint64_t Now) {
  for (WarpScheduler &Each : Schedulers)
    Each.settle(Now);
}

void Sm::finish(uint32_t Application, uint64_t Now) {
  settle(Now);
  L1.flush(Now, Application);
}

} // namespace blockmaestro::sim
