// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: something that happens at a time, and which of two goes first.
// On the data's way: inside the simulator.
// Invariants: of events at one time the kinds go in the order in which they are
// listed, then the earlier launch, then the smaller block.
// Ownership and threads: plain values.

#ifndef BLOCKMAESTRO_RUNTIME_SIM_SIMEVENT_H
#define BLOCKMAESTRO_RUNTIME_SIM_SIMEVENT_H

#include <cstdint>
#include <tuple>

namespace blockmaestro::sim {

struct SimEvent {
  enum class What : uint8_t {
    HostAsks,   ///< For the launch that comes next.
    CheckEnds,  ///< Of the launch that is issued then.
    LaunchEnds, ///< Its overhead.
    LaunchLeaves,
    BlockBegins, ///< One that shares.
    TimePasses,  ///< What a block takes by itself.
    RateWakes,   ///< Somebody who shares has all that is needed, it seems.
  };

  uint64_t Time;
  What Kind;
  uint32_t Launch; ///< Or the rate.
  uint32_t Block;
  uint32_t Slot; ///< Of the block.
};

struct Later {
  bool operator()(const SimEvent &A, const SimEvent &B) const {
    return std::tie(A.Time, A.Kind, A.Launch, A.Block) >
           std::tie(B.Time, B.Kind, B.Launch, B.Block);
  }
};

} // namespace blockmaestro::sim

#endif
