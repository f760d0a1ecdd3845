// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Calls.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace blockmaestro {

namespace {

constexpr StringRef Allocations[] = {"malloc", "_Znwm", "_Znam"};
constexpr StringRef Releases[] = {"free", "_ZdlPv", "_ZdaPv", "_ZdlPvm",
                                  "_ZdaPvm"};

/// Whether Call is of a function without a body that is one of Names.
bool isService(const CallBase &Call, ArrayRef<StringRef> Names) {
  const Function *Callee = Call.getCalledFunction();
  return Callee && Callee->isDeclaration() &&
         is_contained(Names, Callee->getName());
}

void addFunction(const Function &F, CallTargets &To) {
  if (!is_contained(To.Functions, &F))
    To.Functions.push_back(&F);
}

/// Adds the functions of type Type in V, the initializer of a table.
void collectTable(const Constant &V, const FunctionType *Type,
                  CallTargets &To) {
  if (const auto *F = dyn_cast<Function>(V.stripPointerCasts())) {
    if (F->getFunctionType() == Type)
      addFunction(*F, To);
    return;
  }
  if (isa<ConstantAggregate>(V))
    for (const Value *Element : V.operands())
      collectTable(*cast<Constant>(Element), Type, To);
}

/// Adds what Choice, a called pointer, may be. False when it may be more than
/// functions of this module with a body.
bool collectChoice(const Value *Choice, const FunctionType *Type,
                   CallTargets &To) {
  if (isa<ConstantPointerNull>(Choice) || isa<UndefValue>(Choice))
    return true;
  if (const auto *F = dyn_cast<Function>(Choice)) {
    addFunction(*F, To);
    return true;
  }
  const auto *Load = dyn_cast<LoadInst>(Choice);
  const auto *Table = Load ? dyn_cast<GlobalVariable>(getUnderlyingObject(
                                 Load->getPointerOperand(), /*MaxLookup=*/0))
                           : nullptr;
  if (!Table || !Table->isConstant() || !Table->hasDefinitiveInitializer())
    return false;
  collectTable(*Table->getInitializer(), Type, To);
  return !To.Functions.empty();
}

} // namespace

CallTargets targetsOf(const CallBase &Call) {
  CallTargets Result;
  if (Call.isInlineAsm())
    return Result;
  if (const Function *Callee = Call.getCalledFunction()) {
    if (!Callee->isDeclaration())
      Result.Functions.push_back(Callee);
    return Result;
  }
  SmallVector<const Value *, 4> Choices;
  getUnderlyingObjects(Call.getCalledOperand(), Choices, nullptr, 0);
  for (const Value *Choice : Choices)
    Result.Complete &= collectChoice(Choice, Call.getFunctionType(), Result);
  auto IsDeclared = [](const Function *F) { return F->isDeclaration(); };
  Result.Complete &= none_of(Result.Functions, IsDeclared);
  erase_if(Result.Functions, IsDeclared);
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
