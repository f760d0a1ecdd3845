// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//
// Note [Warps]
// ~~~~~~~~~~~~
// Where the lanes of a warp do something together - shuffle, vote, reduce, wait
// for each other - and provably come to it together, the code of a thread is
// cut twice. First at what lanes do together and at barriers alike, with the
// lanes of one warp as the threads (Note [Regions] in RegionPlan.cpp): pieces
// become loops over 32 lanes, values that outlive a piece lie in arrays of 32,
// and in between the warp does the operation on such arrays as vectors
// (LaneCode). What is the same for all lanes, the number of the warp above all,
// decides branches of the warp. The plan must be a fixed one. What results is
// the code of a warp, and waits at barriers only; so then it is cut at these,
// with the warps of the block as the threads, by a plan of either kind.
//
// Lanes that have returned and those that a last warp lacks take no part. A
// mask must be that of all lanes, for lanes that come together it says no more
// then. Kernels for which any of this does not hold run as fibers.

#include "BlockFunction.h"

#include "BlockBarriers.h"
#include "BlockContext.h"
#include "BodySimplifier.h"
#include "Guards.h"
#include "LaunchConstants.h"
#include "RegionPlan.h"
#include "Regions.h"
#include "StridedLoops.h"
#include "Strips.h"
#include "WarpIndices.h"

#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace blockmaestro {

namespace {

template <typename Site>
SmallVector<BasicBlock *> blocksOf(ArrayRef<Site> Sites) {
  return map_to_vector(Sites, [](const Site &S) { return S.Block; });
}

bool hasBarriers(Function &Body) {
  return any_of(instructions(Body), [](const Instruction &I) {
    const auto *Call = dyn_cast<CallInst>(&I);
    return Call && blockBarrierKind(*Call);
  });
}

/// More of these, or of bytes that the lanes of a warp keep, and a kernel had
/// better run as fibers.
constexpr size_t LargestOperationCount = 1000;
constexpr uint64_t LargestWarpFrame = 512 << 10;

/// What a warp of \p Plan keeps on the stack of who runs it.
uint64_t warpFrameBytes(const RegionPlan &Plan, const DataLayout &Layout) {
  uint64_t PerLane = 0;
  for (const KeptValue &V : Plan.Values)
    if (V.How == Keep::PerThread)
      PerLane += Layout.getTypeAllocSize(V.Value->getType());
  for (AllocaInst *Local : Plan.Arrays)
    PerLane += *Local->getAllocationSize(Layout);
  return PerLane * WarpSize;
}

/// The code of a warp, made of that of a thread; null where lanes may not come
/// together to what they do together. See Note [Warps].
Function *warpBody(Function &Body, BlockShape Shape) {
  fixShape(Body, Shape);
  limitBlocks(Body, Shape);
  numberByLane(Body, Shape);
  simplifyLightly(Body);
  separateLanes(Body);
  splitStridedLoops(Body, WarpSize, LaunchConstants::Of::Row);
  simplifyBody(Body);
  separateLanes(Body);
  removeUnreachableBlocks(Body);
  WarpForm Warp = {Shape.threads(), {}, splitAtLaneOperations(Body)};
  if (Warp.Operations.size() > LargestOperationCount)
    return nullptr;
  Warp.Barriers = splitAtBarriers(Body);
  for (LaneSite &Site : Warp.Operations)
    Site.Block = Site.Call->getParent();
  SmallVector<BasicBlock *> Cuts =
      blocksOf(ArrayRef<LaneSite>(Warp.Operations));
  append_range(Cuts, blocksOf(ArrayRef<BarrierSite>(Warp.Barriers)));
  RegionPlan Plan = planRegions(Body, Cuts, /*OfWarp=*/true);
  bool Small = warpFrameBytes(Plan, Body.getDataLayout()) <= LargestWarpFrame;
  return Plan.Fixed && Small ? buildWarp(Body, Plan, Warp) : nullptr;
}

} // namespace

uint32_t makeBlockFunction(Function &Body, const std::string &Name,
                           BlockShape Shape) {
  fixShape(Body, Shape);
  if (Shape.known() && hasBarriers(Body)) {
    simplifyLightly(Body);
    splitStridedLoops(Body, Shape.Extent[0], LaunchConstants::Of::Block);
  }
  simplifyBody(Body);
  removeUnreachableBlocks(Body);
  SmallVector<BarrierSite> Sites = splitAtBarriers(Body);
  RowGuards Guards;
  uint32_t StripThreads = 0;
  if (Sites.empty()) {
    StripThreads = stripThreads(Body, Shape);
    Guards = takeGuards(Body, LaunchConstants(Body));
  }
  RegionPlan Plan = planRegions(Body, blocksOf(ArrayRef(Sites)));
  buildRegions(Body, Plan, Guards, Name, Shape, StripThreads > 0);
  Body.eraseFromParent();
  return StripThreads;
}

bool makeBlockFunctionOfWarps(Function &Body, const std::string &Name,
                              BlockShape Shape) {
  Function *Warp = warpBody(Body, Shape);
  if (!Warp)
    return false;
  Body.eraseFromParent();
  simplifyLightly(*Warp);
  removeUnreachableBlocks(*Warp);
  SmallVector<BarrierSite> Sites = splitAtBarriers(*Warp);
  RegionPlan Plan = planRegions(*Warp, blocksOf(ArrayRef(Sites)));
  BlockShape Warps = {{(Shape.threads() + WarpSize - 1) / WarpSize, 1, 1}};
  buildRegions(*Warp, Plan, RowGuards(), Name, Warps, /*Strip=*/false);
  Warp->eraseFromParent();
  return true;
}

} // namespace blockmaestro
