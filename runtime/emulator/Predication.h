// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: which basic blocks a GPU executes by a predicate instead of
// jumping over them.
// On the data's way: asked by Costs, Chains and WarpCoding, of code that is not
// marked yet.
// Invariants: such a block is small, entered one way and left one way, and has
// nothing in it that threads wait at.
// Threads: pure functions.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_PREDICATION_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_PREDICATION_H

namespace llvm {
class BasicBlock;
class BranchInst;
class Function;
class Instruction;
} // namespace llvm

namespace blockmaestro {

/// The function with a body that \p I calls by its name, or null.
const llvm::Function *calledBody(const llvm::Instruction &I);

/// Whether threads may do something else between \p I and what follows.
bool cutsStep(const llvm::Instruction &I);

/// Of a block that is executed by a predicate, the branch that tells it.
const llvm::BranchInst *predicateOf(const llvm::BasicBlock &B);

/// The block behind \p B that is executed by a predicate of its, or null.
llvm::BasicBlock *predicatedBehind(llvm::BasicBlock &B);

/// Whether \p I is a branch that a predicate replaces: around a block, or the
/// end of one.
bool isReplacedByPredicate(const llvm::Instruction &I);

} // namespace blockmaestro

#endif
