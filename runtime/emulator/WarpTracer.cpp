// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WarpTracer.h"

#include "Faults.h"
#include "ThreadScheduler.h"
#include "Transactions.h"

#include <algorithm>
#include <bit>
#include <new>
#include <utility>

namespace blockmaestro {

namespace {

constexpr uint32_t SectorShift = 5; ///< 32 bytes.
constexpr uint32_t WordShift = 2;   ///< 4 bytes.
constexpr size_t Banks = 32;

/// How often the number comes that comes most often; they are sorted.
uint32_t mostAlike(const std::vector<uint64_t> &Numbers) {
  uint32_t Most = 1, Alike = 1;
  for (size_t I = 1; I < Numbers.size(); ++I) {
    Alike = Numbers[I] == Numbers[I - 1] ? Alike + 1 : 1;
    Most = std::max(Most, Alike);
  }
  return Most;
}

/// Sorts them, and leaves each once.
void takeOnce(std::vector<uint64_t> &Numbers) {
  if (!std::ranges::is_sorted(Numbers))
    std::ranges::sort(Numbers);
  const auto Repeated = std::ranges::unique(Numbers);
  Numbers.erase(Repeated.begin(), Repeated.end());
}

/// How many words the bank has to give that has to give most.
uint32_t wavefronts(const std::vector<uint64_t> &Words) {
  std::array<uint32_t, Banks> Counts = {};
  for (uint64_t Word : Words)
    ++Counts[Word % Banks];
  return *std::ranges::max_element(Counts);
}

uint32_t lowestLane(uint32_t Lanes) {
  return uint32_t(std::countr_zero(Lanes));
}

} // namespace

void WarpTracer::begin(const BlockContext &Of,
                       std::shared_ptr<const TracedCode> Traced,
                       EventSink &To) {
  Context = &Of;
  Code = std::move(Traced);
  Sink = &To;
  Block = Of.LinearBlock;
  const uint64_t Threads = Of.What->Block.count();
  const uint64_t Count = (Threads + WarpSize - 1) / WarpSize;
  Warps.assign(Count, Warp());
  Positions.resize(Threads);
  for (LanePosition &P : Positions)
    P.clear();
  Held.assign(1, ToldByLanes());
  LastThread = 0;
  Bytes = 0;
  TooMuch = false;
}

/// Whether there is room for so much more; all is dropped where there is none.
bool WarpTracer::holds(size_t More) {
  Bytes += More;
  if (Bytes <= MostBytes)
    return true;
  TooMuch = true;
  Warps.clear();
  Held.clear();
  return false;
}

/// Where the thread tells, when what was told there before and can have no part
/// in it has been merged.
WarpTracer::Told &WarpTracer::tellerOf(uint32_t Thread) {
  const uint32_t Number = Thread / WarpSize;
  const ThreadScheduler *Fibers = Context->Scheduler;
  if (Fibers) {
    Held.resize(Warps.size());
    if (std::exchange(Warps[Number].Round, Fibers->blockRound()) !=
        Fibers->blockRound())
      merge(Number, Held[Number]);
  } else if (Thread < LastThread || Number != LastThread / WarpSize) {
    merge(LastThread / WarpSize, Held[0]);
  }
  LastThread = Thread;
  return Held[Fibers ? Number : 0][Thread % WarpSize];
}

void WarpTracer::step(uint32_t Thread, uint32_t Step) {
  if (TooMuch || !holds(sizeof(Visit)))
    return;
  Told &To = tellerOf(Thread);
  To.Visits.push_back({Step, uint32_t(To.Touches.size())});
}

void WarpTracer::touch(uint32_t Thread, uint32_t Site, uint64_t Address,
                       uint64_t Size) {
  const ThreadScheduler *Fibers = Context->Scheduler;
  if (Size == 0 || (Fibers && Fibers->onStack(Address)) || TooMuch ||
      !holds(sizeof(Touch)))
    return;
  const uint64_t Offset = Address - reinterpret_cast<uint64_t>(Context->Shared);
  const bool Shared = Offset < Context->SharedBytes;
  const bool Atomic = AccessKind(Site & 3) == AccessKind::Atomic;
  Told &To = tellerOf(Thread);
  To.Touches.push_back({Code->Sites[Site >> 2], Shared, Atomic,
                        Shared ? Offset : Address, Size});
}

/// Goes to the lane's next visit; false where there is none.
bool WarpTracer::advance(uint32_t Thread, Told &Lane) {
  for (; Lane.Next < Lane.Visits.size(); ++Lane.Next) {
    const uint32_t Step = Lane.Visits[Lane.Next].Step;
    if (Step != LeavesFunction) {
      Positions[Thread].visit(Step, Code->Places);
      return true;
    }
    Positions[Thread].leave();
  }
  return false;
}

/// Whether the accesses of two lanes in the same step go to memory of the same
/// kind.
bool WarpTracer::touchAlike(const Told &A, const Told &B) const {
  uint32_t I = A.Visits[A.Next].FirstTouch, J = B.Visits[B.Next].FirstTouch;
  for (; I < A.endOfTouches() && J < B.endOfTouches(); ++I, ++J)
    if (A.Touches[I].Access == B.Touches[J].Access &&
        A.Touches[I].Shared != B.Touches[J].Shared)
      return false;
  return true;
}

/// Of the active lanes of a warp those that it executes next.
uint32_t WarpTracer::leadersOf(uint32_t Number, uint32_t Active,
                               ToldByLanes &Lanes) const {
  const auto At = [&](uint32_t Lane) -> const std::vector<uint32_t> & {
    return Positions[Number * WarpSize + Lane].parts();
  };
  uint32_t First = lowestLane(Active), Group = 0;
  for (uint32_t Left = Active; Left; Left &= Left - 1) {
    const uint32_t Lane = lowestLane(Left);
    const bool Same = At(Lane) == At(First);
    if (!Same && At(Lane) < At(First)) {
      First = Lane;
      Group = 1u << Lane;
    } else if (Same && touchAlike(Lanes[First], Lanes[Lane])) {
      Group |= 1u << Lane;
    }
  }
  return Group;
}

/// Adds the numbers of all units that a lane touches.
void WarpTracer::addUnits(const Touch &Of, uint32_t Shift,
                          std::vector<uint64_t> &To) {
  const uint64_t Last = (Of.Offset + Of.Bytes - 1) >> Shift;
  for (uint64_t Unit = Of.Offset >> Shift; Unit <= Last; ++Unit)
    To.push_back(Unit);
}

/// Adds what a lane touches in its next visit to Accesses.
void WarpTracer::gather(const Told &Lane) {
  const size_t End = Lane.endOfTouches();
  for (size_t I = Lane.Visits[Lane.Next].FirstTouch; I < End; ++I) {
    const Touch &T = Lane.Touches[I];
    Units &To = Accesses[T.Access];
    To.Shared = T.Shared;
    To.Atomic = T.Atomic;
    if (T.Atomic)
      To.Words.push_back(T.Offset >> WordShift);
    else if (!T.Shared)
      addUnits(T, WordShift, To.Words);
    addUnits(T, T.Shared ? WordShift : SectorShift, To.Numbers);
  }
}

/// Of an access of global memory what WarpAccess has.
uint32_t WarpTracer::togetherOf(Units &What) {
  if (!What.Atomic) {
    takeOnce(What.Words);
    return std::max(1u, wavefronts(What.Words));
  }
  std::ranges::sort(What.Words);
  return mostAlike(What.Words);
}

void WarpTracer::addAccess(Warp &To, Units &What) {
  std::vector<uint64_t> &Numbers = What.Numbers;
  if (!What.Shared || !What.Atomic)
    takeOnce(Numbers);
  const uint32_t Count =
      What.Shared ? wavefronts(Numbers) : uint32_t(Numbers.size());
  To.Route.Accesses.push_back(
      {What.Shared, Count, What.Shared ? 1 : togetherOf(What)});
  if (!What.Shared)
    To.Sectors.insert(To.Sectors.end(), Numbers.begin(), Numbers.end());
  Numbers.clear();
  What.Words.clear();
  What.Shared = What.Atomic = false;
}

/// Some lanes do what they have told next, together.
void WarpTracer::execute(Warp &To, uint32_t Group, ToldByLanes &Lanes) {
  const Told &First = Lanes[lowestLane(Group)];
  const uint32_t Step = First.Visits[First.Next].Step;
  To.Route.Visits.push_back({Step, Group});
  const uint32_t Count = Code->Places[Step].Accesses;
  if (Count == 0)
    return;
  if (Accesses.size() < Count)
    Accesses.resize(Count);
  for (uint32_t Left = Group; Left; Left &= Left - 1)
    gather(Lanes[lowestLane(Left)]);
  for (uint32_t A = 0; A < Count; ++A)
    addAccess(To, Accesses[A]);
}

/// What the lanes of a warp have told becomes part of its path.
void WarpTracer::merge(uint32_t Number, ToldByLanes &Lanes) {
  Warp &To = Warps[Number];
  const size_t Visits = To.Route.Visits.size();
  const size_t Known = To.Route.Accesses.size(), Sectors = To.Sectors.size();
  uint32_t Active = 0;
  for (uint32_t Lane = 0; Lane < WarpSize; ++Lane)
    if (!Lanes[Lane].empty() && advance(Number * WarpSize + Lane, Lanes[Lane]))
      Active |= 1u << Lane;
  while (Active) {
    const uint32_t Group = leadersOf(Number, Active, Lanes);
    execute(To, Group, Lanes);
    for (uint32_t Left = Group; Left; Left &= Left - 1) {
      const uint32_t Lane = lowestLane(Left);
      ++Lanes[Lane].Next;
      if (!advance(Number * WarpSize + Lane, Lanes[Lane]))
        Active &= ~(1u << Lane);
    }
  }
  for (Told &Lane : Lanes) {
    Bytes -= Lane.Visits.size() * sizeof(Visit) +
             Lane.Touches.size() * sizeof(Touch);
    Lane.Visits.clear();
    Lane.Touches.clear();
    Lane.Next = 0;
  }
  Bytes += (To.Route.Visits.size() - Visits) * sizeof(WarpVisit) +
           (To.Route.Accesses.size() - Known) * sizeof(WarpAccess) +
           (To.Sectors.size() - Sectors) * sizeof(uint64_t);
}

void WarpTracer::end() {
  if (TooMuch)
    return;
  if (Context->Scheduler)
    for (uint32_t W = 0; W < Held.size(); ++W)
      merge(W, Held[W]);
  else
    merge(LastThread / WarpSize, Held[0]);
  BlockTrace Out;
  Out.Launch = Context->LaunchId;
  Out.Block = Block;
  Out.Code = std::shared_ptr<const WarpCode>(Code, &Code->Code);
  for (Warp &W : Warps) {
    auto Path = std::make_shared<WarpPath>();
    Path->Route = std::make_shared<WarpRoute>(std::move(W.Route));
    Path->Sectors = std::move(W.Sectors);
    Out.Warps.push_back(std::move(Path));
  }
  Warps.clear();
  Held.clear();
  Sink->warpsRan(Out);
}

} // namespace blockmaestro

using namespace blockmaestro;

BM_SWITCHES void bm_step(BlockContext *Context, uint32_t Thread,
                         uint32_t Step) {
  try {
    Context->Tracer->step(Thread, Step);
    return;
  } catch (const std::bad_alloc &) {
  }
  giveUpForMemory();
}
