// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Refusal.h"

#include "BlockBarriers.h"
#include "HostCalls.h"
#include "KernelSource.h"
#include "LaneOperations.h"
#include "PtxLowering.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace blockmaestro {

namespace {

const char *const TrapNames[] = {"llvm.trap", "llvm.ubsantrap", "__assertfail"};

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

/// Functions without a body that stand for a feature.
const Wording FunctionWordings[] = {
    {"cudaLaunchDevice", "launches a kernel (dynamic parallelism)"},
    {"cudaGetParameterBuffer", "launches a kernel (dynamic parallelism)"},
    {"__cudaCDP2", "launches a kernel (dynamic parallelism)"},
    {"cudaCGGetIntrinsicHandle", "uses a cooperative group of several devices"},
    {"cudaCGSynchronize", "uses a cooperative group of several devices"},
    {"__nv_tex_surf_handler", "uses a texture or surface"},
};

/// "uses llvm.nvvm.shfl... (a warp shuffle)".
std::string describeIntrinsic(StringRef Name) {
  std::string Words = ("uses " + Name).str();
  for (const Wording &Row : Wordings)
    if (Name.starts_with(Row.Prefix))
      return Words + " (" + Row.Words + ")";
  return Words;
}

/// The same for a function that the program has no code of.
std::string describeFunction(StringRef Name) {
  for (const Wording &Row : FunctionWordings)
    if (Name.starts_with(Row.Prefix))
      return Row.Words;
  return ("calls '" + Name + "', which no device module of the program defines")
      .str();
}

/// Why \p Call cannot run; empty when it can.
std::string whyRefused(const CallBase &Call, KernelForm Form) {
  if (Call.isInlineAsm())
    return whyAsmRefused(Call);
  const Function *F = Call.getCalledFunction();
  if (!F || !F->isDeclaration())
    return "";
  StringRef Name = F->getName();
  if (isFunctionName(Name) || isHostCall(Name) ||
      (Form == KernelForm::Regions &&
       (isWholeBlockBarrier(Call) || isLaneOperation(Call))))
    return "";
  if (Name.starts_with("llvm.nvvm."))
    return describeIntrinsic(Name);
  return F->isIntrinsic() ? "" : describeFunction(Name);
}

} // namespace

bool isWholeBlockBarrier(const CallBase &Call) {
  return blockBarrierKind(Call).has_value();
}

bool isTrap(const CallBase &Call) {
  StringRef Name = calledName(Call);
  return any_of(TrapNames, [&](const char *T) { return Name == T; });
}

Status checkRunnable(const ThreadCode &T, const std::string &Name) {
  for (const Function *F : T.Functions)
    for (const Instruction &I : instructions(*F)) {
      const auto *Call = dyn_cast<CallBase>(&I);
      std::string Why = Call ? whyRefused(*Call, T.Form) : "";
      if (!Why.empty())
        return Status(StatusCode::Unsupported,
                      (T.IsKernel ? "kernel '" : "function '") + Name +
                          "' cannot run on the emulated device: it " + Why);
    }
  if (!T.IsKernel && T.StaticShared > 0)
    return Status(StatusCode::Unsupported,
                  "function '" + Name +
                      "' cannot run on the emulated device: it is called "
                      "through its address and has shared variables");
  return Status();
}

} // namespace blockmaestro
