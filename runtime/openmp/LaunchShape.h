// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: how many teams of how many threads a region's kernel gets.
// On the data's way: KernelLaunch, KernelEnvironment -> here -> the launch.
// Invariants: a pure function; limits of the program and of the compiler hold.
// Threads: no state.

#ifndef BLOCKMAESTRO_RUNTIME_OPENMP_LAUNCHSHAPE_H
#define BLOCKMAESTRO_RUNTIME_OPENMP_LAUNCHSHAPE_H

#include "ClangInterface.h"

namespace blockmaestro::openmp {

/// What a region's clauses ask for.
struct RegionRequest {
  int32_t Teams = 0;      ///< num_teams; 0 for any number, -1 without teams.
  int32_t Threads = 0;    ///< thread_limit; not positive where there is none.
  uint64_t TripCount = 0; ///< Of its distributed loop; 0 where not known.
};

struct LaunchShape {
  uint32_t Teams = 1;
  uint32_t Threads = 1;
};

/// Where the program leaves the number of teams open a loop gets one thread per
/// iteration, other regions get a team for each of Processors, and neither more
/// than MostTeams, where that is positive.
LaunchShape shapeOf(const RegionRequest &Asked, const KernelEnvironment &Of,
                    uint32_t Processors, int32_t MostTeams);

} // namespace blockmaestro::openmp

#endif
