// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Compiler.h"

#include "Analyses.h"
#include "HostCalls.h"
#include "NarrowIndices.h"

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/RuntimeLibcalls.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

#include <dlfcn.h>
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

/// Whether LLVM makes calls of \p Name out of other code: of the C library, as
/// sincos and strlen, or of the compiler's own, as __udivti3.
bool isLibraryCall(StringRef Name, const Triple &Host) {
  LibFunc Ignored;
  return TargetLibraryInfoImpl(Host).getLibFunc(Name, Ignored) ||
         !RTLIB::RuntimeLibcallsInfo::lookupLibcallImplName(Name).empty();
}

/// Lets compiled code find what isLibraryCall() says in the libraries that this
/// one is linked with.
Error defineLibraryCalls(orc::LLJIT &Jit) {
  Dl_info About;
  if (!dladdr(reinterpret_cast<void *>(&defineLibraryCalls), &About))
    return createStringError("this library has no name");
  auto Found = orc::DynamicLibrarySearchGenerator::Load(
      About.dli_fname, Jit.getDataLayout().getGlobalPrefix(),
      [Host = Jit.getTargetTriple()](const orc::SymbolStringPtr &Name) {
        return isLibraryCall(*Name, Host);
      });
  if (!Found)
    return Found.takeError();
  Jit.getMainJITDylib().addGenerator(std::move(*Found));
  return Error::success();
}

/// Runs the -O3 pipeline over \p M.
void optimize(Module &M, TargetMachine &Target) {
  Analyses Known(&Target);
  Known.Builder.registerVectorizerStartEPCallback(
      [](FunctionPassManager &Passes, OptimizationLevel) {
        Passes.addPass(NarrowIndicesPass());
      });
  Known.Builder.buildPerModuleDefaultPipeline(OptimizationLevel::O3)
      .run(M, Known.OfModules);
}

} // namespace

Compiler::Compiler(std::unique_ptr<orc::LLJIT> Jit,
                   std::unique_ptr<TargetBuilder> Builder,
                   std::unique_ptr<TargetMachine> Target)
    : Jit(std::move(Jit)), Builder(std::move(Builder)),
      Target(std::move(Target)) {
  this->Jit->getExecutionSession().setErrorReporter(
      [this](Error Why) { Reported += toString(std::move(Why)) + "; "; });
}

Compiler::~Compiler() = default;

Result<std::unique_ptr<Compiler>> Compiler::create() {
  if (!initializeHost())
    return Status(StatusCode::Unsupported,
                  "LLVM has no code generator for this processor");
  Expected<TargetBuilder> Host = TargetBuilder::detectHost();
  if (!Host)
    return deviceError(Host.takeError());
  auto Builder = std::make_unique<TargetBuilder>(std::move(*Host));
  Builder->setCodeGenOptLevel(CodeGenOptLevel::Aggressive);
  Builder->setRelocationModel(Reloc::PIC_);
  Expected<std::unique_ptr<TargetMachine>> Target =
      Builder->createTargetMachine();
  if (!Target)
    return deviceError(Target.takeError());
  Expected<std::unique_ptr<orc::LLJIT>> Jit =
      orc::LLJITBuilder()
          .setJITTargetMachineBuilder(*Builder)
          .setLinkProcessSymbolsByDefault(false)
          .setPlatformSetUp(orc::setUpInactivePlatform)
          .create();
  if (!Jit)
    return deviceError(Jit.takeError());
  if (Error E = defineHostFunctions(**Jit))
    return deviceError(std::move(E));
  if (Error E = defineLibraryCalls(**Jit))
    return deviceError(std::move(E));
  return std::unique_ptr<Compiler>(
      new Compiler(std::move(*Jit), std::move(Builder), std::move(*Target)));
}

std::string Compiler::description() const {
  return Target->getTargetTriple().str() + " " + Target->getTargetCPU().str() +
         " " + Target->getTargetFeatureString().str() + " LLVM " +
         LLVM_VERSION_STRING;
}

Result<std::string> Compiler::compile(Module &M, const Optimized &Late) const {
  Expected<std::unique_ptr<TargetMachine>> Own = Builder->createTargetMachine();
  if (!Own)
    return deviceError(Own.takeError());
  if (Late) {
    optimize(M, **Own);
    Late(M);
  }
  SmallVector<char> Object;
  raw_svector_ostream Out(Object);
  legacy::PassManager Passes;
  MCContext *Ignored = nullptr;
  if ((*Own)->addPassesToEmitMC(Passes, Ignored, Out))
    return Status(StatusCode::Device,
                  "the emulated device cannot emit code for this processor");
  Passes.run(M);
  return std::string(Object.begin(), Object.end());
}

/// \p Why, after what the linker reported on the way to it.
Status Compiler::failure(Error Why) {
  std::string Before = std::exchange(Reported, "");
  return Status(StatusCode::Device, "the emulated device cannot compile: " +
                                        Before + toString(std::move(Why)));
}

Status Compiler::add(const std::string &Object) {
  if (Error E = Jit->addObjectFile(
          MemoryBuffer::getMemBufferCopy(Object, "blockmaestro.o")))
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
