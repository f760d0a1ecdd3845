// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: how long blocks waited although everything they need was there.
// On the data's way: told by the simulator when a launch completes, read into
// StallDistribution.
// Invariants: launches complete in order. Starts are kept for as many launches
// as a relation can reach back. A producer too well connected for lists counts
// as a whole.
// Ownership and threads: one per simulation.

#ifndef BLOCKMAESTRO_RUNTIME_SIM_STATISTICS_H
#define BLOCKMAESTRO_RUNTIME_SIM_STATISTICS_H

#include "Simulator.h"

#include <vector>

namespace blockmaestro::sim {

class StallCollector {
public:
  explicit StallCollector(const Workload &What);

  /// Start and end of every block of the launch, and when it completed.
  void completed(uint32_t Launch, const std::vector<uint64_t> &Start,
                 std::vector<uint64_t> End, uint64_t Now);

  /// Reorders what was collected.
  StallDistribution distribution();

private:
  void satisfy(const WorkRelation &Relation, std::vector<uint64_t> &Satisfied,
               std::vector<uint8_t> &Dependent) const;

  const Workload &What;
  uint32_t Reach = 0; ///< The largest distance of a relation.
  std::vector<std::vector<uint64_t>> Ends;
  std::vector<uint64_t> LastEnd;
  uint64_t LastCompletion = 0;
  uint64_t BarrierTime = 0;
  std::vector<float> Ratios;
};

} // namespace blockmaestro::sim

#endif
