// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: builds the code of a block from the code of a thread and the plan
// of its regions. A body without barriers is the plan with one region.
// On the data's way: after RegionPlan; the block function is then optimised.
// Invariants: inside a region threads run in ascending order; a thread that has
// returned runs in no later region.
// Threads: one module.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_REGIONS_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_REGIONS_H

#include "BlockBarriers.h"
#include "LaneOperations.h"

#include "llvm/ADT/SmallVector.h"

#include <string>

namespace llvm {
class Function;
} // namespace llvm

namespace blockmaestro {

struct BlockShape;
struct RegionPlan;
struct RowGuards;

/// Where the lanes of a warp meet.
struct WarpForm {
  uint32_t Threads; ///< Of the block.
  llvm::SmallVector<BarrierSite> Barriers;
  llvm::SmallVector<LaneSite> Operations;
};

/// Adds the block function \p Name that runs the regions \p Plan of \p Body;
/// \p Guards are those of a body without barriers, which may run a \p Strip of
/// blocks.
void buildRegions(llvm::Function &Body, const RegionPlan &Plan,
                  const RowGuards &Guards, const std::string &Name,
                  BlockShape Shape, bool Strip);

/// Adds the code of one warp: a body like \p Body, whose threads are warps and
/// wait at the block's barriers only. \p Body is that of a lane and \p Plan,
/// which is fixed, one for the lanes of a warp.
llvm::Function *buildWarp(llvm::Function &Body, const RegionPlan &Plan,
                          const WarpForm &Warp);

} // namespace blockmaestro

#endif
