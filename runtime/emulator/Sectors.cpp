// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Sectors.h"

#include <algorithm>
#include <bit>

namespace blockmaestro {

namespace {

constexpr uint32_t SectorBytes = 32;
/// What time counts: sectors, so many at once that 32 bits last.
constexpr uint32_t TickSectors = 128;
constexpr uint32_t TicksOfMiB = (1 << 20) / SectorBytes / TickSectors;

/// The count of a BlockCost for what was touched so many ticks ago.
uint64_t BlockCost::*countOf(uint32_t Ticks) {
  if (Ticks <= 16 * TicksOfMiB)
    return &BlockCost::Within16;
  if (Ticks <= 32 * TicksOfMiB)
    return &BlockCost::Within32;
  return Ticks <= 64 * TicksOfMiB ? &BlockCost::Within64 : &BlockCost::Beyond64;
}

} // namespace

void BlockSectors::begin() {
  Windows.clear();
  if (++Epoch == 0) {
    Slots.assign(Slots.size(), Slot());
    Epoch = 1;
  }
}

BlockSectors::Slot &BlockSectors::slotOf(uint64_t Number) {
  const uint64_t Hash = Number * 0x9e3779b97f4a7c15u;
  for (size_t At = Hash >> 32;; ++At) {
    Slot &S = Slots[At & (Slots.size() - 1)];
    if (S.Epoch != Epoch || Windows[S.Index].Number == Number)
      return S;
  }
}

void BlockSectors::grow() {
  Slots.assign(std::max<size_t>(64, Slots.size() * 2), Slot());
  for (uint32_t I = 0; I < Windows.size(); ++I)
    slotOf(Windows[I].Number) = {Epoch, I};
}

uint32_t BlockSectors::touch(uint64_t Number, uint64_t Sectors) {
  if (Slots.size() < 2 * (Windows.size() + 1))
    grow();
  Slot &S = slotOf(Number);
  if (S.Epoch != Epoch) {
    S = {Epoch, uint32_t(Windows.size())};
    Windows.push_back({Number, 0});
  }
  uint64_t &Known = Windows[S.Index].Sectors;
  const uint64_t New = Sectors & ~Known;
  Known |= Sectors;
  return uint32_t(std::popcount(New));
}

uint32_t SectorHistory::now() const {
  return uint32_t(Touched / TickSectors) + 1;
}

void SectorHistory::end(const BlockSectors &Of, BlockCost &Sum) {
  std::lock_guard<std::mutex> Guard(Lock);
  for (const BlockSectors::Window &Each : Of.windows()) {
    Times &Last = Windows.try_emplace(Each.Number, Times{}).first->second;
    for (uint64_t Left = Each.Sectors; Left; Left &= Left - 1) {
      uint32_t &Then = Last[size_t(std::countr_zero(Left))];
      ++(Sum.*(Then ? countOf(now() - Then) : &BlockCost::NewSectors));
      Then = now();
      ++Touched;
    }
  }
}

} // namespace blockmaestro
