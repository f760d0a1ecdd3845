// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The atomic operations of PTX: atom and red.

#include "PtxAccess.h"

using namespace llvm;

namespace blockmaestro {

namespace {

/// An operation on integers and the instruction that does it.
struct OperationRow {
  const char *Name;
  AtomicRMWInst::BinOp Signed;
  AtomicRMWInst::BinOp Unsigned;
};
const OperationRow OperationRows[] = {
    {"add", AtomicRMWInst::Add, AtomicRMWInst::Add},
    {"and", AtomicRMWInst::And, AtomicRMWInst::And},
    {"or", AtomicRMWInst::Or, AtomicRMWInst::Or},
    {"xor", AtomicRMWInst::Xor, AtomicRMWInst::Xor},
    {"exch", AtomicRMWInst::Xchg, AtomicRMWInst::Xchg},
    {"min", AtomicRMWInst::Min, AtomicRMWInst::UMin},
    {"max", AtomicRMWInst::Max, AtomicRMWInst::UMax},
    {"inc", AtomicRMWInst::UIncWrap, AtomicRMWInst::UIncWrap},
    {"dec", AtomicRMWInst::UDecWrap, AtomicRMWInst::UDecWrap},
};

const OperationRow *takeOperation(PtxInstruction &I) {
  for (const OperationRow &Row : OperationRows)
    if (I.take(Row.Name))
      return &Row;
  return nullptr;
}

/// An order for an operation that reads and writes.
AtomicOrdering orderOf(const PtxAccess &A) {
  return A.Order == AtomicOrdering::NotAtomic ? AtomicOrdering::Monotonic
                                              : A.Order;
}

/// What a floating-point operation makes of the old bits.
Value *floatStep(PtxCode &C, StringRef Name, PtxType Type, Value *Old,
                 Value *With) {
  FloatOp Op = StringSwitch<FloatOp>(Name)
                   .Case("add", FloatOp::Add)
                   .Case("min", FloatOp::Min)
                   .Default(FloatOp::Max);
  return C.Floats.apply(Op, Type, {}, {Old, With});
}

/// One element; the value before.
Value *operate(PtxCode &C, const OperationRow &Row, const PtxAccess &A,
               PtxType Type, Value *Address, Value *With) {
  IRBuilder<> &B = C.B;
  Align Alignment(Type.total() / 8);
  StringRef Name = Row.Name;
  if (!Type.isFloat() || Name == "exch")
    return B.CreateAtomicRMW(Type.isSigned() ? Row.Signed : Row.Unsigned,
                             Address, With, Alignment, orderOf(A));
  if (Name == "add" && Type.Bits >= 32) {
    llvm::Type *T = Type.Bits == 32 ? B.getFloatTy() : B.getDoubleTy();
    Value *Old =
        B.CreateAtomicRMW(AtomicRMWInst::FAdd, Address,
                          B.CreateBitCast(With, T), Alignment, orderOf(A));
    return B.CreateBitCast(Old, With->getType());
  }
  return exchangeLoop(C, Address, With->getType(), A.Volatile, [&](Value *Old) {
    return floatStep(C, Name, Type, Old, With);
  });
}

/// cas compares bits, of any width up to 128.
void compareAndSwap(PtxCode &C, PtxInstruction &I, const PtxAccess &A,
                    unsigned First) {
  IRBuilder<> &B = C.B;
  PtxType Type = I.type();
  if (I.Operands.size() < First + 3)
    return C.refuse();
  Value *Address = C.address(I.Operands[First], A.Space);
  AtomicOrdering Order = orderOf(A);
  Value *Pair = B.CreateAtomicCmpXchg(
      Address, C.read(I.Operands[First + 1], Type),
      C.read(I.Operands[First + 2], Type), Align(Type.total() / 8), Order,
      AtomicCmpXchgInst::getStrongestFailureOrdering(Order));
  if (First)
    C.write(I.Operands[0], B.CreateExtractValue(Pair, 0), Type.isSigned());
}

/// atom d, [a], b and red [a], b, which is atom without its result.
void atomic(PtxCode &C, PtxInstruction &I, unsigned First) {
  IRBuilder<> &B = C.B;
  I.take("noftz");
  if (!First && I.take("async"))
    return ptxReduceAsync(C, I);
  PtxAccess A = takePtxAccess(I);
  if (I.Types.empty() || I.type().total() < 16)
    return C.refuse();
  if (I.take("cas"))
    return compareAndSwap(C, I, A, First);
  const OperationRow *Row = takeOperation(I);
  if (!Row || I.Operands.size() < First + 2)
    return C.refuse();
  PtxType Type = I.type();
  Value *Address = C.address(I.Operands[First], A.Space);
  SmallVector<Value *, 4> With = C.readAll(I.Operands[First + 1], Type);
  if (C.refused() || With.size() != A.Count)
    return C.refuse();
  for (unsigned N = 0; N < A.Count; ++N) {
    Value *At = B.CreatePtrAdd(Address, B.getInt64(N * Type.total() / 8));
    Value *Old = operate(C, *Row, A, Type, At, With[N]);
    if (First)
      C.write(A.Count == 1 ? I.Operands[0] : I.Operands[0].Elements[N], Old,
              Type.isSigned());
  }
}

const PtxRow AtomicRows[] = {
    {"atom", [](PtxCode &C, PtxInstruction &I) { atomic(C, I, 1); }},
    {"red", [](PtxCode &C, PtxInstruction &I) { atomic(C, I, 0); }},
};

} // namespace

Value *exchangeLoop(PtxCode &C, Value *Address, Type *T, bool Volatile,
                    function_ref<Value *(Value *)> Next) {
  IRBuilder<> &B = C.B;
  Align Alignment(T->getIntegerBitWidth() / 8);
  LoadInst *First = B.CreateAlignedLoad(T, Address, Alignment, Volatile);
  First->setAtomic(AtomicOrdering::Monotonic);
  BasicBlock *Before = B.GetInsertBlock();
  BasicBlock *Loop = C.makeBlock("atomic");
  B.CreateBr(Loop);
  B.SetInsertPoint(Loop);
  PHINode *Old = B.CreatePHI(T, 2);
  Value *New = Next(Old);
  Value *Pair = B.CreateAtomicCmpXchg(Address, Old, New, Alignment,
                                      AtomicOrdering::AcquireRelease,
                                      AtomicOrdering::Monotonic);
  Old->addIncoming(First, Before);
  Old->addIncoming(B.CreateExtractValue(Pair, 0), B.GetInsertBlock());
  Value *Done = B.CreateExtractValue(Pair, 1);
  BasicBlock *Last = B.GetInsertBlock();
  BasicBlock *After = C.makeBlock("atomic.done");
  BranchInst::Create(After, Loop, Done, Last);
  B.SetInsertPoint(After);
  return Old;
}

Value *ptxUpdate(PtxCode &C, StringRef Name, const PtxAccess &A, PtxType Type,
                 Value *Address, Value *With) {
  for (const OperationRow &Row : OperationRows)
    if (Name == Row.Name)
      return operate(C, Row, A, Type, Address, With);
  return nullptr;
}

ArrayRef<PtxRow> ptxAtomicRows() { return AtomicRows; }

} // namespace blockmaestro
