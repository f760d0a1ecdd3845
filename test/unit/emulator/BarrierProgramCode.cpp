// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BarrierProgram.h"

#include "BlockContext.h"
#include "ContextCode.h"

#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

#include <cstddef>

using namespace llvm;

namespace blockmaestro {

namespace {

/// Turns every step into a basic block; variables are memory.
class ProgramCode {
public:
  ProgramCode(Module &M, const BarrierProgram &P);

  Function *emit();

private:
  void begin();
  Value *read(unsigned V) { return B.CreateLoad(B.getInt32Ty(), Variables[V]); }
  void write(unsigned V, Value *What) { B.CreateStore(What, Variables[V]); }
  Value *privateWord(unsigned V);
  Value *sharedWord(Value *Half, Value *Slot);
  Value *computed(const Step &S);
  void emitEffect(const Step &S);
  void emitBarrier(const Step &S);
  void emitLanes(const Step &S);
  Value *laneCall(const LaneStep &Is, Value *Brought, Value *Second);
  void emitEnd(const Step &S, unsigned K);
  void leaveVariables();

  Module &M;
  const BarrierProgram &P;
  IRBuilder<> B;
  Function *F;
  std::vector<BasicBlock *> Blocks;
  Value *Variables[16];
  Value *Private, *Linear, *Threads, *Shared, *Out, *Parameters;
};

ProgramCode::ProgramCode(Module &M, const BarrierProgram &P)
    : M(M), P(P), B(M.getContext()) {
  Type *Int = B.getInt32Ty();
  auto *FT =
      FunctionType::get(B.getVoidTy(), {B.getPtrTy(), Int, Int, Int}, false);
  F = Function::Create(FT, GlobalValue::InternalLinkage, "bm.body", M);
}

void ProgramCode::begin() {
  B.SetInsertPoint(BasicBlock::Create(M.getContext(), "entry", F));
  for (Value *&V : Variables) {
    V = B.CreateAlloca(B.getInt32Ty());
    B.CreateStore(B.getInt32(0), V);
  }
  Private = B.CreateAlloca(ArrayType::get(B.getInt32Ty(), PrivateWords));
  for (unsigned K = 0; K < PrivateWords; ++K)
    B.CreateStore(B.getInt32(0),
                  B.CreateConstInBoundsGEP1_32(B.getInt32Ty(), Private, K));
  Value *Extents[3];
  for (unsigned D = 0; D < 3; ++D)
    Extents[D] = loadConstant(B, B.getInt32Ty(), F->getArg(0),
                              offsetof(BlockContext, Block) + 4 * D);
  Threads = B.CreateMul(B.CreateMul(Extents[0], Extents[1]), Extents[2]);
  Value *Row = B.CreateAdd(B.CreateMul(F->getArg(3), Extents[1]), F->getArg(2));
  Linear = B.CreateAdd(B.CreateMul(Row, Extents[0]), F->getArg(1));
  Shared = loadConstant(B, B.getPtrTy(), F->getArg(0),
                        offsetof(BlockContext, Shared));
  Parameters = loadConstant(B, B.getPtrTy(), F->getArg(0),
                            offsetof(BlockContext, Arguments));
  Out = loadConstant(B, B.getPtrTy(), Parameters, 0);
  B.CreateBr(Blocks.front());
}

Value *ProgramCode::privateWord(unsigned V) {
  Value *Index = B.CreateAnd(read(V), B.getInt32(PrivateWords - 1));
  return B.CreateInBoundsGEP(B.getInt32Ty(), Private,
                             B.CreateZExt(Index, B.getInt64Ty()));
}

Value *ProgramCode::sharedWord(Value *Half, Value *Slot) {
  Value *First = B.CreateMul(B.CreateAnd(Half, B.getInt32(1)), Threads);
  return B.CreateInBoundsGEP(
      B.getInt32Ty(), Shared,
      B.CreateZExt(B.CreateAdd(First, Slot), B.getInt64Ty()));
}

/// What \p S leaves in its variable; null where it leaves nothing.
Value *ProgramCode::computed(const Step &S) {
  switch (S.Kind) {
  case StepKind::Constant:
    return B.getInt32(S.Immediate);
  case StepKind::Thread:
    return Linear;
  case StepKind::Warp:
    return B.CreateUDiv(Linear, B.getInt32(WarpSize));
  case StepKind::Parameter:
    return loadConstant(B, B.getInt32Ty(), Parameters, 8 + 4 * S.Immediate);
  case StepKind::Add:
    return B.CreateAdd(read(S.A), read(S.B));
  case StepKind::Multiply:
    return B.CreateMul(read(S.A), read(S.B));
  case StepKind::Xor:
    return B.CreateXor(read(S.A), read(S.B));
  case StepKind::Less:
    return B.CreateZExt(B.CreateICmpULT(read(S.A), read(S.B)), B.getInt32Ty());
  case StepKind::Mask:
    return B.CreateAnd(read(S.A), B.getInt32(S.Immediate));
  case StepKind::Get:
    return B.CreateLoad(B.getInt32Ty(), privateWord(S.A));
  case StepKind::Fetch: {
    Value *Slot =
        B.CreateURem(B.CreateAdd(Linear, B.getInt32(S.Immediate)), Threads);
    Value *Half = B.CreateAdd(read(RoundVariable), B.getInt32(1));
    return B.CreateLoad(B.getInt32Ty(), sharedWord(Half, Slot));
  }
  default:
    return nullptr;
  }
}

void ProgramCode::emitBarrier(const Step &S) {
  Value *Zero = B.getInt32(0);
  Value *Odd = B.CreateTrunc(read(S.A), B.getInt1Ty());
  Value *Result = nullptr;
  if (S.Kind == StepKind::Barrier)
    B.CreateIntrinsic(Intrinsic::nvvm_barrier_cta_sync_aligned_all, {}, {Zero});
  else if (S.Kind == StepKind::Count)
    Result = B.CreateIntrinsic(Intrinsic::nvvm_barrier_cta_red_popc_aligned_all,
                               {}, {Zero, Odd});
  else if (S.Kind == StepKind::And)
    Result = B.CreateIntrinsic(Intrinsic::nvvm_barrier_cta_red_and_aligned_all,
                               {}, {Zero, Odd});
  else
    Result = B.CreateIntrinsic(Intrinsic::nvvm_barrier_cta_red_or_aligned_all,
                               {}, {Zero, Odd});
  write(RoundVariable, B.CreateAdd(read(RoundVariable), B.getInt32(1)));
  if (Result)
    write(S.D, B.CreateZExtOrTrunc(Result, B.getInt32Ty()));
}

struct LaneRow {
  WarpOperation Operation;
  Intrinsic::ID Id;
};
const LaneRow LaneRows[] = {
    {WarpOperation::ShuffleUp, Intrinsic::nvvm_shfl_sync_up_i32p},
    {WarpOperation::ShuffleDown, Intrinsic::nvvm_shfl_sync_down_i32p},
    {WarpOperation::ShuffleButterfly, Intrinsic::nvvm_shfl_sync_bfly_i32p},
    {WarpOperation::ShuffleIndex, Intrinsic::nvvm_shfl_sync_idx_i32p},
    {WarpOperation::VoteAll, Intrinsic::nvvm_vote_all_sync},
    {WarpOperation::VoteAny, Intrinsic::nvvm_vote_any_sync},
    {WarpOperation::VoteUniform, Intrinsic::nvvm_vote_uni_sync},
    {WarpOperation::Ballot, Intrinsic::nvvm_vote_ballot_sync},
    {WarpOperation::MatchAny, Intrinsic::nvvm_match_any_sync_i32},
    {WarpOperation::MatchAll, Intrinsic::nvvm_match_all_sync_i32p},
    {WarpOperation::Elect, Intrinsic::nvvm_elect_sync},
    {WarpOperation::Add, Intrinsic::nvvm_redux_sync_add},
    {WarpOperation::And, Intrinsic::nvvm_redux_sync_and},
    {WarpOperation::Or, Intrinsic::nvvm_redux_sync_or},
    {WarpOperation::Xor, Intrinsic::nvvm_redux_sync_xor},
    {WarpOperation::Minimum, Intrinsic::nvvm_redux_sync_min},
    {WarpOperation::Maximum, Intrinsic::nvvm_redux_sync_max},
    {WarpOperation::UnsignedMinimum, Intrinsic::nvvm_redux_sync_umin},
    {WarpOperation::UnsignedMaximum, Intrinsic::nvvm_redux_sync_umax},
    {WarpOperation::Active, Intrinsic::nvvm_activemask},
    {WarpOperation::Sync, Intrinsic::nvvm_bar_warp_sync},
};

Value *ProgramCode::laneCall(const LaneStep &Is, Value *Brought,
                             Value *Second) {
  using enum WarpOperation;
  const LaneRow &Row = *find_if(
      LaneRows, [&](const LaneRow &R) { return R.Operation == Is.Operation; });
  Value *All = B.getInt32(~0u);
  if (Is.Operation >= Add && Is.Operation <= UnsignedMaximum)
    return B.CreateIntrinsic(Row.Id, {}, {Brought, All});
  if (Is.Operation == Active)
    return B.CreateIntrinsic(Row.Id, {}, ArrayRef<Value *>());
  if (Is.Operation == Sync || Is.Operation == Elect)
    return B.CreateIntrinsic(Row.Id, {}, {All});
  if (Is.Operation <= ShuffleIndex)
    return B.CreateIntrinsic(Row.Id, {},
                             {All, Brought, Second, B.getInt32(Is.Third)});
  if (Is.Operation <= Ballot)
    Brought = B.CreateTrunc(Brought, B.getInt1Ty());
  return B.CreateIntrinsic(Row.Id, {}, {All, Brought});
}

void ProgramCode::emitLanes(const Step &S) {
  const LaneStep Is = laneStep(S);
  Value *Brought = B.CreateAnd(read(S.A), B.getInt32(Is.Brings));
  Value *Got =
      laneCall(Is, Brought, Is.Varies ? read(S.B) : B.getInt32(Is.Second));
  if (Got->getType()->isVoidTy())
    return;
  Type *Int = B.getInt32Ty();
  if (Got->getType()->isStructTy())
    Got =
        B.CreateAdd(B.CreateExtractValue(Got, 0),
                    B.CreateMul(B.CreateZExt(B.CreateExtractValue(Got, 1), Int),
                                B.getInt32(1000)));
  write(S.D, B.CreateZExtOrTrunc(Got, Int));
}

void ProgramCode::emitEffect(const Step &S) {
  if (Value *New = computed(S))
    write(S.D, New);
  else if (S.Kind == StepKind::Put)
    B.CreateStore(read(S.B), privateWord(S.A));
  else if (S.Kind == StepKind::Publish)
    B.CreateStore(read(S.A), sharedWord(read(RoundVariable), Linear));
  else if (S.Kind >= StepKind::Barrier && S.Kind <= StepKind::Or)
    emitBarrier(S);
  else if (S.Kind == StepKind::Lanes)
    emitLanes(S);
}

void ProgramCode::leaveVariables() {
  Value *First = B.CreateMul(Linear, B.getInt32(ProgramVariables));
  for (unsigned V = 0; V < ProgramVariables; ++V) {
    Value *Index = B.CreateAdd(First, B.getInt32(V));
    B.CreateStore(read(V),
                  B.CreateInBoundsGEP(B.getInt32Ty(), Out,
                                      B.CreateZExt(Index, B.getInt64Ty())));
  }
  B.CreateRetVoid();
}

/// Goes on to the step after number \p K, wherever that is.
void ProgramCode::emitEnd(const Step &S, unsigned K) {
  auto To = [&](unsigned Which) { return Blocks[S.Targets[Which]]; };
  if (S.Kind == StepKind::Return) {
    leaveVariables();
  } else if (S.Kind == StepKind::Branch) {
    B.CreateCondBr(B.CreateIsNotNull(read(S.A)), To(1), To(0));
  } else if (S.Kind == StepKind::Switch) {
    Value *Which = B.CreateURem(read(S.A), B.getInt32(3));
    SwitchInst *Switch = B.CreateSwitch(Which, To(2), 2);
    Switch->addCase(B.getInt32(0), To(0));
    Switch->addCase(B.getInt32(1), To(1));
  } else {
    B.CreateBr(S.Kind == StepKind::Jump ? To(0) : Blocks[K + 1]);
  }
}

Function *ProgramCode::emit() {
  for (size_t K = 0; K < P.Steps.size(); ++K)
    Blocks.push_back(BasicBlock::Create(M.getContext(), "", F));
  begin();
  B.GetInsertBlock()->moveBefore(&F->front());
  for (size_t K = 0; K < P.Steps.size(); ++K) {
    B.SetInsertPoint(Blocks[K]);
    emitEffect(P.Steps[K]);
    emitEnd(P.Steps[K], K);
  }
  return F;
}

} // namespace

Function *emitBody(Module &M, const BarrierProgram &P) {
  return ProgramCode(M, P).emit();
}

} // namespace blockmaestro
