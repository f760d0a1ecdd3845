// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a recording replayed on one machine under several schedulers, and
// the numbers that users compare these by.
// On the data's way: from Workload and Scheduler to what bm-sim and Python
// show, which must say the same. Invariants: reports come in the order of the
// schedulers, whatever is done first, and are the same for any number of jobs.
// Ownership and threads: plain value; the functions are pure.

#ifndef BLOCKMAESTRO_RUNTIME_SIM_REPLAY_H
#define BLOCKMAESTRO_RUNTIME_SIM_REPLAY_H

#include "Bound.h"
#include "Simulator.h"
#include "blockmaestro/Status.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace blockmaestro::sim {

struct Replay {
  Workload Work;
  Bound Least;
  uint64_t BaselineNs = 0; ///< The time under the scheduler "baseline".
  std::vector<SimulationReport> Reports;
};

/// Everything but the reports. A recording without launches is an error.
Result<Replay> prepareReplay(const Recording &Of, const Machine &On,
                             const DurationChoice &How, HostSource Host);

/// Makes the reports, and simulates the baseline even where it is not asked
/// for. So many at a time; 0: as there are cores.
void simulateAll(Replay &Of, const Machine &On, std::vector<Scheduler> By,
                 const SimulationOptions &How, unsigned Jobs);

/// The baseline's time over this one.
double speedup(const Replay &Of, const SimulationReport &R);

/// How much of the time could not be saved by any scheduler.
double ofBound(const Replay &Of, const SimulationReport &R);

/// Scheduler requests for each recorded access to global memory.
double relativeRequests(const Replay &Of, const SimulationReport &R);

/// A ratio with as many digits as mean something.
double rounded(double Ratio);

size_t launchCount(const Workload &Of);

/// Of launches.
uint64_t blockCount(const Workload &Of);

/// That the host computes, all its threads together.
double hostUs(const Workload &Of);

} // namespace blockmaestro::sim

#endif
