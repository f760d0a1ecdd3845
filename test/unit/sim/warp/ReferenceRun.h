// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What a reference says of recordings on the machine of docs/warp-tier.md: it
// goes from cycle to cycle, with the SMs of ReferenceSm.h. Of the model it uses
// what stands behind an SM's pipeline, L1Cache and Memory, and asks them in the
// order of its own.

#ifndef BLOCKMAESTRO_TEST_UNIT_SIM_WARP_REFERENCERUN_H
#define BLOCKMAESTRO_TEST_UNIT_SIM_WARP_REFERENCERUN_H

#include "Policies.h"
#include "WarpModel.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace blockmaestro::sim {

/// Cycles of schedulers in which an application's warp issued, or was the
/// oldest to which the cause applied.
struct ReferenceCycles {
  uint64_t IssueCycles = 0;
  std::array<uint64_t, StallCount> Stalls{};
};

struct ReferenceWarps {
  uint64_t Cycles = 0;
  uint64_t Instructions = 0;
  uint64_t IssueCycles = 0;
  std::array<uint64_t, StallCount> Stalls{};
  std::vector<WarpEnd> Ends;
  std::vector<ReferenceCycles> Shares; ///< Of each application.
};

/// All launches of a recording whose blocks are all traced.
ReferenceWarps referenceWarps(const Recording &Of, const Machine &On,
                              WarpPolicy By);

/// The same of several side by side. With limits SMs have so many blocks of
/// each: of those within them the one with the fewest blocks on an SM gets one
/// there, and one that is left alone has no limit. Without, blocks are those of
/// the launch that began first and has any left.
ReferenceWarps referenceTogether(std::span<const Recording> Of,
                                 const Machine &On, WarpPolicy By,
                                 const Shares &Limits);

} // namespace blockmaestro::sim

#endif
