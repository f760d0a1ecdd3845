// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "UntiedTasks.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace blockmaestro {
namespace {

/// Arguments of the function that has a task's code.
enum CodeArgument : unsigned { PartArgument = 1, TaskArgument = 4, CodeCount };
/// Of __kmpc_omp_task.
constexpr unsigned CreatedTask = 2;

/// Whether V is an argument of its function, or read from the variable that
/// clang keeps it in.
bool isArgument(const Value *V, unsigned Number) {
  if (auto *Load = dyn_cast<LoadInst>(V))
    for (const User *U : Load->getPointerOperand()->users())
      if (auto *Store = dyn_cast<StoreInst>(U);
          Store && Store->getPointerOperand() == Load->getPointerOperand())
        return isArgument(Store->getValueOperand(), Number);
  auto *A = dyn_cast<Argument>(V);
  return A && A->getArgNo() == Number;
}

/// The calls by which the task of F makes itself anew.
SmallVector<CallInst *> endsOfParts(Function &F) {
  SmallVector<CallInst *> Ends;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I))
      if (const Function *Callee = Call->getCalledFunction();
          Callee && Callee->getName() == "__kmpc_omp_task" &&
          isArgument(Call->getArgOperand(CreatedTask), TaskArgument))
        Ends.push_back(Call);
  return Ends;
}

/// The read of the part's number by which F finds where to go on.
LoadInst *partOf(Function &F) {
  for (BasicBlock &Block : F)
    if (auto *Switch = dyn_cast<SwitchInst>(Block.getTerminator()))
      if (auto *Part = dyn_cast<LoadInst>(Switch->getCondition());
          Part && Part->getParent() == &Block &&
          isArgument(Part->getPointerOperand(), PartArgument))
        return Part;
  return nullptr;
}

Error joinParts(Function &F) {
  const SmallVector<CallInst *> Ends = endsOfParts(F);
  if (Ends.empty())
    return Error::success();
  LoadInst *Part = partOf(F);
  if (!Part)
    return createStringError("OpenMP: the parts of an untied task are not "
                             "known in " +
                             F.getName());
  BasicBlock *Next = SplitBlock(Part->getParent(), Part);
  for (CallInst *End : Ends) {
    BasicBlock *Block = End->getParent();
    changeToUnreachable(End);
    Block->getTerminator()->eraseFromParent();
    BranchInst::Create(Next, Block);
  }
  return Error::success();
}

} // namespace

Error tieTasks(Module &M) {
  for (Function &F : M)
    if (F.arg_size() >= CodeCount)
      if (Error Failure = joinParts(F))
        return Failure;
  return Error::success();
}

} // namespace blockmaestro
