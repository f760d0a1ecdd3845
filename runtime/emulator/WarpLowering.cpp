// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WarpLowering.h"

#include "HostCode.h"
#include "LaneOperations.h"
#include "ThreadCode.h"
#include "ThreadScheduler.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace blockmaestro {

namespace {

struct ReductionRow {
  const char *Name;
  BarrierReduction Reduction;
};
const ReductionRow ReductionRows[] = {
    {"red.popc.", BarrierReduction::Count},
    {"red.and.", BarrierReduction::And},
    {"red.or.", BarrierReduction::Or},
};

bool isShuffle(WarpOperation Operation) {
  return Operation >= WarpOperation::ShuffleUp &&
         Operation <= WarpOperation::ShuffleIndex;
}

/// Replaces the calls of one function.
class WarpRewriter {
public:
  WarpRewriter(ThreadCode &T, Function &F, uint32_t &Order)
      : T(T), F(F), Order(Order), B(F.getContext()) {}

  void run() {
    for (Instruction &I : make_early_inc_range(instructions(F)))
      if (auto *Call = dyn_cast<CallInst>(&I))
        rewrite(*Call);
  }

private:
  void rewrite(CallInst &Call);
  bool rewriteWarp(CallInst &Call, StringRef Name);
  bool rewriteBarrier(CallInst &Call, StringRef Name);
  bool rewriteOther(CallInst &Call, StringRef Name);
  void rewriteTogether(CallInst &Call, WarpOperation Operation);
  Value *host(const char *Name, Type *Result, ArrayRef<Value *> Operands) {
    return callHost(B, Name, Result, T.context(F), Operands);
  }
  Value *bits(Value *V, Type *As);
  Value *unpack(Value *Packed, Type *As);
  Value *site(const CallInst &Call) { return B.getInt32(T.Sites.siteOf(Call)); }

  ThreadCode &T;
  Function &F;
  uint32_t &Order; ///< Of the next place that asks for the active lanes.
  IRBuilder<> B;
};

/// \p V as an integer of type \p As.
Value *WarpRewriter::bits(Value *V, Type *As) {
  if (!V->getType()->isIntegerTy())
    V = B.CreateBitCast(V, B.getIntNTy(V->getType()->getPrimitiveSizeInBits()));
  return B.CreateZExtOrTrunc(V, As);
}

/// The result \p As of an operation out of the 64 bits it gives: the value
/// below, in a pair the predicate from bit 32 on.
Value *WarpRewriter::unpack(Value *Packed, Type *As) {
  if (As->isVoidTy())
    return nullptr;
  auto *Pair = dyn_cast<StructType>(As);
  Type *First = Pair ? Pair->getElementType(0) : As;
  Value *Low =
      B.CreateTrunc(Packed, B.getIntNTy(First->getPrimitiveSizeInBits()));
  Low = B.CreateBitCast(Low, First);
  if (!Pair)
    return Low;
  Value *Predicate = B.CreateTrunc(B.CreateLShr(Packed, 32), B.getInt1Ty());
  Value *Both = B.CreateInsertValue(PoisonValue::get(Pair), Low, 0);
  return B.CreateInsertValue(Both, Predicate, 1);
}

bool WarpRewriter::rewriteWarp(CallInst &Call, StringRef Name) {
  std::optional<WarpOperation> Operation = warpOperation(Call);
  if (!Operation || *Operation == WarpOperation::Active)
    return false;
  Type *Int = B.getInt32Ty();
  Value *Packed;
  if (isShuffle(*Operation)) {
    Value *Where = B.getInt32(T.Sites.siteOf(Call) << 8 | uint32_t(*Operation));
    Packed =
        host("bm_warp_shuffle", B.getInt64Ty(),
             {Where, Call.getArgOperand(0), bits(Call.getArgOperand(1), Int),
              Call.getArgOperand(2), Call.getArgOperand(3)});
  } else {
    bool MaskLast = Name.starts_with("redux.");
    Value *Brought = Call.arg_size() < 2
                         ? B.getInt64(0)
                         : bits(Call.getArgOperand(!MaskLast), B.getInt64Ty());
    Packed = host("bm_warp", B.getInt64Ty(),
                  {B.getInt32(uint32_t(*Operation)), site(Call),
                   Call.getArgOperand(MaskLast), Brought});
  }
  if (Value *New = unpack(Packed, Call.getType()))
    Call.replaceAllUsesWith(New);
  return true;
}

/// barrier.cta.{sync,arrive,red.OP}[.aligned].{all,count}(id[, count][, pred]).
bool WarpRewriter::rewriteBarrier(CallInst &Call, StringRef Name) {
  if (Name == "barrier0") {
    host("bm_barrier", B.getVoidTy(),
         {site(Call), B.getInt32(0), B.getInt32(0)});
    return true;
  }
  if (!Name.consume_front("barrier.cta."))
    return false;
  Value *Id = Call.getArgOperand(0);
  bool Counted = Name.ends_with(".count");
  Value *Count = Counted ? Call.getArgOperand(1) : B.getInt32(0);
  if (Name.starts_with("sync.")) {
    host("bm_barrier", B.getVoidTy(), {site(Call), Id, Count});
    return true;
  }
  if (Name.starts_with("arrive.")) {
    host("bm_barrier_arrive", B.getVoidTy(), {Id, Count});
    return true;
  }
  const ReductionRow *Row = find_if(ReductionRows, [&](const ReductionRow &R) {
    return Name.starts_with(R.Name);
  });
  if (Row == std::end(ReductionRows))
    return false;
  Value *Predicate =
      B.CreateZExt(Call.getArgOperand(1 + Counted), B.getInt32Ty());
  Value *New = host(
      "bm_barrier_reduce", B.getInt32Ty(),
      {site(Call), B.getInt32(uint32_t(Row->Reduction)), Id, Count, Predicate});
  Call.replaceAllUsesWith(B.CreateTrunc(New, Call.getType()));
  return true;
}

bool WarpRewriter::rewriteOther(CallInst &Call, StringRef Name) {
  if (Name.starts_with("barrier.cluster.arrive"))
    host("bm_cluster_arrive", B.getVoidTy(), {});
  else if (Name.starts_with("barrier.cluster.wait"))
    host("bm_cluster_wait", B.getVoidTy(), {site(Call)});
  else if (Name == "activemask")
    Call.replaceAllUsesWith(host("bm_warp_active", B.getInt32Ty(),
                                 {site(Call), B.getInt32(Order++)}));
  else if (Name == "nanosleep")
    host("bm_sleep", B.getVoidTy(), {site(Call)});
  else if (Name == "exit")
    host("bm_exit_thread", B.getVoidTy(), {});
  else
    return false;
  return true;
}

/// An operation of the whole warp on memory of each lane.
void WarpRewriter::rewriteTogether(CallInst &Call, WarpOperation Operation) {
  constexpr uint32_t WholeWarp = ~0u;
  host("bm_warp", B.getInt64Ty(),
       {B.getInt32(uint32_t(Operation)), site(Call), B.getInt32(WholeWarp),
        B.CreatePtrToInt(Call.getArgOperand(0), B.getInt64Ty())});
}

void WarpRewriter::rewrite(CallInst &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee)
    return;
  StringRef Name = Callee->getName();
  B.SetInsertPoint(&Call);
  bool Done = false;
  if (Name == YieldMarker) {
    host("bm_yield", B.getVoidTy(), {site(Call), Call.getArgOperand(0)});
    Done = true;
  } else if (Name == MultiplyMarker || Name == CollectMarker) {
    rewriteTogether(Call, Name == MultiplyMarker ? WarpOperation::Multiply
                                                 : WarpOperation::Collect);
    Done = true;
  } else if (Name == LockstepMarker) {
    host("bm_warp_active", B.getInt32Ty(), {site(Call), B.getInt32(Order++)});
    Done = true;
  } else if (Name.consume_front("llvm.nvvm.")) {
    Done = rewriteWarp(Call, Name) || rewriteBarrier(Call, Name) ||
           rewriteOther(Call, Name);
  }
  if (Done)
    Call.eraseFromParent();
}

} // namespace

void lowerWarps(ThreadCode &T) {
  if (T.Form != KernelForm::Fibers)
    return;
  uint32_t Order = 0;
  for (Function *F : T.Functions)
    WarpRewriter(T, *F, Order).run();
}

} // namespace blockmaestro
