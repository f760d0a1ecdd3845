// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a recording as it is replayed beside others: checked, with the
// traces of each launch found.
// On the data's way: from Recording to WarpModel, once, however many runs.
// Invariants: each launch has a traced block and fits an SM of the machine that
// was checked for; traces keep their promises. Ownership and threads: the
// recording outlives it; several threads may read it.

#ifndef BLOCKMAESTRO_RUNTIME_SIM_WARP_APPLICATION_H
#define BLOCKMAESTRO_RUNTIME_SIM_WARP_APPLICATION_H

#include "Machine.h"
#include "Traces.h"
#include "blockmaestro/Recording.h"

#include <vector>

namespace blockmaestro::sim {

struct Application {
  const Recording *Of = nullptr;
  std::vector<LaunchTraces> Traces; ///< Of each launch.
};

/// Whether the numbers of a machine go together; the message is for users.
Status checkWarpMachine(const Machine &On);

/// Refuses recordings without traces, launches without any, blocks that fit no
/// SM, and traces that do not keep their promises.
Result<Application> applicationOf(const Recording &Of, const Machine &On);

} // namespace blockmaestro::sim

#endif
