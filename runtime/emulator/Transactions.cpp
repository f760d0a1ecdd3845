// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transactions.h"

#include "Faults.h"
#include "ThreadScheduler.h"
#include "WarpTracer.h"

#include <algorithm>
#include <bit>
#include <new>
#include <utility>

namespace blockmaestro {

namespace {

constexpr uint32_t SectorShift = 5; ///< 32 bytes.
constexpr uint32_t WordShift = 2;   ///< 4 bytes.

bool isShared(uint32_t Site) { return Site & 1; }
AccessKind kindOf(uint32_t Site) { return AccessKind(Site >> 1 & 3); }

struct CountedAs {
  uint64_t BlockCost::*Accesses;
  uint64_t BlockCost::*Transactions;
};

constexpr CountedAs GlobalCounts[] = {
    {&BlockCost::GlobalReads, &BlockCost::GlobalReadSectors},
    {&BlockCost::GlobalWrites, &BlockCost::GlobalWriteSectors},
    {&BlockCost::GlobalAtomics, &BlockCost::GlobalAtomicSectors},
};
constexpr CountedAs SharedCounts[] = {
    {&BlockCost::SharedReads, &BlockCost::SharedWavefronts},
    {&BlockCost::SharedWrites, &BlockCost::SharedWavefronts},
    {&BlockCost::SharedAtomics, &BlockCost::SharedWavefronts},
};

/// 32 counters, one for each bit of the words added, held as binary digits
/// across words.
class BankCounters {
public:
  void add(uint32_t Banks) {
    for (uint32_t &Digit : Digits) {
      uint32_t Carry = Digit & Banks;
      Digit ^= Banks;
      Banks = Carry;
      if (!Banks)
        return;
    }
  }
  uint32_t most() const {
    uint32_t Most = 0, Leaders = ~0u;
    for (int I = Count - 1; I >= 0; --I)
      if (uint32_t Ahead = Digits[I] & Leaders) {
        Leaders = Ahead;
        Most |= 1u << I;
      }
    return Most;
  }

private:
  static constexpr int Count = 20;
  uint32_t Digits[Count] = {};
};

} // namespace

WarpAccesses::Slot &WarpAccesses::slotOf(uint32_t Site, uint64_t Key) {
  uint64_t Hash = (Key ^ uint64_t(Site) << 40) * 0x9e3779b97f4a7c15u;
  for (size_t At = Hash >> 32;; ++At) {
    Slot &S = Slots[At & (Slots.size() - 1)];
    if (S.Epoch != Epoch ||
        (Accesses[S.Index].Site == Site && Accesses[S.Index].Key == Key))
      return S;
  }
}

void WarpAccesses::grow() {
  Slots.assign(std::max<size_t>(64, Slots.size() * 2), Slot());
  for (uint32_t I = 0; I < Accesses.size(); ++I)
    if (Slot &S = slotOf(Accesses[I].Site, Accesses[I].Key); S.Epoch != Epoch)
      S = {Epoch, I};
}

uint32_t WarpAccesses::append(uint32_t Site, uint64_t Key) {
  Access A{};
  A.Key = Key;
  A.Site = Site;
  Accesses.push_back(A);
  return uint32_t(Accesses.size() - 1);
}

/// The access of the warp of which \p Lane, which is not in it, is part, where
/// it is not the one that was expected.
uint32_t WarpAccesses::find(uint32_t Site, uint64_t Key, uint32_t Lane) {
  auto IsFree = [&](uint32_t I) { return !(Accesses[I].Lanes >> Lane & 1); };
  if (Slots.size() < 2 * (Accesses.size() + 1))
    grow();
  Slot &S = slotOf(Site, Key);
  if (S.Epoch != Epoch) {
    S = {Epoch, append(Site, Key)};
    return S.Index;
  }
  uint32_t I = S.Index;
  while (!IsFree(I)) {
    if (Accesses[I].Again == None) {
      uint32_t New = append(Site, Key);
      Accesses[I].Again = New;
    }
    I = Accesses[I].Again;
  }
  return I;
}

/// Sets a unit that is not in the first window, or is set there and has to be
/// apart.
void WarpAccesses::addFar(Access &To, uint64_t Base, uint64_t Bit, bool Apart) {
  Window *At = &To.First;
  if (!At->Units)
    At->Base = Base;
  while (At->Base != Base || (Apart && At->Units & Bit)) {
    if (At->Next == None) {
      At->Next = uint32_t(More.size());
      At = &More.emplace_back();
      At->Base = Base;
      break;
    }
    At = &More[At->Next];
  }
  At->Units |= Bit;
}

/// Sets a unit; of an atomic of shared memory, which lanes do one by one, each
/// time anew.
inline void WarpAccesses::add(Access &To, uint64_t Unit) {
  const uint64_t Base = Unit >> 6, Bit = uint64_t(1) << (Unit & 63);
  const bool Apart = isShared(To.Site) && kindOf(To.Site) == AccessKind::Atomic;
  if (To.First.Base == Base && To.First.Units && !Apart)
    To.First.Units |= Bit;
  else
    addFar(To, Base, Bit, Apart);
}

inline void WarpAccesses::touch(uint32_t Thread, uint32_t Site, uint64_t Key,
                                bool Shared, uint64_t Offset, uint64_t Bytes) {
  if (Thread != LastThread)
    Cursor = 0;
  LastThread = Thread;
  const uint32_t Lane = Thread % WarpSize;
  Site = Site << 1 | uint32_t(Shared);
  uint32_t Index = Cursor;
  if (Index >= Accesses.size() || Accesses[Index].Site != Site ||
      Accesses[Index].Key != Key || Accesses[Index].Lanes >> Lane & 1)
    Index = find(Site, Key, Lane);
  Cursor = Index + 1;
  Access &A = Accesses[Index];
  A.Lanes |= 1u << Lane;
  const uint32_t Shift = Shared ? WordShift : SectorShift;
  const uint64_t Last = (Offset + Bytes - 1) >> Shift;
  for (uint64_t Unit = Offset >> Shift; Unit <= Last; ++Unit)
    add(A, Unit);
}

uint32_t WarpAccesses::wavefronts(const Access &Of) const {
  BankCounters Banks;
  for (const Window *W = &Of.First;; W = &More[W->Next]) {
    Banks.add(uint32_t(W->Units));
    Banks.add(uint32_t(W->Units >> 32));
    if (W->Next == None)
      return Banks.most();
  }
}

uint32_t WarpAccesses::sectors(const Access &Of) const {
  uint32_t Sum = 0;
  for (const Window *W = &Of.First;; W = &More[W->Next]) {
    Sum += uint32_t(std::popcount(W->Units));
    if (W->Next == None)
      return Sum;
  }
}

/// Those that the block had not touched before.
uint32_t WarpAccesses::firstSectors(const Access &Of,
                                    BlockSectors &Touched) const {
  uint32_t Sum = 0;
  for (const Window *W = &Of.First;; W = &More[W->Next]) {
    Sum += Touched.touch(W->Base, W->Units);
    if (W->Next == None)
      return Sum;
  }
}

void WarpAccesses::addTo(BlockCost &Sum, BlockSectors &Touched) {
  for (const Access &A : Accesses) {
    const bool Shared = isShared(A.Site);
    const uint32_t First = Shared ? 0 : firstSectors(A, Touched);
    if (kindOf(A.Site) == AccessKind::Read) {
      Sum.FirstReadSectors += First;
      Sum.FirstReads += First > 0;
    }
    const CountedAs &To =
        (Shared ? SharedCounts : GlobalCounts)[uint32_t(kindOf(A.Site))];
    ++(Sum.*To.Accesses);
    Sum.*To.Transactions += Shared ? wavefronts(A) : sectors(A);
  }
  Accesses.clear();
  More.clear();
  Cursor = 0;
  if (++Epoch == 0) {
    Slots.assign(Slots.size(), Slot());
    Epoch = 1;
  }
}

void BlockAccesses::begin(const BlockContext &Of, SectorHistory &Before) {
  Context = &Of;
  this->Before = &Before;
  for (WarpAccesses &W : Warps)
    W.addTo(Sum, Touched);
  Touched.begin();
  Sum = BlockCost();
  LastThread = 0;
  Current = nullptr;
  std::fill(Rounds.begin(), Rounds.end(), 0);
}

/// Makes the warp of \p Thread the current one, with nothing in it that can
/// have no part in what the thread does next.
void BlockAccesses::change(uint32_t Thread) {
  const uint32_t Number = Thread / WarpSize;
  const ThreadScheduler *Fibers = Context->Scheduler;
  const uint32_t Held = Fibers ? Number : 0;
  if (Warps.size() <= Held) {
    Warps.resize(Held + 1);
    Rounds.resize(Held + 1);
  }
  Round = Fibers ? Fibers->blockRound() : 0;
  const bool Begins =
      Fibers ? Round != Rounds[Held]
             : Thread < LastThread || Number != LastThread / WarpSize;
  Rounds[Held] = Round;
  if (Begins)
    Warps[Held].addTo(Sum, Touched);
  Current = &Warps[Held];
  LastThread = Thread;
}

inline void BlockAccesses::touch(uint32_t Thread, uint32_t Site, uint64_t Key,
                                 uint64_t Address, uint64_t Bytes) {
  const ThreadScheduler *Fibers = Context->Scheduler;
  if (Bytes == 0 || (Fibers && Fibers->onStack(Address)))
    return;
  if (Thread != LastThread || !Current ||
      (Fibers && Fibers->blockRound() != Round))
    change(Thread);
  const uint64_t Offset = Address - reinterpret_cast<uint64_t>(Context->Shared);
  const bool Shared = Offset < Context->SharedBytes;
  Current->touch(Thread, Site, Key, Shared, Shared ? Offset : Address, Bytes);
}

void BlockAccesses::end(BlockCost &To) {
  for (WarpAccesses &W : Warps)
    W.addTo(Sum, Touched);
  Before->end(Touched, Sum);
  for (const CostField &F : CostFields)
    To.*F.Value += Sum.*F.Value;
}

} // namespace blockmaestro

using namespace blockmaestro;

BM_SWITCHES void bm_touch(BlockContext *Context, uint32_t Thread, uint32_t Site,
                          uint64_t Key, const void *Address, uint64_t Bytes) {
  try {
    Context->Accesses->touch(Thread, Site, Key,
                             reinterpret_cast<uint64_t>(Address), Bytes);
    if (Context->Tracer)
      Context->Tracer->touch(Thread, Site, reinterpret_cast<uint64_t>(Address),
                             Bytes);
    return;
  } catch (const std::bad_alloc &) {
  }
  giveUpForMemory();
}
