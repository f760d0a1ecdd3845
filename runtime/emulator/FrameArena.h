// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: memory a block allocates while it runs, all given back at once.
// On the data's way: behind BlockContext::Allocate, for coroutine frames.
// Invariants: after reset() the memory is reused, not returned; every
// allocation is aligned to FrameAlignment. Threads: one worker's.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_FRAMEARENA_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_FRAMEARENA_H

#include "BlockContext.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace blockmaestro {

class FrameArena {
public:
  FrameArena() = default;
  FrameArena(const FrameArena &) = delete;
  FrameArena &operator=(const FrameArena &) = delete;
  ~FrameArena();

  void *allocate(uint64_t Bytes);
  void reset() { Current = Used = 0; }
  /// Whether \p Address is in memory that was allocated, now or before.
  bool holds(uint64_t Address) const {
    for (const Slab &S : Slabs)
      if (Address - reinterpret_cast<uint64_t>(S.Memory) < S.Bytes)
        return true;
    return false;
  }

private:
  struct Slab {
    char *Memory;
    uint64_t Bytes;
  };
  static constexpr uint64_t SlabBytes = 1 << 20;

  std::vector<Slab> Slabs;
  size_t Current = 0; ///< The slab allocations come from.
  uint64_t Used = 0;  ///< Of that slab.
};

} // namespace blockmaestro

#endif
