// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: builds one kernel's footprint from its canonicalised IR.
// On the data's way: joins access collection, offsets, guards and isl.
// Invariants: see Footprint.h. Threads: one per LLVMContext.

#ifndef BLOCKMAESTRO_PASSES_DEVICE_FOOTPRINTBUILDER_H
#define BLOCKMAESTRO_PASSES_DEVICE_FOOTPRINTBUILDER_H

#include "blockmaestro/Footprint.h"

namespace llvm {
class AssumptionCache;
class DominatorTree;
class Function;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace blockmaestro {

/// The footprint of kernel F; symbols, counters and accesses in one order that
/// depends on the program only.
Footprint buildFootprint(const llvm::Function &F, llvm::ScalarEvolution &SE,
                         llvm::LoopInfo &LI, llvm::DominatorTree &DT,
                         llvm::AssumptionCache &AC);

} // namespace blockmaestro

#endif
