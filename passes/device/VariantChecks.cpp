// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "VariantChecks.h"

#include "Calls.h"
#include "PtxAssembly.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Constants.h"
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

struct RefusedFeature {
  Feature What;
  StringRef Reason;
};

constexpr RefusedFeature FeaturesRefusedByAll[] = {
    {Feature::GridSync, "synchronises the whole grid"},
    {Feature::Cluster, "uses thread block clusters"},
    {Feature::Textures, "uses textures or surfaces, whose caches may be stale"},
    {Feature::DynamicParallelism, "launches kernels itself"},
};

/// Of blocks that run beside those of other launches, and do something when
/// the kernel's code has ended.
constexpr RefusedFeature FeaturesRefusedByBlocks[] = {
    {Feature::Prints, "prints, and the order of the lines would change"},
    {Feature::DeviceHeap,
     "takes memory from the device's heap, and how much there is would depend "
     "on what runs at the same time"},
    {Feature::BlockWait,
     "its blocks may wait for each other, and a variant may "
     "hold fewer of them at a time"},
};

constexpr Refusal RefusedByBlocks[] = {
    {"llvm.nvvm.exit", "a thread may exit in the middle of the kernel"},
};

struct RefusedAssembly {
  bool AssemblyEffects::*Flag;
  StringRef Reason;
};

constexpr RefusedAssembly RefusedAssemblyByBlocks[] = {
    {&AssemblyEffects::Exits, "a thread may exit in the middle of the kernel"},
    {&AssemblyEffects::Barrier, "has a barrier in inline assembly"},
};

constexpr RefusedAssembly RefusedAssemblyByAll[] = {
    {&AssemblyEffects::EarlyLaunch,
     "uses programmatic dependent launch itself"},
    {&AssemblyEffects::Bulk, "uses asynchronous bulk copies"},
};

constexpr RefusedAssembly RefusedAssemblyByPersistent[] = {
    {&AssemblyEffects::ReadsIndices,
     "reads a special register of the launch in inline assembly"},
    {&AssemblyEffects::SharedBarrier, "uses barriers in shared memory"},
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

std::string refusedIntrinsic(StringRef Name, ArrayRef<Refusal> Table) {
  for (const Refusal &R : Table)
    if (Name.starts_with(R.Prefix))
      return R.Reason.str();
  return "";
}

std::string refusedFeature(const KernelRecord &Record,
                           ArrayRef<RefusedFeature> Table) {
  for (const RefusedFeature &R : Table)
    if (Record.has(R.What))
      return R.Reason.str();
  return "";
}

std::string refusedAssembly(const AssemblyEffects &Effects,
                            ArrayRef<RefusedAssembly> Table) {
  for (const RefusedAssembly &R : Table)
    if (Effects.*R.Flag)
      return R.Reason.str();
  return "";
}

std::string whyNotAssembly(const CallBase &Call) {
  AssemblyEffects Effects = describeAssembly(Call);
  std::string Reason = refusedAssembly(Effects, RefusedAssemblyByAll);
  if (!Reason.empty())
    return Reason;
  if (!Effects.Understood)
    return "uses inline assembly that may touch any memory";
  bool Stale = any_of(Effects.Accesses,
                      [](const AssemblyAccess &A) { return A.NonCoherent; });
  return Stale ? "has loads that may return stale data" : "";
}

std::string whyNotCalled(const CallBase &Call) {
  if (Call.isInlineAsm())
    return whyNotAssembly(Call);
  const Function *Callee = Call.getCalledFunction();
  if (!Callee)
    return "calls through a function pointer";
  if (Callee->isIntrinsic())
    return refusedIntrinsic(Callee->getName(), RefusedByAll);
  if (Callee->isVarArg())
    return "calls a function with a variable number of arguments";
  if (Callee->isDeclaration() &&
      !is_contained(DeviceServices, Callee->getName()))
    return "calls " + Callee->getName().str() +
           ", whose code is not in this file";
  return "";
}

std::string whyNotByBlocks(const CallBase &Call) {
  if (Call.isInlineAsm())
    return refusedAssembly(describeAssembly(Call), RefusedAssemblyByBlocks);
  const Function *Callee = Call.getCalledFunction();
  return Callee && Callee->isIntrinsic()
             ? refusedIntrinsic(Callee->getName(), RefusedByBlocks)
             : "";
}

/// __syncthreads(), or the same with another number.
bool isPlainBarrier(const Function &Callee) {
  Intrinsic::ID Id = Callee.getIntrinsicID();
  return Id == Intrinsic::nvvm_barrier_cta_sync_all ||
         Id == Intrinsic::nvvm_barrier_cta_sync_aligned_all;
}

/// Barriers that wait for the single threads of a warp. On an H200 a kernel
/// with these, some of whose threads returned before, gave other numbers in the
/// form that counts the threads that leave (seed 303528 of test/barriers).
std::string whyNotCounted(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->getName().starts_with("llvm.nvvm.barrier.cta.") ||
      Callee->getName().contains(".aligned"))
    return "";
  return "threads may return while others wait at barriers of single threads "
         "(barrier.sync)";
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
  if (Call.isInlineAsm())
    return refusedAssembly(describeAssembly(Call), RefusedAssemblyByPersistent);
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

/// The first non-empty answer of Why over all calls that Kernel reaches.
template <typename Asker>
std::string firstReason(const Function &Kernel, Asker Why) {
  for (const Function *F : reachableFrom(Kernel))
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

std::string whyNoCopy(const Function &Kernel, const KernelRecord &Record) {
  std::string Reason = refusedFeature(Record, FeaturesRefusedByAll);
  return Reason.empty() ? firstReason(Kernel, whyNotCalled) : Reason;
}

std::string whyNoPrelaunch(const Function &Kernel, const KernelRecord &Record) {
  std::string Reason = refusedFeature(Record, FeaturesRefusedByBlocks);
  if (Reason.empty())
    Reason = firstReason(Kernel, whyNotByBlocks);
  if (Reason.empty() && Record.has(Feature::EarlyExit))
    Reason = firstReason(Kernel, whyNotCounted);
  return Reason;
}

std::string whyNoPersistent(const Function &Kernel,
                            const KernelRecord &Record) {
  if (Record.has(Feature::EarlyExit))
    return "threads may return while others still wait for each other";
  return firstReason(Kernel, whyNotInWorker);
}

} // namespace blockmaestro
