// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: where the regions of a body begin and end: the first half of a
// RegionPlan.
// On the data's way: used by planRegions(). See Note [Regions] in
// RegionPlan.cpp.
// Threads: one module; valid until the body changes.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_REGIONCUTS_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_REGIONCUTS_H

#include "RegionPlan.h"
#include "Uniformity.h"

namespace llvm {
class Loop;
class PostDominatorTree;
} // namespace llvm

namespace blockmaestro {

class RegionCuts {
public:
  RegionCuts(llvm::Function &Body, llvm::ArrayRef<llvm::BasicBlock *> Sites,
             const Uniformity &Same, const llvm::PostDominatorTree &After);

  /// Fills Fixed, Regions (but for LiveIn) and RegionAt.
  void fill(RegionPlan &Plan);
  /// Blocks that all threads of some region reach together.
  const llvm::DenseSet<llvm::BasicBlock *> &together() const {
    return Together;
  }

private:
  using BlockSet = llvm::SetVector<llvm::BasicBlock *>;
  /// How threads that stay together go on from each block of a region.
  using Spine = llvm::MapVector<llvm::BasicBlock *,
                                llvm::SmallVector<llvm::BasicBlock *, 2>>;

  bool fillFixed(RegionPlan &Plan, bool CutLoops);
  void fillOpen(RegionPlan &Plan);
  bool traceFixed(Region &R, bool CutLoops);
  Spine walk(llvm::BasicBlock *Entry, const BlockSet &Cuts) const;
  llvm::BasicBlock *meetingPoint(llvm::BasicBlock *Branch,
                                 const BlockSet &Stops) const;
  bool allMeetAt(llvm::BasicBlock *Branch, llvm::BasicBlock *Point,
                 const BlockSet &Stops) const;
  BlockSet stopsFrom(llvm::BasicBlock *From, const Spine &Steps,
                     const BlockSet &Stops) const;
  void collectBlocks(Region &R, const BlockSet &Stops) const;
  BlockSet reachable(llvm::ArrayRef<llvm::BasicBlock *> From,
                     const BlockSet &Stops) const;

  llvm::Function &Body;
  BlockSet Barriers;
  BlockSet LoopEnds; ///< Branches out of loops that isTogether() knows.
  const Uniformity &Same;
  const llvm::PostDominatorTree &After;
  llvm::DenseSet<llvm::BasicBlock *> Together;
};

} // namespace blockmaestro

#endif
