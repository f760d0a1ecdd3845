// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AddressKinds.h"

#include "BlockContext.h"
#include "ContextCode.h"
#include "FrameArena.h"
#include "HostCode.h"
#include "ThreadScheduler.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

#include <cstddef>
#include <pthread.h>

using namespace llvm;

namespace blockmaestro {

namespace {

constexpr unsigned ConstantAddressSpace = 4;

/// Answers one question about one address.
class AddressKind {
public:
  explicit AddressKind(CallInst &Call)
      : Call(Call), F(*Call.getFunction()), B(&Call),
        Address(B.CreatePtrToInt(Call.getArgOperand(0), B.getInt64Ty())) {}

  Value *answer(Intrinsic::ID Question);

private:
  /// Whether the address is one of \p Bytes from \p Base.
  Value *within(Value *Base, Value *Bytes) {
    Value *Distance =
        B.CreateSub(Address, B.CreatePtrToInt(Base, B.getInt64Ty()));
    return B.CreateICmpULT(Distance, Bytes);
  }
  Value *field(Type *T, uint64_t Offset) {
    return loadConstant(B, T, ThreadCode::context(F), Offset);
  }
  Value *isShared() {
    return within(field(B.getPtrTy(), offsetof(BlockContext, Shared)),
                  field(B.getInt64Ty(), offsetof(BlockContext, SharedBytes)));
  }
  Value *isInCluster() {
    return within(
        field(B.getPtrTy(), offsetof(BlockContext, ClusterShared)),
        field(B.getInt64Ty(), offsetof(BlockContext, ClusterSharedBytes)));
  }
  Value *clusterStride() {
    return field(B.getInt64Ty(), offsetof(BlockContext, ClusterStride));
  }
  Value *mapped(Value *Rank);
  Value *rank();
  Value *isLocal() {
    return callHost(B, "bm_is_local", B.getInt1Ty(), ThreadCode::context(F),
                    {Address});
  }
  Value *isConstant();

  CallInst &Call;
  Function &F;
  IRBuilder<> B;
  Value *Address;
};

Value *AddressKind::isConstant() {
  Module &M = *F.getParent();
  Value *Any = B.getFalse();
  for (GlobalVariable &G : M.globals())
    if (G.getAddressSpace() == ConstantAddressSpace)
      Any = B.CreateOr(Any,
                       within(&G, B.getInt64(M.getDataLayout().getTypeAllocSize(
                                      G.getValueType()))));
  return Any;
}

/// The address in the shared memory of block \p Rank of the cluster that is
/// this one in the block's own.
Value *AddressKind::mapped(Value *Rank) {
  Value *Own = field(B.getInt32Ty(), offsetof(BlockContext, ClusterRank));
  Value *Blocks = B.CreateSub(B.CreateZExt(Rank, B.getInt64Ty()),
                              B.CreateZExt(Own, B.getInt64Ty()));
  return B.CreateAdd(Address, B.CreateMul(Blocks, clusterStride()));
}

/// In which block's shared memory the address is. Of a 32-bit address only that
/// half counts.
Value *AddressKind::rank() {
  Value *Base = field(B.getInt64Ty(), offsetof(BlockContext, ClusterShared));
  Type *Half = B.getInt32Ty();
  return B.CreateUDiv(B.CreateTrunc(B.CreateSub(Address, Base), Half),
                      B.CreateTrunc(clusterStride(), Half));
}

/// Null when \p Question is none of these.
Value *AddressKind::answer(Intrinsic::ID Question) {
  switch (Question) {
  case Intrinsic::nvvm_isspacep_shared:
    return isShared();
  case Intrinsic::nvvm_isspacep_shared_cluster:
    return isInCluster();
  case Intrinsic::nvvm_mapa:
  case Intrinsic::nvvm_mapa_shared_cluster:
    return B.CreateIntToPtr(mapped(Call.getArgOperand(1)), B.getPtrTy());
  case Intrinsic::nvvm_getctarank:
  case Intrinsic::nvvm_getctarank_shared_cluster:
    return rank();
  case Intrinsic::nvvm_isspacep_local:
    return isLocal();
  case Intrinsic::nvvm_isspacep_const:
    return isConstant();
  case Intrinsic::nvvm_isspacep_global:
    return B.CreateNot(
        B.CreateOr(B.CreateOr(isInCluster(), isLocal()), isConstant()));
  default:
    return nullptr;
  }
}

bool isQuestion(StringRef Name) {
  return any_of(ArrayRef<StringRef>{"llvm.nvvm.isspacep.", "llvm.nvvm.mapa",
                                    "llvm.nvvm.getctarank"},
                [&](StringRef Prefix) { return Name.starts_with(Prefix); });
}

/// Whether \p Address is on the stack of the worker that asks.
bool onOwnStack(uint64_t Address) {
  struct Range {
    uint64_t Base = 0;
    size_t Bytes = 0;
  };
  thread_local const Range Own = [] {
    Range R;
    pthread_attr_t About;
    void *Base = nullptr;
    if (pthread_getattr_np(pthread_self(), &About) == 0) {
      pthread_attr_getstack(&About, &Base, &R.Bytes);
      pthread_attr_destroy(&About);
    }
    R.Base = reinterpret_cast<uint64_t>(Base);
    return R;
  }();
  return Address - Own.Base < Own.Bytes;
}

} // namespace

void lowerAddressKinds(ThreadCode &T) {
  for (Function *F : T.Functions)
    for (Instruction &I : make_early_inc_range(instructions(*F))) {
      auto *Call = dyn_cast<IntrinsicInst>(&I);
      StringRef Name = Call ? Call->getCalledFunction()->getName() : "";
      if (!isQuestion(Name))
        continue;
      if (Value *Answer = AddressKind(*Call).answer(Call->getIntrinsicID())) {
        if (Answer->getType() != Call->getType())
          Answer =
              IRBuilder<>(Call).CreateAddrSpaceCast(Answer, Call->getType());
        Call->replaceAllUsesWith(Answer);
        Call->eraseFromParent();
      }
    }
}

} // namespace blockmaestro

bool bm_is_local(blockmaestro::BlockContext *Context, uint64_t Address) {
  using namespace blockmaestro;
  if (Context->Scheduler)
    return Context->Scheduler->onStack(Address);
  const auto *Frames = static_cast<const FrameArena *>(Context->Arena);
  return onOwnStack(Address) || (Frames && Frames->holds(Address));
}
