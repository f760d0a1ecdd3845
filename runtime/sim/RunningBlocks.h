// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the blocks and copies that have a place, and what each still
// needs until it ends: its own time, and its parts of what blocks share.
// On the data's way: inside the simulator, which begins blocks, hands on the
// events that are about them, and hears which have ended.
// Invariants: a block ends when it has all that it needs, and once.
// Ownership and threads: one per simulation; pushes into its event queue.

#ifndef BLOCKMAESTRO_RUNTIME_SIM_RUNNINGBLOCKS_H
#define BLOCKMAESTRO_RUNTIME_SIM_RUNNINGBLOCKS_H

#include "EventQueue.h"
#include "Machine.h"
#include "SharedRate.h"
#include "Workload.h"

#include <vector>

namespace blockmaestro::sim {

/// A block, or copy, from its place to its end.
struct RunningBlock {
  uint32_t Launch;
  uint32_t Block;
  uint32_t Sm;
  uint32_t ListEntries; ///< Held in the list buffer until the block ends.
  uint32_t KnownUpTo;   ///< Launches issued when the block was placed.
  uint32_t Open = 1;    ///< Its own time, and rates, that it still needs.
};

class RunningBlocks {
public:
  RunningBlocks(const Workload &What, const Machine &On, EventQueue &Events)
      : What(What), Memory(On.Sms), Events(Events), Rates(On.Sms + 1),
        Woken(On.Sms + 1, SharedRate::Never) {}

  /// One that has been placed now and starts at Start.
  void begin(const RunningBlock &Which, uint64_t Start) {
    const uint32_t Slot = newSlot();
    Slots[Slot] = Which;
    pushEvents(Slot, Start);
  }

  /// BlockBegins, TimePasses or RateWakes; calls End(block) for the blocks that
  /// end by it.
  template <typename Function>
  void happen(const SimEvent &Which, uint64_t Now, Function End) {
    if (Which.kind() != SimEvent::What::TimePasses)
      share(Which, Now);
    else
      close(Which.slot());
    for (uint32_t Slot : Ended) {
      End(Slots[Slot]);
      FreeSlots.push_back(Slot);
    }
    Ended.clear();
  }

private:
  uint32_t newSlot() {
    if (FreeSlots.empty()) {
      Slots.emplace_back();
      return uint32_t(Slots.size() - 1);
    }
    const uint32_t Slot = FreeSlots.back();
    FreeSlots.pop_back();
    return Slot;
  }

  void pushEvents(uint32_t Slot, uint64_t Start);
  void share(const SimEvent &Which, uint64_t Now);
  void join(const SimEvent &Which, uint64_t Now);
  void need(uint32_t Rate, double Ns, uint32_t Slot, uint64_t Now);
  void wakeFor(uint32_t Rate);
  void wake(uint32_t Rate, uint64_t Now);
  /// The block has one more of what it needs.
  void close(uint32_t Slot) {
    if (--Slots[Slot].Open == 0)
      Ended.push_back(Slot);
  }

  const Workload &What;
  const uint32_t Memory; ///< Its rate; those before it are the SMs'.
  EventQueue &Events;
  std::vector<RunningBlock> Slots; ///< Used again.
  std::vector<uint32_t> FreeSlots;
  std::vector<SharedRate> Rates;
  std::vector<uint64_t> Woken; ///< When each wakes.
  std::vector<uint32_t> Ended; ///< Slots, by the event that happens.
};

} // namespace blockmaestro::sim

#endif
