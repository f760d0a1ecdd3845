// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Memory.h"

#include <algorithm>

namespace blockmaestro::sim {

/// Pass a port together.
static constexpr uint32_t PortBytes = 32;

static CacheShape sliceShape(const Machine &Of) {
  const WarpNumbers &W = Of.Warps;
  CacheShape Out;
  Out.Ways = W.L2Ways;
  Out.SectorsPerLine = W.CacheLineBytes / W.CacheSectorBytes;
  Out.Parts = W.L2Slices;
  Out.Sets =
      W.L2Sets
          ? W.L2Sets
          : Of.L2Bytes / (uint64_t(W.L2Slices) * W.L2Ways * W.CacheLineBytes);
  Out.Sets = std::max<uint64_t>(1, Out.Sets);
  return Out;
}

Memory::Memory(const Machine &Of, uint32_t Applications)
    : On(Of), SectorsOfSlice(Of.Warps.L2SliceBytes / Of.Warps.CacheSectorBytes),
      Request(Of.Cycles.L2 / 2), Answer(Of.Cycles.L2 - Request),
      Slices(Of.Warps.L2Slices, {Cache(sliceShape(Of)), {}, 0}), FromSm(Of.Sms),
      ToSm(Of.Sms), Behind(Of, Applications), Shares(Applications) {}

/// When bytes that come to a port at At may begin to pass it; nobody asks for
/// times before Now any more.
uint64_t Memory::pass(Calendar &Port, uint32_t Bytes, uint64_t At,
                      uint64_t Now) const {
  const uint64_t Rate = On.SmBytesPerCycle;
  if (Rate == 0)
    return At;
  Port.forget(Now * Rate / PortBytes);
  const uint64_t First = (At * Rate + PortBytes - 1) / PortBytes;
  const uint64_t Begin = Port.take(First);
  for (uint32_t More = PortBytes; More < Bytes; More += PortBytes)
    Port.take(Begin);
  return std::max(At, Begin * PortBytes / Rate);
}

Memory::Slice &Memory::sliceOf(uint64_t Sector) {
  return Slices[spread(Sector / SectorsOfSlice, On.Warps.L2Slices)];
}

/// When a slice begins with what comes to it at At.
uint64_t Memory::begin(Slice &Of, uint64_t At, uint64_t Now) const {
  const uint64_t Interval = On.Warps.L2Interval;
  const uint64_t First = std::max(Of.Blocked, At);
  if (Interval == 1) {
    Of.Taken.forget(Now);
    return Of.Taken.take(First);
  }
  Of.Taken.forget(Now / Interval);
  return std::max(First, Of.Taken.take(First / Interval) * Interval);
}

/// A queue of the memory that is full keeps the slice.
void Memory::writeBack(Slice &Of, const Victim &What, uint64_t At) {
  const uint32_t PerLine = On.Warps.CacheLineBytes / On.Warps.CacheSectorBytes;
  for (uint32_t I = 0; I < PerLine; ++I)
    if (What.Dirty >> I & 1) {
      const Served Is =
          Behind.access(What.Line * PerLine + I, true, At, Charged);
      Of.Blocked = std::max(Of.Blocked, Is.Taken);
    }
}

/// When a slice has a sector, which it begins to look for at At.
uint64_t Memory::fetch(Slice &Of, uint64_t Sector, uint64_t At) {
  const uint64_t Ready = Of.Sectors.find(Sector);
  if (Ready != Cache::Absent) {
    ++charged().Counted.Hits;
    return std::max(Ready, At);
  }
  const Served Is = Behind.access(Sector, false, At, Charged);
  Of.Blocked = std::max(Of.Blocked, Is.Taken);
  writeBack(Of, Of.Sectors.fill(Sector, Is.Done), At);
  return Is.Done;
}

uint64_t Memory::read(uint32_t Sm, uint64_t Sector, uint64_t At) {
  ++charged().Counted.Reads;
  Slice &Of = sliceOf(Sector);
  const uint64_t There = fetch(Of, Sector, begin(Of, At + Request, At));
  return pass(ToSm[Sm], On.Warps.CacheSectorBytes, There + Answer, At);
}

uint64_t Memory::write(uint32_t Sm, uint64_t Sector, uint32_t Bytes,
                       uint64_t At) {
  ++charged().Counted.Writes;
  const uint64_t Sent = pass(FromSm[Sm], Bytes, At, At);
  Slice &Of = sliceOf(Sector);
  const uint64_t Begin = begin(Of, Sent + Request, At);
  writeBack(Of, Of.Sectors.write(Sector, Begin), Begin);
  charged().LastTaken = std::max(charged().LastTaken, Begin);
  return Begin;
}

/// When a slice, which has had one slot from From on, is done with all lanes
/// that want one word.
uint64_t Memory::serveLanes(Slice &Of, uint32_t Together, uint64_t From) const {
  constexpr uint64_t Lanes = 32;
  const uint64_t Interval = On.Warps.L2Interval;
  const uint64_t Cycles =
      On.Warps.AtomicWordCycles * uint64_t(Together) / Lanes;
  uint64_t Slot = From / Interval;
  for (uint64_t Left = Cycles / Interval; Left > 1; --Left)
    Slot = Of.Taken.take(Slot + 1);
  return std::max(From, Slot * Interval);
}

uint64_t Memory::atomic(uint32_t Sm, uint64_t Sector, uint32_t Together,
                        uint64_t At) {
  ++charged().Counted.Atomics;
  const uint64_t Sent = pass(FromSm[Sm], On.BytesPerSector, At, At);
  Slice &Of = sliceOf(Sector);
  const uint64_t Begin = begin(Of, Sent + Request, At);
  const uint64_t There =
      std::max(fetch(Of, Sector, Begin), serveLanes(Of, Together, Begin));
  writeBack(Of, Of.Sectors.write(Sector, There), There);
  const uint32_t More =
      On.Cycles.Atomic > On.Cycles.L2 ? On.Cycles.Atomic - On.Cycles.L2 : 0;
  charged().LastTaken = std::max(charged().LastTaken, There);
  return pass(ToSm[Sm], On.BytesPerSector, There + More + Answer, At);
}

} // namespace blockmaestro::sim
