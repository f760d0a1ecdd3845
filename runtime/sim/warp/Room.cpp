// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Room.h"

#include "Needs.h"
#include "WarpScheduler.h"

namespace blockmaestro::sim {

BlockSize blockSizeOf(const RecordedLaunch &Of, const Machine &On) {
  return {Of.Block.count(), ceilDiv(Of.Block.count(), On.WarpSize),
          Of.SharedBytes, registersPerBlock(Of, On)};
}

bool RoomTaken::hasRoomFor(const BlockSize &One, const Machine &On) const {
  return Blocks + 1 <= On.BlocksPerSm &&
         All.Threads + One.Threads <= On.ThreadsPerSm &&
         All.Warps + One.Warps <=
             uint64_t(WarpScheduler::Most) * On.Warps.Schedulers &&
         All.SharedBytes + One.SharedBytes <= On.SharedBytesPerSm &&
         All.Registers + One.Registers <= On.RegistersPerSm;
}

void RoomTaken::add(const BlockSize &One) {
  ++Blocks;
  All.Threads += One.Threads;
  All.Warps += One.Warps;
  All.SharedBytes += One.SharedBytes;
  All.Registers += One.Registers;
}

void RoomTaken::remove(const BlockSize &One) {
  --Blocks;
  All.Threads -= One.Threads;
  All.Warps -= One.Warps;
  All.SharedBytes -= One.SharedBytes;
  All.Registers -= One.Registers;
}

uint32_t roomFor(const BlockSize &One, RoomTaken Taken, const Machine &On) {
  uint32_t Out = 0;
  for (; Taken.hasRoomFor(One, On); ++Out)
    Taken.add(One);
  return Out;
}

} // namespace blockmaestro::sim
