// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: one block function under construction. RegionBuilder.cpp copies
// single regions into thread loops; Regions.cpp puts them in order.
// On the data's way: inside buildRegions().
// Invariants: whatever outlives a loop is in an alloca of the block function
// (promoted later) or in the frames.
// Threads: one module.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_REGIONBUILDER_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_REGIONBUILDER_H

#include "BlockFunction.h"
#include "Frames.h"
#include "Guards.h"
#include "LaunchConstants.h"
#include "RegionPlan.h"
#include "Regions.h"
#include "ThreadLoops.h"

#include "llvm/Transforms/Utils/ValueMapper.h"

#include <functional>
#include <map>
#include <optional>

namespace blockmaestro {

/// What a region's loop does beside running its threads.
struct RegionForm {
  /// Whether the thread at this linear index takes part; null for all.
  std::function<llvm::Value *(llvm::Value *Linear)> TakesPart;
  /// The threads in x, and what is known of the row; see Guards.
  ThreadSpan Span = {};
  llvm::ArrayRef<llvm::Value *> Starts = {};
  const RowGuards *Guards = nullptr;
  /// At a thread's end: by which cut it left, null where it returned.
  std::function<void(llvm::BasicBlock *Cut, llvm::Value *Linear)> Leaves;
};

class RegionBuilder {
public:
  RegionBuilder(llvm::Function &Body, const RegionPlan &Plan,
                const std::string &Name, BlockShape Shape, bool Strip,
                const WarpForm *Warp);

  /// Lets the frames grow; before begin().
  unsigned addFrame(uint64_t BytesPerThread) {
    return Kept.add(BytesPerThread);
  }
  /// Emits what the block does first: launch constants, frames.
  void begin();
  /// Emits the loop of \p R at the builder's point.
  void emitRegion(const Region &R, const RegionForm &Form);
  /// The frame that says which threads have not returned, an i32 each, where
  /// some may have before others.
  void setAlive(unsigned Frame) { Alive = Frame; }
  /// Emits the end of a barrier: what threads arrived with becomes its result.
  void endBarrier();
  /// The same for what ends with \p Cut in the regions of a warp.
  void endOfWarp(const llvm::BasicBlock *Cut);
  /// After the loop of a region with one branch as its cut: goes where its
  /// threads go.
  void branchAsThreads(
      llvm::BasicBlock *Cut,
      llvm::function_ref<llvm::BasicBlock *(llvm::BasicBlock *)> Target);

  /// The value in the block function of a launch constant of the body.
  llvm::Value *constant(llvm::Value *V);
  llvm::Value *context() { return F->getArg(0); }
  llvm::Function *function() { return F; }
  llvm::BasicBlock *newBlock(const char *Name);
  llvm::AllocaInst *newSlot(llvm::Type *T, const char *Name);
  const Frames &frames() const { return Kept; }
  llvm::Value *threads() { return Threads; }
  llvm::Value *extent(unsigned D) { return Extents[D]; }

  llvm::IRBuilder<> B;

private:
  struct KeptPlace {
    llvm::AllocaInst *Local = nullptr;   ///< In the body.
    llvm::AllocaInst *Current = nullptr; ///< The running thread's.
    llvm::AllocaInst *Shared = nullptr;  ///< Of a value kept once.
    unsigned Frame = 0;
  };
  struct ThreadCopy;

  void demoteValues();
  void readExtents();
  void readLanes();
  bool isBroughtTogether(const llvm::Instruction &I,
                         const llvm::BasicBlock &Block) const;
  void cloneConstants();
  void placeLocals();
  llvm::Value *ofRow(llvm::ValueToValueMapTy &Row, llvm::Value *V);
  llvm::Value *rowRuns(llvm::ValueToValueMapTy &Row, const RowGuards &Guards);
  void loadEarly(llvm::ValueToValueMapTy &Row, const RowGuards &Guards);
  void beginThread(ThreadCopy &T);
  void copyBlocks(ThreadCopy &T);
  void finishCopies(ThreadCopy &T);
  void leave(ThreadCopy &T, llvm::BasicBlock *Block);
  void keepValues(ThreadCopy &T, llvm::BasicBlock *Cut);
  llvm::Value *initialValue(ThreadCopy &T, unsigned K);
  llvm::Value *repeat(ThreadCopy &T, llvm::Value *V);
  void arrive(ThreadCopy &T, const llvm::BasicBlock &Block);
  void bring(llvm::ValueToValueMapTy &Map, llvm::Value *Linear,
             const LaneSite &Site);
  llvm::AllocaInst *sameResult(unsigned Site);
  void reserveLanes();
  unsigned laneFrame(unsigned Place, llvm::Type *T);
  const LaneSite *laneSite(const llvm::BasicBlock *Block) const;
  void meet(BarrierKind Kind);
  void operate(unsigned Number);
  llvm::Value *present();
  llvm::Value *laneVector(unsigned Frame, llvm::Type *T);
  void giveLanes(unsigned Frame, llvm::Value *Vector);
  llvm::Value *laneResult(llvm::IRBuilder<> &At, llvm::Value *Linear,
                          LaneResult Which, llvm::Type *T);
  void markAccesses(llvm::BasicBlock *Last, llvm::MDNode *Group);
  bool isPrivate(const llvm::Value *Pointer) const;

  llvm::Function &Body;
  const RegionPlan &Plan;
  BlockShape Shape;
  bool Strip;           ///< Several blocks run as one.
  const WarpForm *Warp; ///< Null unless the threads are those of a warp.
  llvm::Function *F;
  llvm::IRBuilder<> Slots; ///< Where the allocas are.
  LaunchConstants Constants;
  Frames Kept;
  llvm::SmallVector<KeptPlace> Places;
  llvm::DenseMap<const llvm::Value *, unsigned> NumberOfLocal;
  llvm::DenseMap<const llvm::AllocaInst *, unsigned> ArrayFrames;
  llvm::ValueToValueMapTy Common; ///< What every copy maps the same way.
  llvm::Value *Extents[3];
  llvm::Value *Threads = nullptr;
  llvm::AllocaInst *Decision = nullptr;
  /// Of barriers with a result: threads that arrived so far with true and with
  /// false, and those of the last barrier.
  llvm::AllocaInst *Arrived[2], *Met[2];
  bool LocalsEscape = false;
  std::optional<unsigned> Alive;
  /// Frames of what lanes bring and get, by place and size.
  std::map<std::pair<unsigned, uint64_t>, unsigned> LaneFrames;
  /// Results that are the same for all lanes, by site.
  llvm::DenseMap<unsigned, llvm::AllocaInst *> SameResults;
};

} // namespace blockmaestro

#endif
