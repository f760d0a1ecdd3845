// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ClusterMarks.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace blockmaestro {

namespace {

constexpr StringLiteral Annotation = "blockmaestro.cluster_dims";
constexpr StringLiteral ClusterAttribute = "nvvm.cluster_dim";

/// The extents in an entry of llvm.global.annotations { what, text, file, line,
/// arguments }; zeros where it is another annotation.
std::array<uint32_t, 3> extentsOf(const ConstantStruct &Entry) {
  StringRef Text;
  if (Entry.getNumOperands() < 5 ||
      !getConstantStringInfo(Entry.getOperand(1), Text) || Text != Annotation)
    return {0, 0, 0};
  const auto *Arguments =
      dyn_cast<GlobalVariable>(Entry.getOperand(4)->stripPointerCasts());
  const auto *Values = Arguments && Arguments->hasInitializer()
                           ? Arguments->getInitializer()
                           : nullptr;
  std::array<uint32_t, 3> Extents = {1, 1, 1};
  for (unsigned D = 0; Values && D < 3; ++D)
    if (const auto *Extent =
            dyn_cast_or_null<ConstantInt>(Values->getAggregateElement(D)))
      Extents[D] = uint32_t(Extent->getZExtValue());
  return Extents;
}

} // namespace

void markClusters(Module &M) {
  const GlobalVariable *All = M.getNamedGlobal("llvm.global.annotations");
  if (!All || !All->hasInitializer())
    return;
  for (const Use &U : All->getInitializer()->operands()) {
    const auto *Entry = dyn_cast<ConstantStruct>(U);
    std::array<uint32_t, 3> Extents =
        Entry ? extentsOf(*Entry) : std::array<uint32_t, 3>{};
    if (Extents[0] == 0)
      continue;
    if (auto *F = dyn_cast<Function>(Entry->getOperand(0)->stripPointerCasts()))
      F->addFnAttr(ClusterAttribute, std::to_string(Extents[0]) + "," +
                                         std::to_string(Extents[1]) + "," +
                                         std::to_string(Extents[2]));
  }
}

std::array<uint32_t, 3> clusterOf(const Function &Kernel) {
  std::array<uint32_t, 3> Extents = {0, 0, 0};
  StringRef Text = Kernel.getFnAttribute(ClusterAttribute).getValueAsString();
  if (Text.empty())
    return Extents;
  for (uint32_t &Extent : Extents) {
    auto [Number, Rest] = Text.split(',');
    if (Number.getAsInteger(10, Extent))
      Extent = 1;
    Text = Rest;
  }
  return Extents;
}

} // namespace blockmaestro
