// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelCompiler.h"

#include "AddressKinds.h"
#include "Costs.h"
#include "DeviceGlobals.h"
#include "DeviceLibrary.h"
#include "DevicePasses.h"
#include "DeviceUnrolling.h"
#include "Instrument.h"
#include "KernelSource.h"
#include "LaneOperations.h"
#include "Lockstep.h"
#include "ReadHoisting.h"
#include "Refusal.h"
#include "Retarget.h"
#include "SharedMemory.h"
#include "SpinLoops.h"
#include "TextureLowering.h"
#include "WarpCoding.h"
#include "WarpLowering.h"

#include "llvm/ADT/SCCIterator.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <algorithm>

using namespace llvm;

namespace blockmaestro {

namespace {

/// A context whose warnings nobody sees and whose first error is kept.
class CompilingContext : public LLVMContext {
public:
  CompilingContext() {
    setDiagnosticHandler(std::make_unique<Handler>(FirstError));
  }
  /// Ok, or what LLVM could not do.
  Status failure() const {
    return FirstError.empty()
               ? Status()
               : Status(StatusCode::Unsupported,
                        "the emulated device cannot compile: " + FirstError);
  }

private:
  struct Handler : DiagnosticHandler {
    explicit Handler(std::string &FirstError) : FirstError(FirstError) {}
    bool handleDiagnostics(const DiagnosticInfo &Info) override {
      if (Info.getSeverity() == DS_Error && FirstError.empty()) {
        raw_string_ostream Text(FirstError);
        DiagnosticPrinterRawOStream Printer(Text);
        Info.print(Printer);
      }
      return true;
    }
    std::string &FirstError;
  };

  std::string FirstError;
};

/// Whether the recorded parameters are those of \p Kernel, so that reading the
/// argument block by them is sound.
bool parametersMatch(const Function &Kernel, const KernelRecord &Record) {
  if (Kernel.arg_size() != Record.Parameters.size())
    return false;
  const DataLayout &Layout = Kernel.getParent()->getDataLayout();
  for (const Argument &A : Kernel.args()) {
    const Parameter &P = Record.Parameters[A.getArgNo()];
    Type *T = A.hasByValAttr() ? A.getParamByValType() : A.getType();
    if (Layout.getTypeStoreSize(T) > P.Bytes ||
        uint64_t(P.Offset) + P.Bytes > Record.ArgumentBytes)
      return false;
  }
  return true;
}

/// The functions and variables of other units that \p M refers to.
std::vector<std::string> neededBy(const Module &M) {
  std::vector<std::string> Names;
  for (const GlobalValue &G : M.global_values())
    if ((G.isDeclaration() || G.hasAvailableExternallyLinkage()) &&
        !G.use_empty() &&
        (isFunctionName(G.getName()) || isGlobalName(G.getName())))
      Names.push_back(G.getName().str());
  return Names;
}

/// Replaces everything of the device that is left once a kernel or function is
/// one thread's code, and refuses what it cannot.
Status lowerThread(ThreadCode &T, bool Observed, const std::string &Name) {
  if (Observed)
    instrumentAccesses(T);
  lowerWarps(T);
  lowerTextures(T, Observed);
  lowerLibrary(T);
  lowerAddressKinds(T);
  lowerSharedMemory(T);
  return checkRunnable(T, Name);
}

/// Whether \p M has calls that nest to a depth nobody knows, or locals of a
/// size nobody knows.
bool isDeep(Module &M) {
  for (Function &F : M)
    for (Instruction &I : instructions(F)) {
      const auto *Call = dyn_cast<CallInst>(&I);
      const auto *Local = dyn_cast<AllocaInst>(&I);
      if ((Call && Call->isIndirectCall()) ||
          (Local && !Local->isStaticAlloca()))
        return true;
    }
  CallGraph Calls(M);
  for (auto Each = scc_begin(&Calls); !Each.isAtEnd(); ++Each)
    if (Each.hasCycle())
      return true;
  return false;
}

/// What the functions of \p M need on the stack: their variables, and a share
/// of their values that registers may not hold.
uint64_t stackBytes(const Module &M) {
  constexpr uint64_t SpillBytes = 8, LargestSpill = 16 << 10;
  uint64_t Sum = 0;
  for (const Function &F : M) {
    uint64_t Values = 0;
    for (const Instruction &I : instructions(F)) {
      ++Values;
      if (const auto *Local = dyn_cast<AllocaInst>(&I))
        if (auto Size = Local->getAllocationSize(M.getDataLayout()))
          Sum += Size->getKnownMinValue();
    }
    Sum += std::min(Values * SpillBytes, LargestSpill);
  }
  return Sum;
}

/// Ok when \p M is what LLVM's passes take for granted.
Status checkCode(const Module &M) {
  std::string Why;
  raw_string_ostream Out(Why);
  if (!verifyModule(M, &Out))
    return Status();
  return Status(StatusCode::Device,
                "the emulated device has made wrong code: " + Why);
}

/// Optimises \p M and makes an object of it.
Result<CompiledUnit> finish(Module &M, const CompilingContext &Context,
                            Compiler &Host) {
  StripDebugInfo(M);
  if (Status S = checkCode(M); !S.ok())
    return S;
  CompiledUnit Unit;
  Compiler::Optimized Late = [&](Module &) {
    stopEndlessLoops(M);
    Unit.Needs = neededBy(M);
    Unit.Facts.DeepStack = isDeep(M);
    Unit.Facts.StackBytes = stackBytes(M);
    if (Unit.Facts.DeepStack)
      for (Function &F : M)
        F.addFnAttr("probe-stack", "inline-asm");
  };
  Result<std::string> Object = Host.compile(M, Late);
  if (!Object.ok())
    return Object.status();
  if (Status S = Context.failure(); !S.ok())
    return S;
  Unit.Object = std::move(*Object);
  return Unit;
}

/// Gives the constants of \p M, such as strings, names for the observer, which
/// begin with \p Of.
std::vector<DefinedVariable> nameConstants(Module &M, const std::string &Of) {
  std::vector<DefinedVariable> Named;
  for (GlobalVariable &G : M.globals()) {
    if (!G.hasLocalLinkage() || !G.isConstant() || G.isThreadLocal())
      continue;
    G.setName(Of + ".constant." + std::to_string(Named.size()));
    G.setLinkage(GlobalValue::ExternalLinkage);
    Named.push_back(
        {G.getName().str(),
         M.getDataLayout().getTypeAllocSize(G.getValueType()).getFixedValue(),
         true});
  }
  return Named;
}

/// Marks where threads of \p M wait for each other without saying so.
void markWaits(Module &M) {
  for (Function &F : M)
    if (!F.isDeclaration()) {
      markSpinLoops(F);
      markLockstep(F);
    }
}

bool hasWaits(const Module &M) {
  const Function *Yield = M.getFunction(YieldMarker);
  const Function *Sleep = M.getFunction("llvm.nvvm.nanosleep");
  return (Yield && !Yield->use_empty()) || (Sleep && !Sleep->use_empty());
}

bool hasLaneOperations(Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    const auto *Call = dyn_cast<CallInst>(&I);
    return Call && isLaneOperation(*Call);
  });
}

/// Makes the block function of a kernel with operations of warps; where that
/// cannot be, its threads become fibers.
bool exportWarps(ThreadCode &T, const std::string &Name, BlockShape Shape) {
  ValueToValueMapTy Map;
  Function *Spare = Shape.known() ? CloneFunction(T.Body, Map) : T.Body;
  if (Shape.known() && makeBlockFunctionOfWarps(*T.Body, Name, Shape)) {
    Spare->eraseFromParent();
    return true;
  }
  if (Spare != T.Body)
    T.Body->eraseFromParent();
  replace(T.Functions, T.Body, Spare);
  T.Body = Spare;
  T.Form = KernelForm::Fibers;
  lowerWarps(T);
  return false;
}

/// Makes \p T callable from outside as \p Name; KernelFacts::StripThreads.
uint32_t exportEntry(ThreadCode &T, const std::string &Name, BlockShape Shape) {
  bool OfWarps = T.Form == KernelForm::Regions && hasLaneOperations(*T.Body);
  if (OfWarps && exportWarps(T, Name, Shape))
    return 0;
  if (T.Form != KernelForm::Fibers)
    return makeBlockFunction(*T.Body, Name, Shape);
  T.Body->setName(Name);
  T.Body->setLinkage(GlobalValue::ExternalLinkage);
  return 0;
}

} // namespace

std::string entryName(unsigned Ordinal, const KernelRecord &Record,
                      const KernelVariant &Variant) {
  std::string Name = "block." + std::to_string(Ordinal) + "." + Record.Symbol;
  if (Variant.Counts == Counting::Costs)
    Name += ".counted";
  if (Variant.Counts == Counting::Warps)
    Name += ".traced";
  if (Variant.Observed)
    Name += ".observed";
  if (Variant.Shape.known())
    for (uint32_t Extent : Variant.Shape.Extent)
      Name += "." + std::to_string(Extent);
  return Name;
}

Result<CompiledUnit> compileKernel(DeviceModules &Modules, Compiler &Host,
                                   unsigned Ordinal, const KernelRecord &Record,
                                   const KernelVariant &Variant) {
  CompilingContext Context;
  Result<KernelSource> Source =
      linkReached(Modules, Ordinal, Record.Symbol, Context, Host.target());
  if (!Source.ok())
    return Source.status();
  Module &M = *Source->M;
  Function &Root = *Source->Root;
  canonicalize(Root, Variant.Observed);
  if (!parametersMatch(Root, Record))
    return Status(StatusCode::Corrupt,
                  "the recorded parameters of kernel '" + Record.Name +
                      "' are not those of its device code");
  markWaits(M);
  const bool Counted = Variant.Counts != Counting::Nothing;
  const bool IsTraced = Variant.Counts == Counting::Warps;
  if (Counted) {
    optimizeForDevice(M);
    unrollForDevice(M);
    hoistReads(M);
  }
  ThreadCode Thread;
  Thread.Form = Variant.Observed ? KernelForm::Fibers : formOf(Root);
  KernelFacts Facts;
  Facts.MayWait = hasWaits(M);
  const auto Count = [&] { Facts.Weights = markVisits(M); };
  if (IsTraced)
    Facts.Traced = std::make_shared<const TracedCode>(codeWarps(Root, Count));
  else if (Counted)
    Count();
  retarget(Root, &Record, Facts.Weights.size(), Thread);
  if (Status S = lowerThread(Thread, Variant.Observed, Record.Name); !S.ok())
    return S;
  const std::string Entry = entryName(Ordinal, Record, Variant);
  Facts.StripThreads = exportEntry(Thread, Entry, Variant.Shape);
  std::vector<DefinedVariable> Constants;
  if (Variant.Observed)
    Constants = nameConstants(M, Entry);
  Result<CompiledUnit> Unit = finish(M, Context, Host);
  if (!Unit.ok())
    return Unit;
  Unit->Variables = std::move(Constants);
  Facts.Form = Thread.Form;
  Facts.Sites = Thread.Sites.texts();
  Facts.StaticShared = Thread.StaticShared;
  Facts.ReservedShared = Thread.ReservedShared;
  Facts.ArgumentBytes = Record.ArgumentBytes;
  Facts.DeepStack = Unit->Facts.DeepStack;
  Facts.StackBytes = Unit->Facts.StackBytes;
  Unit->Facts = std::move(Facts);
  return Unit;
}

Result<CompiledUnit> compileFunction(DeviceModules &Modules, Compiler &Host,
                                     unsigned Ordinal,
                                     const std::string &Symbol, bool Observed) {
  CompilingContext Context;
  Result<KernelSource> Source =
      linkReached(Modules, Ordinal, Symbol, Context, Host.target());
  if (!Source.ok())
    return Source.status();
  canonicalize(*Source->Root, Observed);
  markWaits(*Source->M);
  ThreadCode Thread;
  Thread.Form = KernelForm::Fibers;
  retarget(*Source->Root, nullptr, 0, Thread);
  if (Status S = lowerThread(Thread, Observed, demangle(Symbol)); !S.ok())
    return S;
  std::vector<DefinedVariable> Constants;
  if (Observed)
    Constants = nameConstants(*Source->M, functionName(Symbol, Ordinal));
  Result<CompiledUnit> Unit = finish(*Source->M, Context, Host);
  if (Unit.ok())
    Unit->Variables = std::move(Constants);
  return Unit;
}

Result<CompiledUnit> compileGlobals(DeviceModules &Modules, Compiler &Host,
                                    unsigned Ordinal,
                                    std::optional<std::string> Symbol) {
  CompilingContext Context;
  Result<std::unique_ptr<Module>> M =
      Symbol ? defineGlobal(Modules, Ordinal, *Symbol, Context, Host.target())
             : definePlainGlobals(Modules, Ordinal, Context, Host.target());
  if (!M.ok())
    return M.status();
  CompiledUnit Unit;
  Unit.Needs = neededBy(**M);
  for (const GlobalVariable &G : (*M)->globals())
    if (isGlobalName(G.getName()) && !G.isDeclaration())
      Unit.Variables.push_back({G.getName().str(),
                                (*M)->getDataLayout()
                                    .getTypeAllocSize(G.getValueType())
                                    .getFixedValue(),
                                G.hasAttribute(ConstantMark)});
  if (Unit.Variables.empty())
    return Unit;
  Result<std::string> Object = Host.compile(**M, nullptr);
  if (!Object.ok())
    return Object.status();
  Unit.Object = std::move(*Object);
  return Unit;
}

} // namespace blockmaestro
