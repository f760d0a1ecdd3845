// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BlockFunction.h"

#include "BlockBarriers.h"
#include "BodySimplifier.h"
#include "Guards.h"
#include "LaunchConstants.h"
#include "RegionPlan.h"
#include "Regions.h"
#include "Strips.h"

#include "llvm/IR/Function.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace blockmaestro {

uint32_t makeBlockFunction(Function &Body, const std::string &Name,
                           BlockShape Shape) {
  fixShape(Body, Shape);
  simplifyBody(Body);
  removeUnreachableBlocks(Body);
  SmallVector<BarrierSite> Sites = splitAtBarriers(Body);
  RowGuards Guards;
  uint32_t StripThreads = 0;
  if (Sites.empty()) {
    StripThreads = stripThreads(Body, Shape);
    Guards = takeGuards(Body, LaunchConstants(Body));
  }
  RegionPlan Plan = planRegions(Body, Sites);
  buildRegions(Body, Plan, Guards, Name, Shape, StripThreads > 0);
  Body.eraseFromParent();
  return StripThreads;
}

} // namespace blockmaestro
