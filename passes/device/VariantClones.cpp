// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "VariantClones.h"

#include "VariantChecks.h"
#include "VariantParts.h"

#include "PtxAssembly.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace blockmaestro {
namespace {

constexpr Attribute::AttrKind StaleMarks[] = {
    Attribute::NoAlias, Attribute::ReadOnly, Attribute::ReadNone};
constexpr unsigned StaleMetadata[] = {
    LLVMContext::MD_invariant_load, LLVMContext::MD_invariant_group,
    LLVMContext::MD_noalias, LLVMContext::MD_alias_scope};

/// The worker's barriers are number 0, a body's are this one.
constexpr unsigned BodyBarrier = 1;

/// Makes assembly that touches memory say so: some of the toolkit's loads claim
/// to be functions of their address.
void admitMemory(CallBase &Call) {
  const auto *Asm = cast<InlineAsm>(Call.getCalledOperand());
  if (describeAssembly(Call).Accesses.empty())
    return;
  std::string Constraints = Asm->getConstraintString().str();
  if (!StringRef(Constraints).contains("~{memory}"))
    Constraints += ",~{memory}";
  Call.setCalledOperand(InlineAsm::get(
      Asm->getFunctionType(), Asm->getAsmString(), Constraints,
      /*hasSideEffects=*/true, Asm->isAlignStack(), Asm->getDialect()));
  Call.removeFnAttr(Attribute::Memory);
}

/// Takes away everything that lets a load be non-coherent or move up past a
/// wait.
void stripStaleReads(Function &F) {
  for (Argument &A : F.args())
    for (Attribute::AttrKind Mark : StaleMarks)
      A.removeAttr(Mark);
  for (Instruction &I : instructions(F)) {
    for (unsigned Kind : StaleMetadata)
      I.setMetadata(Kind, nullptr);
    if (auto *Call = dyn_cast<CallBase>(&I); Call && Call->isInlineAsm())
      admitMemory(*Call);
    if (auto *Call = dyn_cast<CallBase>(&I))
      for (unsigned A = 0; A < Call->arg_size(); ++A)
        for (Attribute::AttrKind Mark : StaleMarks)
          Call->removeParamAttr(A, Mark);
  }
}

/// Threads of the block, from the BlockIds at Ids.
Value *blockThreads(IRBuilder<> &Build, Value *Ids) {
  Type *Word = Build.getInt32Ty();
  auto Size = [&](unsigned Dimension) {
    return Build.CreateLoad(
        Word, Build.CreateConstInBoundsGEP1_32(Word, Ids, 3 + Dimension));
  };
  return Build.CreateMul(Build.CreateMul(Size(0), Size(1)), Size(2));
}

/// The barrier of the same kind over a given number of threads, or 0.
Intrinsic::ID countedBarrier(Intrinsic::ID All) {
  switch (All) {
  case Intrinsic::nvvm_barrier_cta_sync_all:
    return Intrinsic::nvvm_barrier_cta_sync_count;
  case Intrinsic::nvvm_barrier_cta_sync_aligned_all:
    return Intrinsic::nvvm_barrier_cta_sync_aligned_count;
  default:
    return Intrinsic::not_intrinsic;
  }
}

} // namespace

Function *VariantClones::copy(Function &F, const Twine &Name,
                              ArrayRef<Type *> Extra) {
  Function *Copy = duplicate(F, Name, Extra);
  redirectCalls(*Copy);
  return Copy;
}

Function *VariantClones::body(Function &F) {
  if (Function *Known = Bodies.lookup(&F))
    return Known;
  SmallVector<Type *> Extra;
  if (Source == IndexSource::Memory)
    Extra.push_back(PointerType::get(F.getContext(), 0));
  Function *Copy = duplicate(F, F.getName() + Suffix, Extra);
  Copy->setLinkage(GlobalValue::InternalLinkage);
  Copy->setVisibility(GlobalValue::DefaultVisibility);
  Copy->setCallingConv(CallingConv::C);
  Bodies[&F] = Copy;
  redirectCalls(*Copy);
  return Copy;
}

Function *VariantClones::duplicate(Function &F, const Twine &Name,
                                   ArrayRef<Type *> Extra) {
  Function *Copy = copyWithMore(F, Name, Extra);
  stripStaleReads(*Copy);
  return Copy;
}

void VariantClones::redirectCalls(Function &Copy) {
  SmallVector<CallInst *> Calls;
  for (Instruction &I : instructions(Copy))
    if (auto *Call = dyn_cast<CallInst>(&I))
      Calls.push_back(Call);
  for (CallInst *Call : Calls) {
    Function *Callee = Call->getCalledFunction();
    if (Callee && !Callee->isDeclaration())
      redirectCall(*Call, Copy);
    else if (Callee && Source == IndexSource::Memory)
      readIdsFromMemory(*Call, Copy);
  }
}

void VariantClones::redirectCall(CallInst &Call, Function &Copy) {
  Function *Target = body(*Call.getCalledFunction());
  SmallVector<Value *> Arguments(Call.args());
  if (Source == IndexSource::Memory)
    Arguments.push_back(Copy.getArg(Copy.arg_size() - 1));
  IRBuilder<> Build(&Call);
  CallInst *New = Build.CreateCall(Target, Arguments);
  New->setAttributes(Call.getAttributes());
  New->setCallingConv(Target->getCallingConv());
  New->copyMetadata(Call);
  New->takeName(&Call);
  Call.replaceAllUsesWith(New);
  Call.eraseFromParent();
}

void VariantClones::readIdsFromMemory(CallInst &Call, Function &Copy) {
  Function *Callee = Call.getCalledFunction();
  Value *Ids = Copy.getArg(Copy.arg_size() - 1);
  IRBuilder<> Build(&Call);
  if (Intrinsic::ID Counted = countedBarrier(Callee->getIntrinsicID())) {
    Build.CreateIntrinsic(
        Counted, {}, {Build.getInt32(BodyBarrier), blockThreads(Build, Ids)});
    Call.eraseFromParent();
    return;
  }
  int Register = indexRegister(Callee->getName().str());
  if (Register < 0)
    return;
  Type *Word = Build.getInt32Ty();
  Value *Read = Build.CreateLoad(
      Word, Build.CreateConstInBoundsGEP1_32(Word, Ids, Register));
  Call.replaceAllUsesWith(Read);
  Call.eraseFromParent();
}

} // namespace blockmaestro
