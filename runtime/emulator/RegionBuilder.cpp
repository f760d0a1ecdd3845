// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RegionBuilder.h"

#include "BlockContext.h"
#include "ContextCode.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

#include <cstddef>

using namespace llvm;

namespace blockmaestro {

/// The copy of one region's code inside its thread loop.
struct RegionBuilder::ThreadCopy {
  const Region &R;
  const RegionForm &Form;
  const ThreadPlace &Place;
  BasicBlock *End; ///< Where every thread comes out.
  const DenseMap<unsigned, Value *> &SharedNow; ///< Read ahead of the loop.
  ArrayRef<Value *> MetNow;
  ValueToValueMapTy Map = ValueToValueMapTy();
  SmallVector<BasicBlock *> Blocks = {};
};

RegionBuilder::RegionBuilder(Function &Body, const RegionPlan &Plan,
                             const std::string &Name, BlockShape Shape,
                             bool Strip, const WarpForm *Warp)
    : B(Body.getContext()), Body(Body), Plan(Plan), Shape(Shape), Strip(Strip),
      Warp(Warp), Slots(Body.getContext()),
      Constants(Body,
                Warp ? LaunchConstants::Of::Row : LaunchConstants::Of::Block) {
  auto *FT = FunctionType::get(B.getVoidTy(), {B.getPtrTy()}, false);
  F = Function::Create(Warp ? Body.getFunctionType() : FT,
                       Warp ? GlobalValue::InternalLinkage
                            : GlobalValue::ExternalLinkage,
                       Name, Body.getParent());
  F->addFnAttr(Attribute::NoUnwind);
  F->addParamAttr(0, Attribute::NoAlias);
  F->addDereferenceableParamAttr(0, sizeof(BlockContext));
  Slots.SetInsertPoint(ReturnInst::Create(B.getContext(), newBlock("entry")));
  if (Warp)
    reserveLanes();
}

BasicBlock *RegionBuilder::newBlock(const char *Name) {
  return BasicBlock::Create(B.getContext(), Name, F);
}

AllocaInst *RegionBuilder::newSlot(Type *T, const char *Name) {
  return Slots.CreateAlloca(T, nullptr, Name);
}

Value *RegionBuilder::constant(Value *V) {
  Value *Mapped = Common.lookup(V);
  return Mapped ? Mapped : V;
}

/// Moves the values that outlive a region into local slots of the body, and
/// reserves what they need outside of it.
void RegionBuilder::demoteValues() {
  const DataLayout &Layout = F->getParent()->getDataLayout();
  for (const KeptValue &V : Plan.Values) {
    KeptPlace P;
    Type *T = V.Value->getType();
    P.Current = newSlot(T, "current");
    if (V.How == Keep::PerBlock)
      P.Shared = newSlot(T, "once");
    if (V.How == Keep::PerThread)
      P.Frame = Kept.add(frameBytes(Layout, T));
    P.Local = DemoteRegToStack(*V.Value);
    NumberOfLocal[P.Local] = Places.size();
    Common[P.Local] = P.Current;
    Places.push_back(P);
  }
}

void RegionBuilder::cloneConstants() {
  for (Instruction *I : Constants.instructions()) {
    Instruction *Copy = I->clone();
    Copy->setDebugLoc(DebugLoc());
    B.Insert(Copy);
    RemapInstruction(Copy, Common,
                     RF_IgnoreMissingLocals | RF_NoModuleLevelChanges);
    Common[I] = Copy;
  }
}

/// A thread's own variables that stay inside a region share one place; the
/// others get an array.
void RegionBuilder::placeLocals() {
  const DataLayout &Layout = F->getParent()->getDataLayout();
  for (Instruction &I : instructions(Body)) {
    auto *Local = dyn_cast<AllocaInst>(&I);
    if (!Local || NumberOfLocal.count(Local))
      continue;
    LocalsEscape |= PointerMayBeCaptured(Local, /*ReturnCaptures=*/true);
    if (Plan.Arrays.contains(Local)) {
      uint64_t Bytes = Local->getAllocationSize(Layout)->getFixedValue();
      ArrayFrames[Local] = Kept.add(alignTo(Bytes, Local->getAlign()));
      continue;
    }
    auto *Copy = cast<AllocaInst>(Local->clone());
    Slots.Insert(Copy);
    Common[Local] = Copy;
  }
}

/// The lanes of the warp: fewer in the last one of a block that does not end
/// with a whole one.
void RegionBuilder::readLanes() {
  Value *Lanes = B.getInt32(WarpSize);
  if (Warp->Threads % WarpSize != 0)
    Lanes =
        B.CreateBinaryIntrinsic(Intrinsic::umin, Lanes,
                                B.CreateSub(B.getInt32(Warp->Threads),
                                            B.CreateMul(F->getArg(1), Lanes)));
  Extents[0] = Lanes;
  Extents[1] = Extents[2] = B.getInt32(1);
  Threads = B.getInt64(WarpSize);
}

void RegionBuilder::readExtents() {
  if (Warp)
    return readLanes();
  Threads = B.getInt64(1);
  for (unsigned D = 0; D < 3; ++D) {
    Extents[D] = Shape.known()
                     ? static_cast<Value *>(B.getInt32(Shape.Extent[D]))
                     : loadConstant(B, B.getInt32Ty(), context(),
                                    offsetof(BlockContext, Block) + 4 * D);
    if (Strip && D == 0)
      Extents[D] =
          B.CreateMul(Extents[D],
                      loadConstant(B, B.getInt32Ty(), context(),
                                   offsetof(BlockContext, StripBlocks)),
                      "", /*HasNUW=*/true, /*HasNSW=*/true);
    Threads = B.CreateMul(Threads, B.CreateZExt(Extents[D], B.getInt64Ty()));
  }
}

void RegionBuilder::begin() {
  B.SetInsertPoint(newBlock("begin"));
  Common[Body.getArg(0)] = context();
  if (Warp)
    Common[Body.getArg(2)] = F->getArg(1);
  readExtents();
  cloneConstants();
  demoteValues();
  placeLocals();
  if (Warp)
    Kept.placeForWarp(Slots);
  else
    Kept.allocate(B, context(), Threads);
  for (unsigned K = 0; K < 2; ++K) {
    Arrived[K] = newSlot(B.getInt32Ty(), "arrived");
    Met[K] = newSlot(B.getInt32Ty(), "met");
    B.CreateStore(B.getInt32(0), Arrived[K]);
    B.CreateStore(B.getInt32(0), Met[K]);
  }
  ReplaceInstWithInst(Slots.GetInsertBlock()->getTerminator(),
                      BranchInst::Create(B.GetInsertBlock()));
  Slots.SetInsertPoint(F->getEntryBlock().getTerminator());
}

/// What kept value \p K is where the region begins.
Value *RegionBuilder::initialValue(ThreadCopy &T, unsigned K) {
  const KeptValue &V = Plan.Values[K];
  if (V.How == Keep::PerBlock)
    return T.SharedNow.lookup(K);
  if (V.How == Keep::PerThread)
    return Kept.load(B, Places[K].Frame, T.Place.Linear, V.Value->getType());
  return repeat(T, V.Value);
}

/// Computes \p V of the body again for the thread.
Value *RegionBuilder::repeat(ThreadCopy &T, Value *V) {
  if (Value *Known = T.Map.lookup(V))
    return Known;
  if (auto *Load = dyn_cast<LoadInst>(V))
    if (auto Number = NumberOfLocal.find(Load->getPointerOperand());
        Number != NumberOfLocal.end())
      return initialValue(T, Number->second);
  auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return V;
  Instruction *Copy = I->clone();
  Copy->setDebugLoc(DebugLoc());
  for (Use &U : Copy->operands())
    U.set(repeat(T, U));
  B.Insert(Copy);
  return Copy;
}

/// Computes \p V, which is the same for all threads of a row, where the row
/// begins; \p Row has what is there already.
Value *RegionBuilder::ofRow(ValueToValueMapTy &Row, Value *V) {
  if (Value *Known = Row.lookup(V))
    return Known;
  auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return V;
  Instruction *Copy = I->clone();
  Copy->setDebugLoc(DebugLoc());
  for (Use &U : Copy->operands())
    U.set(ofRow(Row, U));
  B.Insert(Copy);
  Row[V] = Copy;
  return Copy;
}

/// Whether the conditions of \p Guards hold in a row; null when there are none.
/// One that no thread would get to may be poison, hence the freeze.
Value *RegionBuilder::rowRuns(ValueToValueMapTy &Row, const RowGuards &Guards) {
  Value *All = nullptr;
  for (const RowCondition &Each : Guards.Conditions) {
    Value *Holds = B.CreateFreeze(ofRow(Row, Each.Condition));
    if (!Each.Holds)
      Holds = B.CreateNot(Holds);
    All = All ? B.CreateAnd(All, Holds) : Holds;
  }
  return All;
}

void RegionBuilder::loadEarly(ValueToValueMapTy &Row, const RowGuards &Guards) {
  for (LoadInst *Load : Guards.Early)
    ofRow(Row, Load);
}

/// Fills the current slots from what was kept.
void RegionBuilder::beginThread(ThreadCopy &T) {
  for (unsigned D = 0; D < 3; ++D)
    if (!Warp || D != 1)
      T.Map[Body.getArg(1 + D)] = T.Place.Index[D];
  if (T.Form.Guards)
    for (auto [Row, Value] : zip(T.Form.Guards->Rows, T.Place.Along))
      if (Row.Where)
        T.Map[Row.Where] = Value;
  for (auto [Local, Frame] : ArrayFrames)
    T.Map[Local] = Kept.address(B, Frame, T.Place.Linear);
  for (unsigned K = 0; K < Places.size(); ++K) {
    const KeptValue &V = Plan.Values[K];
    bool Redefined =
        V.How == Keep::PerBlock && T.R.Blocks.contains(V.Value->getParent());
    if (T.R.LiveIn.test(K) || Redefined)
      B.CreateStore(initialValue(T, K), Places[K].Current);
  }
}

/// Leaves in the frames and once-slots what the region defined and something
/// after \p Cut may need.
void RegionBuilder::keepValues(ThreadCopy &T, BasicBlock *Cut) {
  for (unsigned K = 0; K < Places.size(); ++K) {
    const KeptValue &V = Plan.Values[K];
    if (V.How == Keep::Again || !T.R.Blocks.contains(V.Value->getParent()))
      continue;
    bool Needed = any_of(successors(Cut), [&](BasicBlock *Next) {
      return Plan.Regions[Plan.RegionAt.lookup(Next)].LiveIn.test(K);
    });
    if (V.How == Keep::PerThread && !Needed)
      continue;
    Value *Now = B.CreateLoad(V.Value->getType(), Places[K].Current);
    if (V.How == Keep::PerBlock)
      B.CreateStore(Now, Places[K].Shared);
    else
      Kept.store(B, Places[K].Frame, T.Place.Linear, Now);
  }
}

/// Counts what the thread arrives with at a barrier with a result.
void RegionBuilder::arrive(ThreadCopy &T, const BasicBlock &Block) {
  const CallInst *Marker = barrierArrival(Block);
  if (!Marker)
    return;
  for (unsigned K = 0; K < 2; ++K) {
    Value *With = Marker->getArgOperand(K);
    Value *Mapped = T.Map.lookup(With);
    Value *Sofar = B.CreateLoad(B.getInt32Ty(), Arrived[K]);
    B.CreateStore(B.CreateAdd(Sofar, Mapped ? Mapped : With), Arrived[K]);
  }
}

void RegionBuilder::endBarrier() {
  for (unsigned K = 0; K < 2; ++K) {
    B.CreateStore(B.CreateLoad(B.getInt32Ty(), Arrived[K]), Met[K]);
    B.CreateStore(B.getInt32(0), Arrived[K]);
  }
}

/// Copies the instructions of the region's blocks; operands still refer to the
/// body.
void RegionBuilder::copyBlocks(ThreadCopy &T) {
  for (BasicBlock *Block : T.R.Blocks) {
    BasicBlock *Copy = newBlock("");
    T.Map[Block] = Copy;
    T.Blocks.push_back(Block);
  }
  for (BasicBlock *Block : T.Blocks) {
    IRBuilder<> At(cast<BasicBlock>(T.Map[Block]));
    for (Instruction &I : *Block) {
      if (Constants.contains(&I) || isa<AllocaInst, LifetimeIntrinsic>(I) ||
          (isa<BinaryOperator, LoadInst>(I) && T.Map.count(&I)) ||
          &I == barrierArrival(*Block) || isBroughtTogether(I, *Block))
        continue;
      if (std::optional<LaneResult> Which = blockmaestro::laneResult(I)) {
        T.Map[&I] = laneResult(At, T.Place.Linear, *Which, I.getType());
        continue;
      }
      if (std::optional<BarrierKind> Kind = barrierResult(I)) {
        Value *Result = T.MetNow[0];
        if (*Kind == BarrierKind::And)
          Result = At.CreateIsNull(T.MetNow[1]);
        if (*Kind == BarrierKind::Or)
          Result = At.CreateIsNotNull(T.MetNow[0]);
        T.Map[&I] = At.CreateIntCast(Result, I.getType(), false);
        continue;
      }
      Instruction *Copied = I.clone();
      Copied->setDebugLoc(DebugLoc());
      At.Insert(Copied);
      T.Map[&I] = Copied;
    }
  }
}

/// Replaces the end of the copy of \p Block where the region ends there.
void RegionBuilder::leave(ThreadCopy &T, BasicBlock *Block) {
  bool Cut = T.R.isCut(Block);
  if (!Cut && !isa<ReturnInst>(Block->getTerminator()))
    return;
  auto *Copy = cast<BasicBlock>(T.Map[Block]);
  Instruction *End = Copy->getTerminator();
  B.SetInsertPoint(End);
  if (Cut) {
    arrive(T, *Block);
    if (const LaneSite *Site = laneSite(Block))
      bring(T.Map, T.Place.Linear, *Site);
    if (End->getNumSuccessors() > 1) {
      Value *Condition = isa<SwitchInst>(End)
                             ? cast<SwitchInst>(End)->getCondition()
                             : cast<BranchInst>(End)->getCondition();
      Type *Wide = B.getInt64Ty();
      if (!Decision)
        Decision = newSlot(Wide, "decision");
      B.CreateStore(B.CreateZExt(Condition, Wide), Decision);
    }
    keepValues(T, Block);
  }
  if (T.Form.Leaves)
    T.Form.Leaves(Cut ? Block : nullptr, T.Place.Linear);
  B.CreateBr(T.End);
  End->eraseFromParent();
}

/// Makes the copies refer to each other and end the region at its cuts.
void RegionBuilder::finishCopies(ThreadCopy &T) {
  for (BasicBlock *Block : T.Blocks)
    for (Instruction &I : *cast<BasicBlock>(T.Map[Block])) {
      auto *Phi = dyn_cast<PHINode>(&I);
      for (unsigned K = Phi ? Phi->getNumIncomingValues() : 0; K-- > 0;) {
        BasicBlock *From = Phi->getIncomingBlock(K);
        if (!T.R.Blocks.contains(From) || T.R.isCut(From))
          Phi->removeIncomingValue(K, /*DeletePHIIfEmpty=*/false);
      }
      RemapInstruction(&I, T.Map,
                       RF_IgnoreMissingLocals | RF_NoModuleLevelChanges);
    }
  for (BasicBlock *Block : T.Blocks)
    leave(T, Block);
}

/// Whether \p Pointer may point to memory that threads of a loop share only
/// because they run one after another.
bool RegionBuilder::isPrivate(const Value *Pointer) const {
  SmallVector<const Value *> Objects;
  getUnderlyingObjects(Pointer, Objects, nullptr, /*MaxLookup=*/0);
  return any_of(Objects, [&](const Value *Object) {
    if (Kept.isBase(Object))
      return false;
    const auto *Load = dyn_cast<LoadInst>(Object);
    bool FromLaunch = Load && Load->hasMetadata(LLVMContext::MD_invariant_load);
    bool Known =
        FromLaunch || isNoAliasCall(Object) || isa<GlobalValue>(Object);
    return isa<AllocaInst>(Object) || (LocalsEscape && !Known);
  });
}

/// Marks the accesses of all blocks after \p Last; see Note [Thread loops].
void RegionBuilder::markAccesses(BasicBlock *Last, MDNode *Group) {
  for (BasicBlock &Block : make_range(std::next(Last->getIterator()), F->end()))
    for (Instruction &I : Block) {
      if (!I.mayReadOrWriteMemory() || I.isAtomic() || I.isVolatile())
        continue;
      const Value *Pointer = getLoadStorePointerOperand(&I);
      if (Pointer ? !isPrivate(Pointer) : isa<AssumeInst>(I))
        setAccessGroup(I, Group);
    }
}

void RegionBuilder::emitRegion(const Region &R, const RegionForm &Form) {
  DenseMap<unsigned, Value *> SharedNow;
  for (unsigned K = 0; K < Places.size(); ++K)
    if (Places[K].Shared)
      SharedNow[K] =
          B.CreateLoad(Plan.Values[K].Value->getType(), Places[K].Shared);
  Value *MetNow[2] = {B.CreateLoad(B.getInt32Ty(), Met[0]),
                      B.CreateLoad(B.getInt32Ty(), Met[1])};
  MDNode *Group = MDNode::getDistinct(B.getContext(), {});
  BasicBlock *Last = &F->back();
  const RowGuards None;
  const RowGuards &Guards = Form.Guards ? *Form.Guards : None;
  ValueToValueMapTy Row;
  auto Runs = [&](Value *Y, Value *Z) {
    for (auto [From, To] : Common)
      Row[From] = To;
    Row[Body.getArg(2)] = Y;
    Row[Body.getArg(3)] = Z;
    return rowRuns(Row, Guards);
  };
  auto Begin = [&] { loadEarly(Row, Guards); };
  ThreadLoops Loops(B, Extents);
  Loops.emit(Group, Form.Span, Form.Starts, {Runs, Begin}, [&](auto &Place) {
    ThreadCopy T{R, Form, Place, newBlock("thread.end"), SharedNow, MetNow};
    for (auto [From, To] : Common)
      T.Map[From] = To;
    for (LoadInst *Load : Guards.Early)
      T.Map[Load] = Row.lookup(Load);
    if (Form.TakesPart) {
      BasicBlock *Run = newBlock("thread");
      B.CreateCondBr(Form.TakesPart(Place.Linear), Run, T.End);
      B.SetInsertPoint(Run);
    }
    BasicBlock *Start = B.GetInsertBlock();
    beginThread(T);
    copyBlocks(T);
    B.SetInsertPoint(Start);
    B.CreateBr(cast<BasicBlock>(T.Map[R.Entry]));
    finishCopies(T);
    B.SetInsertPoint(T.End);
  });
  markAccesses(Last, Group);
}

void RegionBuilder::branchAsThreads(
    BasicBlock *Cut, function_ref<BasicBlock *(BasicBlock *)> Target) {
  Instruction *End = Cut->getTerminator();
  if (auto *Branch = dyn_cast<BranchInst>(End)) {
    Value *Taken = B.CreateLoad(B.getInt64Ty(), Decision);
    B.CreateCondBr(B.CreateIsNotNull(Taken), Target(Branch->getSuccessor(0)),
                   Target(Branch->getSuccessor(1)));
    return;
  }
  auto *Switch = cast<SwitchInst>(End);
  Type *T = Switch->getCondition()->getType();
  Value *Which = B.CreateTrunc(B.CreateLoad(B.getInt64Ty(), Decision), T);
  SwitchInst *Copy = B.CreateSwitch(Which, Target(Switch->getDefaultDest()),
                                    Switch->getNumCases());
  for (auto &Case : Switch->cases())
    Copy->addCase(Case.getCaseValue(), Target(Case.getCaseSuccessor()));
}

} // namespace blockmaestro
