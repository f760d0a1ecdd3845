// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the longest chain of instructions of a basic block that need each
// other: what a warp that is alone waits for.
// On the data's way: part of what a visit of a basic block costs (Costs), of
// code whose loops have been unrolled (DeviceUnrolling).
// Invariants: what lies between barriers is a chain of its own. What a GPU
// issues as one instruction counts as one, what it issues as a sequence as
// those of the sequence that need each other (IssuedSequences). A block that is
// executed by a predicate (Predication) and the one that only it and what is
// before it lead to go on with the chains of that one. A branch waits until all
// before it have been issued. A read behind a write waits for what is written,
// unless it is known to go elsewhere: it is issued later.
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

/// Adds to the sums of basic blocks what lies on their longest chains; of
/// blocks that go on with the chains of others, to those others'.
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
