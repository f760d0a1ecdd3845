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

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace blockmaestro {

namespace {

/// The properties of a loop whose iterations are independent in \p Group. One
/// that is unrolled before it is vectorised is a loop no more, and nothing says
/// that its iterations are independent; so loops \p Straight on, which will be
/// vectorised, stay whole. Others may gain more from knowing each thread.
MDNode *parallelLoop(LLVMContext &Context, MDNode *Group, bool Straight) {
  auto Property = [&](StringRef Name, MDNode *Value = nullptr) {
    SmallVector<Metadata *> Parts = {MDString::get(Context, Name)};
    if (Value)
      Parts.push_back(Value);
    return MDNode::get(Context, Parts);
  };
  SmallVector<Metadata *> Parts = {
      nullptr, Property("llvm.loop.parallel_accesses", Group),
      Property("llvm.loop.mustprogress")};
  if (Straight)
    Parts.push_back(Property("llvm.loop.unroll.disable"));
  MDNode *Loop = MDNode::getDistinct(Context, Parts);
  Loop->replaceOperandWith(0, Loop);
  return Loop;
}

/// Whether control goes from \p First to \p Last in one way only.
bool isStraight(const BasicBlock *First, const BasicBlock *Last) {
  while (First && First != Last)
    First = First->getUniqueSuccessor();
  return First;
}

} // namespace

/// Emits `for (Index = Begin; Index < End; ++Index) Code(Index, Along)`, where
/// Along are \p Starts at first and grow with the index, for a span that is not
/// empty.
void ThreadLoops::emitLoop(ThreadSpan Span, ArrayRef<Value *> Starts,
                           MDNode *Group, LoopCode Code) {
  Function *F = B.GetInsertBlock()->getParent();
  BasicBlock *Loop = BasicBlock::Create(B.getContext(), "threads", F);
  BasicBlock *After = BasicBlock::Create(B.getContext(), "after", F);
  BasicBlock *Before = B.GetInsertBlock();
  B.CreateBr(Loop);
  B.SetInsertPoint(Loop);
  SmallVector<PHINode *> Grow;
  SmallVector<Value *> Along;
  SmallVector<Value *> All = {Span.Begin};
  append_range(All, Starts);
  for (Value *Start : All) {
    Grow.push_back(B.CreatePHI(B.getInt32Ty(), 2));
    Grow.back()->addIncoming(Start, Before);
  }
  append_range(Along, drop_begin(Grow));
  Code(Grow.front(), Along);
  BasicBlock *End = B.GetInsertBlock();
  for (PHINode *Value : Grow)
    Value->addIncoming(B.CreateAdd(Value, B.getInt32(1), "", /*HasNUW=*/true,
                                   /*HasNSW=*/true),
                       End);
  BranchInst *Latch = B.CreateCondBr(
      B.CreateICmpULT(Grow.front()->getIncomingValueForBlock(End), Span.End),
      Loop, After);
  Latch->setMetadata(LLVMContext::MD_loop, parallelLoop(B.getContext(), Group,
                                                        isStraight(Loop, End)));
  After->moveAfter(End);
  B.SetInsertPoint(After);
}

/// Emits \p Threads where the row at \p Y and \p Z has threads to run.
void ThreadLoops::emitRow(ThreadSpan Span, RowCode OfRow, Value *Y, Value *Z,
                          function_ref<void()> Threads) {
  Value *Runs = OfRow.Runs(Y, Z);
  if (Span.Begin) {
    Value *Some = B.CreateICmpULT(Span.Begin, Span.End);
    Runs = Runs ? B.CreateAnd(Runs, Some) : Some;
  }
  Function *F = B.GetInsertBlock()->getParent();
  BasicBlock *After = nullptr;
  if (Runs) {
    BasicBlock *Row = BasicBlock::Create(B.getContext(), "row", F);
    After = BasicBlock::Create(B.getContext(), "row.end", F);
    B.CreateCondBr(Runs, Row, After);
    B.SetInsertPoint(Row);
  }
  OfRow.Begin();
  Threads();
  if (After) {
    After->moveAfter(B.GetInsertBlock());
    B.CreateBr(After);
    B.SetInsertPoint(After);
  }
}

void ThreadLoops::emit(MDNode *Group, ThreadSpan Span, ArrayRef<Value *> Starts,
                       RowCode OfRow,
                       function_ref<void(const ThreadPlace &)> Code) {
  auto Add = [&](Value *L, Value *R) {
    return B.CreateAdd(L, R, "", /*HasNUW=*/true, /*HasNSW=*/true);
  };
  auto Times = [&](Value *L, Value *R) {
    return B.CreateMul(L, R, "", /*HasNUW=*/true, /*HasNSW=*/true);
  };
  Value *Zero = B.getInt32(0);
  ThreadSpan All = {Span.Begin ? Span.Begin : Zero,
                    Span.End ? Span.End : Extents[0]};
  auto Row = [&](Value *Z, Value *Y) {
    Value *Rows = Add(Times(Z, Extents[1]), Y);
    Value *First = B.CreateZExt(Times(Rows, Extents[0]), B.getInt64Ty());
    emitRow(Span, OfRow, Y, Z, [&] {
      emitLoop(All, Starts, Group, [&](Value *X, ArrayRef<Value *> Along) {
        Value *Linear = Add(First, B.CreateZExt(X, B.getInt64Ty()));
        Code({{X, Y, Z}, Linear, SmallVector<Value *>(Along)});
      });
    });
  };
  emitLoop({Zero, Extents[2]}, {}, Group, [&](Value *Z, ArrayRef<Value *>) {
    emitLoop({Zero, Extents[1]}, {}, Group,
             [&](Value *Y, ArrayRef<Value *>) { Row(Z, Y); });
  });
}

void setAccessGroup(Instruction &I, MDNode *Group) {
  MDNode *Known = I.getMetadata(LLVMContext::MD_access_group);
  I.setMetadata(LLVMContext::MD_access_group, uniteAccessGroups(Known, Group));
}

} // namespace blockmaestro
