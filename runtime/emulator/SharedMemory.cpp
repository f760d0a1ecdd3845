// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SharedMemory.h"

#include "BlockContext.h"
#include "ContextCode.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

#include <cstddef>

using namespace llvm;

namespace blockmaestro {

namespace {

constexpr unsigned ClusterAddressSpace = 7;
constexpr uint64_t SharedAlignment = 16;
/// What cooperative groups keep in shared memory; see PtxLowering.
constexpr StringRef ReservedVariable = "bm.reserved.shared";

bool isUsedShared(const GlobalVariable &G) {
  return G.getAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED && !G.use_empty();
}

class SharedMemory {
public:
  explicit SharedMemory(ThreadCode &T) : M(*T.Body->getParent()), T(T) {}

  void run();

private:
  void layOut();
  Value *base(Function &F);
  Value *addressOf(GlobalVariable &G, Function &F);
  void replaceVariables();
  void replaceAtomics(Function &F);
  void rebase(IntToPtrInst &I);

  Module &M;
  ThreadCode &T;
  SmallVector<GlobalVariable *> Variables;
  DenseMap<GlobalVariable *, uint64_t> Offsets;
  DenseMap<Function *, Value *> Bases;
  DenseMap<std::pair<Function *, GlobalVariable *>, Value *> Addresses;
};

/// Finds the variables and places the static ones.
void SharedMemory::layOut() {
  for (GlobalVariable &G : M.globals())
    if (isUsedShared(G))
      Variables.push_back(&G);
  SmallVector<Constant *> Roots(Variables.begin(), Variables.end());
  convertUsersOfConstantsToInstructions(Roots);
  const DataLayout &Layout = M.getDataLayout();
  for (GlobalVariable *G : Variables) {
    if (G->isDeclaration())
      continue;
    Align Needed = std::max(G->getAlign().valueOrOne(),
                            Layout.getABITypeAlign(G->getValueType()));
    Offsets[G] = alignTo(T.StaticShared, Needed);
    if (G->getName() == ReservedVariable)
      T.ReservedShared = Offsets[G];
    T.StaticShared = Offsets[G] + Layout.getTypeAllocSize(G->getValueType());
  }
  T.StaticShared = alignTo(T.StaticShared, SharedAlignment);
}

/// Where the block's buffer begins.
Value *SharedMemory::base(Function &F) {
  Value *&Base = Bases[&F];
  if (!Base) {
    IRBuilder<> B = ThreadCode::entry(F);
    Base = loadConstant(B, B.getPtrTy(), ThreadCode::context(F),
                        offsetof(BlockContext, Shared));
  }
  return Base;
}

Value *SharedMemory::addressOf(GlobalVariable &G, Function &F) {
  Value *&Address = Addresses[{&F, &G}];
  if (Address)
    return Address;
  Value *Base = base(F);
  IRBuilder<> B = ThreadCode::entry(F);
  if (!G.isDeclaration()) {
    Base = byteOffset(B, Base, Offsets[&G]);
  } else if (T.IsKernel) {
    Base = byteOffset(B, Base, T.StaticShared);
  } else {
    Value *Static = loadConstant(B, B.getInt32Ty(), ThreadCode::context(F),
                                 offsetof(BlockContext, StaticSharedBytes));
    Base = B.CreateInBoundsGEP(B.getInt8Ty(), Base, Static);
  }
  return Address = B.CreateAddrSpaceCast(Base, G.getType());
}

void SharedMemory::replaceVariables() {
  for (GlobalVariable *G : Variables) {
    for (Use &U : make_early_inc_range(G->uses()))
      if (auto *I = dyn_cast<Instruction>(U.getUser()))
        U.set(addressOf(*G, *I->getFunction()));
    G->removeDeadConstantUsers();
    if (G->use_empty())
      G->eraseFromParent();
  }
}

/// Whether \p Pointer is known to be one to shared memory.
bool pointsToShared(const Value *Pointer) {
  const Value *Object = getUnderlyingObject(Pointer, /*MaxLookup=*/0);
  return Object->getType()->getPointerAddressSpace() ==
         NVPTXAS::ADDRESS_SPACE_SHARED;
}

/// Marks the accesses of \p Code as of others' memory too, so that no threads
/// are made lanes of a vector: two of them may change the same number.
void keepInOrder(iterator_range<BasicBlock::iterator> Code) {
  for (Instruction &I : Code)
    if (auto *Load = dyn_cast<LoadInst>(&I))
      Load->setAtomic(AtomicOrdering::Unordered);
    else if (auto *Store = dyn_cast<StoreInst>(&I))
      Store->setAtomic(AtomicOrdering::Unordered);
}

/// Replaces \p Atomic by the plain accesses that \p Lower makes of it.
template <typename Kind> void lower(Kind &Atomic, bool (*Lower)(Kind *)) {
  BasicBlock *Block = Atomic.getParent();
  Instruction *Before = Atomic.getPrevNode();
  const BasicBlock::iterator End = std::next(Atomic.getIterator());
  Lower(&Atomic);
  keepInOrder(
      {Before ? std::next(Before->getIterator()) : Block->begin(), End});
}

void SharedMemory::replaceAtomics(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    if (auto *Change = dyn_cast<AtomicRMWInst>(&I);
        Change && pointsToShared(Change->getPointerOperand()))
      lower(*Change, lowerAtomicRMWInst);
    else if (auto *Swap = dyn_cast<AtomicCmpXchgInst>(&I);
             Swap && pointsToShared(Swap->getPointerOperand()))
      lower(*Swap, lowerAtomicCmpXchgInst);
  }
}

/// The address in the block's buffer, or in that of its cluster, whose lower
/// half is that of \p I's number.
void SharedMemory::rebase(IntToPtrInst &I) {
  IRBuilder<> B(&I);
  Value *Base = base(*I.getFunction());
  auto Low = [&](Value *V) { return B.CreateZExtOrTrunc(V, B.getInt32Ty()); };
  Value *Distance = B.CreateSub(Low(I.getOperand(0)),
                                Low(B.CreatePtrToInt(Base, B.getInt64Ty())));
  Value *Address =
      B.CreateGEP(B.getInt8Ty(), Base, B.CreateSExt(Distance, B.getInt64Ty()));
  I.replaceAllUsesWith(B.CreateAddrSpaceCast(Address, I.getType()));
  I.eraseFromParent();
}

void SharedMemory::run() {
  for (Function *F : T.Functions) {
    replaceAtomics(*F);
    for (Instruction &I : make_early_inc_range(instructions(*F)))
      if (auto *Number = dyn_cast<IntToPtrInst>(&I);
          Number &&
          (Number->getAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED ||
           Number->getAddressSpace() == ClusterAddressSpace))
        rebase(*Number);
  }
  layOut();
  replaceVariables();
}

} // namespace

void lowerSharedMemory(ThreadCode &T) { SharedMemory(T).run(); }

} // namespace blockmaestro
