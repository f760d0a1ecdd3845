// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BlockFunction.h"

#include "BlockContext.h"
#include "ContextCode.h"
#include "Refusal.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <cstddef>

using namespace llvm;

namespace blockmaestro {

namespace {

using LoopBody = function_ref<void(IRBuilder<> &, Value *Index)>;

/// Emits `for (Index = 0; Index != Count; ++Index) Emit(Index)` for a Count of
/// at least one, and leaves \p B after the loop.
void emitLoop(IRBuilder<> &B, Value *Count, LoopBody Emit) {
  Function *F = B.GetInsertBlock()->getParent();
  BasicBlock *Before = B.GetInsertBlock();
  BasicBlock *Loop = BasicBlock::Create(B.getContext(), "loop", F);
  BasicBlock *After = BasicBlock::Create(B.getContext(), "after", F);
  B.CreateBr(Loop);
  B.SetInsertPoint(Loop);
  PHINode *Index = B.CreatePHI(Count->getType(), 2);
  Index->addIncoming(ConstantInt::get(Count->getType(), 0), Before);
  Emit(B, Index);
  Value *Next = B.CreateNUWAdd(Index, ConstantInt::get(Count->getType(), 1));
  Index->addIncoming(Next, B.GetInsertBlock());
  B.CreateCondBr(B.CreateICmpULT(Next, Count), Loop, After);
  B.SetInsertPoint(After);
}

/// Builds the code of one block function.
class BlockBuilder {
public:
  BlockBuilder(Module &M, const std::string &Name) : B(M.getContext()) {
    auto *FT = FunctionType::get(B.getVoidTy(), {B.getPtrTy()}, false);
    F = Function::Create(FT, GlobalValue::ExternalLinkage, Name, M);
    F->addFnAttr(Attribute::NoUnwind);
    F->addDereferenceableParamAttr(0, sizeof(BlockContext));
    B.SetInsertPoint(BasicBlock::Create(M.getContext(), "entry", F));
    for (unsigned D = 0; D < 3; ++D)
      Extent[D] = loadConstant(B, B.getInt32Ty(), context(),
                               offsetof(BlockContext, Block) + 4 * D);
  }

  void loopOverThreads(Function &Body);
  void runCoroutines(Function &Start);

private:
  Value *context() { return F->getArg(0); }
  void forEachThread(function_ref<void(ArrayRef<Value *> Arguments)> Emit);
  void resumeRound(Value *Handles, Value *Threads, Value *AnyAlive);
  Value *handleAt(Value *Handles, Value *Index) {
    return B.CreateInBoundsGEP(B.getPtrTy(), Handles, Index);
  }

  IRBuilder<> B;
  Function *F;
  Value *Extent[3];
};

void BlockBuilder::forEachThread(function_ref<void(ArrayRef<Value *>)> Emit) {
  emitLoop(B, Extent[2], [&](IRBuilder<> &, Value *Z) {
    emitLoop(B, Extent[1], [&](IRBuilder<> &, Value *Y) {
      emitLoop(B, Extent[0],
               [&](IRBuilder<> &, Value *X) { Emit({context(), X, Y, Z}); });
    });
  });
}

void BlockBuilder::loopOverThreads(Function &Body) {
  Body.addFnAttr(Attribute::AlwaysInline);
  forEachThread(
      [&](ArrayRef<Value *> Arguments) { B.CreateCall(&Body, Arguments); });
  B.CreateRetVoid();
}

/// Resumes every thread that has not finished; notes if there was one.
void BlockBuilder::resumeRound(Value *Handles, Value *Threads,
                               Value *AnyAlive) {
  emitLoop(B, Threads, [&](IRBuilder<> &, Value *Index) {
    BasicBlock *Alive = BasicBlock::Create(B.getContext(), "alive", F);
    BasicBlock *Next = BasicBlock::Create(B.getContext(), "next", F);
    Value *Handle = B.CreateLoad(B.getPtrTy(), handleAt(Handles, Index));
    B.CreateCondBr(B.CreateIntrinsic(Intrinsic::coro_done, {}, {Handle}), Next,
                   Alive);
    B.SetInsertPoint(Alive);
    B.CreateIntrinsic(Intrinsic::coro_resume, {}, {Handle});
    B.CreateStore(B.getTrue(), AnyAlive);
    B.CreateBr(Next);
    B.SetInsertPoint(Next);
  });
}

void BlockBuilder::runCoroutines(Function &Start) {
  Value *AnyAlive = B.CreateAlloca(B.getInt1Ty());
  Value *Counter = B.CreateAlloca(B.getInt64Ty());
  Value *Threads = B.getInt64(1);
  for (Value *E : Extent)
    Threads = B.CreateMul(Threads, B.CreateZExt(E, B.getInt64Ty()));
  Value *Allocate = loadConstant(B, B.getPtrTy(), context(),
                                 offsetof(BlockContext, Allocate));
  auto *FT =
      FunctionType::get(B.getPtrTy(), {B.getPtrTy(), B.getInt64Ty()}, false);
  Value *Bytes = B.CreateMul(Threads, B.getInt64(sizeof(void *)));
  Value *Handles = B.CreateCall(FT, Allocate, {context(), Bytes});
  B.CreateStore(B.getInt64(0), Counter);
  forEachThread([&](ArrayRef<Value *> Arguments) {
    Value *Index = B.CreateLoad(B.getInt64Ty(), Counter);
    B.CreateStore(B.CreateCall(&Start, Arguments), handleAt(Handles, Index));
    B.CreateStore(B.CreateNUWAdd(Index, B.getInt64(1)), Counter);
  });

  BasicBlock *Round = BasicBlock::Create(B.getContext(), "round", F);
  B.CreateBr(Round);
  B.SetInsertPoint(Round);
  B.CreateStore(B.getFalse(), AnyAlive);
  resumeRound(Handles, Threads, AnyAlive);
  BasicBlock *Done = BasicBlock::Create(B.getContext(), "done", F);
  B.CreateCondBr(B.CreateLoad(B.getInt1Ty(), AnyAlive), Round, Done);
  B.SetInsertPoint(Done);
  B.CreateRetVoid();
}

bool hasBarrier(const Function &Body) {
  return any_of(instructions(Body), [](const Instruction &I) {
    auto *Call = dyn_cast<CallInst>(&I);
    return Call && isBlockBarrier(*Call);
  });
}

} // namespace

void makeBlockFunction(Function &Body, const std::string &Name) {
  BlockBuilder Builder(*Body.getParent(), Name);
  if (hasBarrier(Body))
    Builder.runCoroutines(*makeCoroutine(Body));
  else
    Builder.loopOverThreads(Body);
}

} // namespace blockmaestro
