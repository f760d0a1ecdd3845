// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Instrument.h"

#include "AccessCalls.h"

#include "blockmaestro/AccessObserver.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/NVPTXAddrSpace.h"

#include <cstddef>

using namespace llvm;

namespace blockmaestro {

namespace {

/// One access of an instruction.
struct Accessed {
  Instruction *By;
  Value *Pointer;
  Value *Bytes; ///< i64.
  uint32_t Bits;
  Align Needed;
};

/// Whether \p Object is, as the context has it, the address of the launch's
/// arguments or of the counters of counted code.
bool isOfContext(const Value *Object, const Function &F) {
  const auto *Load = dyn_cast<LoadInst>(Object);
  if (!Load)
    return false;
  const DataLayout &Layout = F.getDataLayout();
  APInt Offset(Layout.getIndexTypeSizeInBits(Load->getPointerOperandType()), 0);
  const Value *Base =
      Load->getPointerOperand()->stripAndAccumulateConstantOffsets(
          Layout, Offset, /*AllowNonInbounds=*/true);
  return Base == F.getArg(0) && (Offset == offsetof(BlockContext, Arguments) ||
                                 Offset == offsetof(BlockContext, Visits));
}

/// Whether \p Pointer is made from shared memory, also where it is generic.
bool isMeantShared(const Value *Pointer) {
  const Value *Object = getUnderlyingObject(Pointer, /*MaxLookup=*/0);
  return Object->getType()->isPointerTy() &&
         Object->getType()->getPointerAddressSpace() ==
             NVPTXAS::ADDRESS_SPACE_SHARED;
}

/// Whether nothing can be wrong with an access through \p Pointer: it is to the
/// function's own variables, to a constant, to the context or what is its own.
bool isHarmless(const Value *Pointer, const Function &F) {
  const Value *Object = getUnderlyingObject(Pointer, /*MaxLookup=*/0);
  if (isa<AllocaInst>(Object) || Object == F.getArg(0) ||
      isOfContext(Object, F))
    return true;
  if (const auto *G = dyn_cast<GlobalVariable>(Object))
    return G->isConstant() && G->hasLocalLinkage();
  return false;
}

/// Whether \p Pointer is to what the device runtime of OpenMP knows of a block
/// (runtime/openmp/device/State.h): its threads write it alike, and that is no
/// business of the program.
bool isOfOpenMP(const Value *Pointer) {
  const auto *G =
      dyn_cast<GlobalVariable>(getUnderlyingObject(Pointer, /*MaxLookup=*/0));
  return G && (G->getName().starts_with("_ZN12blockmaestro6openmp4TeamE") ||
               G->getName().starts_with("_ZN12blockmaestro6openmp4NestE") ||
               G->getName().starts_with("_ZL14FirstIteration"));
}

uint32_t orderBit(bool Volatile, AtomicOrdering Order) {
  return Volatile || Order != AtomicOrdering::NotAtomic ? AccessSynchronizes
                                                        : 0;
}

class Instrumentation {
public:
  Instrumentation(ThreadCode &T, Function &F)
      : T(T), F(F), M(*F.getParent()), Context(F.getContext()),
        Word(Type::getInt32Ty(Context)), Long(Type::getInt64Ty(Context)) {}

  void run();

private:
  void collect(Instruction &I);
  void add(Instruction &I, Value *Pointer, Value *Bytes, uint32_t Bits,
           Align Needed);
  void addTyped(Instruction &I, Value *Pointer, Type *Of, uint32_t Bits,
                Align Needed);
  void emit(const Accessed &What);
  void emitFence(Instruction &Before);

  ThreadCode &T;
  Function &F;
  Module &M;
  LLVMContext &Context;
  Type *Word;
  Type *Long;
  SmallVector<Accessed> Accesses;
  /// Before each of these, and before its access, which may publish.
  SmallVector<Instruction *> Fences;
};

/// What a device needs of an access of this size, however much more the program
/// has promised.
Align alignmentOf(uint64_t Bytes, Align Promised) {
  constexpr uint64_t LargestAccess = 16;
  return std::min(
      Promised,
      Align(bit_floor(std::clamp<uint64_t>(Bytes, 1, LargestAccess))));
}

void Instrumentation::add(Instruction &I, Value *Pointer, Value *Bytes,
                          uint32_t Bits, Align Needed) {
  const bool Orders = Bits & AccessSynchronizes;
  if (!isHarmless(Pointer, F) && (Orders || !isOfOpenMP(Pointer)))
    Accesses.push_back({&I, Pointer, Bytes, Bits, Needed});
}

void Instrumentation::addTyped(Instruction &I, Value *Pointer, Type *Of,
                               uint32_t Bits, Align Needed) {
  uint64_t Bytes = M.getDataLayout().getTypeStoreSize(Of).getFixedValue();
  add(I, Pointer, ConstantInt::get(Long, Bytes), Bits,
      alignmentOf(Bytes, Needed));
}

void Instrumentation::collect(Instruction &I) {
  if (I.hasMetadata(LLVMContext::MD_nosanitize))
    return;
  if (auto *Load = dyn_cast<LoadInst>(&I)) {
    addTyped(I, Load->getPointerOperand(), Load->getType(),
             AccessReads | orderBit(Load->isVolatile(), Load->getOrdering()),
             Load->getAlign());
  } else if (auto *Store = dyn_cast<StoreInst>(&I)) {
    addTyped(I, Store->getPointerOperand(), Store->getValueOperand()->getType(),
             AccessWrites | orderBit(Store->isVolatile(), Store->getOrdering()),
             Store->getAlign());
    if (isReleaseOrStronger(Store->getOrdering()))
      Fences.push_back(&I);
  } else if (auto *Atomic = dyn_cast<AtomicRMWInst>(&I)) {
    addTyped(I, Atomic->getPointerOperand(), Atomic->getType(),
             AccessReads | AccessWrites | AccessSynchronizes,
             Atomic->getAlign());
    if (isReleaseOrStronger(Atomic->getOrdering()))
      Fences.push_back(&I);
  } else if (auto *Swap = dyn_cast<AtomicCmpXchgInst>(&I)) {
    addTyped(I, Swap->getPointerOperand(), Swap->getNewValOperand()->getType(),
             AccessReads | AccessWrites | AccessSynchronizes, Swap->getAlign());
    if (isReleaseOrStronger(Swap->getSuccessOrdering()))
      Fences.push_back(&I);
  } else if (auto *Fence = dyn_cast<FenceInst>(&I)) {
    Fences.push_back(Fence);
  } else if (auto *Bulk = dyn_cast<MemIntrinsic>(&I)) {
    Value *Bytes = IRBuilder<>(Bulk).CreateZExtOrTrunc(Bulk->getLength(), Long);
    if (auto *Copy = dyn_cast<MemTransferInst>(Bulk))
      add(I, Copy->getRawSource(), Bytes, AccessReads,
          Copy->getSourceAlign().valueOrOne());
    add(I, Bulk->getRawDest(), Bytes, AccessWrites,
        Bulk->getDestAlign().valueOrOne());
  }
}

void Instrumentation::emit(const Accessed &What) {
  IRBuilder<> B(What.By);
  bool Shared = isMeantShared(What.Pointer);
  uint32_t Packed =
      packAccess(What.Bits, Shared, static_cast<uint32_t>(What.Needed.value()));
  Value *Generic =
      B.CreateAddrSpaceCast(What.Pointer, PointerType::getUnqual(Context));
  FunctionCallee Call =
      M.getOrInsertFunction("bm_access", B.getVoidTy(), B.getPtrTy(), Word,
                            B.getPtrTy(), Long, Word, Word);
  B.CreateCall(Call,
               {ThreadCode::context(F), T.linearThread(F), Generic, What.Bytes,
                B.getInt32(Packed), B.getInt32(T.Sites.siteOf(*What.By))});
}

void Instrumentation::emitFence(Instruction &Before) {
  IRBuilder<> B(&Before);
  FunctionCallee Call =
      M.getOrInsertFunction("bm_fence", B.getVoidTy(), B.getPtrTy());
  B.CreateCall(Call, {ThreadCode::context(F)});
}

void Instrumentation::run() {
  for (Instruction &I : make_early_inc_range(instructions(F)))
    collect(I);
  for (Instruction *Each : Fences)
    emitFence(*Each);
  for (const Accessed &Each : Accesses)
    emit(Each);
}

} // namespace

void instrumentAccesses(ThreadCode &T) {
  for (Function *F : T.Functions)
    Instrumentation(T, *F).run();
}

} // namespace blockmaestro
