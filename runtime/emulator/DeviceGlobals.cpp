// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DeviceGlobals.h"

#include "KernelSource.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace blockmaestro {

namespace {

/// Whether \p Initializer mentions a function or memory that exists only while
/// a block runs.
bool needsDeviceCode(const Constant *Initializer) {
  SmallPtrSet<const Value *, 16> Seen;
  SmallVector<const Value *> Work = {Initializer};
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val();
    if (!Seen.insert(V).second)
      continue;
    if (isa<Function>(V))
      return true;
    if (auto *G = dyn_cast<GlobalVariable>(V)) {
      if (!isDeviceGlobal(*G) && !G->hasPrivateLinkage())
        return true;
      continue;
    }
    if (auto *U = dyn_cast<User>(V))
      Work.append(U->op_begin(), U->op_end());
  }
  return false;
}

/// Gives \p G its name for all compiled code, and its definition if it is the
/// first of that name.
void publish(GlobalVariable &G, unsigned Ordinal,
             std::set<std::string> &Known) {
  std::string Name = globalName(G, Ordinal);
  bool Define = G.hasInitializer() && !needsDeviceCode(G.getInitializer()) &&
                Known.insert(Name).second;
  if (!Define)
    G.setInitializer(nullptr);
  G.setComdat(nullptr);
  G.setConstant(false);
  G.setExternallyInitialized(false);
  G.setLinkage(GlobalValue::ExternalLinkage);
  G.setVisibility(GlobalValue::DefaultVisibility);
  G.setDSOLocal(false);
  G.setSection("");
  G.setName(Name);
}

} // namespace

void keepDeviceGlobals(Module &M, unsigned Ordinal,
                       std::set<std::string> &Known) {
  removeFromUsedLists(M, [](Constant *) { return true; });
  for (Function &F : M)
    F.deleteBody();
  for (GlobalVariable &G : M.globals())
    if (isDeviceGlobal(G))
      publish(G, Ordinal, Known);
  for (GlobalVariable &G : make_early_inc_range(M.globals()))
    if (G.use_empty() && (!isDeviceGlobal(G) || G.isDeclaration()))
      G.eraseFromParent();
  for (Function &F : make_early_inc_range(M))
    if (F.use_empty())
      F.eraseFromParent();
}

} // namespace blockmaestro
