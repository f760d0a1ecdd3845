// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: which sectors of global memory a block has touched, and how long
// ago, in bytes that blocks touched since, blocks before it did: what a cache
// would have.
// On the data's way: told by Transactions, in sums of a BlockCost.
// Invariants: of a block each sector counts once. Blocks count in the order in
// which they end.
// Threads: BlockSectors one block, one thread; SectorHistory any.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_SECTORS_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_SECTORS_H

#include "blockmaestro/Event.h"

#include <array>
#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace blockmaestro {

/// Sectors in a window: the bits of a word.
inline constexpr uint64_t WindowSectors = 64;

/// What a block has touched since begin(), by windows.
class BlockSectors {
public:
  struct Window {
    uint64_t Number;
    uint64_t Sectors; ///< A bit for each.
  };

  void begin();
  /// How many of these sectors of a window were not touched before.
  uint32_t touch(uint64_t Number, uint64_t Sectors);
  const std::vector<Window> &windows() const { return Windows; }

private:
  struct Slot {
    uint32_t Epoch = 0;
    uint32_t Index = 0;
  };

  Slot &slotOf(uint64_t Number);
  void grow();

  std::vector<Window> Windows;
  std::vector<Slot> Slots; ///< By hash; as many as a power of two.
  uint32_t Epoch = 1;
};

/// Of all blocks that have ended.
class SectorHistory {
public:
  /// Adds to \p Sum how long ago what the block has touched was touched, and
  /// notes that it was now.
  void end(const BlockSectors &Of, BlockCost &Sum);

private:
  /// When each sector of a window was last touched; 0: never.
  using Times = std::array<uint32_t, WindowSectors>;

  uint32_t now() const;

  std::mutex Lock;
  std::unordered_map<uint64_t, Times> Windows;
  uint64_t Touched = 0; ///< Sectors, by all blocks.
};

} // namespace blockmaestro

#endif
