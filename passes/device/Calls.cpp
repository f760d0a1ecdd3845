// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Calls.h"

#include "Canonicalize.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace blockmaestro {

namespace {

constexpr const char *WholeFlag = "blockmaestro.whole";

constexpr StringRef Allocations[] = {"malloc", "_Znwm", "_Znam"};
constexpr StringRef Releases[] = {"free", "_ZdlPv", "_ZdaPv", "_ZdlPvm",
                                  "_ZdaPvm"};

/// Whether Call is of a function without a body that is one of Names.
bool isService(const CallBase &Call, ArrayRef<StringRef> Names) {
  const Function *Callee = Call.getCalledFunction();
  return Callee && Callee->isDeclaration() &&
         is_contained(Names, Callee->getName());
}

/// The functions that Callee is one of, when it is chosen among functions by
/// conditions only.
bool collectChosen(const Value *Callee, CallTargets &To) {
  SmallVector<const Value *, 4> Choices;
  getUnderlyingObjects(Callee, Choices, nullptr, 0);
  for (const Value *Choice : Choices) {
    if (isa<ConstantPointerNull>(Choice) || isa<UndefValue>(Choice))
      continue;
    const auto *F = dyn_cast<Function>(Choice);
    if (!F || F->isDeclaration())
      return false;
    To.Functions.push_back(F);
  }
  return true;
}

} // namespace

void markWhole(Module &M) { M.setModuleFlag(Module::Override, WholeFlag, 1); }

bool isWhole(const Module &M) { return M.getModuleFlag(WholeFlag) != nullptr; }

CallTargets targetsOf(const CallBase &Call) {
  CallTargets Result;
  if (Call.isInlineAsm())
    return Result;
  if (const Function *Callee = Call.getCalledFunction()) {
    if (!Callee->isDeclaration())
      Result.Functions.push_back(Callee);
    return Result;
  }
  if (collectChosen(Call.getCalledOperand(), Result))
    return Result;
  Result = {};
  const Module &M = *Call.getModule();
  for (const Function &F : M)
    if (!F.isDeclaration() && !isKernel(F) && F.hasAddressTaken() &&
        F.getFunctionType() == Call.getFunctionType())
      Result.Functions.push_back(&F);
  Result.Complete = isWhole(M) && !Result.Functions.empty();
  return Result;
}

bool isAllocation(const CallBase &Call) { return isService(Call, Allocations); }

bool isRelease(const CallBase &Call) { return isService(Call, Releases); }

std::vector<const Function *> reachableFrom(const Function &F) {
  SetVector<const Function *> Found;
  Found.insert(&F);
  for (unsigned I = 0; I < Found.size(); ++I)
    for (const Instruction &At : instructions(*Found[I]))
      if (const auto *Call = dyn_cast<CallBase>(&At))
        for (const Function *Target : targetsOf(*Call).Functions)
          Found.insert(Target);
  return {Found.begin(), Found.end()};
}

} // namespace blockmaestro
