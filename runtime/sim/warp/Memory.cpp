// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Memory.h"

#include <algorithm>
#include <numeric>

namespace blockmaestro::sim {

/// Pass a port together, at the most.
static constexpr uint32_t PortBytes = 32;

static CacheShape sliceShape(const Machine &Of) {
  const WarpNumbers &W = Of.Warps;
  CacheShape Out;
  Out.Ways = W.L2Ways;
  Out.SectorsPerLine = W.CacheLineBytes / W.CacheSectorBytes;
  Out.Of.Slices = W.L2Slices;
  Out.Of.SectorsOfPart = W.L2SliceBytes / W.CacheSectorBytes;
  Out.Of.SectorsOfLine = Out.SectorsPerLine;
  Out.Of.Window = W.L2Window;
  Out.Sets =
      W.L2Sets
          ? W.L2Sets
          : Of.L2Bytes / (uint64_t(W.L2Slices) * W.L2Ways * W.CacheLineBytes);
  Out.Sets = std::max<uint64_t>(1, Out.Sets);
  return Out;
}

Memory::Memory(const Machine &Of, uint32_t Applications, bool IsOne)
    : On(Of), IsOne(IsOne), Request(Of.Cycles.L2 / 2),
      Answer(Of.Cycles.L2 - Request),
      SlotCycles(uint64_t(Of.Warps.L2Interval) *
                 (Of.Warps.L2ClockMHz ? Of.ClockMHz : 1)),
      SlotParts(Of.Warps.L2ClockMHz ? Of.Warps.L2ClockMHz : 1),
      Parts(sliceShape(Of).Of),
      Slices(Of.Warps.L2Slices, {Cache(sliceShape(Of)), {}, 0, {}}),
      SentTogether(std::gcd(PortBytes, Of.Warps.AtomicBytes)),
      FromSms((Of.Sms + Of.Warps.WritePortSms - 1) / Of.Warps.WritePortSms),
      ToSm(Of.Sms), Behind(Of, Applications), Shares(Applications) {}

/// When bytes that come to a port at At may begin to pass it; nobody asks for
/// times before Now any more.
uint64_t Memory::pass(Calendar &Port, const PortRate &Of, uint32_t Bytes,
                      uint64_t At, uint64_t Now) {
  if (Of.Bytes == 0)
    return At;
  Port.forget(Now * Of.Bytes / Of.Slot);
  const uint64_t First = (At * Of.Bytes + Of.Slot - 1) / Of.Slot;
  const uint64_t Begin = Port.take(First);
  for (uint32_t More = Of.Slot; More < Bytes; More += Of.Slot)
    Port.take(Begin);
  return std::max(At, Begin * Of.Slot / Of.Bytes);
}

/// When what L2 answers, which comes to an SM's port at At, is there.
uint64_t Memory::answer(uint32_t Sm, uint32_t Bytes, uint64_t At,
                        uint64_t Now) {
  return pass(ToSm[Sm], {On.SmBytesPerCycle, PortBytes}, Bytes, At, Now);
}

/// When what an SM sends has left it. SMs share a port that are as far from
/// each other as there are ports: the first blocks have one each.
uint64_t Memory::send(uint32_t Sm, uint32_t Bytes, uint64_t At) {
  const uint32_t Own = On.Warps.WritePortBytes;
  const PortRate Of = {Own ? Own : On.SmBytesPerCycle, SentTogether};
  return pass(FromSms[Sm % FromSms.size()], Of, Bytes, At, At);
}

/// The slice that a sector belongs to.
size_t Memory::homeOf(uint64_t Sector) {
  const uint64_t Part = Sector / Parts.SectorsOfPart;
  if (Part != LastPart) {
    LastPart = Part;
    LastHome = Parts.sliceOf(Part);
  }
  return LastHome;
}

/// Slices take turns in belonging to one half and to the other, and so do SMs.
bool Memory::isFar(uint32_t Sm, size_t Home) const {
  return On.Warps.L2Halves == 2 && (Sm ^ Home) % 2;
}

/// The slice of the other half that may have a copy of a sector.
Memory::Slice &Memory::oppositeOf(size_t Home) { return Slices[Home ^ 1]; }

/// The last slot of a slice that has begun at a time.
uint64_t Memory::slotAt(uint64_t Cycle) const {
  return SlotCycles == SlotParts ? Cycle : Cycle * SlotParts / SlotCycles;
}

/// When a slot begins.
uint64_t Memory::cycleOf(uint64_t Slot) const {
  return SlotCycles == SlotParts
             ? Slot
             : (Slot * SlotCycles + SlotParts - 1) / SlotParts;
}

/// When a slice begins with what comes to it at At.
uint64_t Memory::begin(Slice &Of, uint64_t At, uint64_t Now) const {
  const uint64_t First = std::max(Of.Blocked, At);
  Of.Taken.forget(slotAt(Now));
  return std::max(First, cycleOf(Of.Taken.take(slotAt(First))));
}

/// The same of a read: one of a sector that waits for the slice already is
/// served with that one.
uint64_t Memory::beginRead(Slice &Of, uint64_t Sector, uint64_t At,
                           uint64_t Now) const {
  Waiting &Last = Of.Reads[Sector % Of.Reads.size()];
  if (Last.Sector != Sector || Last.Begin < At)
    Last = {Sector, begin(Of, At, Now)};
  return Last.Begin;
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
  const size_t Home = homeOf(Sector);
  const uint64_t There =
      isFar(Sm, Home)
          ? readFar(Home, Sector, At)
          : fetch(Slices[Home], Sector,
                  beginRead(Slices[Home], Sector, At + Request, At));
  return answer(Sm, On.Warps.CacheSectorBytes, There + Answer, At);
}

/// When the half of an SM has a sector of the other half, of which it then has
/// a copy. The way to the other half is added at the end: a channel serves in
/// the order in which it is asked, and would wait for what is on that way.
uint64_t Memory::readFar(size_t Home, uint64_t Sector, uint64_t At) {
  Slice &Near = oppositeOf(Home);
  const uint64_t Asked = beginRead(Near, Sector, At + Request, At);
  const uint64_t Ready = Near.Sectors.find(Sector);
  if (Ready != Cache::Absent) {
    ++charged().Counted.Hits;
    return std::max(Ready, Asked);
  }
  Slice &Of = Slices[Home];
  const uint64_t There =
      fetch(Of, Sector, begin(Of, Asked, At)) + On.Warps.CyclesL2Far;
  writeBack(Near, Near.Sectors.fill(Sector, There), Asked);
  return There;
}

/// The half that a write comes from has a copy of what is written, the other
/// one has none but its own.
void Memory::copyWritten(uint32_t Sm, size_t Home, uint64_t Sector,
                         uint64_t At) {
  Slice &Other = oppositeOf(Home);
  if (isFar(Sm, Home))
    writeBack(Other, Other.Sectors.fill(Sector, At), At);
  else
    Other.Sectors.drop(Sector);
}

uint64_t Memory::write(uint32_t Sm, uint64_t Sector, uint32_t Bytes,
                       uint64_t At) {
  ++charged().Counted.Writes;
  const uint64_t Sent = send(Sm, Bytes, At);
  const size_t Home = homeOf(Sector);
  Slice &Of = Slices[Home];
  const uint64_t Begin = begin(Of, Sent + Request, At);
  const uint64_t Taken =
      Begin + (isFar(Sm, Home) ? On.Warps.CyclesL2Far / 2 : 0);
  writeBack(Of, Of.Sectors.write(Sector, Taken), Begin);
  if (On.Warps.L2Halves == 2)
    copyWritten(Sm, Home, Sector, Begin);
  charged().LastTaken = std::max(charged().LastTaken, Taken);
  return Taken;
}

/// When a slice, which has had one slot from From on, is done with all lanes
/// that want one word.
uint64_t Memory::serveLanes(Slice &Of, uint32_t Together, uint64_t From) const {
  constexpr uint64_t Lanes = 32;
  const uint64_t Cycles =
      On.Warps.AtomicWordCycles * uint64_t(Together) / Lanes;
  uint64_t Slot = slotAt(From);
  for (uint64_t Left = slotAt(Cycles); Left > 1; --Left)
    Slot = Of.Taken.take(Slot + 1);
  return std::max(From, cycleOf(Slot));
}

uint64_t Memory::atomic(uint32_t Sm, uint64_t Sector, uint32_t Together,
                        uint64_t At) {
  ++charged().Counted.Atomics;
  const uint64_t Sent = send(Sm, On.Warps.AtomicBytes, At);
  const size_t Home = homeOf(Sector);
  Slice &Of = Slices[Home];
  const uint64_t Begin = begin(Of, Sent + Request, At);
  const uint64_t There =
      std::max(fetch(Of, Sector, Begin), serveLanes(Of, Together, Begin));
  writeBack(Of, Of.Sectors.write(Sector, There), There);
  if (On.Warps.L2Halves == 2)
    oppositeOf(Home).Sectors.drop(Sector);
  const uint32_t More =
      (On.Cycles.Atomic > On.Cycles.L2 ? On.Cycles.Atomic - On.Cycles.L2 : 0) +
      (isFar(Sm, Home) ? On.Warps.CyclesL2Far : 0);
  charged().LastTaken = std::max(charged().LastTaken, There);
  return answer(Sm, On.BytesPerSector, There + More + Answer, At);
}

} // namespace blockmaestro::sim
