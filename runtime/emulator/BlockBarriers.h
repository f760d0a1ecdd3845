// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: barrier 0 of all threads of a block, in all its forms, and as the
// regions of a warp have it.
// On the data's way: asked by whoever chooses a kernel's form; before a body is
// cut into regions, splitAtBarriers() brings it into the form they need.
// Invariants: after splitAtBarriers() the block of every barrier ends at it: an
// arrival marker, then a branch to a block that nothing else branches to and
// that begins, for a barrier with a result, with a result marker.
// Threads: one module.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_BLOCKBARRIERS_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_BLOCKBARRIERS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/IRBuilder.h"

#include <cstdint>
#include <optional>

namespace llvm {
class BasicBlock;
class CallBase;
class CallInst;
class Function;
class Instruction;
} // namespace llvm

namespace blockmaestro {

/// The name of the function that \p I calls; empty where none is called by
/// name.
llvm::StringRef calledName(const llvm::Instruction &I);

enum class BarrierKind : uint8_t { Plain, Count, And, Or };

/// The form of \p Call where it is barrier 0 of the whole block.
std::optional<BarrierKind> blockBarrierKind(const llvm::CallBase &Call);

/// One barrier of a body that has been split.
struct BarrierSite {
  llvm::BasicBlock *Block; ///< Ends with the arrival.
  BarrierKind Kind;
};

/// Splits \p Body at its barriers.
llvm::SmallVector<BarrierSite> splitAtBarriers(llvm::Function &Body);

/// The kind whose result the marker \p I stands for.
std::optional<BarrierKind> barrierResult(const llvm::Instruction &I);
/// The marker that ends the block of a barrier with a result; its operands say
/// how many arrive, as i32: with true, and with false.
const llvm::CallInst *barrierArrival(const llvm::BasicBlock &Block);

/// Emits a barrier of the block at which \p Counts threads arrive as one, with
/// true and with false. Its result, an i32 or an i1; null for a plain one.
llvm::Value *meetAsWarp(llvm::IRBuilder<> &B, BarrierKind Kind,
                        llvm::ArrayRef<llvm::Value *> Counts);

} // namespace blockmaestro

#endif
