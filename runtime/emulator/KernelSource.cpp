// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelSource.h"

#include "Analyses.h"
#include "MathTable.h"
#include "MatrixCode.h"
#include "PtxLowering.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/IRMover.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/ExpandVariadics.h"

using namespace llvm;

namespace blockmaestro {

namespace {

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

/// "90" of "sm_90a".
unsigned architectureNumber(StringRef Architecture) {
  unsigned Number = 0;
  Architecture.consume_front("sm_");
  Architecture.consumeInteger(10, Number);
  return Number;
}

/// Drops what lists functions by name, so that linking does not reach them, and
/// the flags, in which modules may differ: functions say themselves how they
/// treat denormals.
void dropLists(Module &M) {
  for (NamedMDNode &List : make_early_inc_range(M.named_metadata()))
    if (List.getName().starts_with("nvvm"))
      List.eraseFromParent();
  if (NamedMDNode *Flags = M.getModuleFlagsMetadata())
    Flags->eraseFromParent();
}

/// Whether code that uses \p G takes its definition along.
bool isTakenAlong(const GlobalValue &G) {
  if (const auto *Variable = dyn_cast<GlobalVariable>(&G))
    return isShared(*Variable) || isFixed(*Variable);
  return true;
}

/// Makes every definition of \p Source that does not count a declaration.
void dropUnused(Module &Source, const Definers &Counting) {
  for (GlobalValue &G : Source.global_values()) {
    if (G.isDeclaration() || Counting.isOwn(G.getName()))
      continue;
    if (auto *F = dyn_cast<Function>(&G)) {
      F->deleteBody();
      F->setComdat(nullptr);
    } else if (auto *Variable = dyn_cast<GlobalVariable>(&G)) {
      Variable->setInitializer(nullptr);
      Variable->setLinkage(GlobalValue::ExternalLinkage);
      Variable->setComdat(nullptr);
    }
  }
}

/// Puts in the place of the aliases of \p M what they stand for.
void dropAliases(Module &M) {
  for (GlobalAlias &A : make_early_inc_range(M.aliases())) {
    A.replaceAllUsesWith(A.getAliasee());
    A.eraseFromParent();
  }
}

/// Builds one module out of parts of several that are linked together.
class Linking {
public:
  Linking(DeviceModules &Modules, unsigned First, LLVMContext &Context)
      : Modules(Modules), First(First),
        M(std::make_unique<Module>("kernel", Context)), Mover(*M) {}

  Status linkFrom(unsigned Ordinal, ArrayRef<std::string> Names);
  Status linkMissing();
  std::unique_ptr<Module> take() { return std::move(M); }
  Module &module() { return *M; }

private:
  void adopt(unsigned Ordinal, const Definers &Counting);
  void adoptVariable(GlobalVariable &G, std::optional<unsigned> Definer);
  std::map<unsigned, std::vector<std::string>> missing();

  DeviceModules &Modules;
  const unsigned First; ///< Module; all others are linked with it.
  std::unique_ptr<Module> M;
  IRMover Mover;
};

/// Moves \p Names of module \p Ordinal here, with all they reach in it.
Status Linking::linkFrom(unsigned Ordinal, ArrayRef<std::string> Names) {
  Result<std::unique_ptr<Module>> From = Modules.open(Ordinal, M->getContext());
  if (!From.ok())
    return From.status();
  Module &Source = **From;
  auto Corrupt = [&](Error Why) {
    return Status(StatusCode::Corrupt,
                  "the device code of '" + Modules.record(Ordinal).Source +
                      "' cannot be read: " + toString(std::move(Why)));
  };
  if (Error E = Source.materializeMetadata())
    return Corrupt(std::move(E));
  dropLists(Source);
  const Definers Counting(Source, Ordinal, Modules);
  dropUnused(Source, Counting);
  M->setDataLayout(Source.getDataLayout());
  M->setTargetTriple(Source.getTargetTriple());
  SmallVector<GlobalValue *> Values;
  for (const std::string &Name : Names) {
    GlobalValue *G = Source.getNamedValue(Name);
    if (!G || G->isDeclaration())
      return Status(StatusCode::NotFound,
                    "the device code has no function '" + Name + "'");
    Values.push_back(G);
  }
  if (Error E = Mover.move(
          std::move(*From), Values,
          [](GlobalValue &G, IRMover::ValueAdder Add) {
            if (isTakenAlong(G))
              Add(G);
          },
          /*IsPerformingImport=*/false))
    return Corrupt(std::move(E));
  mapLibdevice(*M);
  dropAliases(*M);
  adopt(Ordinal, Counting);
  return Status();
}

/// Gives a variable its name for all compiled code; other code owns it.
void Linking::adoptVariable(GlobalVariable &G,
                            std::optional<unsigned> Definer) {
  std::string Name = globalName(G.getName(), Definer);
  bool KeepValue = isFixed(G) && G.hasInitializer();
  if (!KeepValue)
    G.setInitializer(nullptr);
  G.setComdat(nullptr);
  G.setExternallyInitialized(false);
  G.setLinkage(KeepValue ? GlobalValue::AvailableExternallyLinkage
                         : GlobalValue::ExternalLinkage);
  G.setVisibility(GlobalValue::DefaultVisibility);
  G.setDSOLocal(false);
  G.setSection("");
  GlobalVariable *Same = M->getNamedGlobal(Name);
  if (!Same) {
    G.setName(Name);
    return;
  }
  G.replaceAllUsesWith(
      ConstantExpr::getPointerBitCastOrAddrSpaceCast(Same, G.getType()));
  G.eraseFromParent();
}

/// Gives everything that came from module \p Ordinal its name.
void Linking::adopt(unsigned Ordinal, const Definers &Counting) {
  for (Function &F : *M) {
    F.setComdat(nullptr);
    if (!F.isDeclaration() && !isFunctionName(F.getName()))
      F.setName(functionName(F.getName(), Ordinal));
  }
  for (GlobalVariable &G : make_early_inc_range(M->globals()))
    if (isDeviceGlobal(G) && !isGlobalName(G.getName()))
      adoptVariable(G, Counting.find(G.getName()));
}

/// The functions without a body that some module has, by module.
std::map<unsigned, std::vector<std::string>> Linking::missing() {
  std::map<unsigned, std::vector<std::string>> Missing;
  for (const Function &F : *M) {
    if (!F.isDeclaration() || F.isIntrinsic() || F.use_empty())
      continue;
    std::string Name = F.getName().str();
    if (std::optional<unsigned> Definer = Modules.definerOf(Name, First))
      Missing[*Definer].push_back(Name);
  }
  return Missing;
}

/// Links what other modules define until nothing that they have is missing.
Status Linking::linkMissing() {
  for (;;) {
    auto Missing = missing();
    if (Missing.empty())
      return Status();
    for (const auto &[Ordinal, Names] : Missing)
      if (Status S = linkFrom(Ordinal, Names); !S.ok())
        return S;
  }
}

/// Makes variable arguments one block of memory, as on the device.
void expandVariadics(Module &M) {
  if (none_of(M, [](const Function &F) {
        return F.isVarArg() && !F.isDeclaration();
      }))
    return;
  Analyses Known;
  ExpandVariadicsPass(ExpandVariadicsMode::Lowering).run(M, Known.OfModules);
}

} // namespace

Definers::Definers(const Module &Source, unsigned Ordinal,
                   DeviceModules &Modules)
    : Modules(Modules), Ordinal(Ordinal) {
  for (const GlobalValue &G : Source.global_values())
    if (!G.isDeclaration() && Modules.isUsed(G, Ordinal))
      Own.insert(G.getName());
}

std::optional<unsigned> Definers::find(StringRef Name) const {
  return isOwn(Name) ? std::optional(Ordinal)
                     : Modules.definerOf(Name.str(), Ordinal);
}

Result<KernelSource> linkReached(DeviceModules &Modules, unsigned Ordinal,
                                 const std::string &Symbol,
                                 LLVMContext &Context,
                                 const TargetMachine &Host) {
  Linking Link(Modules, Ordinal, Context);
  if (Status S = Link.linkFrom(Ordinal, {Symbol}); !S.ok())
    return S;
  if (Status S = Link.linkMissing(); !S.ok())
    return S;
  KernelSource Source;
  Source.M = Link.take();
  Source.Root = Source.M->getFunction(functionName(Symbol, Ordinal));
  expandVariadics(*Source.M);
  Source.M->setTargetTriple(Host.getTargetTriple());
  Source.M->setDataLayout(Host.createDataLayout());
  lowerInlineAsm(*Source.M);
  lowerMatrixIntrinsics(*Source.M);
  resolveReflect(*Source.M,
                 architectureNumber(Modules.record(Ordinal).Architecture));
  return Source;
}

bool isShared(const GlobalVariable &G) {
  return G.getAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED;
}

bool isDeviceGlobal(const GlobalVariable &G) {
  return !isShared(G) && !G.hasPrivateLinkage() &&
         !G.getName().starts_with("llvm.");
}

bool isFixed(const GlobalVariable &G) {
  return G.isConstant() && !G.isExternallyInitialized();
}

std::string globalName(StringRef Symbol, std::optional<unsigned> Owner) {
  std::string Prefix = "device.";
  if (Owner)
    Prefix += std::to_string(*Owner) + ".";
  return Prefix + Symbol.str();
}

bool isGlobalName(StringRef Name) { return Name.starts_with("device."); }

std::pair<std::string, std::optional<unsigned>>
splitGlobalName(StringRef Name) {
  Name.consume_front("device.");
  StringRef Rest = Name;
  unsigned Owner = 0;
  if (Rest.consumeInteger(10, Owner) || !Rest.consume_front("."))
    return {Name.str(), std::nullopt};
  return {Rest.str(), Owner};
}

std::string functionName(StringRef Symbol, unsigned Ordinal) {
  return ("fn." + std::to_string(Ordinal) + "." + Symbol).str();
}

bool isFunctionName(StringRef Name) { return Name.starts_with("fn."); }

std::pair<std::string, unsigned> splitFunctionName(StringRef Name) {
  unsigned Ordinal = 0;
  Name.consume_front("fn.");
  Name.consumeInteger(10, Ordinal);
  Name.consume_front(".");
  return {Name.str(), Ordinal};
}

} // namespace blockmaestro
