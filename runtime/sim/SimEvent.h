// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: something that happens at a time, and which of two goes first.
// On the data's way: inside the simulator.
// Invariants: of events at one time the kinds go in the order in which they are
// listed, then the earlier launch, then the smaller block. Two of one order are
// the same event.
// Ownership and threads: plain values.

#ifndef BLOCKMAESTRO_RUNTIME_SIM_SIMEVENT_H
#define BLOCKMAESTRO_RUNTIME_SIM_SIMEVENT_H

#include "Workload.h"

#include <cstdint>

namespace blockmaestro::sim {

class SimEvent {
public:
  enum class What : uint8_t {
    HostAsks,   ///< For the launch that comes next.
    CheckEnds,  ///< Of the launch that is issued then.
    LaunchEnds, ///< Its overhead.
    LaunchLeaves,
    BlockBegins, ///< One that shares.
    TimePasses,  ///< What a block takes by itself.
    RateWakes,   ///< Somebody who shares has all that is needed, it seems.
  };

  SimEvent() = default;
  SimEvent(What Kind, uint32_t Launch, uint32_t Block = 0, uint32_t Slot = 0)
      : Order(uint64_t(Kind) << KindShift | uint64_t(Launch) << BlockBits |
              Block),
        Slot(Slot) {}

  What kind() const { return What(Order >> KindShift); }
  uint32_t launch() const { return uint32_t(Order >> BlockBits); } ///< Or rate.
  uint32_t block() const { return uint32_t(Order % MaxBlocks); }
  uint32_t slot() const { return Slot; } ///< Of the block.
  /// Among events of one time.
  uint64_t order() const { return Order; }

private:
  static constexpr unsigned BlockBits = 26, KindShift = BlockBits + 32;
  static_assert(MaxBlocks == uint64_t(1) << BlockBits);

  uint64_t Order = 0;
  uint32_t Slot = 0;
};

} // namespace blockmaestro::sim

#endif
