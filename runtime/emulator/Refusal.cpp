// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Refusal.h"

#include "BlockBarriers.h"
#include "HostCalls.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace blockmaestro {

namespace {

const char *const TrapNames[] = {"llvm.trap", "llvm.ubsantrap", "__assertfail"};

/// NVVM intrinsics that Retarget replaces, by the beginning of their names.
const char *const LoweredPrefixes[] = {
    "llvm.nvvm.read.ptx.sreg.tid.",
    "llvm.nvvm.read.ptx.sreg.ntid.",
    "llvm.nvvm.read.ptx.sreg.ctaid.",
    "llvm.nvvm.read.ptx.sreg.nctaid.",
    "llvm.nvvm.read.ptx.sreg.laneid",
    "llvm.nvvm.read.ptx.sreg.warpsize",
    "llvm.nvvm.membar.",
};

/// What a refused intrinsic is called in CUDA.
struct Wording {
  const char *Prefix;
  const char *Words;
};
const Wording Wordings[] = {
    {"llvm.nvvm.shfl.", "a warp shuffle"},
    {"llvm.nvvm.vote.", "a warp vote"},
    {"llvm.nvvm.match.", "a warp match"},
    {"llvm.nvvm.redux.", "a warp reduction"},
    {"llvm.nvvm.activemask", "the mask of active lanes"},
    {"llvm.nvvm.bar.warp.", "a warp barrier"},
    {"llvm.nvvm.barrier.", "a barrier other than __syncthreads()"},
    {"llvm.nvvm.barrier0.", "a barrier with a reduction"},
    {"llvm.nvvm.wmma.", "a tensor core operation"},
    {"llvm.nvvm.mma.", "a tensor core operation"},
    {"llvm.nvvm.tex.", "a texture read"},
    {"llvm.nvvm.suld.", "a surface read"},
    {"llvm.nvvm.sust.", "a surface write"},
    {"llvm.nvvm.cp.async.", "an asynchronous copy"},
    {"llvm.nvvm.mbarrier.", "an asynchronous barrier"},
    {"llvm.nvvm.read.ptx.sreg.clock", "a clock"},
    {"llvm.nvvm.read.ptx.sreg.globaltimer", "a clock"},
};

template <size_t N>
bool startsWithAny(StringRef Name, const char *const (&Prefixes)[N]) {
  return any_of(Prefixes, [&](const char *P) { return Name.starts_with(P); });
}

StringRef calledName(const CallBase &Call) {
  const Function *F = Call.getCalledFunction();
  return F ? F->getName() : StringRef();
}

/// "uses llvm.nvvm.shfl... (a warp shuffle)".
std::string describeIntrinsic(StringRef Name) {
  std::string Words = ("uses " + Name).str();
  for (const Wording &Row : Wordings)
    if (Name.starts_with(Row.Prefix))
      return Words + " (" + Row.Words + ")";
  return Words;
}

/// Why \p Call cannot run; empty when it can.
std::string whyCallRefused(const CallBase &Call) {
  if (Call.isInlineAsm())
    return "contains inline assembly";
  const Function *F = Call.getCalledFunction();
  if (!F)
    return "calls through a function pointer";
  StringRef Name = F->getName();
  if (isBlockBarrier(Call) || isTrap(Call))
    return "";
  if (Name.starts_with("llvm.nvvm.")) {
    bool Known = startsWithAny(Name, LoweredPrefixes) || findNvvmRow(Name);
    return Known ? "" : describeIntrinsic(Name);
  }
  if (F->isIntrinsic())
    return "";
  if (!F->isDeclaration())
    return ("calls '" + Name + "', which is recursive").str();
  if (isHostCall(Name))
    return "";
  return ("calls '" + Name + "', which has no body in this module").str();
}

/// Why \p I cannot run; empty when it can.
std::string whyRefused(const Instruction &I) {
  if (const auto *Call = dyn_cast<CallBase>(&I))
    return whyCallRefused(*Call);
  const auto *Local = dyn_cast<AllocaInst>(&I);
  return Local && !Local->isStaticAlloca()
             ? "allocates local memory of a size known only at run time"
             : "";
}

} // namespace

bool isBlockBarrier(const CallBase &Call) {
  return blockBarrierKind(Call).has_value();
}

bool isTrap(const CallBase &Call) {
  StringRef Name = calledName(Call);
  return any_of(TrapNames, [&](const char *T) { return Name == T; });
}

Status checkRunnable(const Function &Kernel, const std::string &Name) {
  for (const Instruction &I : instructions(Kernel)) {
    std::string Why = whyRefused(I);
    if (Why.empty())
      continue;
    return Status(StatusCode::Unsupported,
                  "kernel '" + Name +
                      "' cannot run on the emulated device: it " + Why);
  }
  return Status();
}

} // namespace blockmaestro
