// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the launches of one recording that are in flight at a time, and
// which of their blocks may start: those whose parents have ended.
// On the data's way: between a Workload, which has the block graph, and
// WarpModel, which tells of blocks and launches that end. Invariants: launches
// begin in the order issued, so many at most in flight, and no more than the
// recording knows relations of. One with a barrier or a copy in front of it
// begins when all before it have ended. All blocks of the earliest in flight
// may start. Ownership and threads: the workload outlives it; one for a run.

#ifndef BLOCKMAESTRO_RUNTIME_SIM_WARP_OVERLAP_H
#define BLOCKMAESTRO_RUNTIME_SIM_WARP_OVERLAP_H

#include "Workload.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace blockmaestro::sim {

class Overlap {
public:
  /// Launches are numbered without the workload's copies.
  Overlap(const Workload &What, uint32_t InFlight);

  /// Launches in flight at most; one has a slot that is free when it begins.
  uint32_t slots() const { return uint32_t(Flights.size()); }
  uint32_t slotOf(size_t Launch) const {
    return uint32_t(Launch % Flights.size());
  }

  /// The launch that may begin now.
  std::optional<size_t> next() const;
  /// Begins next().
  void begin();
  void ended(size_t Launch);

  uint64_t ready(size_t Launch) const;
  /// The block that has been ready longest.
  uint64_t take(size_t Launch);
  /// Whether others are ready by that.
  bool blockEnded(size_t Launch, uint64_t Block);

private:
  struct Flight {
    std::vector<uint32_t> Pending; ///< Parents that have not ended, by block.
    std::vector<bool> Done;
    std::deque<uint32_t> Ready;
    uint32_t Gates = 0; ///< Launches that all its blocks wait for.
  };

  static constexpr uint32_t Copy = ~0u;

  Flight &flightOf(size_t Launch) { return Flights[slotOf(Launch)]; }
  bool isInFlight(size_t Launch) const {
    return Launch >= First && Launch < Next && !HasEnded[Launch];
  }
  bool waitsWhole(const WorkRelation &R) const {
    return R.KernelLevel || What.Expansions[R.Expanded].KernelLevel;
  }
  void waitFor(Flight &Consumer, const WorkRelation &R);
  static void open(Flight &Of);
  template <typename Function> void forConsumers(size_t Launch, Function Each);

  const Workload &What;
  std::vector<uint32_t> NodeOf;   ///< Of each launch, among the workload's.
  std::vector<uint32_t> LaunchOf; ///< Of each of these, or Copy.
  std::vector<bool> IsFenced;     ///< Whether it waits for all before it.
  std::vector<bool> HasEnded;
  std::vector<Flight> Flights;
  size_t First = 0; ///< That has not ended.
  size_t Next = 0;  ///< That has not begun.
};

} // namespace blockmaestro::sim

#endif
