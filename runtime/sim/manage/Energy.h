// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the energy of what happened: activity by the energies that a
// machine gives for each event, and what it takes whatever happens.
// On the data's way: from WarpCounts to bm-sim manage and profile. The model is
// described in docs/management.md.
// Invariants: 0 where a machine says nothing of energy; activity adds up over
// applications. Ownership and threads: pure functions.

#ifndef BLOCKMAESTRO_RUNTIME_SIM_MANAGE_ENERGY_H
#define BLOCKMAESTRO_RUNTIME_SIM_MANAGE_ENERGY_H

#include "Machine.h"
#include "WarpCounts.h"

namespace blockmaestro::sim {

bool hasEnergies(const Machine &On);

/// In microjoules.
double activityEnergy(const WarpCounts &Of, const Machine &On);
double staticEnergy(uint64_t Cycles, const Machine &On);

} // namespace blockmaestro::sim

#endif
