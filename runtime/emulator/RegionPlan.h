// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: how the code of one thread is cut at its block barriers: which
// regions there are, what follows each, and which values outlive one.
// On the data's way: made from a body that splitAtBarriers() has prepared; read
// by Regions, which builds the code. See Note [Regions] in RegionPlan.cpp.
// Invariants:
//  - Region 0 is where the body begins. A region's blocks are those reachable
//    from its entry without passing a cut.
//  - In a fixed plan every region has at most one cut, and all threads that
//    have not returned reach it having taken the same cuts before; it is a
//    barrier or a branch that all of them take the same way. Otherwise all cuts
//    are barriers and a region may have several.
//  - A value that is live where a region begins is in Values, or a launch
//    constant, or an alloca.
// Threads: one module.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_REGIONPLAN_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_REGIONPLAN_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"

#include <vector>

namespace llvm {
class AllocaInst;
class BasicBlock;
class Function;
class Instruction;
class Value;
} // namespace llvm

namespace blockmaestro {

class LaunchConstants;

/// Where a value that outlives a region is kept.
enum class Keep : uint8_t {
  PerThread, ///< In the block's frames, one element per thread.
  PerBlock,  ///< Once: it is the same for all threads.
  Again      ///< Nowhere; a region that needs it computes it again.
};

struct KeptValue {
  llvm::Instruction *Value;
  Keep How;
};

struct Region {
  llvm::BasicBlock *Entry = nullptr;
  llvm::SetVector<llvm::BasicBlock *> Blocks;
  llvm::SmallVector<llvm::BasicBlock *> Cuts;
  bool MayReturn = false;
  llvm::BitVector LiveIn; ///< By number in RegionPlan::Values.

  bool isCut(const llvm::BasicBlock *Block) const {
    return llvm::is_contained(Cuts, Block);
  }
};

struct RegionPlan {
  bool Fixed = false;
  std::vector<Region> Regions;
  std::vector<KeptValue> Values;
  /// Local variables whose contents outlive a region.
  llvm::SetVector<llvm::AllocaInst *> Arrays;
  llvm::DenseMap<llvm::BasicBlock *, unsigned> RegionAt; ///< By entry.
};

/// Plans \p Body, which was split at \p Cuts. Breaks critical edges. Threads
/// are those of a block; those of a warp where \p OfWarp, whose place among the
/// block's warps is the second index.
RegionPlan planRegions(llvm::Function &Body,
                       llvm::ArrayRef<llvm::BasicBlock *> Cuts,
                       bool OfWarp = false);

/// Whether \p V can be computed again from launch constants, thread indices
/// and \p IsLeaf values with a few cheap instructions.
bool isCheapToRepeat(const llvm::Value *V, const LaunchConstants &Constants,
                     llvm::function_ref<bool(const llvm::Value *)> IsLeaf);

} // namespace blockmaestro

#endif
