// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ThreadEnds.h"

#include "Calls.h"
#include "MemoryExpansion.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace blockmaestro {

namespace {

using FunctionSet = SmallPtrSet<const Function *, 16>;

/// Functions without a body that come back or end the kernel, by the beginning
/// of their names.
constexpr StringRef Services[] = {"vprintf", "__assertfail", "__nvvm_reflect",
                                  "__nv_",   "cuda",         "__cudaCDP2"};

/// Whether Call may run code that is not in this module, and that may end the
/// thread.
bool mayRunOthers(const CallBase &Call) {
  if (Call.isInlineAsm() || isa<IntrinsicInst>(Call) ||
      Call.hasFnAttr(Attribute::WillReturn) || isAllocation(Call) ||
      isRelease(Call))
    return false;
  const Function *Callee = Call.getCalledFunction();
  if (!Callee)
    return !targetsOf(Call).Complete;
  return Callee->isDeclaration() && none_of(Services, [&](StringRef Prefix) {
           return Callee->getName().starts_with(Prefix);
         });
}

/// The functions of M that may end the thread, by themselves or in what they
/// call.
FunctionSet endingFunctions(const Module &M) {
  FunctionSet Ending;
  SmallVector<const Function *> Work;
  DenseMap<const Function *, SmallVector<const Function *, 2>> Callers;
  for (const Function &F : M)
    for (const Instruction &I : instructions(F)) {
      const auto *Call = dyn_cast<CallBase>(&I);
      if (!Call)
        continue;
      for (const Function *Target : targetsOf(*Call).Functions)
        Callers[Target].push_back(&F);
      if ((Call->getIntrinsicID() == Intrinsic::nvvm_exit ||
           mayRunOthers(*Call)) &&
          Ending.insert(&F).second)
        Work.push_back(&F);
    }
  while (!Work.empty())
    for (const Function *Caller : Callers.lookup(Work.pop_back_val()))
      if (Ending.insert(Caller).second)
        Work.push_back(Caller);
  return Ending;
}

bool mayEndThread(const CallBase &Call, const FunctionSet &Ending) {
  return mayRunOthers(Call) ||
         any_of(targetsOf(Call).Functions,
                [&](const Function *F) { return Ending.contains(F); });
}

} // namespace

void expandThreadEnds(Module &M) {
  const FunctionSet Ending = endingFunctions(M);
  SmallVector<CallBase *> Calls;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I);
          Call && !Call->isTerminator() && mayEndThread(*Call, Ending))
        Calls.push_back(Call);
  for (CallBase *Call : Calls)
    endSometimes(*Call->getNextNode());
}

} // namespace blockmaestro
