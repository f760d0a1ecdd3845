// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LaneOperations.h"

#include "BlockBarriers.h"
#include "WarpLowering.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace blockmaestro {

namespace {

struct WarpRow {
  const char *Name; ///< Its beginning, after "llvm.nvvm.".
  WarpOperation Operation;
};
// A longer name comes before its beginning.
const WarpRow WarpRows[] = {
    {"bar.warp.sync", WarpOperation::Sync},
    {"shfl.sync.up.", WarpOperation::ShuffleUp},
    {"shfl.sync.down.", WarpOperation::ShuffleDown},
    {"shfl.sync.bfly.", WarpOperation::ShuffleButterfly},
    {"shfl.sync.idx.", WarpOperation::ShuffleIndex},
    {"vote.all.sync", WarpOperation::VoteAll},
    {"vote.any.sync", WarpOperation::VoteAny},
    {"vote.uni.sync", WarpOperation::VoteUniform},
    {"vote.ballot.sync", WarpOperation::Ballot},
    {"match.any.sync.", WarpOperation::MatchAny},
    {"match.all.sync.", WarpOperation::MatchAll},
    {"elect.sync", WarpOperation::Elect},
    {"redux.sync.add", WarpOperation::Add},
    {"redux.sync.and", WarpOperation::And},
    {"redux.sync.or", WarpOperation::Or},
    {"redux.sync.xor", WarpOperation::Xor},
    {"redux.sync.min", WarpOperation::Minimum},
    {"redux.sync.max", WarpOperation::Maximum},
    {"redux.sync.umin", WarpOperation::UnsignedMinimum},
    {"redux.sync.umax", WarpOperation::UnsignedMaximum},
    {"redux.sync.fmin.abs.NaN", WarpOperation::FloatMinimumAbsoluteNaN},
    {"redux.sync.fmin.abs", WarpOperation::FloatMinimumAbsolute},
    {"redux.sync.fmin.NaN", WarpOperation::FloatMinimumNaN},
    {"redux.sync.fmin", WarpOperation::FloatMinimum},
    {"redux.sync.fmax.abs.NaN", WarpOperation::FloatMaximumAbsoluteNaN},
    {"redux.sync.fmax.abs", WarpOperation::FloatMaximumAbsolute},
    {"redux.sync.fmax.NaN", WarpOperation::FloatMaximumNaN},
    {"redux.sync.fmax", WarpOperation::FloatMaximum},
};

constexpr const char *ActiveMask = "llvm.nvvm.activemask";
// A marker's name is one of these and the number of its site.
constexpr const char *EachMarker = "bm.lane.each.";
constexpr const char *SameMarker = "bm.lane.same.";
constexpr const char *PredicateMarker = "bm.lane.predicate.";

/// Which argument of \p Call is the mask; none where it has none.
std::optional<unsigned> maskOperand(const CallBase &Call) {
  StringRef Name = calledName(Call);
  if (Name == ActiveMask || Name == LockstepMarker)
    return std::nullopt;
  return Name.starts_with("llvm.nvvm.redux.") ? 1 : 0;
}

bool givesSame(WarpOperation Operation) {
  return Operation > WarpOperation::ShuffleIndex &&
         Operation != WarpOperation::MatchAny;
}

/// Puts a marker of \p Name and \p Site where \p B is.
Value *addMarker(IRBuilder<> &B, const char *Name, unsigned Site, Type *T) {
  Module &M = *B.GetInsertBlock()->getModule();
  FunctionCallee Marker = M.getOrInsertFunction(Name + std::to_string(Site), T);
  return B.CreateCall(Marker);
}

/// Replaces the result of \p Call, in front of which \p B is, by markers.
void markResults(LaneSite &Site, unsigned Number, IRBuilder<> &B) {
  CallInst &Call = *Site.Call;
  Type *T = Call.getType();
  if (T->isVoidTy())
    return;
  const char *Name = Site.SameForAll ? SameMarker : EachMarker;
  auto *Pair = dyn_cast<StructType>(T);
  Site.Result = Pair ? Pair->getElementType(0) : T;
  Site.HasPredicate = Pair != nullptr;
  Value *First = addMarker(B, Name, Number, Site.Result);
  if (!Pair) {
    Call.replaceAllUsesWith(First);
    return;
  }
  Value *Second = addMarker(B, PredicateMarker, Number, B.getInt1Ty());
  for (User *U : make_early_inc_range(Call.users()))
    if (auto *Part = dyn_cast<ExtractValueInst>(U)) {
      Part->replaceAllUsesWith(Part->getIndices()[0] == 0 ? First : Second);
      Part->eraseFromParent();
    }
  if (Call.use_empty())
    return;
  Value *Both = B.CreateInsertValue(PoisonValue::get(Pair), First, 0);
  Call.replaceAllUsesWith(B.CreateInsertValue(Both, Second, 1));
}

LaneSite split(CallInst &Call, unsigned Number) {
  LaneSite Site = {
      Call.getParent(), &Call, *warpOperation(Call), {}, nullptr, false, false};
  Site.SameForAll = givesSame(Site.Operation);
  std::optional<unsigned> Mask = maskOperand(Call);
  for (unsigned K = 0; K < Call.arg_size(); ++K)
    if (!Mask || K != *Mask)
      Site.Operands.push_back(K);
  BasicBlock *Behind = SplitBlock(Site.Block, Call.getNextNode());
  IRBuilder<> B(Behind, Behind->begin());
  markResults(Site, Number, B);
  return Site;
}

} // namespace

Value *LaneSite::brought(unsigned K) const {
  return Call->getArgOperand(Operands[K]);
}

std::optional<WarpOperation> warpOperation(const CallBase &Call) {
  StringRef Name = calledName(Call);
  if (Name == LockstepMarker)
    return WarpOperation::Sync;
  if (Name == ActiveMask)
    return WarpOperation::Active;
  if (!Name.consume_front("llvm.nvvm."))
    return std::nullopt;
  for (const WarpRow &Row : WarpRows)
    if (Name.starts_with(Row.Name))
      return Row.Operation;
  return std::nullopt;
}

bool isLaneOperation(const CallBase &Call) {
  if (!isa<CallInst>(Call) || !warpOperation(Call))
    return false;
  std::optional<unsigned> Mask = maskOperand(Call);
  if (!Mask)
    return true;
  auto *Lanes = dyn_cast<ConstantInt>(Call.getArgOperand(*Mask));
  return Lanes && Lanes->isMinusOne();
}

SmallVector<LaneSite> splitAtLaneOperations(Function &Body) {
  SmallVector<CallInst *> Calls;
  for (Instruction &I : instructions(Body))
    if (auto *Call = dyn_cast<CallInst>(&I); Call && isLaneOperation(*Call))
      Calls.push_back(Call);
  SmallVector<LaneSite> Sites;
  for (CallInst *Call : Calls)
    Sites.push_back(split(*Call, Sites.size()));
  return Sites;
}

std::optional<LaneResult> laneResult(const Instruction &I) {
  StringRef Name = calledName(I);
  LaneResult Result = {0, false, false};
  if (Name.consume_front(SameMarker))
    Result.SameForAll = true;
  else if (Name.consume_front(PredicateMarker))
    Result.IsPredicate = true;
  else if (!Name.consume_front(EachMarker))
    return std::nullopt;
  return Name.getAsInteger(10, Result.Site) ? std::nullopt
                                            : std::optional(Result);
}

} // namespace blockmaestro
