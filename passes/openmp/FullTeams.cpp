// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FullTeams.h"

#include "ParallelCalls.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <string>

using namespace llvm;

namespace blockmaestro {
namespace {

constexpr StringLiteral Prefix = "__kmpc_";

/// The name of the function for a full team; empty where there is none.
std::string nameForFull(StringRef Name) {
  static const StringSet<> Known = {
      "__kmpc_parallel_60",
      "__kmpc_barrier",
      "__kmpc_single",
      "__kmpc_master",
      "__kmpc_masked",
      "__kmpc_global_thread_num",
      "__kmpc_for_static_init_4",
      "__kmpc_for_static_init_4u",
      "__kmpc_for_static_init_8",
      "__kmpc_for_static_init_8u",
      "omp_get_thread_num",
      "omp_get_num_threads",
  };
  if (!Known.contains(Name))
    return "";
  Name.consume_front(Prefix);
  return ("__bm_full_" + Name).str();
}

/// Has Call call the function for a full team, if there is one.
void redirect(CallInst &Call) {
  Function *F = Call.getCalledFunction();
  const std::string Name = F ? nameForFull(F->getName()) : "";
  if (!Name.empty())
    Call.setCalledFunction(F->getParent()->getOrInsertFunction(
        Name, F->getFunctionType(), F->getAttributes()));
}

bool hasNoClauses(const CallInst &Parallel) {
  auto *If = dyn_cast<ConstantInt>(Parallel.getArgOperand(IfArgument));
  auto *Size = dyn_cast<ConstantInt>(Parallel.getArgOperand(SizeArgument));
  return If && If->isOne() && Size && Size->isMinusOne();
}

} // namespace

void useFullTeam(CallInst &Parallel) {
  Function *Microtask = microtaskOf(Parallel);
  if (!Microtask || !hasNoClauses(Parallel))
    return;
  ValueToValueMapTy Values;
  Function *Full = CloneFunction(Microtask, Values);
  Full->setLinkage(GlobalValue::InternalLinkage);
  for (Instruction &I : instructions(*Full))
    if (auto *Call = dyn_cast<CallInst>(&I); Call && !isParallel(*Call))
      redirect(*Call);
  Parallel.setArgOperand(MicrotaskArgument, Full);
  redirect(Parallel);
}

} // namespace blockmaestro
