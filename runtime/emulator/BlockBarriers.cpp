// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BlockBarriers.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace blockmaestro {

namespace {

struct BarrierRow {
  const char *Name;
  BarrierKind Kind;
};
const BarrierRow BarrierRows[] = {
    {"llvm.nvvm.barrier0", BarrierKind::Plain},
    {"llvm.nvvm.barrier.cta.sync.aligned.all", BarrierKind::Plain},
    {"llvm.nvvm.barrier.cta.sync.all", BarrierKind::Plain},
    {"llvm.nvvm.barrier.cta.red.popc.aligned.all", BarrierKind::Count},
    {"llvm.nvvm.barrier.cta.red.popc.all", BarrierKind::Count},
    {"llvm.nvvm.barrier.cta.red.and.aligned.all", BarrierKind::And},
    {"llvm.nvvm.barrier.cta.red.and.all", BarrierKind::And},
    {"llvm.nvvm.barrier.cta.red.or.aligned.all", BarrierKind::Or},
    {"llvm.nvvm.barrier.cta.red.or.all", BarrierKind::Or},
};

/// The barriers of a warp that arrives as one, by kind.
constexpr const char *WarpBarriers[] = {"bm.meet", "bm.meet.count",
                                        "bm.meet.and", "bm.meet.or"};
constexpr const char *ArrivalMarker = "bm.arrive";
constexpr const char *ResultMarkers[] = {"", "bm.count", "bm.and", "bm.or"};

std::optional<BarrierKind> warpBarrierKind(const CallBase &Call) {
  StringRef Name = calledName(Call);
  for (unsigned K = 0; K < std::size(WarpBarriers); ++K)
    if (Name == WarpBarriers[K])
      return BarrierKind(K);
  return std::nullopt;
}

/// Puts the markers of a barrier with a result around the point \p Barrier.
void markReduction(CallInst &Barrier, BarrierKind Kind) {
  Module &M = *Barrier.getModule();
  IRBuilder<> B(&Barrier);
  FunctionCallee Arrive = M.getOrInsertFunction(ArrivalMarker, B.getVoidTy(),
                                                B.getInt32Ty(), B.getInt32Ty());
  if (warpBarrierKind(Barrier)) {
    B.CreateCall(Arrive, {Barrier.getArgOperand(0), Barrier.getArgOperand(1)});
  } else {
    Value *With = Barrier.getArgOperand(1);
    B.CreateCall(Arrive, {B.CreateZExt(With, B.getInt32Ty()),
                          B.CreateZExt(B.CreateNot(With), B.getInt32Ty())});
  }
  B.SetInsertPoint(Barrier.getNextNode());
  FunctionCallee Result =
      M.getOrInsertFunction(ResultMarkers[unsigned(Kind)], Barrier.getType());
  Barrier.replaceAllUsesWith(B.CreateCall(Result));
}

} // namespace

StringRef calledName(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  const Function *F = Call ? Call->getCalledFunction() : nullptr;
  return F ? F->getName() : StringRef();
}

std::optional<BarrierKind> blockBarrierKind(const CallBase &Call) {
  if (std::optional<BarrierKind> OfWarp = warpBarrierKind(Call))
    return OfWarp;
  StringRef Name = calledName(Call);
  for (const BarrierRow &Row : BarrierRows) {
    if (Name != Row.Name)
      continue;
    auto *Id = Call.arg_size() == 0
                   ? nullptr
                   : dyn_cast<ConstantInt>(Call.getArgOperand(0));
    bool Zero = Call.arg_size() == 0 || (Id && Id->isZero());
    return Zero ? std::optional(Row.Kind) : std::nullopt;
  }
  return std::nullopt;
}

SmallVector<BarrierSite> splitAtBarriers(Function &Body) {
  SmallVector<CallInst *> Barriers;
  for (Instruction &I : instructions(Body))
    if (auto *Call = dyn_cast<CallInst>(&I); Call && blockBarrierKind(*Call))
      Barriers.push_back(Call);
  SmallVector<BarrierSite> Sites;
  for (CallInst *Barrier : Barriers) {
    BarrierKind Kind = *blockBarrierKind(*Barrier);
    if (Kind != BarrierKind::Plain)
      markReduction(*Barrier, Kind);
    BasicBlock *Block = Barrier->getParent();
    SplitBlock(Block, Barrier->getNextNode());
    Barrier->eraseFromParent();
    Sites.push_back({Block, Kind});
  }
  return Sites;
}

std::optional<BarrierKind> barrierResult(const Instruction &I) {
  StringRef Name = calledName(I);
  for (BarrierKind Kind :
       {BarrierKind::Count, BarrierKind::And, BarrierKind::Or})
    if (Name == ResultMarkers[unsigned(Kind)])
      return Kind;
  return std::nullopt;
}

Value *meetAsWarp(IRBuilder<> &B, BarrierKind Kind, ArrayRef<Value *> Counts) {
  Module &M = *B.GetInsertBlock()->getModule();
  const char *Name = WarpBarriers[unsigned(Kind)];
  Type *Word = B.getInt32Ty();
  CallInst *Call;
  if (Kind == BarrierKind::Plain)
    Call = B.CreateCall(M.getOrInsertFunction(Name, B.getVoidTy()));
  else
    Call = B.CreateCall(
        M.getOrInsertFunction(Name,
                              Kind == BarrierKind::Count ? Word : B.getInt1Ty(),
                              Word, Word),
        Counts);
  Call->setConvergent();
  Call->setDoesNotThrow();
  return Kind == BarrierKind::Plain ? nullptr : Call;
}

const CallInst *barrierArrival(const BasicBlock &Block) {
  const Instruction *Last = Block.getTerminator()->getPrevNode();
  return Last && calledName(*Last) == ArrivalMarker ? cast<CallInst>(Last)
                                                    : nullptr;
}

} // namespace blockmaestro
