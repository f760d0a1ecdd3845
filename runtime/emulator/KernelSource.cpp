// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelSource.h"

#include "MathTable.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace blockmaestro {

namespace {

constexpr unsigned SharedAddressSpace = 3;

/// The values libdevice asks for at compile time: IEEE arithmetic.
struct ReflectRow {
  const char *Name;
  unsigned Value;
};
const ReflectRow ReflectRows[] = {
    {"__CUDA_FTZ", 0},
    {"__CUDA_PREC_SQRT", 1},
    {"__CUDA_PREC_DIV", 1},
};

/// Puts constants in place of the calls of __nvvm_reflect.
void resolveReflect(Module &M, unsigned Architecture) {
  for (Function &F : M) {
    if (F.getName() != "__nvvm_reflect" && F.getName() != "llvm.nvvm.reflect")
      continue;
    for (User *U : make_early_inc_range(F.users())) {
      auto *Call = dyn_cast<CallInst>(U);
      StringRef Asked;
      if (!Call || !getConstantStringInfo(Call->getArgOperand(0), Asked))
        continue;
      unsigned Value = Asked == "__CUDA_ARCH" ? Architecture * 10 : 0;
      for (const ReflectRow &Row : ReflectRows)
        if (Asked == Row.Name)
          Value = Row.Value;
      Call->replaceAllUsesWith(ConstantInt::get(Call->getType(), Value));
      Call->eraseFromParent();
    }
  }
}

/// Whether every operand of \p F and its result have one type.
bool isUniform(const Function &F) {
  return all_of(F.args(), [&](const Argument &A) {
    return A.getType() == F.getReturnType();
  });
}

/// Puts the host's functions and LLVM's intrinsics in place of libdevice.
void mapLibdevice(Module &M) {
  for (Function &F : make_early_inc_range(M)) {
    StringRef Name = F.getName();
    Intrinsic::ID Id = intrinsicOfLibdevice(Name);
    Function *Mapped = nullptr;
    if (Id != Intrinsic::not_intrinsic && isUniform(F))
      Mapped = Intrinsic::getOrInsertDeclaration(&M, Id, {F.getReturnType()});
    else if (Name.consume_front("__nv_") && findHostFunction(Name))
      Mapped = cast<Function>(
          M.getOrInsertFunction(Name, F.getFunctionType()).getCallee());
    if (!Mapped)
      continue;
    Mapped->setDoesNotThrow();
    if (!Mapped->isIntrinsic())
      Mapped->setDoesNotAccessMemory();
    F.replaceAllUsesWith(Mapped);
    F.eraseFromParent();
  }
}

/// Removes what ties functions to the GPU or keeps them from being inlined.
void dropDeviceAttributes(Module &M, const Function *Kernel) {
  for (Function &F : M) {
    F.setComdat(nullptr);
    F.removeFnAttr("target-cpu");
    F.removeFnAttr("target-features");
    F.removeFnAttr("frame-pointer");
    F.removeFnAttr(Attribute::NoInline);
    F.removeFnAttr(Attribute::OptimizeNone);
    F.removeFnAttr(Attribute::InlineHint);
    if (F.isDeclaration() || &F == Kernel)
      continue;
    F.setLinkage(GlobalValue::InternalLinkage);
    F.addFnAttr(Attribute::AlwaysInline);
  }
}

/// Leaves \p Kernel as the only function with a body that nothing calls.
void removeOtherRoots(Module &M, Function &Kernel) {
  removeFromUsedLists(M, [](Constant *) { return true; });
  for (const char *List : {"llvm.global_ctors", "llvm.global_dtors"})
    if (GlobalVariable *G = M.getGlobalVariable(List))
      G->eraseFromParent();
  for (Function &F : M)
    if (!F.isDeclaration() && &F != &Kernel)
      F.setLinkage(GlobalValue::InternalLinkage);
  Kernel.setLinkage(GlobalValue::ExternalLinkage);
  Kernel.setCallingConv(CallingConv::C);
}

/// Inlines everything and brings the kernel into canonical form.
void canonicalize(Module &M) {
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CAM;
  ModuleAnalysisManager MAM;
  PassBuilder Builder;
  Builder.registerModuleAnalyses(MAM);
  Builder.registerCGSCCAnalyses(CAM);
  Builder.registerFunctionAnalyses(FAM);
  Builder.registerLoopAnalyses(LAM);
  Builder.crossRegisterProxies(LAM, FAM, CAM, MAM);
  ModulePassManager Passes;
  Passes.addPass(GlobalDCEPass());
  Passes.addPass(AlwaysInlinerPass(/*InsertLifetime=*/false));
  FunctionPassManager Simplify;
  Simplify.addPass(SROAPass(SROAOptions::ModifyCFG));
  Simplify.addPass(EarlyCSEPass());
  Simplify.addPass(InstCombinePass());
  Simplify.addPass(SimplifyCFGPass());
  Passes.addPass(createModuleToFunctionPassAdaptor(std::move(Simplify)));
  Passes.addPass(GlobalDCEPass());
  Passes.run(M, MAM);
}

/// "90" of "sm_90a".
unsigned architectureNumber(StringRef Architecture) {
  unsigned Number = 0;
  Architecture.consume_front("sm_");
  Architecture.consumeInteger(10, Number);
  return Number;
}

} // namespace

Result<std::unique_ptr<Module>> parseDeviceModule(const ModuleRecord &Record,
                                                  LLVMContext &Context,
                                                  const TargetMachine &Host) {
  StringRef Bytes(reinterpret_cast<const char *>(Record.Bitcode.data()),
                  Record.Bitcode.size());
  Expected<std::unique_ptr<Module>> M =
      parseBitcodeFile(MemoryBufferRef(Bytes, Record.Source), Context);
  if (!M)
    return Status(StatusCode::Corrupt,
                  "the device code of '" + Record.Source +
                      "' cannot be read: " + toString(M.takeError()));
  (*M)->setTargetTriple(Host.getTargetTriple());
  (*M)->setDataLayout(Host.createDataLayout());
  if (NamedMDNode *Flags = (*M)->getModuleFlagsMetadata())
    Flags->eraseFromParent();
  StripDebugInfo(**M);
  resolveReflect(**M, architectureNumber(Record.Architecture));
  return std::move(*M);
}

Result<Function *> isolateKernel(Module &M, const std::string &Symbol) {
  Function *Kernel = M.getFunction(Symbol);
  if (!Kernel || Kernel->isDeclaration())
    return Status(StatusCode::NotFound,
                  "the device code has no kernel '" + Symbol + "'");
  mapLibdevice(M);
  removeOtherRoots(M, *Kernel);
  dropDeviceAttributes(M, Kernel);
  canonicalize(M);
  return Kernel;
}

bool isDeviceGlobal(const GlobalVariable &G) {
  return G.getAddressSpace() != SharedAddressSpace && !G.hasPrivateLinkage() &&
         !G.getName().starts_with("llvm.");
}

std::string globalName(const GlobalVariable &G, unsigned Ordinal) {
  std::string Name = ("device." + G.getName()).str();
  bool Own = G.hasLocalLinkage() || isInternalName(G.getName().str());
  return Own ? Name + "." + std::to_string(Ordinal) : Name;
}

} // namespace blockmaestro
