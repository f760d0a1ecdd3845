// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Uniformity.h"

#include "BlockBarriers.h"
#include "LaneOperations.h"
#include "LaunchConstants.h"

#include "llvm/ADT/GenericUniformityImpl.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/TargetTransformInfoImpl.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace blockmaestro {

namespace {

/// Tells LLVM's analysis where threads come to differ.
class ThreadsDiffer final : public TargetTransformInfoImplBase {
public:
  ThreadsDiffer(const Function &Body, const LaunchConstants &Constants)
      : TargetTransformInfoImplBase(Body.getParent()->getDataLayout()),
        Constants(Constants) {}

  bool hasBranchDivergence(const Function *) const override { return true; }
  InstructionUniformity getInstructionUniformity(const Value *V) const override;

private:
  const LaunchConstants &Constants;
};

InstructionUniformity
ThreadsDiffer::getInstructionUniformity(const Value *V) const {
  if (isa<Argument>(V))
    return Constants.contains(V) ? InstructionUniformity::AlwaysUniform
                                 : InstructionUniformity::NeverUniform;
  const auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return InstructionUniformity::Default;
  std::optional<LaneResult> OfLanes = laneResult(*I);
  if (Constants.contains(I) || barrierResult(*I) ||
      (OfLanes && OfLanes->SameForAll))
    return InstructionUniformity::AlwaysUniform;
  bool Differs = isa<AllocaInst, FreezeInst>(I) || I->mayReadOrWriteMemory();
  return Differs ? InstructionUniformity::NeverUniform
                 : InstructionUniformity::Default;
}

} // namespace

struct Uniformity::Analyses {
  Analyses(Function &Body, const LaunchConstants &Constants)
      : Dominators(Body), Loops(Dominators),
        Sources(std::make_unique<ThreadsDiffer>(Body, Constants)) {
    Cycles.compute(Body);
    Info = UniformityInfo(Dominators, Cycles, &Sources);
    Info.compute();
  }

  DominatorTree Dominators;
  LoopInfo Loops;
  CycleInfo Cycles;
  TargetTransformInfo Sources;
  UniformityInfo Info;
};

Uniformity::Uniformity(Function &Body, const LaunchConstants &Constants)
    : Found(std::make_unique<Analyses>(Body, Constants)) {}

Uniformity::~Uniformity() = default;

bool Uniformity::isUniform(const Value &V) const {
  return Found->Info.isUniform(&V);
}

bool Uniformity::branchesUniformly(const BasicBlock &Block) const {
  const auto *Switch = dyn_cast<SwitchInst>(Block.getTerminator());
  bool Wide =
      Switch && Switch->getCondition()->getType()->getIntegerBitWidth() > 64;
  return !Wide && !Found->Info.hasDivergentTerminator(Block);
}

const LoopInfo &Uniformity::loops() const { return Found->Loops; }

} // namespace blockmaestro
