// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: how long blocks waited although everything they need was there.
// On the data's way: told by the simulator when a launch completes, read into
// StallDistribution.
// Invariants: launches complete in order. Ends are kept until the last launch
// with a relation to them has completed. A producer too well connected for
// lists counts as a whole. Of equal ratios only their number is kept.
// Ownership and threads: one per simulation.

#ifndef BLOCKMAESTRO_RUNTIME_SIM_STATISTICS_H
#define BLOCKMAESTRO_RUNTIME_SIM_STATISTICS_H

#include "Simulator.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace blockmaestro::sim {

/// How often there has been each number; a hash table.
class NumberCounts {
public:
  void add(float Number);

  /// Each number with how often it has been, ascending; forgets them.
  std::vector<std::pair<float, uint64_t>> takeSorted();

private:
  struct Counted {
    float Number = 0;
    uint64_t Count = 0; ///< 0: free.
  };

  Counted &find(float Number);
  void grow();

  std::vector<Counted> Table;
  unsigned Bits = 0; ///< The table has two to the power of it.
  size_t Used = 0;
};

class StallCollector {
public:
  explicit StallCollector(const Workload &What);

  /// Start and end of every block of the launch, and when it completed. End
  /// is taken; what is left in it may be used for anything.
  void completed(uint32_t Launch, const std::vector<uint64_t> &Start,
                 std::vector<uint64_t> &End, uint64_t Now);

  /// Forgets what was collected.
  StallDistribution distribution();

private:
  void satisfy(const WorkRelation &Relation);
  void addRatios(const WorkLaunch &Of, const std::vector<uint64_t> &Start,
                 const std::vector<uint64_t> &End);

  const Workload &What;
  std::vector<std::vector<uint64_t>> Ends; ///< Of launches that are needed.
  std::vector<uint64_t> LastEnd;
  /// Of the blocks of the launch that completes.
  std::vector<uint64_t> Satisfied;
  std::vector<uint8_t> Dependent;
  uint64_t LastCompletion = 0;
  uint64_t BarrierTime = 0;
  uint64_t Blocks = 0;
  NumberCounts Ratios;
};

} // namespace blockmaestro::sim

#endif
