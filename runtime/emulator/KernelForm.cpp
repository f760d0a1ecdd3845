// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelForm.h"

#include "LaneOperations.h"
#include "Refusal.h"
#include "WarpLowering.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace blockmaestro {

namespace {

/// What mayWait() goes by: how the names of such functions begin.
const char *const Suspensions[] = {
    "llvm.nvvm.activemask", "llvm.nvvm.bar.",   "llvm.nvvm.barrier",
    "llvm.nvvm.elect.",     "llvm.nvvm.match.", "llvm.nvvm.nanosleep",
    "llvm.nvvm.redux.",     "llvm.nvvm.shfl.",  "llvm.nvvm.vote.",
    "llvm.nvvm.mbarrier.",  YieldMarker,        LockstepMarker,
    MultiplyMarker,         CollectMarker,
};

/// By which blocks reach the shared memory of others of their cluster, which
/// must be under way then.
const char *const ClusterPrefixes[] = {"llvm.nvvm.mapa",
                                       "llvm.nvvm.getctarank"};

bool reachesCluster(StringRef Name) {
  return any_of(ClusterPrefixes,
                [&](const char *P) { return Name.starts_with(P); });
}

/// What one call asks of the form of its kernel.
KernelForm formOf(const CallInst &Call, bool IsRoot) {
  if (Call.isInlineAsm())
    return KernelForm::ThreadLoop;
  const Function *Callee = Call.getCalledFunction();
  if (!Callee)
    return KernelForm::Fibers;
  if (isWholeBlockBarrier(Call) || isLaneOperation(Call))
    return IsRoot ? KernelForm::Regions : KernelForm::Fibers;
  StringRef Name = Callee->getName();
  bool Exits = Name == "llvm.nvvm.exit" && !IsRoot;
  return mayWait(Call) || Exits || reachesCluster(Name)
             ? KernelForm::Fibers
             : KernelForm::ThreadLoop;
}

} // namespace

bool mayWait(const CallInst &Call) {
  const Function *Callee = Call.getCalledFunction();
  StringRef Name = Callee ? Callee->getName() : "";
  return any_of(Suspensions,
                [&](const char *S) { return Name.starts_with(S); });
}

KernelForm formOf(const Function &Root) {
  KernelForm Needed = KernelForm::ThreadLoop;
  for (const Function &F : *Root.getParent())
    for (const Instruction &I : instructions(F))
      if (const auto *Call = dyn_cast<CallInst>(&I))
        Needed = std::max(Needed, formOf(*Call, &F == &Root));
      else if (const auto *Local = dyn_cast<AllocaInst>(&I);
               Local && !isa<ConstantInt>(Local->getArraySize()))
        Needed = KernelForm::Fibers;
  return Needed;
}

} // namespace blockmaestro
