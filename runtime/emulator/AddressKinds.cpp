// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AddressKinds.h"

#include "BlockContext.h"
#include "ContextCode.h"
#include "FrameArena.h"
#include "HostCode.h"
#include "ThreadScheduler.h"

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
      : F(*Call.getFunction()), B(&Call),
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
  Value *isLocal() {
    return callHost(B, "bm_is_local", B.getInt1Ty(), ThreadCode::context(F),
                    {Address});
  }
  Value *isConstant();

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

/// Null when \p Question is none of these.
Value *AddressKind::answer(Intrinsic::ID Question) {
  switch (Question) {
  case Intrinsic::nvvm_isspacep_shared:
  case Intrinsic::nvvm_isspacep_shared_cluster:
    return isShared();
  case Intrinsic::nvvm_isspacep_local:
    return isLocal();
  case Intrinsic::nvvm_isspacep_const:
    return isConstant();
  case Intrinsic::nvvm_isspacep_global:
    return B.CreateNot(
        B.CreateOr(B.CreateOr(isShared(), isLocal()), isConstant()));
  default:
    return nullptr;
  }
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
      if (!Name.starts_with("llvm.nvvm.isspacep."))
        continue;
      if (Value *Answer = AddressKind(*Call).answer(Call->getIntrinsicID())) {
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
