// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TeamOfOne.h"

#include "ParallelCalls.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace blockmaestro {
namespace {

/// Calls that have these results.
const StringMap<int64_t> &answers() {
  static const StringMap<int64_t> Answers = {
      {"__kmpc_global_thread_num", 0},
      {"__kmpc_single", 1},
      {"__kmpc_master", 1},
      {"__kmpc_omp_taskyield", 0},
      {"__kmpc_cancellationpoint", 0},
      {"__kmpc_nvptx_parallel_reduce_nowait_v2", 1},
  };
  return Answers;
}

bool doesNothing(StringRef Name) {
  static const StringSet<> Names = {
      "__kmpc_end_single",
      "__kmpc_end_master",
      "__kmpc_end_masked",
      "__kmpc_barrier",
      "__kmpc_flush",
      "__kmpc_push_num_threads",
      "__kmpc_push_proc_bind",
      "__kmpc_critical",
      "__kmpc_critical_with_hint",
      "__kmpc_end_critical",
      "__kmpc_for_static_fini",
      "__kmpc_free_shared",
  };
  return Names.contains(Name);
}

void answer(CallInst &Call, int64_t Value) {
  if (!Call.getType()->isVoidTy())
    Call.replaceAllUsesWith(ConstantInt::getSigned(Call.getType(), Value));
  Call.eraseFromParent();
}

/// The microtask is called with what is in the list.
void callMicrotask(CallInst &Parallel) {
  enum { FirstArgument = 2 };
  Function *Microtask = microtaskOf(Parallel);
  if (!Microtask)
    return;
  IRBuilder<> Entry(
      &*Parallel.getFunction()->getEntryBlock().getFirstInsertionPt());
  Value *Number = Entry.CreateAlloca(Entry.getInt32Ty());
  IRBuilder<> Builder(&Parallel);
  Builder.CreateStore(Builder.getInt32(0), Number);
  SmallVector<Value *> Arguments = {Number, Number};
  for (unsigned I = FirstArgument; I < Microtask->arg_size(); ++I)
    Arguments.push_back(Builder.CreateLoad(
        Microtask->getArg(I)->getType(),
        Builder.CreateConstInBoundsGEP1_64(Builder.getPtrTy(),
                                           Parallel.getArgOperand(ListArgument),
                                           I - FirstArgument)));
  Builder.CreateCall(Microtask, Arguments);
  Parallel.eraseFromParent();
}

/// Memory of the team is the thread's own.
void takeOwnMemory(CallInst &Alloc) {
  auto *Bytes = dyn_cast<ConstantInt>(Alloc.getArgOperand(0));
  if (!Bytes)
    return;
  IRBuilder<> Entry(
      &*Alloc.getFunction()->getEntryBlock().getFirstInsertionPt());
  AllocaInst *Own = Entry.CreateAlloca(
      ArrayType::get(Entry.getInt8Ty(), Bytes->getZExtValue()));
  Own->setAlignment(Align(16));
  Alloc.replaceAllUsesWith(Own);
  Alloc.eraseFromParent();
}

/// The loop around the chunks of a thread, if there is one, ends after the
/// first chunk, which is all of the iterations.
void endAfterFirstChunk(Function &F, const Value &Stride) {
  DominatorTree Dominators(F);
  LoopInfo Loops(Dominators);
  for (const User *Each : Stride.users()) {
    auto *Load = dyn_cast<LoadInst>(Each);
    Loop *Chunks = Load ? Loops.getLoopFor(Load->getParent()) : nullptr;
    if (!Chunks || !Chunks->getLoopLatch() || !Chunks->getUniqueExitBlock())
      continue;
    auto *Back = dyn_cast<BranchInst>(Chunks->getLoopLatch()->getTerminator());
    if (!Back || Back->isConditional() ||
        isa<PHINode>(Chunks->getUniqueExitBlock()->front()) ||
        isa<PHINode>(Chunks->getHeader()->front()))
      continue;
    Back->setSuccessor(0, Chunks->getUniqueExitBlock());
    return;
  }
}

/// The only thread gets all iterations: the bounds stay as they are.
void takeWholeLoop(CallInst &Init) {
  enum { Schedule = 2, Last, Stride = 6 };
  enum { Chunked = 33, Whole = 34 };
  auto *How = dyn_cast<ConstantInt>(Init.getArgOperand(Schedule));
  const uint64_t Kind = How ? How->getZExtValue() & 0xff : 0;
  if (Kind != Chunked && Kind != Whole)
    return;
  Function &F = *Init.getFunction();
  Value *StrideAt = Init.getArgOperand(Stride);
  IRBuilder<> Builder(&Init);
  Builder.CreateStore(Builder.getInt32(1), Init.getArgOperand(Last));
  Init.eraseFromParent();
  if (Kind == Chunked)
    endAfterFirstChunk(F, *StrideAt);
}

bool isZero(const Value &V) {
  auto *Number = dyn_cast<ConstantInt>(&V);
  return Number && Number->isZero();
}

void change(CallInst &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isDeclaration())
    return;
  const StringRef Name = Callee->getName();
  if (const auto Known = answers().find(Name); Known != answers().end())
    answer(Call, Known->second);
  else if (doesNothing(Name))
    answer(Call, 0);
  else if (isParallel(Call))
    callMicrotask(Call);
  else if (Name == "__kmpc_alloc_shared")
    takeOwnMemory(Call);
  else if (Name.starts_with("__kmpc_for_static_init_"))
    takeWholeLoop(Call);
  else if (Name == "__kmpc_masked" &&
           isZero(*Call.getArgOperand(Call.arg_size() - 1)))
    answer(Call, 1);
}

} // namespace

void runByOneThread(Module &DeviceCode) {
  for (Function &F : DeviceCode) {
    SmallVector<CallInst *> Calls;
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallInst>(&I))
        Calls.push_back(Call);
    for (CallInst *Call : Calls)
      change(*Call);
  }
}

} // namespace blockmaestro
