// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Calendar.h"

#include <algorithm>
#include <bit>

namespace blockmaestro::sim {

/// Makes the ring long enough for a word.
void Calendar::reach(uint64_t Number) {
  if (Number - FirstWord < Words.size())
    return;
  std::vector<uint64_t> Longer(std::bit_ceil(Number - FirstWord + 1));
  for (uint64_t I = FirstWord; I < FirstWord + Words.size(); ++I)
    Longer[I & (Longer.size() - 1)] = word(I);
  Words = std::move(Longer);
}

/// Where that is not First itself, or where nothing before it is free.
uint64_t Calendar::takeLater(uint64_t First) {
  const uint64_t From = std::max(First, FirstFree);
  uint64_t Number = From / Bits;
  reach(Number);
  uint64_t Free = ~word(Number) & ~uint64_t(0) << From % Bits;
  while (Free == 0) {
    reach(++Number);
    Free = ~word(Number);
  }
  const auto Place = unsigned(std::countr_zero(Free));
  word(Number) |= uint64_t(1) << Place;
  const uint64_t Slot = Number * Bits + Place;
  if (From == FirstFree)
    FirstFree = Slot + 1;
  return Slot;
}

/// The ring begins with a word.
void Calendar::clearTo(uint64_t Number) {
  const uint64_t Last = std::min(Number, FirstWord + Words.size());
  for (uint64_t I = FirstWord; I < Last; ++I)
    word(I) = 0;
  FirstWord = Number;
}

} // namespace blockmaestro::sim
