// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The bulk copies of PTX, and the stores that tell an mbarrier of their bytes:
// done at once, so that groups of them have nothing left to wait for.

#include "PtxAccess.h"

using namespace llvm;

namespace blockmaestro {

namespace {

constexpr unsigned LargestCluster = 16;
/// What PTX asks of addresses and sizes.
constexpr uint64_t BulkAlignment = 16;

/// A copy from one memory to another: .dst.src in front of all other words.
struct BulkSpaces {
  unsigned To = 0;
  unsigned From = 0;
};

std::optional<BulkSpaces> takeSpaces(PtxInstruction &I) {
  constexpr StringRef Global = "global";
  if (I.Words.size() < 2)
    return std::nullopt;
  StringRef To = I.Words[0], From = I.Words[1];
  bool Known =
      (To == Global || To == "shared::cta" || To == "shared::cluster") &&
      (From == Global || From == "shared::cta") &&
      !(To == Global && From == Global);
  if (!Known)
    return std::nullopt;
  I.Words.erase(I.Words.begin(), I.Words.begin() + 2);
  return BulkSpaces{To == Global ? 0 : NVPTXAS::ADDRESS_SPACE_SHARED,
                    From == Global ? 0 : NVPTXAS::ADDRESS_SPACE_SHARED};
}

/// The address \p Here in the block \p Rank of the cluster.
Value *inBlock(PtxCode &C, Value *Here, Value *Rank) {
  IRBuilder<> &B = C.B;
  Value *There = C.intrinsic(Intrinsic::nvvm_mapa,
                             {B.CreateAddrSpaceCast(Here, B.getPtrTy()), Rank});
  return B.CreateAddrSpaceCast(There, Here->getType());
}

/// Calls \p Do(rank) for the blocks whose bits are set in \p Mask.
void forEachBlock(PtxCode &C, Value *Mask, function_ref<void(Value *Rank)> Do) {
  IRBuilder<> &B = C.B;
  for (unsigned Rank = 0; Rank < LargestCluster; ++Rank) {
    Value *Set = B.CreateICmpNE(B.CreateAnd(Mask, 1u << Rank), B.getInt32(0));
    BasicBlock *From = B.GetInsertBlock();
    BasicBlock *After = C.makeBlock("bulk.after");
    BasicBlock *Then = C.makeBlock("bulk.block");
    BranchInst::Create(Then, After, Set, From);
    B.SetInsertPoint(Then);
    Do(B.getInt32(Rank));
    B.CreateBr(After);
    B.SetInsertPoint(After);
  }
}

/// Calls \p Do(offset) for every \p Each bytes of \p Bytes, in a loop.
void forEachPiece(PtxCode &C, Value *Bytes, unsigned Each,
                  function_ref<void(Value *Offset)> Do) {
  IRBuilder<> &B = C.B;
  BasicBlock *Before = B.GetInsertBlock();
  BasicBlock *Loop = C.makeBlock("bulk.loop");
  B.CreateBr(Loop);
  B.SetInsertPoint(Loop);
  PHINode *Offset = B.CreatePHI(B.getInt64Ty(), 2);
  Offset->addIncoming(B.getInt64(0), Before);
  BasicBlock *After = C.makeBlock("bulk.done");
  BasicBlock *Body = C.makeBlock("bulk.piece");
  BranchInst::Create(Body, After, B.CreateICmpULT(Offset, Bytes), Loop);
  B.SetInsertPoint(Body);
  Do(Offset);
  Offset->addIncoming(B.CreateAdd(Offset, B.getInt64(Each)),
                      B.GetInsertBlock());
  B.CreateBr(Loop);
  B.SetInsertPoint(After);
}

/// Only the bytes whose bits are set in \p Mask, of every 16 bytes.
void copyMasked(PtxCode &C, Value *To, Value *From, Value *Bytes, Value *Mask) {
  IRBuilder<> &B = C.B;
  forEachPiece(C, Bytes, 1, [&](Value *Offset) {
    Value *Bit = B.CreateAnd(
        B.CreateLShr(Mask,
                     B.CreateAnd(B.CreateTrunc(Offset, B.getInt32Ty()), 15)),
        1);
    BasicBlock *Here = B.GetInsertBlock();
    BasicBlock *After = C.makeBlock("bulk.skip");
    BasicBlock *Then = C.makeBlock("bulk.byte");
    BranchInst::Create(Then, After, B.CreateICmpNE(Bit, B.getInt32(0)), Here);
    B.SetInsertPoint(Then);
    B.CreateStore(B.CreateLoad(B.getInt8Ty(), B.CreatePtrAdd(From, Offset)),
                  B.CreatePtrAdd(To, Offset));
    B.CreateBr(After);
    B.SetInsertPoint(After);
  });
}

/// [to], [from], bytes of \p I.
struct BulkOperands {
  Value *To = nullptr;
  Value *From = nullptr;
  Value *Bytes = nullptr; ///< i64.
};
BulkOperands bulkOperands(PtxCode &C, PtxInstruction &I, BulkSpaces Spaces) {
  return {C.address(I.Operands[0], Spaces.To),
          C.address(I.Operands[1], Spaces.From),
          C.B.CreateZExt(C.operand(I, 2, PtxWord), C.B.getInt64Ty())};
}

/// Into shared memory: [to], [from], bytes, [barrier]{, mask}{, policy}.
void copyIn(PtxCode &C, PtxInstruction &I, BulkSpaces Spaces) {
  bool Multicast = I.take("multicast::cluster");
  bool Hint = I.take("L2::cache_hint");
  if (I.Operands.size() != 4u + Multicast + Hint)
    return C.refuse();
  BulkOperands O = bulkOperands(C, I, Spaces);
  Value *Barrier = C.address(I.Operands[3], NVPTXAS::ADDRESS_SPACE_SHARED);
  if (C.refused())
    return;
  auto Copy = [&](Value *To, Value *Signal) {
    C.B.CreateMemCpy(To, Align(BulkAlignment), O.From, Align(BulkAlignment),
                     O.Bytes);
    ptxCompleteBytes(C, Signal, O.Bytes);
  };
  if (!Multicast)
    return Copy(O.To, Barrier);
  forEachBlock(C, C.operand(I, 4, PtxWord), [&](Value *Rank) {
    Copy(inBlock(C, O.To, Rank), inBlock(C, Barrier, Rank));
  });
}

/// Out of shared memory: [to], [from], bytes{, policy}{, byte mask}.
void copyOut(PtxCode &C, PtxInstruction &I, BulkSpaces Spaces) {
  bool Hint = I.take("L2::cache_hint");
  bool Masked = I.take("cp_mask");
  if (I.Operands.size() != 3u + Hint + Masked)
    return C.refuse();
  BulkOperands O = bulkOperands(C, I, Spaces);
  if (C.refused())
    return;
  if (Masked)
    return copyMasked(C, O.To, O.From, O.Bytes,
                      C.operand(I, 3 + Hint, PtxWord));
  C.B.CreateMemCpy(O.To, Align(BulkAlignment), O.From, Align(BulkAlignment),
                   O.Bytes);
}

StringRef takeUpdate(PtxInstruction &I) {
  return I.takeAny({"add", "min", "max", "inc", "dec", "and", "or", "xor"});
}

/// The address of the mbarrier that is the last operand.
Value *lastBarrier(PtxCode &C, PtxInstruction &I) {
  return C.address(I.Operands.back(), NVPTXAS::ADDRESS_SPACE_SHARED);
}

} // namespace

void ptxBulkCopy(PtxCode &C, PtxInstruction &I) {
  if (I.take("commit_group"))
    return;
  if (I.take("wait_group")) {
    I.take("read");
    return;
  }
  if (I.take("prefetch")) {
    I.take("L2");
    I.take("global");
    I.take("L2::cache_hint");
    return;
  }
  std::optional<BulkSpaces> Spaces = takeSpaces(I);
  if (!Spaces)
    return C.refuse();
  bool Signals = I.take("mbarrier::complete_tx::bytes");
  bool Grouped = I.take("bulk_group");
  if (Signals == Grouped ||
      Signals != (Spaces->To == NVPTXAS::ADDRESS_SPACE_SHARED))
    return C.refuse();
  return Signals ? copyIn(C, I, *Spaces) : copyOut(C, I, *Spaces);
}

void ptxBulkReduction(PtxCode &C, PtxInstruction &I) {
  std::optional<BulkSpaces> Spaces = takeSpaces(I);
  StringRef Name = takeUpdate(I);
  bool Signals = I.take("mbarrier::complete_tx::bytes");
  bool Hint = I.take("L2::cache_hint");
  I.take("noftz");
  if (!Spaces || Name.empty() ||
      Spaces->From != NVPTXAS::ADDRESS_SPACE_SHARED || I.Types.size() != 1 ||
      Signals == I.take("bulk_group") ||
      Signals != (Spaces->To == NVPTXAS::ADDRESS_SPACE_SHARED) ||
      I.Operands.size() != 3u + Signals + Hint)
    return C.refuse();
  IRBuilder<> &B = C.B;
  const PtxType Type = I.type();
  BulkOperands O = bulkOperands(C, I, *Spaces);
  Value *Barrier = Signals
                       ? C.address(I.Operands[3], NVPTXAS::ADDRESS_SPACE_SHARED)
                       : nullptr;
  if (C.refused())
    return;
  const unsigned Each = Type.total() / 8;
  forEachPiece(C, O.Bytes, Each, [&](Value *Offset) {
    Value *With = B.CreateAlignedLoad(
        B.getIntNTy(Type.total()), B.CreatePtrAdd(O.From, Offset), Align(Each));
    if (!ptxUpdate(C, Name, {}, Type, B.CreatePtrAdd(O.To, Offset), With))
      C.refuse();
  });
  if (Signals)
    ptxCompleteBytes(C, Barrier, O.Bytes);
}

void ptxStoreAsync(PtxCode &C, PtxInstruction &I) {
  IRBuilder<> &B = C.B;
  if (!I.take("mbarrier::complete_tx::bytes") || I.Operands.size() != 3)
    return C.refuse();
  PtxAccess A = takePtxAccess(I);
  const PtxType Type = I.type();
  Value *Address = C.address(I.Operands[0], A.Space);
  SmallVector<Value *, 4> Parts = C.readAll(I.Operands[1], Type);
  Value *Barrier = lastBarrier(C, I);
  if (C.refused() || A.Space != NVPTXAS::ADDRESS_SPACE_SHARED ||
      Parts.size() != A.Count)
    return C.refuse();
  const unsigned Each = Type.total() / 8;
  for (unsigned N = 0; N < A.Count; ++N)
    B.CreateAlignedStore(Parts[N],
                         B.CreatePtrAdd(Address, B.getInt64(N * Each)),
                         Align(Each), /*isVolatile=*/true);
  ptxCompleteBytes(C, Barrier, B.getInt64(A.Count * Each));
}

void ptxReduceAsync(PtxCode &C, PtxInstruction &I) {
  if (!I.take("mbarrier::complete_tx::bytes") || I.Operands.size() != 3)
    return C.refuse();
  PtxAccess A = takePtxAccess(I);
  const PtxType Type = I.type();
  StringRef Name = takeUpdate(I);
  Value *Address = C.address(I.Operands[0], A.Space);
  Value *With = C.operand(I, 1, Type);
  Value *Barrier = lastBarrier(C, I);
  if (C.refused() || Name.empty() || A.Space != NVPTXAS::ADDRESS_SPACE_SHARED)
    return C.refuse();
  if (!ptxUpdate(C, Name, A, Type, Address, With))
    return C.refuse();
  ptxCompleteBytes(C, Barrier, C.B.getInt64(Type.total() / 8));
}

} // namespace blockmaestro
