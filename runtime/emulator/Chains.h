// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the longest chain of instructions of a basic block that need each
// other: what a warp that is alone waits for.
// On the data's way: part of what a visit of a basic block costs (Costs).
// Invariants: what lies between barriers is a chain of its own. What the code
// generator makes one instruction of counts as one, and what it makes none of
// as none. An innermost loop that is one path without barriers is unrolled by
// four, as the code generators of GPUs do it, unless it has been unrolled or is
// not to be (DeviceUnrolling). A read behind a write waits for
// what is written, unless it is known to go elsewhere: it is issued later.
// Threads: pure functions.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_CHAINS_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_CHAINS_H

#include "blockmaestro/Event.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class BasicBlock;
class Function;
class Instruction;
class Value;
} // namespace llvm

namespace blockmaestro {

/// The class of an instruction, null where there is none.
using CostClass = uint64_t BlockCost::*;
using ClassOf = llvm::function_ref<CostClass(const llvm::Instruction &)>;

/// How many times as many as there are is what chains are counted in, until all
/// visits are added up.
inline constexpr uint64_t ChainScale = 4;

/// Adds to the sums of basic blocks what lies on their longest chains; of a
/// loop that is one path, to that of its last block.
void addChains(llvm::Function &F, ClassOf Class,
               llvm::function_ref<BlockCost &(const llvm::BasicBlock &)> Sums);

/// Whether \p I becomes part of another instruction: a product that is added to
/// something, an address that is another one and a constant, a widening.
bool isFolded(const llvm::Instruction &I);

/// Whether \p I, whose class is Special, is one for a GPU's pipelines of
/// conversions: between kinds of numbers, or to whole ones.
bool isConversion(const llvm::Instruction &I);

/// Whether the code generator may not exchange a write to one pointer and a
/// read of the other.
bool mayBeSame(const llvm::Value *Written, const llvm::Value *Read);

/// About how many cycles the chains of \p Of take: to find the longest.
uint64_t chainCycles(const BlockCost &Of);

/// Whether a number of a BlockCost is of the slowest warp, not of all.
bool isOfSlowestWarp(CostClass Number);

} // namespace blockmaestro

#endif
