// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ThreadScheduler.h"

#include "Cluster.h"

#include <bit>
#include <utility>

namespace blockmaestro {

namespace {

uint32_t bitOf(uint32_t Lane) { return 1u << Lane; }

/// Takes the lowest of \p Set out of it.
uint32_t takeLowest(uint32_t &Set) {
  uint32_t Lowest = std::countr_zero(Set);
  Set &= Set - 1;
  return Lowest;
}

const char *wordsFor(WarpOperation Operation) {
  if (Operation == WarpOperation::Sync)
    return "__syncwarp()";
  if (Operation <= WarpOperation::ShuffleIndex)
    return "a shuffle";
  if (Operation <= WarpOperation::Ballot)
    return "a vote";
  if (Operation <= WarpOperation::MatchAll)
    return "a match";
  if (Operation == WarpOperation::Elect)
    return "an election";
  return Operation < WarpOperation::Multiply ? "a reduction"
                                             : "a matrix operation";
}

} // namespace

void ThreadScheduler::begin(BlockContext &Block, ThreadFunctionType Code,
                            StackPool &From) {
  release();
  Context = &Block;
  Body = Code;
  Stacks = &From;
  Count = Live = Block.Block[0] * Block.Block[1] * Block.Block[2];
  WarpCount = (Count + WarpSize - 1) / WarpSize;
  Threads.assign(Count, Thread());
  Warps.resize(WarpCount);
  for (uint32_t W = 0; W < WarpCount; ++W) {
    WarpState &State = Warps[W];
    uint32_t Lanes = std::min(WarpSize, Count - W * WarpSize);
    State.Ready = State.Alive = ~0u >> (WarpSize - Lanes);
    State.Spinning = State.Asking = State.Rounds = State.GroupCount = 0;
  }
  for (Barrier &B : Barriers)
    B = Barrier();
  ReadyWarps = ~0u >> (MaxWarps - WarpCount);
  PendingBarriers = BarrierRounds = 0;
  Died = Fault();
  Block.Scheduler = this;
}

void ThreadScheduler::release() {
  for (Thread &T : Threads)
    if (T.On)
      Stacks->give(std::exchange(T.On, nullptr));
  Threads.clear();
}

/// The next thread that can go on, taken out of its warp's ready ones.
BM_SWITCHES __attribute__((always_inline)) inline uint32_t
ThreadScheduler::pick() {
  for (;;) {
    WarpState &W = Warps[CurrentWarp];
    if (W.Ready)
      return CurrentWarp * WarpSize + takeLowest(W.Ready);
    if (W.Asking) {
      answerActive(W);
      continue;
    }
    ReadyWarps &= ~bitOf(CurrentWarp);
    if (!ReadyWarps)
      return None;
    uint32_t Following = ReadyWarps & ~(bitOf(CurrentWarp) - 1);
    CurrentWarp = std::countr_zero(Following ? Following : ReadyWarps);
  }
}

/// Lets others run until the current thread is picked again. In line, for it is
/// what a warp operation costs.
BM_SWITCHES __attribute__((always_inline)) inline void
ThreadScheduler::suspend(Place Why, uint32_t Site) {
  Thread &Me = Threads[Current];
  WarpState &W = warp();
  Me.Waits = Why;
  W.Site[Current % WarpSize] = Site;
  uint32_t Next = pick();
  if (Next == Current)
    return;
  if (Next == None)
    return bm_switch_stack(&Me.At, std::exchange(Worker->Below, nullptr));
  Current = Next;
  Thread &Other = Threads[Next];
  if (!Other.At && !prepareStack(Other))
    giveUp(std::move(Died));
  bm_switch_stack(&Me.At, Other.At);
}

ThreadScheduler::Outcome ThreadScheduler::run() {
  wakeSpinning();
  Fresh = false;
  CurrentWarp = std::countr_zero(ReadyWarps);
  Current = pick();
  if (!prepareStack(Threads[Current]))
    return Outcome::Failed;
  RunningCode Code(Died, this);
  Worker = &Code;
  bm_switch_stack(&Code.Below, Threads[Current].At);
  Worker = nullptr;
  if (Code.GivenUp)
    return Outcome::Failed;
  if (Live == 0)
    return Outcome::Ended;
  for (const WarpState &W : Warps)
    if (W.Spinning)
      return noteMovement() ? Outcome::Moved : Outcome::Waits;
  Died = describeWait();
  return Outcome::Failed;
}

void ThreadScheduler::wakeSpinning() {
  for (uint32_t W = 0; W < WarpCount; ++W)
    if (uint32_t Lanes = std::exchange(Warps[W].Spinning, 0))
      wake(W, Lanes);
}

/// Whether a thread waits elsewhere than it did when the last run() ended; one
/// that came round the same loop again does not count.
bool ThreadScheduler::noteMovement() {
  bool Moved = Fresh;
  for (uint32_t I = 0; I < Count; ++I) {
    Thread &T = Threads[I];
    uint32_t Site = Warps[I / WarpSize].Site[I % WarpSize];
    Moved |= T.Seen != T.Waits || T.SeenSite != Site;
    T.Seen = T.Waits;
    T.SeenSite = Site;
  }
  return Moved;
}

/// Gives \p T, which has not begun, a stack to begin on.
BM_SWITCHES bool ThreadScheduler::prepareStack(Thread &T) {
  if (T.At)
    return true;
  T.On = Stacks->take();
  if (T.On) {
    T.At = restAtStart(*T.On, startFiber, this);
    return true;
  }
  Died.Kind = FaultKind::OutOfMemory;
  return false;
}

BM_SWITCHES void ThreadScheduler::startFiber(void *Self) {
  static_cast<ThreadScheduler *>(Self)->runThreads();
}

/// Runs the current thread and, on the same stack, threads that have not begun,
/// as long as those are next.
BM_SWITCHES void ThreadScheduler::runThreads() {
  for (;;) {
    uint32_t Row = Current / Context->Block[0];
    Body(Context, Current % Context->Block[0], Row % Context->Block[1],
         Row / Context->Block[1]);
    finishThread();
    uint32_t Next = pick();
    if (Next == None || Threads[Next].At)
      leaveStack(Next);
    Threads[Next].On = std::exchange(Threads[Current].On, nullptr);
    Current = Next;
  }
}

/// Gives the current thread's stack back and goes on with \p Next.
BM_SWITCHES void ThreadScheduler::leaveStack(uint32_t Next) {
  Stacks->give(std::exchange(Threads[Current].On, nullptr));
  if (Next == None)
    bm_resume_resting(std::exchange(Worker->Below, nullptr));
  Current = Next;
  if (!prepareStack(Threads[Next]))
    giveUp(std::move(Died));
  bm_resume_resting(Threads[Next].At);
}

void ThreadScheduler::wake(uint32_t Warp, uint32_t Lanes) {
  Warps[Warp].Ready |= Lanes;
  ReadyWarps |= bitOf(Warp);
}

void ThreadScheduler::finishThread() {
  uint32_t Warp = Current / WarpSize;
  WarpState &W = Warps[Warp];
  W.Alive &= ~bitOf(Current % WarpSize);
  --Live;
  Fresh = true;
  if (Context->InCluster)
    Context->InCluster->threadEnded(Context->ClusterRank, Current);
  for (uint32_t G = W.GroupCount; G-- > 0;)
    if (!(W.Groups[G].Mask & W.Alive & ~W.Groups[G].Arrived))
      finishGroup(Warp, G);
  for (uint32_t Pending = PendingBarriers; Pending;) {
    uint32_t Id = takeLowest(Pending);
    if (complete(Barriers[Id]))
      open(Id);
  }
}

BM_SWITCHES void ThreadScheduler::exitThread() {
  finishThread();
  leaveStack(pick());
}

void ThreadScheduler::finishGroup(uint32_t Warp, uint32_t Number) {
  WarpState &W = Warps[Warp];
  WarpState::Group Done = W.Groups[Number];
  W.Groups[Number] = W.Groups[--W.GroupCount];
  resolve(W, Done.Operation, Done.Arrived);
  ++W.Rounds;
  wake(Warp, Done.Arrived);
}

BM_SWITCHES uint64_t ThreadScheduler::meet(WarpOperation Operation,
                                           uint32_t Site, uint32_t Mask,
                                           uint64_t Value, uint32_t Second,
                                           uint32_t Third) {
  WarpState &W = warp();
  uint32_t Lane = Current % WarpSize;
  W.Value[Lane] = Value;
  W.Second[Lane] = Second;
  W.Third[Lane] = Third;
  uint32_t G = 0;
  while (G < W.GroupCount &&
         (W.Groups[G].Operation != Operation || W.Groups[G].Mask != Mask))
    ++G;
  if (G == W.GroupCount)
    W.Groups[W.GroupCount++] = {Operation, Mask, 0};
  W.Groups[G].Arrived |= bitOf(Lane);
  if (!(Mask & W.Alive & ~W.Groups[G].Arrived))
    finishGroup(Current / WarpSize, G);
  suspend(Place::Warp, Site);
  return W.Outcome[Lane];
}

BM_SWITCHES uint32_t ThreadScheduler::activeMask(uint32_t Site, uint32_t Order,
                                                 uint64_t Where) {
  WarpState &W = warp();
  uint32_t Lane = Current % WarpSize;
  W.Asking |= bitOf(Lane);
  W.Value[Lane] = Where;
  W.Second[Lane] = Order;
  suspend(Place::Mask, Site);
  return uint32_t(W.Outcome[Lane]);
}

/// Answers the lanes that ask for the active ones at the place that comes first
/// in the code: those may go on to where others ask already, as lanes that take
/// a branch meet the rest behind it.
void ThreadScheduler::answerActive(WarpState &W) {
  uint32_t First = std::countr_zero(W.Asking);
  for (uint32_t Lanes = W.Asking; Lanes;) {
    uint32_t Lane = takeLowest(Lanes);
    if (W.Second[Lane] < W.Second[First])
      First = Lane;
  }
  uint32_t Together = 0;
  for (uint32_t Lanes = W.Asking; Lanes;) {
    uint32_t Lane = takeLowest(Lanes);
    if (W.Second[Lane] == W.Second[First] && W.Value[Lane] == W.Value[First])
      Together |= bitOf(Lane);
  }
  for (uint32_t Lanes = Together; Lanes;)
    W.Outcome[takeLowest(Lanes)] = Together;
  W.Asking &= ~Together;
  W.Ready |= Together;
}

/// Whether all that \p B waits for have arrived. With a count of threads a warp
/// counts whole once its living lanes are there, as on the GPU.
bool ThreadScheduler::complete(const Barrier &B) const {
  if (B.Expected == 0)
    return B.Arrivals >= Live;
  uint32_t Sum = 0;
  for (uint32_t W = 0; W < WarpCount; ++W)
    if (B.Arrived[W])
      Sum += std::popcount(B.Arrived[W] | ~Warps[W].Alive);
  return std::max(Sum, B.Arrivals) >= B.Expected;
}

void ThreadScheduler::arriveAt(uint32_t Id, uint32_t Expected,
                               BarrierReduction Reduction, bool Predicate) {
  Barrier &B = Barriers[Id];
  uint32_t Warp = Current / WarpSize;
  B.Expected = Expected;
  B.Reduction = Reduction;
  B.True += Predicate;
  B.Arrived[Warp] |= bitOf(Current % WarpSize);
  ++B.Arrivals;
  PendingBarriers |= bitOf(Id);
  bool Whole = (B.Arrived[Warp] | ~Warps[Warp].Alive) == ~0u;
  if ((Expected == 0 || Whole || B.Arrivals >= Expected) && complete(B))
    open(Id);
}

/// Lets all threads at barrier \p Id go on and makes it new.
void ThreadScheduler::open(uint32_t Id) {
  Barrier &B = Barriers[Id];
  uint64_t Combined = B.Reduction == BarrierReduction::Count ? B.True
                      : B.Reduction == BarrierReduction::And
                          ? B.True == B.Arrivals
                          : B.True != 0;
  for (uint32_t W = 0; W < WarpCount; ++W) {
    uint32_t Lanes = std::exchange(B.Waiting[W], 0);
    B.Arrived[W] = 0;
    if (Lanes)
      wake(W, Lanes);
    if (B.Reduction != BarrierReduction::None)
      while (Lanes)
        Warps[W].Outcome[takeLowest(Lanes)] = Combined;
  }
  ++BarrierRounds;
  B.Arrivals = B.True = 0;
  PendingBarriers &= ~bitOf(Id);
  if (ReadyWarps)
    CurrentWarp = std::countr_zero(ReadyWarps);
}

BM_SWITCHES uint32_t ThreadScheduler::barrier(uint32_t Id, uint32_t Expected,
                                              uint32_t Site,
                                              BarrierReduction Reduction,
                                              bool Predicate) {
  Id %= BarrierCount;
  uint32_t Lane = Current % WarpSize;
  WarpState &W = warp();
  Threads[Current].Barrier = Id;
  Barriers[Id].Waiting[Current / WarpSize] |= bitOf(Lane);
  arriveAt(Id, Expected, Reduction, Predicate);
  suspend(Place::Barrier, Site);
  return uint32_t(W.Outcome[Lane]);
}

void ThreadScheduler::arrive(uint32_t Id, uint32_t Expected) {
  arriveAt(Id % BarrierCount, Expected, BarrierReduction::None, false);
}

BM_SWITCHES void ThreadScheduler::yield(uint32_t Site, uint32_t Iteration) {
  Fresh |= Iteration == 0;
  warp().Spinning |= bitOf(Current % WarpSize);
  suspend(Place::Spin, Site);
}

/// Keeps the place a spinning thread was seen at, so that a loop that sleeps
/// does not look like one that goes on.
BM_SWITCHES void ThreadScheduler::sleep(uint32_t Site) {
  const Thread &Me = Threads[Current];
  warp().Spinning |= bitOf(Current % WarpSize);
  suspend(Place::Spin, Me.Seen == Place::Spin ? Me.SeenSite : Site);
}

Fault ThreadScheduler::describeWait() const {
  Fault Out;
  Out.Kind = FaultKind::Stuck;
  Place Worst = Place::Running;
  auto IsAlive = [&](uint32_t I) {
    return Warps[I / WarpSize].Alive & bitOf(I % WarpSize);
  };
  for (uint32_t I = 0; I < Count; ++I)
    if (IsAlive(I) && Threads[I].Waits > Worst) {
      Worst = Threads[I].Waits;
      Out.Thread = I;
    }
  if (Out.Thread == Fault::UnknownThread)
    return Out;
  const Thread &First = Threads[Out.Thread];
  const WarpState &W = Warps[Out.Thread / WarpSize];
  uint32_t Lane = Out.Thread % WarpSize;
  Out.Site = W.Site[Lane];
  uint32_t Same = 0;
  std::string For;
  if (Worst == Place::Warp) {
    for (const WarpState::Group &G : W.Groups)
      if (&G < W.Groups + W.GroupCount && G.Arrived & bitOf(Lane)) {
        Same = std::popcount(G.Arrived);
        For = std::string("in ") + wordsFor(G.Operation) +
              " for lanes that do not come";
      }
  } else {
    for (uint32_t I = 0; I < Count; ++I)
      Same += IsAlive(I) && Threads[I].Waits == Worst &&
              (Worst != Place::Barrier || Threads[I].Barrier == First.Barrier);
    For = Worst == Place::Spin ? "in a loop for what nobody writes"
          : First.Barrier      ? "at barrier " + std::to_string(First.Barrier) +
                                     ", which the others do not reach"
                               : "at a barrier that the others do not reach";
  }
  Out.Words = "is stuck: " + std::to_string(Same) + " of " +
              std::to_string(Count) + " threads wait " + For;
  return Out;
}

} // namespace blockmaestro
