// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Linkage.h"

#include "Calls.h"
#include "Canonicalize.h"

#include "llvm/IR/Module.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace blockmaestro {

static constexpr StringLiteral ReplaceableAttribute =
    "blockmaestro-replaceable";

bool isReplaceable(const GlobalValue &G) {
  return !G.isDeclaration() && G.isInterposable();
}

void settleLinkage(Module &M, bool Relocatable) {
  for (GlobalValue &G : M.global_values()) {
    if (!isReplaceable(G))
      continue;
    auto *F = dyn_cast<Function>(&G);
    if (!Relocatable) {
      G.setLinkage(GlobalValue::ExternalLinkage);
    } else if (F && !isKernel(*F)) {
      F->deleteBody();
      F->setComdat(nullptr);
      F->addFnAttr(ReplaceableAttribute);
    }
  }
}

bool wasReplaceable(const Function &F) {
  return F.hasFnAttribute(ReplaceableAttribute);
}

const Function *findReplaceable(const Function &Kernel) {
  for (const Function *F : reachableFrom(Kernel))
    if (isReplaceable(*F))
      return F;
  return nullptr;
}

/// Whether other files can know G, a function or a variable in memory.
static bool isNamedByOthers(const GlobalValue &G) {
  const auto *F = dyn_cast<Function>(&G);
  const auto *Variable = dyn_cast<GlobalVariable>(&G);
  return (F || Variable) && !G.hasLocalLinkage() && !(F && F->isIntrinsic()) &&
         !G.getName().starts_with("llvm.") &&
         !(Variable &&
           Variable->getAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED);
}

OfferedNames namesForLinker(const Module &M) {
  OfferedNames Names;
  for (const GlobalValue &G : M.global_values()) {
    if (!isNamedByOthers(G) || G.hasLinkOnceLinkage())
      continue;
    const std::string Any = "any." + G.getName().str();
    const std::string Strong = "strong." + G.getName().str();
    if (!G.isDeclaration())
      Names.Offered.push_back(Any);
    else if (!G.use_empty())
      Names.Wanted.push_back(Any);
    if (isReplaceable(G))
      Names.Wanted.push_back(Strong);
    else if (G.hasExternalLinkage() && !G.isDeclaration())
      Names.Offered.push_back(Strong);
  }
  return Names;
}

} // namespace blockmaestro
