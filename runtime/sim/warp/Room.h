// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what blocks take of an SM, and what is left of it.
// On the data's way: asked by WarpModel and by policies before an SM gets a
// block. Invariants: as many blocks of one launch fit an empty SM as
// blocksPerSm() says. Ownership and threads: plain values.

#ifndef BLOCKMAESTRO_RUNTIME_SIM_WARP_ROOM_H
#define BLOCKMAESTRO_RUNTIME_SIM_WARP_ROOM_H

#include "Machine.h"
#include "blockmaestro/Recording.h"

#include <cstdint>

namespace blockmaestro::sim {

/// What a block of a launch takes of an SM.
struct BlockSize {
  uint64_t Threads = 0;
  uint64_t Warps = 0;
  uint64_t SharedBytes = 0;
  uint64_t Registers = 0;

  friend bool operator==(const BlockSize &, const BlockSize &) = default;
};

BlockSize blockSizeOf(const RecordedLaunch &Of, const Machine &On);

/// What the blocks of an SM take together.
class RoomTaken {
public:
  bool hasRoomFor(const BlockSize &One, const Machine &On) const;
  void add(const BlockSize &One);
  void remove(const BlockSize &One);

private:
  uint64_t Blocks = 0;
  BlockSize All;
};

/// How many blocks of a size fit beside what is taken.
uint32_t roomFor(const BlockSize &One, RoomTaken Taken, const Machine &On);

} // namespace blockmaestro::sim

#endif
