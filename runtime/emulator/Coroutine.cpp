// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BlockContext.h"
#include "BlockFunction.h"
#include "ContextCode.h"
#include "Refusal.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <cstddef>

using namespace llvm;

namespace blockmaestro {

namespace {

/// The parts of one coroutine under construction.
struct Coroutine {
  Function *F;
  Value *Handle;
  BasicBlock *Leave; ///< Gives control back to the caller.
};

/// Moves the thread's code into a function that returns a handle.
Function *moveIntoCoroutine(Function &Body) {
  Module &M = *Body.getParent();
  auto *FT = FunctionType::get(PointerType::getUnqual(M.getContext()),
                               Body.getFunctionType()->params(), false);
  Function *F =
      Function::Create(FT, GlobalValue::InternalLinkage, "bm.thread", M);
  F->addFnAttr(Attribute::PresplitCoroutine);
  F->addFnAttr(Attribute::NoUnwind);
  F->splice(F->begin(), &Body);
  for (auto [Old, New] : zip(Body.args(), F->args()))
    Old.replaceAllUsesWith(&New);
  Body.eraseFromParent();
  return F;
}

/// Takes the frame from the block's memory and begins the coroutine.
Coroutine beginCoroutine(Function *F) {
  Module &M = *F->getParent();
  BasicBlock *Code = &F->getEntryBlock();
  BasicBlock *First = BasicBlock::Create(M.getContext(), "coro.begin", F, Code);
  IRBuilder<> B(First);
  Value *Null = ConstantPointerNull::get(B.getPtrTy());
  Value *Id = B.CreateIntrinsic(Intrinsic::coro_id, {},
                                {B.getInt32(FrameAlignment), Null, Null, Null});
  Value *Size = B.CreateIntrinsic(Intrinsic::coro_size, {B.getInt64Ty()}, {});
  Value *Allocate = loadConstant(B, B.getPtrTy(), F->getArg(0),
                                 offsetof(BlockContext, Allocate));
  auto *FT =
      FunctionType::get(B.getPtrTy(), {B.getPtrTy(), B.getInt64Ty()}, false);
  Value *Frame = B.CreateCall(FT, Allocate, {F->getArg(0), Size});
  Value *Handle = B.CreateIntrinsic(Intrinsic::coro_begin, {}, {Id, Frame});
  B.CreateBr(Code);

  BasicBlock *Leave = BasicBlock::Create(M.getContext(), "coro.leave", F);
  B.SetInsertPoint(Leave);
  B.CreateIntrinsic(
      Intrinsic::coro_end, {},
      {Handle, B.getFalse(), ConstantTokenNone::get(M.getContext())});
  B.CreateRet(Handle);
  return {F, Handle, Leave};
}

/// Ends \p Block with a suspension that goes on at \p Resume, or never where
/// \p Resume is null.
void suspendAt(const Coroutine &C, BasicBlock *Block, BasicBlock *Resume) {
  LLVMContext &Context = Block->getContext();
  IRBuilder<> B(Block);
  Value *Why = B.CreateIntrinsic(
      Intrinsic::coro_suspend, {},
      {ConstantTokenNone::get(Context), B.getInt1(Resume == nullptr)});
  SwitchInst *Switch = B.CreateSwitch(Why, C.Leave, 2);
  if (Resume)
    Switch->addCase(B.getInt8(0), Resume);
  Switch->addCase(B.getInt8(1), C.Leave);
}

/// Allocas must stay in the entry block, ahead of the frame's begin.
void hoistAllocas(Function *F, BasicBlock *From) {
  Instruction *Where = &F->getEntryBlock().front();
  for (Instruction &I : make_early_inc_range(*From))
    if (isa<AllocaInst>(I))
      I.moveBefore(Where->getIterator());
}

} // namespace

Function *makeCoroutine(Function &Body) {
  Function *F = moveIntoCoroutine(Body);
  SmallVector<CallInst *> Barriers;
  SmallVector<ReturnInst *> Returns;
  for (Instruction &I : instructions(*F)) {
    if (auto *Call = dyn_cast<CallInst>(&I); Call && isBlockBarrier(*Call))
      Barriers.push_back(Call);
    else if (auto *Return = dyn_cast<ReturnInst>(&I))
      Returns.push_back(Return);
  }
  BasicBlock *Code = &F->getEntryBlock();
  Coroutine C = beginCoroutine(F);
  hoistAllocas(F, Code);

  BasicBlock *Finish = BasicBlock::Create(F->getContext(), "coro.finish", F);
  suspendAt(C, Finish, nullptr);
  for (ReturnInst *Return : Returns)
    ReplaceInstWithInst(Return, BranchInst::Create(Finish));
  for (CallInst *Barrier : Barriers) {
    BasicBlock *Block = Barrier->getParent();
    BasicBlock *Resume = SplitBlock(Block, Barrier->getNextNode());
    Block->getTerminator()->eraseFromParent();
    Barrier->eraseFromParent();
    suspendAt(C, Block, Resume);
  }
  return F;
}

} // namespace blockmaestro
