// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "VariantChecks.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace blockmaestro {
namespace {

struct Refusal {
  StringRef Prefix; ///< Of an intrinsic's name.
  StringRef Reason;
};

constexpr Refusal RefusedByAll[] = {
    {"llvm.nvvm.exit", "a thread may exit in the middle of the kernel"},
    {"llvm.nvvm.read.ptx.sreg.envreg", "synchronises the whole grid"},
    {"llvm.nvvm.read.ptx.sreg.cluster", "uses thread block clusters"},
    {"llvm.nvvm.read.ptx.sreg.is_explicit_cluster",
     "uses thread block clusters"},
    {"llvm.nvvm.barrier.cluster", "uses thread block clusters"},
    {"llvm.nvvm.mapa", "uses thread block clusters"},
    {"llvm.nvvm.griddepcontrol", "uses programmatic dependent launch itself"},
    {"llvm.nvvm.ldu", "has loads that may return stale data"},
    {"llvm.nvvm.tex", "reads through the texture cache, which may be stale"},
    {"llvm.nvvm.tld4", "reads through the texture cache, which may be stale"},
    {"llvm.nvvm.suld", "reads surfaces, whose cache may be stale"},
    {"llvm.nvvm.sust", "writes surfaces"},
    {"llvm.nvvm.cp.async.bulk", "uses asynchronous bulk copies"},
    {"llvm.nvvm.cp.reduce.async.bulk", "uses asynchronous bulk copies"},
};

constexpr Refusal RefusedByPersistent[] = {
    {"llvm.nvvm.barrier.cta.red", "uses a barrier that also votes"},
    {"llvm.nvvm.barrier.cta.arrive", "uses split barriers"},
    {"llvm.nvvm.barrier.cta.sync.aligned.count", "uses partial barriers"},
    {"llvm.nvvm.barrier.cta.sync.count", "uses partial barriers"},
    {"llvm.nvvm.mbarrier", "uses barriers in shared memory"},
};

/// Registers that mean the same in a worker's block as in the kernel's.
constexpr StringRef HarmlessRegisters[] = {
    "laneid", "lanemask", "warpsize", "smid", "nsmid", "clock", "globaltimer"};

/// Functions without a body that kernels may call: the device's own services.
constexpr StringRef DeviceServices[] = {"vprintf", "malloc", "free",
                                        "__assertfail", "__nvvm_reflect"};

/// Kernel and every function with a body that it calls, directly or not.
SmallSetVector<const Function *, 16> reachableFrom(const Function &Kernel) {
  SmallSetVector<const Function *, 16> Found;
  Found.insert(&Kernel);
  for (unsigned I = 0; I < Found.size(); ++I)
    for (const Instruction &Inst : instructions(*Found[I]))
      if (const auto *Call = dyn_cast<CallBase>(&Inst))
        if (const Function *Callee = Call->getCalledFunction())
          if (!Callee->isDeclaration())
            Found.insert(Callee);
  return Found;
}

std::string refusedIntrinsic(StringRef Name, ArrayRef<Refusal> Table) {
  for (const Refusal &R : Table)
    if (Name.starts_with(R.Prefix))
      return R.Reason.str();
  return "";
}

std::string whyNotCalled(const CallBase &Call) {
  if (Call.isInlineAsm())
    return "uses inline assembly";
  const Function *Callee = Call.getCalledFunction();
  if (!Callee)
    return "calls through a function pointer";
  if (Callee->isIntrinsic())
    return refusedIntrinsic(Callee->getName(), RefusedByAll);
  if (Callee->isDeclaration() &&
      !is_contained(DeviceServices, Callee->getName()))
    return "calls " + Callee->getName().str() +
           ", whose code is not in this file";
  return "";
}

bool usesClusters(const Function &Kernel) {
  return any_of(Kernel.getAttributes().getFnAttrs(), [](Attribute A) {
    return A.isStringAttribute() && A.getKindAsString().contains("cluster");
  });
}

/// Any barrier among the threads of a block.
bool isBlockBarrier(const Function &Callee) {
  return Callee.getName().starts_with("llvm.nvvm.barrier.cta.");
}

/// __syncthreads(), or the same with another number.
bool isPlainBarrier(const Function &Callee) {
  Intrinsic::ID Id = Callee.getIntrinsicID();
  return Id == Intrinsic::nvvm_barrier_cta_sync_all ||
         Id == Intrinsic::nvvm_barrier_cta_sync_aligned_all;
}

bool isUnknownRegister(StringRef Name) {
  if (!Name.consume_front("llvm.nvvm.read.ptx.sreg."))
    return false;
  return indexRegister(("llvm.nvvm.read.ptx.sreg." + Name).str()) < 0 &&
         none_of(
             HarmlessRegisters,
             [&](StringRef Known) { return Name.starts_with(Known); });
}

std::string whyNotInWorker(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isIntrinsic())
    return "";
  if (isUnknownRegister(Callee->getName()))
    return "reads a special register of the launch (" +
           Callee->getName()
               .drop_front(strlen("llvm.nvvm.read.ptx.sreg."))
               .str() +
           ")";
  if (isPlainBarrier(*Callee)) {
    const auto *Number = dyn_cast<ConstantInt>(Call.getArgOperand(0));
    return Number && Number->isZero() ? "" : "uses named barriers";
  }
  return refusedIntrinsic(Callee->getName(), RefusedByPersistent);
}

/// Whether block Site is reached by every thread that enters its function, if
/// branches around loops are taken by all threads alike: outside of loops it
/// must post-dominate the entry; in a loop, it must be on every round, the loop
/// must have one way out, and the loop itself must be reached so.
bool reachedByAll(const BasicBlock *Site, const DominatorTree &Dominators,
                  const PostDominatorTree &PostDominators,
                  const LoopInfo &Loops) {
  for (const Loop *L = Loops.getLoopFor(Site); L; L = L->getParentLoop()) {
    const BasicBlock *Latch = L->getLoopLatch();
    if (!Latch || !L->getExitingBlock() || !Dominators.dominates(Site, Latch))
      return false;
    Site = L->getHeader();
  }
  const BasicBlock *Entry = &Site->getParent()->getEntryBlock();
  return PostDominators.dominates(Site, Entry);
}

/// A barrier some threads may have returned before: in the kernel the hardware
/// no longer counts them; in a variant they are still there, and wait at the
/// barrier before the block is published.
bool hasPartialBarrier(const Function &F,
                       const SmallPtrSetImpl<const Function *> &WithBarrier) {
  auto &Mutable = const_cast<Function &>(F);
  DominatorTree Dominators(Mutable);
  PostDominatorTree PostDominators(Mutable);
  LoopInfo Loops(Dominators);
  return any_of(instructions(F), [&](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    return Callee &&
           (isBlockBarrier(*Callee) || WithBarrier.contains(Callee)) &&
           !reachedByAll(I.getParent(), Dominators, PostDominators, Loops);
  });
}

/// The functions of Called that execute a block barrier, directly or not.
SmallPtrSet<const Function *, 8>
withBarrier(const SmallSetVector<const Function *, 16> &Called) {
  SmallPtrSet<const Function *, 8> Found;
  auto Executes = [&](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    return Callee && (isBlockBarrier(*Callee) || Found.contains(Callee));
  };
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const Function *F : Called)
      if (!Found.contains(F) && any_of(instructions(*F), Executes))
        Changed = Found.insert(F).second;
  }
  return Found;
}

/// The first non-empty answer of Why over all calls in Functions.
template <typename Asker>
std::string firstReason(const SmallSetVector<const Function *, 16> &Functions,
                        Asker Why) {
  for (const Function *F : Functions)
    for (const Instruction &I : instructions(*F))
      if (const auto *Call = dyn_cast<CallBase>(&I)) {
        std::string Reason = Why(*Call);
        if (!Reason.empty())
          return Reason;
      }
  return "";
}

} // namespace

int indexRegister(const std::string &Intrinsic) {
  static constexpr StringRef Families[] = {"tid", "ntid", "ctaid", "nctaid"};
  StringRef Name = Intrinsic;
  if (!Name.consume_front("llvm.nvvm.read.ptx.sreg."))
    return -1;
  auto [Family, Dimension] = Name.split('.');
  const auto *Found = find(Families, Family);
  if (Found == std::end(Families) || Dimension.size() != 1 ||
      Dimension[0] < 'x' || Dimension[0] > 'z')
    return -1;
  return 3 * int(Found - std::begin(Families)) + (Dimension[0] - 'x');
}

std::string whyNoPrelaunch(const Function &Kernel) {
  if (usesClusters(Kernel))
    return "uses thread block clusters";
  auto Called = reachableFrom(Kernel);
  std::string Reason = firstReason(Called, whyNotCalled);
  if (!Reason.empty())
    return Reason;
  auto Barriers = withBarrier(Called);
  for (const Function *F : Called)
    if (Barriers.contains(F) && hasPartialBarrier(*F, Barriers))
      return "a barrier may be reached after some threads have returned";
  return "";
}

std::string whyNoPersistent(const Function &Kernel) {
  return firstReason(reachableFrom(Kernel), whyNotInWorker);
}

} // namespace blockmaestro
