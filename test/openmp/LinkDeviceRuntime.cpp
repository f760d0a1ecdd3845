// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// usage: bm-link-openmp IN.bc OUT.bc FOLDER [tasks]
//
// Links the device runtime of OpenMP in FOLDER into a module of device code
// that clang has optimized, and optimizes the whole.

#include "DeviceRuntime.h"

#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"

using namespace llvm;

namespace {

/// The code of the tasks that \p M creates.
void shareLocalsOfTasks(Module &M) {
  Function *Create = M.getFunction("__kmpc_omp_task_alloc");
  if (!Create)
    return;
  for (User *U : Create->users())
    if (auto *Call = dyn_cast<CallInst>(U))
      if (auto *Entry = dyn_cast<Function>(Call->getArgOperand(5)))
        blockmaestro::shareLocals(*Entry);
}

void optimize(Module &M, ModulePassManager Passes) {
  PassBuilder Builder;
  LoopAnalysisManager Loops;
  FunctionAnalysisManager Functions;
  CGSCCAnalysisManager Graph;
  ModuleAnalysisManager Modules;
  Builder.registerModuleAnalyses(Modules);
  Builder.registerCGSCCAnalyses(Graph);
  Builder.registerFunctionAnalyses(Functions);
  Builder.registerLoopAnalyses(Loops);
  Builder.crossRegisterProxies(Loops, Functions, Graph, Modules);
  Passes.run(M, Modules);
}

ModulePassManager ordinary() {
  return PassBuilder().buildPerModuleDefaultPipeline(OptimizationLevel::O2);
}

int fail(const Twine &Text) {
  errs() << Text << '\n';
  return 1;
}

} // namespace

int main(int Count, char **Words) {
  if (Count < 4)
    return fail("usage: bm-link-openmp IN.bc OUT.bc FOLDER [tasks]");
  LLVMContext Context;
  SMDiagnostic Problem;
  std::unique_ptr<Module> M = parseIRFile(Words[1], Problem, Context);
  if (!M)
    return fail(Problem.getMessage());
  shareLocalsOfTasks(*M);
  if (Error E = blockmaestro::linkDeviceRuntime(*M, Words[3], Count > 4))
    return fail(toString(std::move(E)));
  ModulePassManager Passes;
  Passes.addPass(AlwaysInlinerPass());
  Passes.addPass(ordinary());
  optimize(*M, std::move(Passes));
  std::error_code Failed;
  raw_fd_ostream Out(Words[2], Failed);
  WriteBitcodeToFile(*M, Out);
  return Failed ? fail(Failed.message()) : 0;
}
