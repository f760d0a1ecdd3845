// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What the regions of a warp have that those of a block have not: between two
// loops over the lanes the warp does something as one, on vectors in the frames
// of its lanes. See Note [Warps] in BlockFunction.cpp.

#include "RegionBuilder.h"

#include "BlockContext.h"
#include "LaneCode.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace blockmaestro {

namespace {

/// Places of RegionBuilder::LaneFrames behind those of operands.
constexpr unsigned ResultPlace = 8, PredicatePlace = 9;

} // namespace

unsigned RegionBuilder::laneFrame(unsigned Place, Type *T) {
  uint64_t Bytes = frameBytes(F->getParent()->getDataLayout(), T);
  auto [Known, New] = LaneFrames.try_emplace({Place, Bytes}, 0);
  if (New)
    Known->second = Kept.add(Bytes);
  return Known->second;
}

/// Makes room for what lanes bring and get. All operations share it: it is in
/// use from the end of one region to the beginning of the next.
void RegionBuilder::reserveLanes() {
  for (const LaneSite &Site : Warp->Operations) {
    for (unsigned K = 0; K < Site.Operands.size(); ++K)
      laneFrame(K, Site.brought(K)->getType());
    if (Site.Result)
      laneFrame(ResultPlace, Site.Result);
    if (Site.HasPredicate)
      laneFrame(PredicatePlace, B.getInt1Ty());
  }
}

const LaneSite *RegionBuilder::laneSite(const BasicBlock *Block) const {
  if (!Warp)
    return nullptr;
  const auto *Site = find_if(
      Warp->Operations, [&](const LaneSite &S) { return S.Block == Block; });
  return Site == Warp->Operations.end() ? nullptr : Site;
}

/// Whether \p I is the operation that ends \p Block.
bool RegionBuilder::isBroughtTogether(const Instruction &I,
                                      const BasicBlock &Block) const {
  if (!isa<CallInst>(I))
    return false;
  const LaneSite *Site = laneSite(&Block);
  return Site && Site->Call == &I;
}

/// Leaves what the lane at \p Linear brings to \p Site, as \p Map has it.
void RegionBuilder::bring(ValueToValueMapTy &Map, Value *Linear,
                          const LaneSite &Site) {
  for (unsigned K = 0; K < Site.Operands.size(); ++K) {
    Value *V = Site.brought(K);
    if (Constants.contains(V))
      continue;
    Value *Mapped = Map.lookup(V);
    Kept.store(B, laneFrame(K, V->getType()), Linear, Mapped ? Mapped : V);
  }
}

Value *RegionBuilder::laneVector(unsigned Frame, Type *T) {
  bool Bit = T->isIntegerTy(1);
  auto *Vector = FixedVectorType::get(Bit ? B.getInt8Ty() : T, WarpSize);
  Value *Found =
      B.CreateAlignedLoad(Vector, Kept.base(Frame), Align(FrameAlignment));
  return Bit ? B.CreateIsNotNull(Found) : Found;
}

void RegionBuilder::giveLanes(unsigned Frame, Value *Vector) {
  if (Vector->getType()->isIntOrIntVectorTy(1))
    Vector =
        B.CreateZExt(Vector, FixedVectorType::get(B.getInt8Ty(), WarpSize));
  B.CreateAlignedStore(Vector, Kept.base(Frame), Align(FrameAlignment));
}

/// Which lanes there are, as a vector of i1; null for all.
Value *RegionBuilder::present() {
  Value *There = nullptr;
  if (Warp->Threads % WarpSize != 0)
    There = B.CreateICmpULT(laneNumbers(B.getContext()),
                            B.CreateVectorSplat(WarpSize, Extents[0]));
  if (!Alive)
    return There;
  Value *Stays = B.CreateIsNotNull(laneVector(*Alive, B.getInt32Ty()));
  return There ? B.CreateLogicalAnd(There, Stays) : Stays;
}

/// Emits operation \p Number of the warp.
void RegionBuilder::operate(unsigned Number) {
  const LaneSite &Site = Warp->Operations[Number];
  SmallVector<Value *> Brought;
  for (unsigned K = 0; K < Site.Operands.size(); ++K) {
    Value *V = Site.brought(K);
    Brought.push_back(
        Constants.contains(V)
            ? constant(V)
            : laneVector(laneFrame(K, V->getType()), V->getType()));
  }
  LaneOutcome Outcome =
      LaneCode(B, Slots, present()).emit(Site.Operation, Brought);
  if (Site.Result && Site.SameForAll)
    B.CreateStore(Outcome.Result, sameResult(Number));
  else if (Site.Result)
    giveLanes(laneFrame(ResultPlace, Site.Result), Outcome.Result);
  if (Site.HasPredicate)
    giveLanes(laneFrame(PredicatePlace, B.getInt1Ty()), Outcome.Predicate);
}

AllocaInst *RegionBuilder::sameResult(unsigned Site) {
  AllocaInst *&Slot = SameResults[Site];
  if (!Slot)
    Slot = newSlot(Warp->Operations[Site].Result, "same");
  return Slot;
}

/// What the marker of \p Which stands for.
Value *RegionBuilder::laneResult(IRBuilder<> &At, Value *Linear,
                                 LaneResult Which, Type *T) {
  if (Which.SameForAll)
    return At.CreateLoad(T, sameResult(Which.Site));
  unsigned Place = Which.IsPredicate ? PredicatePlace : ResultPlace;
  return Kept.load(At, laneFrame(Place, T), Linear, T);
}

/// Emits a barrier of the block, at which the warp arrives as one.
void RegionBuilder::meet(BarrierKind Kind) {
  endBarrier();
  Value *Counts[2];
  for (unsigned K = 0; K < 2; ++K)
    Counts[K] = B.CreateLoad(B.getInt32Ty(), Met[K]);
  Value *Result = meetAsWarp(B, Kind, Counts);
  if (Kind == BarrierKind::And)
    B.CreateStore(B.CreateZExt(B.CreateIsNull(Result), B.getInt32Ty()), Met[1]);
  else if (Kind != BarrierKind::Plain)
    B.CreateStore(B.CreateZExt(Result, B.getInt32Ty()), Met[0]);
}

void RegionBuilder::endOfWarp(const BasicBlock *Cut) {
  if (const LaneSite *Site = laneSite(Cut))
    return operate(Site - Warp->Operations.begin());
  for (const BarrierSite &Site : Warp->Barriers)
    if (Site.Block == Cut)
      meet(Site.Kind);
}

} // namespace blockmaestro
