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

/// Whether neither A nor anything it leads to is another file's in the end.
static bool isDecided(const GlobalAlias &A) {
  const GlobalValue *G = &A;
  while (G && !isReplaceable(*G)) {
    const auto *Next = dyn_cast<GlobalAlias>(G);
    if (!Next)
      return true;
    G = dyn_cast<GlobalValue>(Next->getAliasee()->stripPointerCasts());
  }
  return false;
}

void resolveAliases(Module &M, bool Relocatable) {
  for (GlobalAlias &A : M.aliases())
    if (!Relocatable || isDecided(A))
      A.replaceAllUsesWith(A.getAliasee());
}

/// Puts declarations in the place of aliases of functions that are in use.
static void declareAliases(Module &M) {
  for (GlobalAlias &A : make_early_inc_range(M.aliases())) {
    auto *Type = dyn_cast<FunctionType>(A.getValueType());
    if (!Type)
      continue;
    if (!A.use_empty()) {
      Function *F = Function::Create(Type, GlobalValue::ExternalLinkage,
                                     A.getAddressSpace(), "", &M);
      F->takeName(&A);
      F->addFnAttr(ReplaceableAttribute);
      A.replaceAllUsesWith(F);
    }
    A.eraseFromParent();
  }
}

void settleLinkage(Module &M, bool Relocatable) {
  resolveAliases(M, Relocatable);
  declareAliases(M);
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

/// Whether other files can know G, a function, an alias of one, or a variable
/// in memory.
static bool isNamedByOthers(const GlobalValue &G) {
  const auto *F = dyn_cast<Function>(&G);
  const auto *Variable = dyn_cast<GlobalVariable>(&G);
  return !isa<GlobalIFunc>(G) && !G.hasLocalLinkage() &&
         !(F && F->isIntrinsic()) && !G.getName().starts_with("llvm.") &&
         !(Variable &&
           Variable->getAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED);
}

void declareKernels(Module &M) {
  GlobalVariable *Used =
      M.getGlobalVariable("__clang_gpu_used_external", /*AllowInternal=*/true);
  if (!Used || !Used->hasInitializer())
    return;
  for (Use &Entry : Used->getInitializer()->operands())
    if (auto *F = dyn_cast<Function>(Entry->stripPointerCasts());
        F && F->isDeclaration())
      F->setCallingConv(CallingConv::PTX_Kernel);
}

void joinRenamedVariables(Module &M) {
  for (GlobalVariable &G : M.globals())
    for (StringRef Mark : {"__static__", "__intern__"}) {
      const size_t End = G.getName().rfind(Mark);
      if (G.isDeclaration() || End == StringRef::npos)
        continue;
      GlobalVariable *Declared = M.getGlobalVariable(
          G.getName().take_front(End), /*AllowInternal=*/true);
      if (Declared && Declared->isDeclaration() &&
          Declared->getType() == G.getType())
        Declared->replaceAllUsesWith(&G);
    }
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
