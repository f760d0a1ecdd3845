// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Retarget.h"

#include "AccessMarks.h"
#include "BlockContext.h"
#include "ContextCode.h"
#include "Costs.h"
#include "HostArithmetic.h"
#include "NvvmLowering.h"
#include "Refusal.h"
#include "Signatures.h"
#include "SpecialRegisters.h"
#include "WarpCoding.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

#include <cstddef>

using namespace llvm;

namespace blockmaestro {

namespace {

/// Rewrites one kernel; a walk over its instructions, one step after another.
class Retargeting {
public:
  Retargeting(Module &M, ThreadCode &T, unsigned Weights)
      : M(M), T(T), Weights(Weights) {}

  void replaceParameters(Function &Kernel, const KernelRecord &Record);
  void replaceIn(Function &F);

private:
  void replaceExits(Function &F);
  bool replaceCall(CallInst &Call);
  void replaceVisit(CallInst &Marker);
  void replaceTouch(CallInst &Marker);
  void replaceStep(CallInst &Marker);
  void replaceAhead(CallInst &Marker);

  Module &M;
  ThreadCode &T;
  unsigned Weights;
};

/// Parameters come from the packed argument block; an aggregate gets a private
/// copy, since the kernel may write to it.
void Retargeting::replaceParameters(Function &Kernel,
                                    const KernelRecord &Record) {
  IRBuilder<> Entry = ThreadCode::entry(*T.Body);
  Value *Packed =
      loadConstant(Entry, Entry.getPtrTy(), ThreadCode::context(*T.Body),
                   offsetof(BlockContext, Arguments));
  for (Argument &A : Kernel.args()) {
    const Parameter &P = Record.Parameters[A.getArgNo()];
    Value *New;
    if (A.hasByValAttr()) {
      auto *Copy = Entry.CreateAlloca(A.getParamByValType());
      Copy->setAlignment(
          std::max(Copy->getAlign(), A.getParamAlign().valueOrOne()));
      Entry.CreateMemCpy(Copy, Copy->getAlign(),
                         byteOffset(Entry, Packed, P.Offset), MaybeAlign(1),
                         P.Bytes);
      New = Copy;
    } else {
      New = loadConstant(Entry, A.getType(), Packed, P.Offset);
    }
    A.replaceAllUsesWith(New);
  }
}

/// A thread that exits in its outermost function returns.
void Retargeting::replaceExits(Function &F) {
  if (!T.IsKernel || &F != T.Body)
    return;
  for (BasicBlock &Block : F) {
    auto Exit = find_if(Block, [](const Instruction &I) {
      auto *Call = dyn_cast<IntrinsicInst>(&I);
      return Call && Call->getIntrinsicID() == Intrinsic::nvvm_exit;
    });
    if (Exit == Block.end())
      continue;
    changeToUnreachable(&*Exit);
    ReplaceInstWithInst(Block.getTerminator(),
                        ReturnInst::Create(M.getContext()));
  }
}

/// ++Visits[linear thread * Weights + k].
void Retargeting::replaceVisit(CallInst &Marker) {
  IRBuilder<> B(&Marker);
  Function &F = *Marker.getFunction();
  IRBuilder<> Entry = ThreadCode::entry(F);
  Value *Visits = loadConstant(Entry, B.getPtrTy(), ThreadCode::context(F),
                               offsetof(BlockContext, Visits));
  Value *Row = Entry.CreateMul(T.linearThread(F), Entry.getInt32(Weights));
  Value *Slot = B.CreateAdd(Row, Marker.getArgOperand(0));
  Value *Address = B.CreateInBoundsGEP(B.getInt32Ty(), Visits,
                                       B.CreateZExt(Slot, B.getInt64Ty()));
  Value *Old = B.CreateLoad(B.getInt32Ty(), Address);
  B.CreateStore(B.CreateAdd(Old, B.getInt32(1)), Address);
}

/// bm_touch() with what the marker says. It keeps its own books, of which the
/// kernel's code knows nothing.
void Retargeting::replaceTouch(CallInst &Marker) {
  IRBuilder<> B(&Marker);
  Function &F = *Marker.getFunction();
  SmallVector<Value *> Arguments = {ThreadCode::context(F), T.linearThread(F)};
  append_range(Arguments, Marker.args());
  Type *Word = B.getInt32Ty(), *Long = B.getInt64Ty();
  FunctionCallee Told =
      M.getOrInsertFunction("bm_touch", B.getVoidTy(), B.getPtrTy(), Word, Word,
                            Long, B.getPtrTy(), Long);
  auto *Callee = cast<Function>(Told.getCallee());
  Callee->setOnlyAccessesInaccessibleMemory();
  Callee->setDoesNotThrow();
  B.CreateCall(Told, Arguments);
}

/// bm_step() with the step, of which the same is true.
void Retargeting::replaceStep(CallInst &Marker) {
  IRBuilder<> B(&Marker);
  Function &F = *Marker.getFunction();
  Type *Word = B.getInt32Ty();
  FunctionCallee Told =
      M.getOrInsertFunction("bm_step", B.getVoidTy(), B.getPtrTy(), Word, Word);
  auto *Callee = cast<Function>(Told.getCallee());
  Callee->setOnlyAccessesInaccessibleMemory();
  Callee->setDoesNotThrow();
  B.CreateCall(Told, {ThreadCode::context(F), T.linearThread(F),
                      Marker.getArgOperand(0)});
}

/// bm_barrier_ahead(), which reads the visits and begins them anew.
void Retargeting::replaceAhead(CallInst &Marker) {
  IRBuilder<> B(&Marker);
  Function &F = *Marker.getFunction();
  FunctionCallee Told = M.getOrInsertFunction("bm_barrier_ahead", B.getVoidTy(),
                                              B.getPtrTy(), B.getInt32Ty());
  cast<Function>(Told.getCallee())->setDoesNotThrow();
  B.CreateCall(Told, {ThreadCode::context(F), T.linearThread(F)});
}

/// Special registers and the markers of counted code; whether \p Call was
/// one of them.
bool Retargeting::replaceCall(CallInst &Call) {
  Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isDeclaration() || isWholeBlockBarrier(Call))
    return false;
  StringRef Name = Callee->getName();
  Value *New = specialRegister(T, Call);
  if (New)
    Call.replaceAllUsesWith(New);
  else if (Name == VisitMarker)
    replaceVisit(Call);
  else if (Name == TouchMarker)
    replaceTouch(Call);
  else if (Name == StepMarker)
    replaceStep(Call);
  else if (Name == AheadMarker)
    replaceAhead(Call);
  else
    return false;
  return true;
}

void Retargeting::replaceIn(Function &F) {
  replaceExits(F);
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (auto *Call = dyn_cast<CallInst>(&I);
        Call && !lowerNvvmArithmetic(*Call) && replaceCall(*Call))
      Call->eraseFromParent();
  lowerArithmetic(F);
}

} // namespace

void retarget(Function &Root, const KernelRecord *Record, unsigned Weights,
              ThreadCode &T) {
  Module &M = *Root.getParent();
  T.IsKernel = Record != nullptr;
  giveThreadParameters(Root, T);
  Retargeting Work(M, T, Weights);
  if (Record) {
    Work.replaceParameters(Root, *Record);
    Root.eraseFromParent();
  }
  for (Function *F : T.Functions)
    Work.replaceIn(*F);
}

} // namespace blockmaestro
