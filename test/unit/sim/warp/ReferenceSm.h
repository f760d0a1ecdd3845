// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The SMs of docs/warp-tier.md as a program that goes from cycle to cycle, asks
// every warp in each of them whether it could issue, and remembers nothing but
// what has happened. Of the model it uses what stands behind an SM's pipeline,
// L1Cache and Memory, and asks them in the order of its own.

#ifndef BLOCKMAESTRO_TEST_UNIT_SIM_WARP_REFERENCESM_H
#define BLOCKMAESTRO_TEST_UNIT_SIM_WARP_REFERENCESM_H

#include "WarpModel.h"

#include <array>
#include <cstdint>
#include <vector>

namespace blockmaestro::sim {

struct ReferenceWarps {
  uint64_t Cycles = 0;
  uint64_t Instructions = 0;
  uint64_t IssueCycles = 0;
  std::array<uint64_t, StallCount> Stalls{};
  std::vector<WarpEnd> Ends;
};

/// All launches of a recording whose blocks are all traced.
ReferenceWarps referenceWarps(const Recording &Of, const Machine &On,
                              WarpPolicy By);

} // namespace blockmaestro::sim

#endif
