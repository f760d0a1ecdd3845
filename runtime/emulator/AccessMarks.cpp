// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AccessMarks.h"

#include "Transactions.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <optional>

using namespace llvm;

namespace blockmaestro {

namespace {

/// A load or store of a fixed size that may become one with its neighbours.
struct PlainAccess {
  Instruction *By;
  AccessKind Kind;
  const Value *Base;
  int64_t Offset; ///< From Base, in bytes.
  uint64_t Bytes;
  const MDNode *Ptx; ///< The instruction of PTX, if it is of one.

  /// Whether \p Next goes on where this one ends.
  bool isFollowedBy(const PlainAccess &Next) const {
    return Next.Kind == Kind && Next.Base == Base && Next.Bytes == Bytes &&
           Next.Ptx == Ptx && Next.Offset == Offset + int64_t(Bytes);
  }
};

std::optional<PlainAccess> plainAccess(Instruction &I) {
  if (!isPlain(I))
    return std::nullopt;
  const DataLayout &Layout = I.getDataLayout();
  Value *Pointer = getLoadStorePointerOperand(&I);
  APInt Offset(Layout.getIndexTypeSizeInBits(Pointer->getType()), 0);
  const Value *Base = Pointer->stripAndAccumulateConstantOffsets(
      Layout, Offset, /*AllowNonInbounds=*/true);
  return PlainAccess{
      &I,
      isa<LoadInst>(I) ? AccessKind::Read : AccessKind::Write,
      Base,
      Offset.getSExtValue(),
      Layout.getTypeStoreSize(getLoadStoreType(&I)).getFixedValue(),
      I.getMetadata(PtxMark)};
}

/// Whether \p I keeps accesses of kind \p Kind before and behind it apart.
bool separates(const Instruction &I, AccessKind Kind) {
  return I.mayWriteToMemory() ||
         (Kind == AccessKind::Write && I.mayReadFromMemory());
}

constexpr uint64_t Largest = 16; ///< Bytes of one access.

enum AddressSpace : unsigned { Generic = 0, Global = 1, Shared = 3 };

/// The power of two, 16 at most, that certainly divides \p Number * \p Scale.
uint64_t divisorOf(const Value &Number, const APInt &Scale,
                   const DataLayout &Layout) {
  const unsigned Zeros =
      Scale.countr_zero() +
      computeKnownBits(&Number, Layout).countMinTrailingZeros();
  return Zeros >= Log2_64(Largest) ? Largest : uint64_t(1) << Zeros;
}

/// What the assembler knows of where a plain access goes: it places a kernel's
/// own shared variables itself, as far apart as wide accesses want them.
uint64_t alignmentIn(const PlainAccess &Access) {
  const DataLayout &Layout = Access.By->getDataLayout();
  const Value *Pointer = Access.Base;
  uint64_t Known = divisorOf(
      *ConstantInt::get(Access.By->getContext(), APInt(64, Access.Offset)),
      APInt(64, 1), Layout);
  while (const auto *Step = dyn_cast<GEPOperator>(Pointer)) {
    const unsigned Bits = Layout.getIndexTypeSizeInBits(Step->getType());
    SmallMapVector<Value *, APInt, 4> Variable;
    APInt Constant(Bits, 0);
    if (!Step->collectOffset(Layout, Bits, Variable, Constant))
      return 1;
    Variable[ConstantInt::get(Access.By->getContext(), Constant)] =
        APInt(Bits, 1);
    for (const auto &[Number, Scale] : Variable)
      Known = std::min(Known, divisorOf(*Number, Scale, Layout));
    Pointer = Step->getPointerOperand()->stripPointerCasts();
  }
  const auto *Object = dyn_cast<GlobalVariable>(Pointer);
  const bool Places =
      Object && Object->getAddressSpace() == Shared && !Object->isDeclaration();
  return Places ? Known : 1;
}

/// As many of \p Neighbours, which follow each other in memory, as the GPU's
/// compiler makes one access of: 16, 8 or 4 bytes for which the first is
/// aligned.
size_t mergedCount(ArrayRef<PlainAccess> Neighbours) {
  const uint64_t Aligned = std::min(
      Largest, std::max(getLoadStoreAlignment(Neighbours[0].By).value(),
                        alignmentIn(Neighbours[0])));
  uint64_t Bytes = 0;
  size_t Count = 1;
  for (size_t I = 0; I < Neighbours.size(); ++I) {
    Bytes += Neighbours[I].Bytes;
    if (Bytes > Aligned)
      break;
    if (isPowerOf2_64(Bytes))
      Count = I + 1;
  }
  return Count;
}

class Marking {
public:
  Marking(Function &F, uint32_t &Sites)
      : F(F), M(*F.getParent()), Tree(F), Loops(Tree), Sites(Sites),
        Long(Type::getInt64Ty(F.getContext())) {}

  void run();

private:
  void markWhole(BasicBlock &B);
  Value *keyOf(const Loop *Innermost);
  Value *iterationOf(const Loop &L);
  void mark(Instruction &I);
  void mark(Instruction &I, Value *Pointer, Value *Bytes, AccessKind Kind);
  void mark(Instruction &I, Value *Pointer, Type *Of, AccessKind Kind);

  Function &F;
  Module &M;
  DominatorTree Tree;
  LoopInfo Loops;
  uint32_t &Sites;
  Type *Long;
  /// In the header of each loop, which iterations of it and the loops around
  /// it this is.
  DenseMap<const Loop *, Value *> Keys;
  /// The bytes that a plain access has together with others that become one
  /// with it; 0 for those others.
  DenseMap<const Instruction *, uint64_t> Whole;
};

/// How often the thread has come back to the header of \p L since it entered.
Value *Marking::iterationOf(const Loop &L) {
  BasicBlock *Header = L.getHeader();
  IRBuilder<> B(Header, Header->begin());
  PHINode *Count = B.CreatePHI(Long, pred_size(Header), "bm.iteration");
  B.SetInsertPoint(Header, Header->getFirstInsertionPt());
  Value *Next = B.CreateAdd(Count, B.getInt64(1));
  for (BasicBlock *From : predecessors(Header))
    Count->addIncoming(L.contains(From) ? Next : B.getInt64(0), From);
  return Count;
}

/// Different for different iterations: of two loops or fewer always, since no
/// loop runs 2^32 times; of more, unless a multiple of an odd 64-bit number
/// happens to be as small as an iteration.
Value *Marking::keyOf(const Loop *Innermost) {
  if (!Innermost)
    return ConstantInt::get(Long, 0);
  if (Value *Known = Keys.lookup(Innermost))
    return Known;
  const Loop *Around = Innermost->getParentLoop();
  Value *Outer = keyOf(Around);
  Value *Own = iterationOf(*Innermost);
  BasicBlock *Header = Innermost->getHeader();
  IRBuilder<> B(Header, Header->getFirstInsertionPt());
  uint64_t Factor = Around && Around->getParentLoop() ? 0x9e3779b97f4a7c15u
                                                      : uint64_t(1) << 32;
  Value *Key =
      Around ? B.CreateAdd(B.CreateMul(Outer, B.getInt64(Factor)), Own) : Own;
  return Keys[Innermost] = Key;
}

void Marking::mark(Instruction &I, Value *Pointer, Value *Bytes,
                   AccessKind Kind) {
  if (isPrivate(Pointer))
    return;
  Value *Key = keyOf(Loops.getLoopFor(I.getParent()));
  IRBuilder<> B(&I);
  FunctionCallee Marker = M.getOrInsertFunction(
      TouchMarker, B.getVoidTy(), B.getInt32Ty(), Long, B.getPtrTy(), Long);
  B.CreateCall(Marker, {B.getInt32(packSite(Sites++, Kind)), Key,
                        B.CreateAddrSpaceCast(Pointer, B.getPtrTy()), Bytes});
}

void Marking::mark(Instruction &I, Value *Pointer, Type *Of, AccessKind Kind) {
  uint64_t Bytes = M.getDataLayout().getTypeStoreSize(Of).getFixedValue();
  if (auto Known = Whole.find(&I); Known != Whole.end())
    Bytes = Known->second;
  if (Bytes == 0)
    return;
  mark(I, Pointer, ConstantInt::get(Long, Bytes), Kind);
}

/// Gives neighbours among the plain accesses of \p B that become one access the
/// marker of one.
void Marking::markWhole(BasicBlock &B) {
  for (Instruction &I : B) {
    std::optional<PlainAccess> First = plainAccess(I);
    if (!First || Whole.count(&I))
      continue;
    SmallVector<PlainAccess, 4> Run = {*First};
    for (Instruction *Next = I.getNextNode(); Next;
         Next = Next->getNextNode()) {
      std::optional<PlainAccess> A = plainAccess(*Next);
      if (A && Run.back().isFollowedBy(*A))
        Run.push_back(*A);
      else if (separates(*Next, First->Kind))
        break;
    }
    size_t Count = mergedCount(Run);
    Whole[&I] = Count * First->Bytes;
    for (size_t K = 1; K < Count; ++K)
      Whole[Run[K].By] = 0;
    MDNode *Node =
        Count > 1 ? MDNode::getDistinct(I.getContext(), {}) : nullptr;
    for (size_t K = 0; Node && K < Count; ++K)
      Run[K].By->setMetadata(WholeMark, Node);
  }
}

void Marking::mark(Instruction &I) {
  if (auto *Load = dyn_cast<LoadInst>(&I)) {
    mark(I, Load->getPointerOperand(), Load->getType(), AccessKind::Read);
  } else if (auto *Store = dyn_cast<StoreInst>(&I)) {
    mark(I, Store->getPointerOperand(), Store->getValueOperand()->getType(),
         AccessKind::Write);
  } else if (auto *Atomic = dyn_cast<AtomicRMWInst>(&I)) {
    mark(I, Atomic->getPointerOperand(), Atomic->getType(), AccessKind::Atomic);
  } else if (auto *Swap = dyn_cast<AtomicCmpXchgInst>(&I)) {
    mark(I, Swap->getPointerOperand(), Swap->getNewValOperand()->getType(),
         AccessKind::Atomic);
  } else if (auto *Bulk = dyn_cast<MemIntrinsic>(&I)) {
    Value *Bytes = IRBuilder<>(Bulk).CreateZExtOrTrunc(Bulk->getLength(), Long);
    if (auto *Copy = dyn_cast<MemTransferInst>(Bulk))
      mark(I, Copy->getRawSource(), Bytes, AccessKind::Read);
    mark(I, Bulk->getRawDest(), Bytes, AccessKind::Write);
  }
}

void Marking::run() {
  for (BasicBlock &B : F)
    markWhole(B);
  for (Instruction &I : make_early_inc_range(instructions(F)))
    mark(I);
}

} // namespace

bool isPlain(const Instruction &I) {
  const bool IsOfPtx = I.hasMetadata(PtxMark) && !I.isAtomic();
  if (const auto *Load = dyn_cast<LoadInst>(&I))
    return Load->isSimple() || IsOfPtx;
  if (const auto *Store = dyn_cast<StoreInst>(&I))
    return Store->isSimple() || IsOfPtx;
  return false;
}

bool isPrivate(const Value *Pointer) {
  const Value *Object = getUnderlyingObject(Pointer, /*MaxLookup=*/0);
  unsigned Space = Object->getType()->getPointerAddressSpace();
  if (Space == Shared)
    return false;
  if (isa<AllocaInst>(Object))
    return true;
  if (const auto *A = dyn_cast<Argument>(Object); A && A->hasByValAttr())
    return true;
  return Space != Generic && Space != Global;
}

void markAccesses(Module &M) {
  uint32_t Sites = 0;
  for (Function &F : M)
    if (!F.isDeclaration())
      Marking(F, Sites).run();
}

} // namespace blockmaestro
