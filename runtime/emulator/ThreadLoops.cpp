// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Note [Thread loops]
// ~~~~~~~~~~~~~~~~~~~
// The threads of a block between two barriers are three nested loops, x
// innermost. CUDA promises no order among them and forbids two of them to touch
// the same memory unless both read or both are atomic. So the iterations are
// independent, and the loops say so (llvm.loop.parallel_accesses): LLVM may
// vectorise without asking at run time whether pointers overlap, which for
// small blocks would cost more than the block. Atomic and volatile accesses and
// a thread's own arrays, which all iterations share, are not marked; loops with
// such accesses LLVM treats as any other loop.

#include "ThreadLoops.h"

#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace blockmaestro {

namespace {

/// The properties of a loop whose iterations are independent in \p Group.
MDNode *parallelLoop(LLVMContext &Context, MDNode *Group) {
  Metadata *Parallel[] = {MDString::get(Context, "llvm.loop.parallel_accesses"),
                          Group};
  Metadata *Progress[] = {MDString::get(Context, "llvm.loop.mustprogress")};
  Metadata *Parts[] = {nullptr, MDNode::get(Context, Parallel),
                       MDNode::get(Context, Progress)};
  MDNode *Loop = MDNode::getDistinct(Context, Parts);
  Loop->replaceOperandWith(0, Loop);
  return Loop;
}

} // namespace

/// Emits `for (Index = Begin; Index < End; ++Index) Code(Index)`.
void ThreadLoops::emitLoop(Value *Begin, Value *End, bool MayBeEmpty,
                           MDNode *Group, LoopCode Code) {
  Function *F = B.GetInsertBlock()->getParent();
  BasicBlock *Loop = BasicBlock::Create(B.getContext(), "threads", F);
  BasicBlock *After = BasicBlock::Create(B.getContext(), "after", F);
  BasicBlock *Before = B.GetInsertBlock();
  if (MayBeEmpty)
    B.CreateCondBr(B.CreateICmpULT(Begin, End), Loop, After);
  else
    B.CreateBr(Loop);
  B.SetInsertPoint(Loop);
  PHINode *Index = B.CreatePHI(B.getInt32Ty(), 2);
  Index->addIncoming(Begin, Before);
  Code(Index);
  Value *Next = B.CreateAdd(Index, B.getInt32(1), "", /*HasNUW=*/true,
                            /*HasNSW=*/true);
  Index->addIncoming(Next, B.GetInsertBlock());
  BranchInst *Latch = B.CreateCondBr(B.CreateICmpULT(Next, End), Loop, After);
  Latch->setMetadata(LLVMContext::MD_loop, parallelLoop(B.getContext(), Group));
  After->moveAfter(B.GetInsertBlock());
  B.SetInsertPoint(After);
}

void ThreadLoops::emit(MDNode *Group, ThreadSpan Span,
                       function_ref<void(const ThreadPlace &)> Code) {
  auto Add = [&](Value *L, Value *R) {
    return B.CreateAdd(L, R, "", /*HasNUW=*/true, /*HasNSW=*/true);
  };
  auto Row = [&](Value *Outer, Value *Extent, Value *Inner) {
    Value *Skipped =
        B.CreateMul(Outer, Extent, "", /*HasNUW=*/true, /*HasNSW=*/true);
    return Inner ? Add(Skipped, Inner) : Skipped;
  };
  Value *Zero = B.getInt32(0);
  bool MayBeEmpty = Span.Begin || Span.End;
  Value *Begin = Span.Begin ? Span.Begin : Zero;
  Value *End = Span.End ? Span.End : Extents[0];
  emitLoop(Zero, Extents[2], false, Group, [&](Value *Z) {
    emitLoop(Zero, Extents[1], false, Group, [&](Value *Y) {
      Value *Rows = Row(Z, Extents[1], Y);
      Value *First =
          B.CreateZExt(Row(Rows, Extents[0], nullptr), B.getInt64Ty());
      emitLoop(Begin, End, MayBeEmpty, Group, [&](Value *X) {
        Value *Linear = Add(First, B.CreateZExt(X, B.getInt64Ty()));
        Code({{X, Y, Z}, Linear});
      });
    });
  });
}

void setAccessGroup(Instruction &I, MDNode *Group) {
  I.setMetadata(LLVMContext::MD_access_group, Group);
}

} // namespace blockmaestro
