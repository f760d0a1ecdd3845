// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Inlining, promotion and simplification (KernelSource.h). A call through a
// pointer that turns out to be constant, such as a function passed to a
// template or a virtual call of an object of known type, becomes a direct call
// by simplification; that is why inlining is repeated.

#include "KernelSource.h"

#include "AccessMarks.h"
#include "Analyses.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace llvm;

namespace blockmaestro {

namespace {

/// A function of more instructions than this, with all that is inlined into it,
/// is called where it is called from more than one place.
constexpr uint64_t LargestCopied = 10000;
/// Nothing is inlined into functions larger than this.
constexpr uint64_t LargestGrown = 200000;
/// How often inlining is repeated after simplification.
constexpr unsigned Rounds = 4;

/// The function with a body that \p I calls directly, or null.
Function *calledBody(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && !Callee->isDeclaration() ? Callee : nullptr;
}

/// Decides which functions are inlined: bottom-up, by size.
class InlinePlan {
public:
  explicit InlinePlan(Module &M) {
    for (Function &F : M)
      for (Instruction &I : instructions(F))
        if (Function *Callee = calledBody(I))
          ++Calls[Callee];
  }

  /// Marks everything that is to be inlined into \p Root, directly or not;
  /// returns whether there is something.
  bool mark(Function &Root) {
    sizeOf(Root);
    return Marked;
  }

private:
  uint64_t sizeOf(Function &F);
  bool isInlined(Function &F, uint64_t CallerSize);

  DenseMap<Function *, unsigned> Calls;
  DenseMap<Function *, uint64_t> Sizes; ///< 0 while it is being computed.
  bool Marked = false;
};

/// Whether calls of \p F are replaced by its code. A function that is being
/// computed is recursive.
bool InlinePlan::isInlined(Function &F, uint64_t CallerSize) {
  uint64_t Size = sizeOf(F);
  return Size != 0 && (Size <= LargestCopied || Calls[&F] == 1) &&
         CallerSize + Size <= LargestGrown;
}

uint64_t InlinePlan::sizeOf(Function &F) {
  auto [Known, New] = Sizes.try_emplace(&F, 0);
  if (!New)
    return Known->second;
  uint64_t Size = 1;
  for (Instruction &I : instructions(F)) {
    ++Size;
    Function *Callee = calledBody(I);
    if (!Callee)
      continue;
    if (!isInlined(*Callee, Size)) {
      Callee->removeFnAttr(Attribute::AlwaysInline);
      Callee->addFnAttr(Attribute::NoInline);
      continue;
    }
    Size += Sizes[Callee];
    Marked = true;
    if (!Callee->hasFnAttribute(Attribute::NoInline))
      Callee->addFnAttr(Attribute::AlwaysInline);
  }
  return Sizes[&F] = Size;
}

/// No instruction of a GPU needs more than this, and programs promise more than
/// holds (CUB does) without ever noticing. The host's compiler would use it.
constexpr Align LargestAlignment = Align::Constant<16>();

Align bounded(MaybeAlign Promised) {
  return std::min(Promised.valueOrOne(), LargestAlignment);
}

void boundAlignment(Instruction &I) {
  if (auto *Load = dyn_cast<LoadInst>(&I))
    Load->setAlignment(bounded(Load->getAlign()));
  else if (auto *Store = dyn_cast<StoreInst>(&I))
    Store->setAlignment(bounded(Store->getAlign()));
  else if (auto *Bulk = dyn_cast<MemIntrinsic>(&I))
    Bulk->setDestAlignment(bounded(Bulk->getDestAlign()));
  if (auto *Copy = dyn_cast<MemTransferInst>(&I))
    Copy->setSourceAlignment(bounded(Copy->getSourceAlign()));
}

/// Takes back what the program has said of alignments beyond what a device
/// makes use of.
void boundAlignments(Function &F) {
  auto Bound = [](AttributeList List, unsigned Index, LLVMContext &Context) {
    MaybeAlign Promised = List.getAttributes(Index).getAlignment();
    if (!Promised || *Promised <= LargestAlignment)
      return List;
    List = List.removeAttributeAtIndex(Context, Index, Attribute::Alignment);
    return List.addAttributeAtIndex(
        Context, Index, Attribute::getWithAlignment(Context, LargestAlignment));
  };
  for (unsigned Index : F.getAttributes().indexes())
    F.setAttributes(Bound(F.getAttributes(), Index, F.getContext()));
  for (Instruction &I : instructions(F)) {
    boundAlignment(I);
    if (auto *Call = dyn_cast<CallBase>(&I))
      for (unsigned Index : Call->getAttributes().indexes())
        Call->setAttributes(
            Bound(Call->getAttributes(), Index, F.getContext()));
  }
}

/// Removes what ties functions to the GPU or keeps them from being inlined, and
/// makes \p Root the only one others can name.
void dropDeviceAttributes(Function &Root) {
  for (Function &F : *Root.getParent()) {
    F.removeFnAttr("target-cpu");
    F.removeFnAttr("target-features");
    F.removeFnAttr("frame-pointer");
    F.removeFnAttr(Attribute::NoInline);
    F.removeFnAttr(Attribute::AlwaysInline);
    F.removeFnAttr(Attribute::OptimizeNone);
    F.removeFnAttr(Attribute::InlineHint);
    boundAlignments(F);
    if (F.isDeclaration())
      continue;
    F.setLinkage(&F == &Root ? GlobalValue::ExternalLinkage
                             : GlobalValue::InternalLinkage);
    F.setVisibility(GlobalValue::DefaultVisibility);
    F.setCallingConv(CallingConv::C);
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I)) {
        Call->removeFnAttr(Attribute::NoInline);
        if (!Call->isInlineAsm() && !Call->getIntrinsicID())
          Call->setCallingConv(CallingConv::C);
      }
  }
}

/// One round of inlining and simplification.
void simplify(Module &M) {
  Analyses Known;
  ModulePassManager Passes;
  Passes.addPass(AlwaysInlinerPass(/*InsertLifetime=*/false));
  Passes.addPass(GlobalDCEPass());
  FunctionPassManager Simplify;
  Simplify.addPass(SROAPass(SROAOptions::ModifyCFG));
  Simplify.addPass(EarlyCSEPass());
  Simplify.addPass(InstCombinePass());
  Simplify.addPass(SimplifyCFGPass());
  Passes.addPass(createModuleToFunctionPassAdaptor(std::move(Simplify)));
  Passes.addPass(GlobalDCEPass());
  Passes.run(M, Known.OfModules);
}

/// Marks what is volatile only to be kept.
constexpr const char *KeptMark = "bm.kept";

/// Makes \p I stay if it is a plain access that others could see.
void keepAccess(Instruction &I) {
  const Value *Pointer = getLoadStorePointerOperand(&I);
  if (!Pointer || I.isVolatile() || isPrivate(Pointer))
    return;
  if (auto *Load = dyn_cast<LoadInst>(&I))
    Load->setVolatile(true);
  else
    cast<StoreInst>(I).setVolatile(true);
  I.setMetadata(KeptMark, MDNode::get(I.getContext(), {}));
}

void releaseAccess(Instruction &I) {
  if (!I.getMetadata(KeptMark))
    return;
  I.setMetadata(KeptMark, nullptr);
  if (auto *Load = dyn_cast<LoadInst>(&I))
    Load->setVolatile(false);
  else
    cast<StoreInst>(I).setVolatile(false);
}

void forEachInstruction(Module &M, function_ref<void(Instruction &)> Each) {
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      Each(I);
}

/// Inlines and moves variables into registers; then accesses are made to stay.
void keepAccesses(Module &M) {
  Analyses Known;
  ModulePassManager Passes;
  Passes.addPass(AlwaysInlinerPass(/*InsertLifetime=*/false));
  Passes.addPass(
      createModuleToFunctionPassAdaptor(SROAPass(SROAOptions::ModifyCFG)));
  Passes.run(M, Known.OfModules);
  forEachInstruction(M, keepAccess);
}

/// Removes the bodies of functions that are never called directly: they are
/// compiled on their own when somebody needs their address.
void dropUncalledBodies(Function &Root) {
  SetVector<Function *> Called;
  Called.insert(&Root);
  for (unsigned I = 0; I < Called.size(); ++I)
    for (Instruction &Each : instructions(*Called[I]))
      if (Function *Callee = calledBody(Each))
        Called.insert(Callee);
  for (Function &F : make_early_inc_range(*Root.getParent())) {
    F.removeFnAttr(Attribute::AlwaysInline);
    F.removeFnAttr(Attribute::NoInline);
    if (F.isDeclaration() || Called.contains(&F))
      continue;
    F.deleteBody();
    F.removeDeadConstantUsers();
    if (F.use_empty())
      F.eraseFromParent();
  }
}

} // namespace

void canonicalize(Function &Root, bool KeepAccesses) {
  Module &M = *Root.getParent();
  dropDeviceAttributes(Root);
  for (unsigned Round = 0; Round < Rounds; ++Round) {
    bool Inlines = InlinePlan(M).mark(Root);
    if (Round > 0 && !Inlines)
      break;
    if (Round == 0 && KeepAccesses)
      keepAccesses(M);
    simplify(M);
  }
  if (KeepAccesses)
    forEachInstruction(M, releaseAccess);
  dropUncalledBodies(Root);
}

} // namespace blockmaestro
