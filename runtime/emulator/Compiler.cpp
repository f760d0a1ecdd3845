// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Compiler.h"

#include "HostCalls.h"

#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

#include <utility>

using namespace llvm;

namespace blockmaestro {

namespace {

/// Registers the host's code generator, once per process.
bool initializeHost() {
  static const bool Failed =
      InitializeNativeTarget() || InitializeNativeTargetAsmPrinter();
  return !Failed;
}

Status deviceError(Error Why) {
  return Status(StatusCode::Device, "the emulated device cannot compile: " +
                                        toString(std::move(Why)));
}

/// Makes the host functions of HostCalls visible to compiled code.
Error defineHostFunctions(orc::LLJIT &Jit) {
  orc::SymbolMap Symbols;
  for (const HostFunction &F : hostCalls())
    Symbols[Jit.mangleAndIntern(F.Name)] = {
        orc::ExecutorAddr::fromPtr(F.Address), JITSymbolFlags::Exported};
  return Jit.getMainJITDylib().define(orc::absoluteSymbols(std::move(Symbols)));
}

} // namespace

Compiler::Compiler(std::unique_ptr<orc::LLJIT> Jit,
                   std::unique_ptr<TargetMachine> Target)
    : Jit(std::move(Jit)), Target(std::move(Target)) {
  this->Jit->getExecutionSession().setErrorReporter(
      [this](Error Why) { Reported += toString(std::move(Why)) + "; "; });
}

Compiler::~Compiler() = default;

Result<std::unique_ptr<Compiler>> Compiler::create() {
  if (!initializeHost())
    return Status(StatusCode::Unsupported,
                  "LLVM has no code generator for this processor");
  Expected<orc::JITTargetMachineBuilder> Builder =
      orc::JITTargetMachineBuilder::detectHost();
  if (!Builder)
    return deviceError(Builder.takeError());
  Builder->setCodeGenOptLevel(CodeGenOptLevel::Aggressive);
  Expected<std::unique_ptr<TargetMachine>> Target =
      Builder->createTargetMachine();
  if (!Target)
    return deviceError(Target.takeError());
  Expected<std::unique_ptr<orc::LLJIT>> Jit =
      orc::LLJITBuilder()
          .setJITTargetMachineBuilder(std::move(*Builder))
          .setLinkProcessSymbolsByDefault(false)
          .setPlatformSetUp(orc::setUpInactivePlatform)
          .create();
  if (!Jit)
    return deviceError(Jit.takeError());
  if (Error E = defineHostFunctions(**Jit))
    return deviceError(std::move(E));
  return std::unique_ptr<Compiler>(
      new Compiler(std::move(*Jit), std::move(*Target)));
}

void Compiler::optimize(Module &M) {
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CAM;
  ModuleAnalysisManager MAM;
  PassBuilder Builder(Target.get());
  Builder.registerModuleAnalyses(MAM);
  Builder.registerCGSCCAnalyses(CAM);
  Builder.registerFunctionAnalyses(FAM);
  Builder.registerLoopAnalyses(LAM);
  Builder.crossRegisterProxies(LAM, FAM, CAM, MAM);
  Builder.buildPerModuleDefaultPipeline(OptimizationLevel::O3).run(M, MAM);
}

/// \p Why, after what the linker reported on the way to it.
Status Compiler::failure(Error Why) {
  std::string Before = std::exchange(Reported, "");
  return Status(StatusCode::Device, "the emulated device cannot compile: " +
                                        Before + toString(std::move(Why)));
}

Status Compiler::add(std::unique_ptr<Module> M,
                     std::unique_ptr<LLVMContext> Context) {
  if (Error E = Jit->addIRModule(
          orc::ThreadSafeModule(std::move(M), std::move(Context))))
    return failure(std::move(E));
  return Status();
}

Result<uint64_t> Compiler::lookup(const std::string &Name) {
  Expected<orc::ExecutorAddr> Address = Jit->lookup(Name);
  if (!Address)
    return failure(Address.takeError());
  return Address->getValue();
}

} // namespace blockmaestro
