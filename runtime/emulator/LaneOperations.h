// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what the lanes of a warp do together that needs no stacks where
// they come to it together: shuffles, votes, matches, reductions, elections,
// and waiting for each other, all with the mask of all lanes.
// On the data's way: asked by whoever chooses a kernel's form; before a body is
// cut into the regions of a warp, splitAtLaneOperations() brings it into the
// form they need.
// Invariants: after splitAtLaneOperations() the block of every operation ends
// with its call, whose operands are what the lane brings, and a branch to a
// block that nothing else branches to and that begins with the result markers.
// Threads: one module.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_LANEOPERATIONS_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_LANEOPERATIONS_H

#include "WarpOperation.h"

#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace llvm {
class BasicBlock;
class CallBase;
class CallInst;
class Function;
class Instruction;
class Type;
class Value;
} // namespace llvm

namespace blockmaestro {

/// The operation of the warp intrinsic \p Call, whatever its mask.
std::optional<WarpOperation> warpOperation(const llvm::CallBase &Call);

/// Whether \p Call is one of a whole warp, as the code above has it.
bool isLaneOperation(const llvm::CallBase &Call);

/// One operation of a body that has been split.
struct LaneSite {
  llvm::BasicBlock *Block; ///< Ends with the call.
  llvm::CallInst *Call;
  WarpOperation Operation;
  /// The operands that every lane brings, without the mask.
  llvm::SmallVector<unsigned, 3> Operands;
  llvm::Type *Result; ///< Of the value; null without one.
  bool HasPredicate;  ///< Whether it has an i1 as second result.
  bool SameForAll;    ///< Whether all lanes get the same value.

  llvm::Value *brought(unsigned K) const;
};

llvm::SmallVector<LaneSite> splitAtLaneOperations(llvm::Function &Body);

/// A marker that stands for a result.
struct LaneResult {
  unsigned Site;    ///< Which of the sites of the body.
  bool IsPredicate; ///< The second result.
  bool SameForAll;
};
std::optional<LaneResult> laneResult(const llvm::Instruction &I);

} // namespace blockmaestro

#endif
