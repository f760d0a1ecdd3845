// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Regions.h"

#include "RegionBuilder.h"

#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace blockmaestro {

namespace {

/// The order of the regions of a fixed plan: known while compiling.
class FixedOrder {
public:
  FixedOrder(RegionBuilder &Code, const RegionPlan &Plan, bool Warp)
      : Code(Code), B(Code.B), Plan(Plan), Warp(Warp) {
    for (const Region &R : Plan.Regions)
      SomeReturn |= R.MayReturn && !R.Cuts.empty();
    if (SomeReturn)
      Code.setAlive(Alive = Code.addFrame(sizeof(uint32_t)));
  }

  void emit();

private:
  RegionForm formOf(unsigned K);
  void goOn(const Region &R, BasicBlock *Exit);

  RegionBuilder &Code;
  IRBuilder<> &B;
  const RegionPlan &Plan;
  bool Warp;               ///< The threads are those of a warp.
  bool SomeReturn = false; ///< Some threads may return before others.
  unsigned Alive = 0;      ///< The frame that says which have not.
  AllocaInst *AnyAlive = nullptr;
  DenseMap<BasicBlock *, BasicBlock *> Begins; ///< By entry in the body.
};

RegionForm FixedOrder::formOf(unsigned K) {
  RegionForm Form;
  if (!SomeReturn)
    return Form;
  if (K != 0)
    Form.TakesPart = [this](Value *Linear) {
      return B.CreateIsNotNull(
          Code.frames().load(B, Alive, Linear, B.getInt32Ty()));
    };
  Form.Leaves = [this, K](BasicBlock *Cut, Value *Linear) {
    if (!Cut || K == 0)
      Code.frames().store(B, Alive, Linear, B.getInt32(Cut != nullptr));
    if (Cut)
      B.CreateStore(B.getTrue(), AnyAlive);
  };
  return Form;
}

/// Emits what follows the loop of \p R.
void FixedOrder::goOn(const Region &R, BasicBlock *Exit) {
  if (R.Cuts.empty()) {
    B.CreateBr(Exit);
    return;
  }
  if (R.MayReturn) {
    BasicBlock *Next = Code.newBlock("alive");
    B.CreateCondBr(B.CreateLoad(B.getInt1Ty(), AnyAlive), Next, Exit);
    B.SetInsertPoint(Next);
  }
  BasicBlock *Cut = R.Cuts.front();
  if (BasicBlock *Next = Cut->getSingleSuccessor()) {
    if (Warp)
      Code.endOfWarp(Cut);
    else
      Code.endBarrier();
    B.CreateBr(Begins[Next]);
    return;
  }
  Code.branchAsThreads(Cut, [&](BasicBlock *Next) { return Begins[Next]; });
}

void FixedOrder::emit() {
  Code.begin();
  AnyAlive = Code.newSlot(B.getInt1Ty(), "alive");
  for (const Region &R : Plan.Regions)
    Begins[R.Entry] = Code.newBlock("region");
  BasicBlock *Exit = Code.newBlock("exit");
  B.CreateBr(Begins[Plan.Regions.front().Entry]);
  for (unsigned K = 0; K < Plan.Regions.size(); ++K) {
    const Region &R = Plan.Regions[K];
    B.SetInsertPoint(Begins[R.Entry]);
    B.CreateStore(B.getFalse(), AnyAlive);
    Code.emitRegion(R, formOf(K));
    goOn(R, Exit);
  }
  B.SetInsertPoint(Exit);
  B.CreateRetVoid();
}

/// The order of the regions of an open plan: looked up after each. A thread's
/// note is the number of the region it goes on with, 0 once it has returned.
class OpenOrder {
public:
  OpenOrder(RegionBuilder &Code, const RegionPlan &Plan)
      : Code(Code), B(Code.B), Plan(Plan) {
    for (unsigned &Frame : Notes)
      Frame = Code.addFrame(sizeof(uint32_t));
  }

  void emit();

private:
  static constexpr unsigned SharedBit = 31;

  uint32_t bitOf(unsigned Next) const {
    return 1u << std::min(Next, SharedBit);
  }
  RegionForm formForAll();
  RegionForm formForSome(unsigned K);
  Value *noteAddress(AllocaInst *Which, Value *Linear);
  void note(BasicBlock *Cut, Value *Linear);
  void emitForAll(unsigned K);
  void emitRound();

  RegionBuilder &Code;
  IRBuilder<> &B;
  const RegionPlan &Plan;
  unsigned Notes[2];
  AllocaInst *Current = nullptr; ///< Points to the notes of this round
  AllocaInst *Next = nullptr;    ///< and to those for the next one.
  AllocaInst *Reached = nullptr; ///< Which notes there are, as bits.
  BasicBlock *Dispatch = nullptr;
};

Value *OpenOrder::noteAddress(AllocaInst *Which, Value *Linear) {
  return B.CreateInBoundsGEP(B.getInt32Ty(), B.CreateLoad(B.getPtrTy(), Which),
                             Linear);
}

/// Notes where the thread goes on after \p Cut.
void OpenOrder::note(BasicBlock *Cut, Value *Linear) {
  unsigned Number = Cut ? Plan.RegionAt.lookup(Cut->getSingleSuccessor()) : 0;
  B.CreateStore(B.getInt32(Number), noteAddress(Next, Linear));
  Value *Sofar = B.CreateLoad(B.getInt32Ty(), Reached);
  B.CreateStore(B.CreateOr(Sofar, B.getInt32(bitOf(Number))), Reached);
}

RegionForm OpenOrder::formForAll() {
  RegionForm Form;
  Form.Leaves = [this](BasicBlock *Cut, Value *Linear) { note(Cut, Linear); };
  return Form;
}

RegionForm OpenOrder::formForSome(unsigned K) {
  RegionForm Form = formForAll();
  Form.TakesPart = [this, K](Value *Linear) {
    Value *Mine = B.CreateLoad(B.getInt32Ty(), noteAddress(Current, Linear));
    return B.CreateICmpEQ(Mine, B.getInt32(K));
  };
  return Form;
}

void OpenOrder::emitForAll(unsigned K) {
  B.CreateStore(B.getInt32(0), Reached);
  Code.emitRegion(Plan.Regions[K], formForAll());
  Code.endBarrier();
  B.CreateBr(Dispatch);
}

/// Runs every region that has threads, for those.
void OpenOrder::emitRound() {
  Value *Before = B.CreateLoad(B.getInt32Ty(), Reached);
  Value *Gone = B.CreateAnd(Before, B.getInt32(bitOf(0)));
  B.CreateStore(Gone, Reached);
  Value *Old = B.CreateLoad(B.getPtrTy(), Current);
  Value *New = B.CreateLoad(B.getPtrTy(), Next);
  B.CreateStore(New, Current);
  B.CreateStore(Old, Next);
  B.CreateMemSet(Old, B.getInt8(0),
                 B.CreateMul(Code.threads(), B.getInt64(sizeof(uint32_t))),
                 Align(sizeof(uint32_t)));
  for (unsigned K = 1; K < Plan.Regions.size(); ++K) {
    BasicBlock *Some = Code.newBlock("some");
    BasicBlock *Skip = Code.newBlock("skip");
    Value *Any = B.CreateAnd(Before, B.getInt32(bitOf(K)));
    B.CreateCondBr(B.CreateIsNotNull(Any), Some, Skip);
    B.SetInsertPoint(Some);
    Code.emitRegion(Plan.Regions[K], formForSome(K));
    B.CreateBr(Skip);
    B.SetInsertPoint(Skip);
  }
  Code.endBarrier();
  B.CreateBr(Dispatch);
}

void OpenOrder::emit() {
  Code.begin();
  Current = Code.newSlot(B.getPtrTy(), "notes");
  Next = Code.newSlot(B.getPtrTy(), "notes.next");
  Reached = Code.newSlot(B.getInt32Ty(), "reached");
  B.CreateStore(Code.frames().base(Notes[0]), Current);
  B.CreateStore(Code.frames().base(Notes[1]), Next);
  Dispatch = Code.newBlock("dispatch");
  BasicBlock *Round = Code.newBlock("round");
  BasicBlock *Exit = Code.newBlock("exit");
  emitForAll(0);
  B.SetInsertPoint(Dispatch);
  SwitchInst *Where =
      B.CreateSwitch(B.CreateLoad(B.getInt32Ty(), Reached), Round);
  Where->addCase(B.getInt32(bitOf(0)), Exit);
  for (unsigned K = 1; K < std::min<size_t>(Plan.Regions.size(), SharedBit);
       ++K) {
    BasicBlock *All = Code.newBlock("all");
    Where->addCase(B.getInt32(bitOf(K)), All);
    B.SetInsertPoint(All);
    emitForAll(K);
  }
  B.SetInsertPoint(Round);
  emitRound();
  B.SetInsertPoint(Exit);
  B.CreateRetVoid();
}

/// A body without barriers: its one loop, over the threads that pass its
/// guards.
void buildLoop(RegionBuilder &Code, const RegionPlan &Plan,
               const RowGuards &Guards) {
  Code.begin();
  auto Constant = [&](Value *V) { return Code.constant(V); };
  forEachPart(Code.B, Guards, Code.extent(0), Constant,
              [&](const RowPart &Part) {
                RegionForm Form;
                Form.Span = Part.Span;
                Form.Starts = Part.Starts;
                Form.Guards = &Guards;
                Code.emitRegion(Plan.Regions.front(), Form);
              });
  Code.B.CreateRetVoid();
}

} // namespace

void buildRegions(Function &Body, const RegionPlan &Plan,
                  const RowGuards &Guards, const std::string &Name,
                  BlockShape Shape, bool Strip) {
  RegionBuilder Code(Body, Plan, Name, Shape, Strip, nullptr);
  if (Plan.Regions.size() == 1)
    buildLoop(Code, Plan, Guards);
  else if (Plan.Fixed)
    FixedOrder(Code, Plan, false).emit();
  else
    OpenOrder(Code, Plan).emit();
}

Function *buildWarp(Function &Body, const RegionPlan &Plan,
                    const WarpForm &Warp) {
  RegionBuilder Code(Body, Plan, "bm.warp", {}, false, &Warp);
  FixedOrder(Code, Plan, true).emit();
  return Code.function();
}

} // namespace blockmaestro
