// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: one launch from its issue to its completion: what its blocks wait
// for, which are ready, and when each ran.
// On the data's way: inside the simulator: counted down by Dependencies,
// emptied by what places blocks; its starts and ends are read for the stalls.
// Invariants: a block is in Ready once, in the order in which blocks became
// ready. Ownership and threads: plain value.

#ifndef BLOCKMAESTRO_RUNTIME_SIM_LAUNCHSTATE_H
#define BLOCKMAESTRO_RUNTIME_SIM_LAUNCHSTATE_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace blockmaestro::sim {

struct LaunchState {
  static constexpr uint32_t NoBlock = ~uint32_t(0);

  std::vector<uint16_t> Pending; ///< Parents that have not ended, per block.
  /// Whether some parents of a block have ended, and others not.
  std::vector<uint8_t> Updated;
  std::vector<uint8_t> Done;
  std::vector<uint64_t> Start, End;
  std::vector<uint32_t> Ready; ///< In the order they became ready.
  size_t NextReady = 0;
  uint32_t LastHeld = NoBlock; ///< That found no room in the buffers.
  uint32_t Left = 0;           ///< Blocks that have not ended.
  uint32_t Gates = 0;   ///< Its overhead and the launches it waits for whole.
  bool Tracked = false; ///< Some block waits by a parent counter.

  /// Whatever it has been before.
  void begin(uint32_t Blocks) {
    Pending.assign(Blocks, 0);
    Done.assign(Blocks, 0);
    Start.assign(Blocks, 0);
    End.assign(Blocks, 0);
    Ready.clear();
    Ready.reserve(Blocks);
    NextReady = 0;
    Left = Blocks;
    Gates = 1;
    Tracked = false;
    LastHeld = NoBlock;
  }

  bool hasReady() const { return NextReady < Ready.size(); }
};

} // namespace blockmaestro::sim

#endif
