// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Features.h"

#include "Calls.h"
#include "Canonicalize.h"
#include "Convergence.h"
#include "PtxAssembly.h"
#include "WaitLoops.h"

#include "blockmaestro/Metadata.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace blockmaestro {

namespace {

constexpr uint32_t bit(Feature F) { return 1u << unsigned(F); }

struct NamedFeature {
  const char *Prefix; ///< Of the name of a function without a body.
  Feature What;
};

constexpr NamedFeature NamedFeatures[] = {
    {"llvm.nvvm.exit", Feature::EarlyExit},
    {"llvm.nvvm.read.ptx.sreg.envreg", Feature::GridSync},
    {"llvm.nvvm.read.ptx.sreg.cluster", Feature::Cluster},
    {"llvm.nvvm.read.ptx.sreg.ncluster", Feature::Cluster},
    {"llvm.nvvm.read.ptx.sreg.is_explicit_cluster", Feature::Cluster},
    {"llvm.nvvm.is_explicit_cluster", Feature::Cluster},
    {"llvm.nvvm.barrier.cluster", Feature::Cluster},
    {"llvm.nvvm.mapa", Feature::Cluster},
    {"llvm.nvvm.getctarank", Feature::Cluster},
    {"vprintf", Feature::Prints},
    {"__assertfail", Feature::Asserts},
    {"llvm.trap", Feature::Asserts},
    {"llvm.nvvm.tex.", Feature::Textures},
    {"llvm.nvvm.tld4.", Feature::Textures},
    {"llvm.nvvm.suld.", Feature::Textures},
    {"llvm.nvvm.sust.", Feature::Textures},
    {"llvm.nvvm.txq.", Feature::Textures},
    {"llvm.nvvm.suq.", Feature::Textures},
    {"cudaLaunchDevice", Feature::DynamicParallelism},
    {"cudaGetParameterBuffer", Feature::DynamicParallelism},
    {"__cudaCDP2", Feature::DynamicParallelism},
    {"llvm.nvvm.read.ptx.sreg.clock", Feature::Clock},
    {"llvm.nvvm.read.ptx.sreg.globaltimer", Feature::Clock},
    {"llvm.readcyclecounter", Feature::Clock},
    {"llvm.readsteadycounter", Feature::Clock},
};

struct AssemblyFeature {
  bool AssemblyEffects::*Flag;
  Feature What;
};

constexpr AssemblyFeature AssemblyFeatures[] = {
    {&AssemblyEffects::Exits, Feature::EarlyExit},
    {&AssemblyEffects::Grid, Feature::GridSync},
    {&AssemblyEffects::Cluster, Feature::Cluster},
    {&AssemblyEffects::Traps, Feature::Asserts},
    {&AssemblyEffects::Textures, Feature::Textures},
    {&AssemblyEffects::Clock, Feature::Clock},
};

uint32_t featuresOfAssembly(const CallBase &Call) {
  AssemblyEffects Effects = describeAssembly(Call);
  uint32_t Bits = 0;
  for (const AssemblyFeature &Row : AssemblyFeatures)
    if (Effects.*Row.Flag)
      Bits |= bit(Row.What);
  return Bits;
}

uint32_t featuresOfCall(const CallBase &Call) {
  uint32_t Bits = isBlockBarrier(Call) ? bit(Feature::Barrier) : 0;
  if (Call.isInlineAsm())
    return Bits | featuresOfAssembly(Call);
  const Function *Callee = Call.getCalledFunction();
  if (!Callee)
    return Bits | bit(Feature::IndirectCalls);
  if (!Callee->isDeclaration())
    return Bits;
  if (isAllocation(Call) || isRelease(Call))
    Bits |= bit(Feature::DeviceHeap);
  for (const NamedFeature &Row : NamedFeatures)
    if (Callee->getName().starts_with(Row.Prefix))
      Bits |= bit(Row.What);
  return Bits;
}

bool hasClusterMark(const Function &Kernel) {
  return any_of(Kernel.getAttributes().getFnAttrs(), [](Attribute A) {
    return A.isStringAttribute() && A.getKindAsString().contains("cluster");
  });
}

/// Whether F can call itself.
bool callsItself(const Function &F) {
  SmallPtrSet<const Function *, 16> Seen;
  SmallVector<const Function *, 16> Work = {&F};
  while (!Work.empty())
    for (const Instruction &I : instructions(*Work.pop_back_val()))
      if (const auto *Call = dyn_cast<CallBase>(&I))
        for (const Function *Target : targetsOf(*Call).Functions) {
          if (Target == &F)
            return true;
          if (Seen.insert(Target).second)
            Work.push_back(Target);
        }
  return false;
}

bool isVolatile(const Instruction &I) {
  const Value *Pointer = getLoadStorePointerOperand(&I);
  return I.isVolatile() && !(Pointer && isThreadPrivate(Pointer));
}

} // namespace

uint32_t featuresOf(const Function &Kernel) {
  uint32_t Bits = hasClusterMark(Kernel) ? bit(Feature::Cluster) : 0;
  for (const Function *F : reachableFrom(Kernel)) {
    for (const Instruction &I : instructions(*F))
      if (const auto *Call = dyn_cast<CallBase>(&I))
        Bits |= featuresOfCall(*Call);
    if (F != &Kernel && callsItself(*F))
      Bits |= bit(Feature::Recursion);
  }
  if (mayWaitForBlocks(Kernel))
    Bits |= bit(Feature::BlockWait);
  return Bits;
}

uint32_t featuresOfOriginal(const Function &Kernel) {
  uint32_t Bits = 0;
  for (const Function *F : reachableFrom(Kernel))
    for (const Instruction &I : instructions(*F)) {
      if (const auto *Call = dyn_cast<CallBase>(&I);
          Call && Call->isInlineAsm())
        Bits |= bit(Feature::InlineAssembly);
      else if (isVolatile(I))
        Bits |= bit(Feature::Volatile);
    }
  return Bits;
}

} // namespace blockmaestro
