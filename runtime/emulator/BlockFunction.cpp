// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BlockFunction.h"

#include "BlockBarriers.h"
#include "BodySimplifier.h"
#include "Guards.h"
#include "LaunchConstants.h"
#include "RegionPlan.h"
#include "Regions.h"

#include "llvm/IR/Function.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace blockmaestro {

void makeBlockFunction(Function &Body, const std::string &Name,
                       BlockShape Shape) {
  fixShape(Body, Shape);
  simplifyBody(Body);
  removeUnreachableBlocks(Body);
  SmallVector<BarrierSite> Sites = splitAtBarriers(Body);
  RowGuards Guards;
  if (Sites.empty())
    Guards = takeGuards(Body, LaunchConstants(Body));
  RegionPlan Plan = planRegions(Body, Sites);
  buildRegions(Body, Plan, Guards, Name, Shape);
  Body.eraseFromParent();
}

} // namespace blockmaestro
