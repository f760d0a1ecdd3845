// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "L1Cache.h"

#include <algorithm>
#include <functional>

namespace blockmaestro::sim {

static constexpr uint32_t TraceSectorBytes = 32;

/// Applications have memories of their own, of so many sectors where there are
/// several.
static constexpr uint64_t SectorsOfApplication = uint64_t(1) << 44;

L1Counts &L1Counts::operator+=(const L1Counts &Other) {
  Reads += Other.Reads;
  Hits += Other.Hits;
  UnderWay += Other.UnderWay;
  Writes += Other.Writes;
  Atomics += Other.Atomics;
  return *this;
}

/// Of L1 while shared memory takes so many bytes of it; without ways where it
/// takes all.
static CacheShape shapeOf(const Machine &Of, uint64_t SharedBytes) {
  const WarpNumbers &W = Of.Warps;
  CacheShape Out;
  Out.Ways = W.L1Ways;
  Out.SectorsPerLine = W.CacheLineBytes / W.CacheSectorBytes;
  const uint64_t Shared = std::max<uint64_t>(SharedBytes, W.L1SharedLeast);
  const uint64_t Left = Of.L1BytesPerSm > Shared ? Of.L1BytesPerSm - Shared : 0;
  Out.Sets = W.L1Sets ? W.L1Sets : Left / (W.L1Ways * W.CacheLineBytes);
  if (Out.Sets == 0)
    Out.Sets = 1, Out.Ways = 0;
  return Out;
}

/// Until a sector that L1 has is there.
static uint32_t cyclesOf(const Machine &Of) {
  return Of.Warps.CyclesL1Access ? Of.Warps.CyclesL1Access : Of.Cycles.L1;
}

L1Cache::L1Cache(const Machine &On, uint32_t Sm, Memory &Behind)
    : On(On), Sm(Sm), Behind(Behind), Sectors(CacheShape()),
      Counted(Behind.applications()) {}

void L1Cache::start(uint64_t Bytes, uint64_t At) {
  flushAll(At);
  SharedBytes = Bytes;
  const CacheShape Shape = shapeOf(On, SharedBytes);
  Sectors = Cache(Shape);
  HasSectors = Shape.Ways > 0;
  UnderWay.clear();
  NextMay = 0;
}

void L1Cache::change(uint64_t Bytes, uint64_t At) {
  const CacheShape Now = shapeOf(On, SharedBytes);
  const CacheShape Then = shapeOf(On, Bytes);
  SharedBytes = Bytes;
  if (Now.Sets == Then.Sets && Now.Ways == Then.Ways)
    return;
  flushAll(At);
  Sectors = Cache(Then);
  HasSectors = Then.Ways > 0;
}

/// Keeps a place until then. Where that was the last one, the next access has
/// to wait for the first that gets free.
void L1Cache::addUnderWay(uint64_t Until) {
  UnderWay.push_back(Until);
  std::push_heap(UnderWay.begin(), UnderWay.end(), std::greater<>());
  while (UnderWay.size() >= On.Warps.L1Misses) {
    std::pop_heap(UnderWay.begin(), UnderWay.end(), std::greater<>());
    NextMay = std::max(NextMay, UnderWay.back());
    UnderWay.pop_back();
  }
}

void L1Cache::writeBack(const Victim &What, uint64_t At) {
  const uint32_t PerLine = On.Warps.CacheLineBytes / On.Warps.CacheSectorBytes;
  for (uint32_t I = 0; I < PerLine; ++I)
    if (What.Dirty >> I & 1)
      Behind.write(Sm, behind(What.Line * PerLine + I),
                   On.Warps.CacheSectorBytes, At);
}

/// A sector of L1 as L2 knows it.
uint64_t L1Cache::behind(uint64_t Sector) const {
  return Behind.isOne() ? Sector % SectorsOfApplication : Sector;
}

uint64_t L1Cache::read(uint64_t Sector, bool Bypasses, uint64_t At) {
  ++Counted[By].Reads;
  const uint64_t Hit = At + cyclesOf(On);
  const uint64_t Ready = Bypasses ? Cache::Absent : Sectors.find(Sector);
  if (Ready != Cache::Absent) {
    ++(Ready <= At ? Counted[By].Hits : Counted[By].UnderWay);
    return std::max(Ready, Hit);
  }
  const uint64_t There = std::max(Hit, Behind.read(Sm, behind(Sector), At));
  addUnderWay(There);
  if (!Bypasses)
    writeBack(Sectors.fill(Sector, There), At);
  return There;
}

uint64_t L1Cache::write(uint64_t Sector, uint32_t Bytes, bool Bypasses,
                        uint64_t At) {
  ++Counted[By].Writes;
  if (On.Warps.L1WriteBack && !Bypasses) {
    writeBack(Sectors.write(Sector, At), At);
    return At;
  }
  if (!Bypasses)
    Sectors.find(Sector);
  const uint64_t Taken = Behind.write(Sm, behind(Sector), Bytes, At);
  addUnderWay(Taken);
  return At;
}

uint64_t L1Cache::one(WarpClass Kind, uint64_t Sector, uint32_t Bytes,
                      bool Bypasses, uint64_t At) {
  if (Kind == WarpClass::Read)
    return read(Sector, Bypasses, At);
  if (Kind == WarpClass::Write)
    return write(Sector, Bytes, Bypasses, At);
  ++Counted[By].Atomics;
  Sectors.drop(Sector);
  const uint64_t There = Behind.atomic(Sm, behind(Sector), LanesOfWord, At);
  addUnderWay(There);
  return There;
}

AccessTimes L1Cache::access(WarpClass Kind, std::span<const uint64_t> Touched,
                            bool Bypasses, uint64_t At, uint32_t Application,
                            uint32_t Together) {
  By = Application;
  LanesOfWord = Together;
  Behind.chargeTo(By);
  const uint32_t Ratio = On.Warps.CacheSectorBytes / TraceSectorBytes;
  const uint32_t Rate = On.L1BytesPerCycle;
  const bool Alone = Counted.size() == 1;
  const uint64_t First = Application * SectorsOfApplication;
  Bypasses |= !HasSectors;
  AccessTimes Out = {At + cyclesOf(On), At + 1, 0};
  for (size_t I = 0, Next; I < Touched.size(); I = Next) {
    const uint64_t Sector = Touched[I] / Ratio;
    for (Next = I + 1; Next < Touched.size(); ++Next)
      if (Touched[Next] / Ratio != Sector)
        break;
    const uint64_t Looked = Rate ? At + I * TraceSectorBytes / Rate : At;
    const uint64_t Own = Alone ? Sector : First + Sector % SectorsOfApplication;
    const auto Bytes = uint32_t(Next - I) * TraceSectorBytes;
    Out.Ready = std::max(Out.Ready, one(Kind, Own, Bytes, Bypasses, Looked));
    Out.PipeFree = Looked + 1;
  }
  if (Kind == WarpClass::Read && On.Warps.L1Banked) {
    Out.PipeFree = std::max(Out.PipeFree, At + Together);
    Out.Ready = std::max(Out.Ready, At + cyclesOf(On) + Together - 1);
  }
  Out.NextMay = NextMay;
  return Out;
}

void L1Cache::flush(uint64_t At, uint32_t Application) {
  Behind.chargeTo(Application);
  const uint64_t First = Application * SectorsOfApplication;
  const uint64_t End = Application + 1 == Counted.size()
                           ? Cache::Absent
                           : First + SectorsOfApplication;
  for (const Victim &Each : Sectors.clear(First, End))
    writeBack(Each, At);
}

void L1Cache::flushAll(uint64_t At) {
  for (uint32_t I = 0; I < Counted.size(); ++I)
    flush(At, I);
}

} // namespace blockmaestro::sim
