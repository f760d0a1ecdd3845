// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what a block executed, counted by basic block; its accesses to
// memory are counted one by one (Transactions).
// On the data's way: between KernelSource and Retarget where costs are asked
// for; afterwards turns the visits of a block into its BlockCost.
// Invariants: basic block k of the kernel as it was marked has weight k, and
// is place k of WarpVisits.
// Threads: pure functions.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_COSTS_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_COSTS_H

#include "Chains.h"

#include "blockmaestro/Event.h"

#include <cstdint>
#include <span>
#include <vector>

namespace llvm {
class Instruction;
class Module;
} // namespace llvm

namespace blockmaestro {

/// The marker `void(i32 k)` that Retarget replaces by the counting.
inline constexpr const char *VisitMarker = "bm.visit";
/// The marker `void()` before a barrier of the block, for WarpVisits.
inline constexpr const char *AheadMarker = "bm.ahead";

/// The class of \p I, or null where the GPU issues no instruction for it or
/// its marker (AccessMarks) tells more.
CostClass costClassOf(const llvm::Instruction &I);

/// Puts a marker into every basic block of \p M, one before every barrier of
/// the block and one before every access (AccessMarks), and returns what one
/// visit of each block costs without its accesses.
std::vector<BlockCost> markVisits(llvm::Module &M);

/// The warp instructions of a block; \p Visits has a row of its warp's visits
/// for each warp.
BlockCost costOfVisits(const std::vector<BlockCost> &Weights,
                       std::span<const uint64_t> Visits);

} // namespace blockmaestro

#endif
