// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: when something that serves one request after the other is taken:
// a bit for each slot of its time. A request gets the first slot that is free
// from its arrival on, also before slots that were given earlier to requests
// that arrive later.
// On the data's way: inside Memory: the ports of the SMs and the slices of L2,
// which are asked in the order in which accesses are issued.
// Invariants: no slot is given twice. What lies before the last time that was
// forgotten counts as taken. Memory: a bit for each slot from there to the last
// one that was given. Ownership and threads: one owner, no locks.

#ifndef BLOCKMAESTRO_RUNTIME_SIM_WARP_CALENDAR_H
#define BLOCKMAESTRO_RUNTIME_SIM_WARP_CALENDAR_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace blockmaestro::sim {

class Calendar {
public:
  Calendar() : Words(4) {}

  /// The first free slot from First on, which is taken now.
  uint64_t take(uint64_t First) {
    const uint64_t Number = First / Bits;
    const uint64_t Bit = uint64_t(1) << First % Bits;
    if (First <= FirstFree || Number - FirstWord >= Words.size() ||
        (word(Number) & Bit))
      return takeLater(First);
    word(Number) |= Bit;
    return First;
  }

  /// Nobody asks for a slot before this one any more.
  void forget(uint64_t Before) {
    if (Before > FirstFree)
      FirstFree = Before;
    if (Before / Bits > FirstWord)
      clearTo(Before / Bits);
  }

private:
  static constexpr unsigned Bits = 64;

  uint64_t &word(uint64_t Number) { return Words[Number & (Words.size() - 1)]; }
  uint64_t takeLater(uint64_t First);
  void clearTo(uint64_t Number);
  void reach(uint64_t Number);

  std::vector<uint64_t> Words; ///< A ring, of a power of two.
  uint64_t FirstWord = 0;      ///< The earliest that the ring has.
  uint64_t FirstFree = 0;      ///< All slots before it are taken.
};

} // namespace blockmaestro::sim

#endif
