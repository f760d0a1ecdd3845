// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DeviceGlobals.h"

#include "Faults.h"
#include "KernelSource.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/IRMover.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace blockmaestro {

namespace {

/// Whether \p Initializer mentions a function or memory that exists only while
/// a block runs.
bool needsDeviceCode(const Constant *Initializer) {
  SmallPtrSet<const Value *, 16> Seen;
  SmallVector<const Value *> Work = {Initializer};
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val();
    if (!Seen.insert(V).second)
      continue;
    if (isa<Function>(V))
      return true;
    if (auto *G = dyn_cast<GlobalVariable>(V)) {
      if (!isDeviceGlobal(*G) && !G->hasPrivateLinkage())
        return true;
      continue;
    }
    if (auto *U = dyn_cast<User>(V))
      Work.append(U->op_begin(), U->op_end());
  }
  return false;
}

/// A module under construction out of parts of another.
class Definitions {
public:
  Definitions(DeviceModules &Modules, unsigned Ordinal, LLVMContext &Context)
      : Modules(Modules), Ordinal(Ordinal),
        M(std::make_unique<Module>("globals", Context)) {}

  using Filter = function_ref<bool(const GlobalVariable &)>;
  Result<std::unique_ptr<Module>> take(Filter Wanted,
                                       const TargetMachine &Host);

private:
  void publish(GlobalVariable &G, const Definers &Counting, bool Define);
  void nameFunction(Function &F, const Definers &Counting);

  DeviceModules &Modules;
  unsigned Ordinal;
  std::unique_ptr<Module> M;
};

/// Gives \p G its name for all compiled code, which may write to it.
void Definitions::publish(GlobalVariable &G, const Definers &Counting,
                          bool Define) {
  std::string Name = globalName(G.getName(), Counting.find(G.getName()));
  if (!Define)
    G.setInitializer(nullptr);
  if (isFixed(G))
    G.addAttribute(ConstantMark);
  G.setComdat(nullptr);
  G.setConstant(false);
  G.setExternallyInitialized(false);
  G.setLinkage(GlobalValue::ExternalLinkage);
  G.setVisibility(GlobalValue::DefaultVisibility);
  G.setDSOLocal(false);
  G.setSection("");
  G.setName(Name);
}

/// Makes \p F the declaration of the function that its address is of.
void Definitions::nameFunction(Function &F, const Definers &Counting) {
  std::string Symbol = F.getName().str();
  unsigned Definer = Counting.find(Symbol).value_or(Ordinal);
  if (!F.isDeclaration())
    F.deleteBody();
  F.setComdat(nullptr);
  if (Symbol == "__cxa_pure_virtual")
    F.setName("bm_pure_virtual");
  else
    F.setName(functionName(Symbol, Definer));
}

/// Moves the variables for which \p Wanted holds here, without any code.
Result<std::unique_ptr<Module>> Definitions::take(Filter Wanted,
                                                  const TargetMachine &Host) {
  Result<std::unique_ptr<Module>> From = Modules.open(Ordinal, M->getContext());
  if (!From.ok())
    return From.status();
  M->setDataLayout((*From)->getDataLayout());
  M->setTargetTriple((*From)->getTargetTriple());
  const Definers Counting(**From, Ordinal, Modules);
  SmallVector<GlobalValue *> Values;
  StringSet<> Names;
  for (GlobalVariable &G : (*From)->globals())
    if (isDeviceGlobal(G) && G.hasInitializer() &&
        Counting.isOwn(G.getName()) && Wanted(G)) {
      Values.push_back(&G);
      Names.insert(G.getName());
    }
  if (Error E = IRMover(*M).move(std::move(*From), Values, nullptr,
                                 /*IsPerformingImport=*/false))
    return Status(StatusCode::Corrupt,
                  "the device variables of '" + Modules.record(Ordinal).Source +
                      "' cannot be read: " + toString(std::move(E)));
  for (Function &F : *M)
    nameFunction(F, Counting);
  for (GlobalVariable &G : make_early_inc_range(M->globals())) {
    bool Define = Names.contains(G.getName());
    if (isDeviceGlobal(G))
      publish(G, Counting, Define);
    G.removeDeadConstantUsers();
    if (!Define && G.use_empty())
      G.eraseFromParent();
  }
  M->setTargetTriple(Host.getTargetTriple());
  M->setDataLayout(Host.createDataLayout());
  return std::move(M);
}

} // namespace

Result<std::unique_ptr<Module>> definePlainGlobals(DeviceModules &Modules,
                                                   unsigned Ordinal,
                                                   LLVMContext &Context,
                                                   const TargetMachine &Host) {
  return Definitions(Modules, Ordinal, Context)
      .take(
          [](const GlobalVariable &G) {
            return !needsDeviceCode(G.getInitializer());
          },
          Host);
}

Result<std::unique_ptr<Module>> defineGlobal(DeviceModules &Modules,
                                             unsigned Ordinal, StringRef Symbol,
                                             LLVMContext &Context,
                                             const TargetMachine &Host) {
  return Definitions(Modules, Ordinal, Context)
      .take([&](const GlobalVariable &G) { return G.getName() == Symbol; },
            Host);
}

} // namespace blockmaestro

BM_SWITCHES void bm_pure_virtual(blockmaestro::BlockContext *Context,
                                 uint32_t X, uint32_t Y, uint32_t Z) {
  using namespace blockmaestro;
  uint32_t Row = Z * Context->Block[1] + Y;
  bm_fault(Context, Row * Context->Block[0] + X, uint32_t(FaultKind::Trap), 0);
}
