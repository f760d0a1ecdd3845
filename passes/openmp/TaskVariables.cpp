// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TaskVariables.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

#include <set>

using namespace llvm;

namespace blockmaestro {
namespace {

/// The variable of a pointer by which it is linked.
StringRef withoutLink(StringRef Name) {
  Name.consume_back("_decl_tgt_ref_ptr");
  return Name;
}

/// The variables that clang says are on the device.
StringSet<> declaredForDevice(const Module &M) {
  enum { What, Name, IsVariable = 1 };
  StringSet<> Names;
  if (const NamedMDNode *All = M.getNamedMetadata("omp_offload.info"))
    for (const MDNode *Each : All->operands())
      if (auto *Kind =
              mdconst::dyn_extract<ConstantInt>(Each->getOperand(What));
          Kind && Kind->equalsInt(IsVariable))
        Names.insert(
            withoutLink(cast<MDString>(Each->getOperand(Name))->getString()));
  return Names;
}

/// Whether G is a static variable inside of a function that is on the device as
/// well, and so is it: `_ZZ1fvE1x` of `_Z1fv`, `f.x` of `f` in C.
bool isInFunction(const GlobalVariable &G, const Function &F) {
  StringRef Of = F.getName(), Name = G.getName();
  if (Of.consume_front("_Z"))
    return Name.consume_front("_ZZ") && Name.consume_front(Of) &&
           Name.starts_with("E");
  return Name.consume_front(Of) && Name.starts_with(".");
}

/// Walks the code that a task reaches.
class Uses {
public:
  explicit Uses(const Module &M) : Declared(declaredForDevice(M)) {}

  SmallVector<const GlobalVariable *> of(const Function &Entry) {
    Functions.clear();
    Found.clear();
    visit(Entry);
    SmallVector<const GlobalVariable *> Out;
    for (const GlobalVariable *G : Found)
      if (none_of(Functions,
                  [&](const Function *F) { return isInFunction(*G, *F); }))
        Out.push_back(G);
    return Out;
  }

private:
  void visit(const Function &F) {
    if (F.isDeclaration() || !Functions.insert(&F).second)
      return;
    for (const Instruction &I : instructions(F))
      for (const Use &Each : I.operands())
        visit(*Each);
  }

  void visit(const Value &V) {
    if (auto *F = dyn_cast<Function>(&V))
      return visit(*F);
    if (auto *G = dyn_cast<GlobalVariable>(&V)) {
      if (isOfProgram(*G))
        Found.insert(G);
      return;
    }
    if (auto *C = dyn_cast<ConstantExpr>(&V))
      for (const Use &Each : C->operands())
        visit(*Each);
  }

  /// What clang makes for itself is on the device, too; so is a constexpr one.
  bool isOfProgram(const GlobalVariable &G) const {
    const bool IsClangs = G.isDeclaration() || G.hasCommonLinkage() ||
                          G.hasPrivateLinkage() || G.hasGlobalUnnamedAddr();
    return !IsClangs && !Declared.contains(G.getName()) &&
           !G.getName().starts_with(".") && !G.getName().starts_with("_ZT");
  }

  const StringSet<> Declared;
  SmallPtrSet<const Function *, 16> Functions;
  SmallSetVector<const GlobalVariable *, 4> Found;
};

} // namespace

Error checkTaskVariables(Module &M, const TaskSites &Sites) {
  Uses Of(M);
  std::set<std::string> Missing;
  for (const TaskSite &Task : Sites.Kinds)
    for (const GlobalVariable *G : Of.of(*Task.Entry))
      Missing.insert("'" + demangle(G->getName()) + "'" +
                     (Task.Line ? " in line " + std::to_string(Task.Line)
                                : std::string()));
  if (Missing.empty())
    return Error::success();
  return createStringError(
      "OpenMP: a task of a target region uses a variable that it has not got "
      "on the device: " +
      join(Missing, ", ") +
      "; name it in the task's shared clause, or in declare target");
}

} // namespace blockmaestro
