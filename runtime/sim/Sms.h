// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the SMs of a machine and what runs on them.
// On the data's way: inside the simulator: where the next block goes.
// Invariants: no SM holds more than its limits. The search goes round from the
// SM after the last one used, so that blocks spread as hardware spreads them.
// An SM that had no room for a block of one size is not tried again for that
// size before something has left it.
// Ownership and threads: one per simulation.

#ifndef BLOCKMAESTRO_RUNTIME_SIM_SMS_H
#define BLOCKMAESTRO_RUNTIME_SIM_SMS_H

#include "Machine.h"
#include "Workload.h"

#include <deque>
#include <vector>

namespace blockmaestro::sim {

class Sms {
public:
  static constexpr uint32_t None = ~uint32_t(0);

  explicit Sms(const Machine &On)
      : On(On), State(On.Sms), MayFit((On.Sms + 63) / 64) {}

  /// Takes room for one block on an SM and returns it, or None.
  uint32_t take(const WorkLaunch &What);

  /// When a block placed on Sm at Now starts: a start keeps the next one away,
  /// and the place of a block that has ended is not ready at once.
  uint64_t startOn(uint32_t Sm, const WorkLaunch &What, uint64_t Now);

  /// Gives the room back at time Now.
  void give(uint32_t Sm, const WorkLaunch &What, uint64_t Now);

  /// Whether no SM has a block.
  bool areIdle() const { return Running == 0; }

  /// Sum over SMs of the time with at least one block.
  uint64_t busyNs() const { return BusyNs; }

private:
  struct BlockSize {
    uint32_t Threads = 0, SharedBytes = 0, Registers = 0;
    bool operator==(const BlockSize &) const = default;
  };
  struct One {
    uint32_t Blocks = 0;
    uint32_t Threads = 0;
    uint32_t SharedBytes = 0;
    uint32_t Registers = 0;
    uint64_t NextStart = 0;
    std::deque<uint64_t> Ready; ///< When places given back are.
    uint64_t BusySince = 0;
  };

  bool fits(const One &Sm, const WorkLaunch &What) const {
    return Sm.Blocks < On.BlocksPerSm &&
           What.Threads <= On.ThreadsPerSm - Sm.Threads &&
           What.SharedBytes <= On.SharedBytesPerSm - Sm.SharedBytes &&
           What.Registers <= On.RegistersPerSm - Sm.Registers;
  }

  uint64_t placesLeft(const One &Sm, const WorkLaunch &What) const;
  uint64_t readyOn(One &Sm, const WorkLaunch &What, uint64_t Now);
  void tryAllFor(const BlockSize &Size);
  uint32_t nextCandidate() const;
  uint64_t &wordOf(uint32_t Sm) { return MayFit[Sm / 64]; }

  const Machine &On;
  std::vector<One> State;
  uint32_t Next = 0;
  BlockSize Tried;              ///< The size of the last block.
  std::vector<uint64_t> MayFit; ///< A bit for each SM that may fit Tried.
  uint64_t Running = 0;         ///< Blocks that have room.
  uint64_t BusyNs = 0;
};

} // namespace blockmaestro::sim

#endif
