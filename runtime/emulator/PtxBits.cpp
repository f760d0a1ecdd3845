// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The instructions of PTX on bits: logic, shifts, fields, counts, permutations.

#include "PtxCode.h"

using namespace llvm;

namespace blockmaestro {

namespace {

template <Instruction::BinaryOps Op> void logic(PtxCode &C, PtxInstruction &I) {
  PtxType Type = I.type();
  C.write(I.Operands[0],
          C.B.CreateBinOp(Op, C.operand(I, 1, Type), C.operand(I, 2, Type)));
}

void complement(PtxCode &C, PtxInstruction &I) {
  C.write(I.Operands[0], C.B.CreateNot(C.operand(I, 1, I.type())));
}

/// C's !x.
void logicalNot(PtxCode &C, PtxInstruction &I) {
  Value *X = C.operand(I, 1, I.type());
  C.write(I.Operands[0],
          C.B.CreateZExt(C.B.CreateICmpEQ(X, ConstantInt::get(X->getType(), 0)),
                         X->getType()));
}

/// Shifts by more than the width give what shifting one by one would.
template <bool Left> void shift(PtxCode &C, PtxInstruction &I) {
  IRBuilder<> &B = C.B;
  PtxType Type = I.type();
  Value *X = C.operand(I, 1, Type);
  Value *By = C.operand(I, 2, PtxWord);
  Value *Most = B.getInt32(Type.Bits - 1);
  Value *Within = B.CreateICmpULE(By, Most);
  bool Arithmetic = !Left && Type.isSigned();
  Value *Amount =
      B.CreateIntCast(B.CreateSelect(Within, By, Most), X->getType(), false);
  Value *Moved = Left         ? B.CreateShl(X, Amount)
                 : Arithmetic ? B.CreateAShr(X, Amount)
                              : B.CreateLShr(X, Amount);
  if (!Arithmetic)
    Moved = B.CreateSelect(Within, Moved, ConstantInt::get(X->getType(), 0));
  C.write(I.Operands[0], Moved, Type.isSigned());
}

/// shf: the upper word of b:a shifted left, or the lower of it shifted right.
void funnelShift(PtxCode &C, PtxInstruction &I) {
  IRBuilder<> &B = C.B;
  bool Left = I.take("l");
  bool Clamp = I.take("clamp");
  I.take("r");
  I.take("wrap");
  Value *Low = C.operand(I, 1, PtxWord);
  Value *High = C.operand(I, 2, PtxWord);
  Value *By = C.operand(I, 3, PtxWord);
  By = Clamp ? B.CreateBinaryIntrinsic(Intrinsic::umin, By, B.getInt32(32))
             : B.CreateAnd(By, 31);
  Value *Both = B.CreateOr(B.CreateZExt(Low, B.getInt64Ty()),
                           B.CreateShl(B.CreateZExt(High, B.getInt64Ty()), 32));
  Value *Wide = B.CreateZExt(By, B.getInt64Ty());
  Value *Moved = Left ? B.CreateLShr(B.CreateShl(Both, Wide), 32)
                      : B.CreateLShr(Both, Wide);
  C.write(I.Operands[0], B.CreateTrunc(Moved, B.getInt32Ty()));
}

/// lop3: any function of three bits, given as its table.
void logic3(PtxCode &C, PtxInstruction &I) {
  IRBuilder<> &B = C.B;
  Value *X = C.operand(I, 1, PtxWord);
  Value *Y = C.operand(I, 2, PtxWord);
  Value *Z = C.operand(I, 3, PtxWord);
  std::optional<uint64_t> Table =
      I.Operands.size() > 4 ? C.constant(I.Operands[4]) : std::nullopt;
  if (!Table)
    return C.refuse("a table that is not constant");
  Value *Result = B.getInt32(0);
  for (unsigned Row = 0; Row < 8; ++Row) {
    if (!(*Table >> Row & 1))
      continue;
    Value *Term =
        B.CreateAnd(Row & 4 ? X : B.CreateNot(X), Row & 2 ? Y : B.CreateNot(Y));
    Result =
        B.CreateOr(Result, B.CreateAnd(Term, Row & 1 ? Z : B.CreateNot(Z)));
  }
  C.write(I.Operands[0], Result);
}

/// Position and length of a field are the lowest bytes of their operands.
Value *fieldNumber(PtxCode &C, PtxInstruction &I, unsigned N, Type *T) {
  Value *Byte = C.B.CreateAnd(C.operand(I, N, PtxWord), 0xff);
  return C.B.CreateIntCast(Byte, T, false);
}

/// X shifted by up to 255.
Value *shiftOut(IRBuilder<> &B, Value *X, Value *By, bool Left) {
  Type *T = X->getType();
  unsigned Bits = T->getIntegerBitWidth();
  Value *Within = B.CreateICmpULT(By, ConstantInt::get(T, Bits));
  Value *Safe = B.CreateSelect(Within, By, ConstantInt::get(T, 0));
  Value *Moved = Left ? B.CreateShl(X, Safe) : B.CreateLShr(X, Safe);
  return B.CreateSelect(Within, Moved, ConstantInt::get(T, 0));
}

/// A mask of \p Length ones from bit 0.
Value *lowMask(IRBuilder<> &B, Value *Length) {
  Type *T = Length->getType();
  return B.CreateNot(
      shiftOut(B, Constant::getAllOnesValue(T), Length, /*Left=*/true));
}

/// bfe: the bits beyond the operand's end are its sign, or zeros.
void extractField(PtxCode &C, PtxInstruction &I) {
  IRBuilder<> &B = C.B;
  PtxType Type = I.type();
  Value *X = C.operand(I, 1, Type);
  llvm::Type *T = X->getType();
  Value *At = fieldNumber(C, I, 2, T);
  Value *Length = fieldNumber(C, I, 3, T);
  Value *Mask = lowMask(B, Length);
  Value *Field = B.CreateAnd(shiftOut(B, X, At, /*Left=*/false), Mask);
  if (Type.isSigned()) {
    Value *Last = B.CreateBinaryIntrinsic(
        Intrinsic::umin,
        B.CreateSub(B.CreateAdd(At, Length), ConstantInt::get(T, 1)),
        ConstantInt::get(T, Type.Bits - 1));
    Value *Sign = B.CreateTrunc(B.CreateLShr(X, Last), B.getInt1Ty());
    Value *Kept = B.CreateBinaryIntrinsic(Intrinsic::usub_sat,
                                          ConstantInt::get(T, Type.Bits), At);
    Kept = B.CreateBinaryIntrinsic(Intrinsic::umin, Kept, Length);
    Value *Filled = B.CreateOr(Field, B.CreateNot(lowMask(B, Kept)));
    Value *Some = B.CreateICmpNE(Length, ConstantInt::get(T, 0));
    Field = B.CreateSelect(B.CreateAnd(Sign, Some), Filled, Field);
  }
  C.write(I.Operands[0], Field, Type.isSigned());
}

/// bfi d, a, b, at, length: a's lowest bits go into b.
void insertField(PtxCode &C, PtxInstruction &I) {
  IRBuilder<> &B = C.B;
  PtxType Type = I.type();
  Value *X = C.operand(I, 1, Type);
  Value *Into = C.operand(I, 2, Type);
  Value *At = fieldNumber(C, I, 3, X->getType());
  Value *Mask = lowMask(B, fieldNumber(C, I, 4, X->getType()));
  Value *Placed = shiftOut(B, B.CreateAnd(X, Mask), At, /*Left=*/true);
  Value *Cleared =
      B.CreateAnd(Into, B.CreateNot(shiftOut(B, Mask, At, /*Left=*/true)));
  C.write(I.Operands[0], B.CreateOr(Placed, Cleared));
}

/// bfind: the highest bit that differs from the sign; ~0 when there is none.
void findHighest(PtxCode &C, PtxInstruction &I) {
  IRBuilder<> &B = C.B;
  PtxType Type = I.type();
  bool Shift = I.take("shiftamt");
  Value *X = C.operand(I, 1, Type);
  llvm::Type *T = X->getType();
  if (Type.isSigned())
    X = B.CreateXor(X, B.CreateAShr(X, Type.Bits - 1));
  Value *Leading = B.CreateBinaryIntrinsic(Intrinsic::ctlz, X, B.getFalse());
  Value *At = Shift ? Leading
                    : B.CreateSub(ConstantInt::get(T, Type.Bits - 1), Leading);
  Value *None = B.CreateICmpEQ(X, ConstantInt::get(T, 0));
  C.write(I.Operands[0], B.CreateSelect(None, B.getInt32(~0U),
                                        B.CreateTrunc(At, B.getInt32Ty())));
}

void reverse(PtxCode &C, PtxInstruction &I) {
  C.write(I.Operands[0], C.B.CreateUnaryIntrinsic(Intrinsic::bitreverse,
                                                  C.operand(I, 1, I.type())));
}

void countOnes(PtxCode &C, PtxInstruction &I) {
  C.write(I.Operands[0], C.B.CreateUnaryIntrinsic(Intrinsic::ctpop,
                                                  C.operand(I, 1, I.type())));
}

void countLeading(PtxCode &C, PtxInstruction &I) {
  C.write(I.Operands[0],
          C.B.CreateBinaryIntrinsic(Intrinsic::ctlz, C.operand(I, 1, I.type()),
                                    C.B.getFalse()));
}

/// fns and prmt are NVVM intrinsics, which NvvmLowering knows.
void findNth(PtxCode &C, PtxInstruction &I) {
  C.write(I.Operands[0],
          C.intrinsic(Intrinsic::nvvm_fns,
                      {C.operand(I, 1, PtxWord), C.operand(I, 2, PtxWord),
                       C.operand(I, 3, PtxWord)}));
}

void permute(PtxCode &C, PtxInstruction &I) {
  StringRef Mode = I.takeAny({"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"});
  Value *X = C.operand(I, 1, PtxWord);
  Value *Y = C.operand(I, 2, PtxWord);
  Value *Selector = C.operand(I, 3, PtxWord);
  Intrinsic::ID Id = StringSwitch<Intrinsic::ID>(Mode)
                         .Case("f4e", Intrinsic::nvvm_prmt_f4e)
                         .Case("b4e", Intrinsic::nvvm_prmt_b4e)
                         .Case("rc8", Intrinsic::nvvm_prmt_rc8)
                         .Case("ecl", Intrinsic::nvvm_prmt_ecl)
                         .Case("ecr", Intrinsic::nvvm_prmt_ecr)
                         .Case("rc16", Intrinsic::nvvm_prmt_rc16)
                         .Default(Intrinsic::nvvm_prmt);
  bool OneWord = StringRef(Mode).starts_with("rc") || Mode.starts_with("ec");
  C.write(I.Operands[0], OneWord ? C.intrinsic(Id, {X, Selector})
                                 : C.intrinsic(Id, {X, Y, Selector}));
}

/// szext and bmsk; .clamp counts to 32, .wrap modulo 32.
void extend(PtxCode &C, PtxInstruction &I) {
  bool Wrap = I.take("wrap");
  I.take("clamp");
  bool Signed = I.type().isSigned();
  Intrinsic::ID Id =
      Signed ? (Wrap ? Intrinsic::nvvm_sext_wrap : Intrinsic::nvvm_sext_clamp)
             : (Wrap ? Intrinsic::nvvm_zext_wrap : Intrinsic::nvvm_zext_clamp);
  C.write(I.Operands[0], C.intrinsic(Id, {C.operand(I, 1, PtxWord),
                                          C.operand(I, 2, PtxWord)}));
}

void makeMask(PtxCode &C, PtxInstruction &I) {
  bool Wrap = I.take("wrap");
  I.take("clamp");
  C.write(
      I.Operands[0],
      C.intrinsic(Wrap ? Intrinsic::nvvm_bmsk_wrap : Intrinsic::nvvm_bmsk_clamp,
                  {C.operand(I, 1, PtxWord), C.operand(I, 2, PtxWord)}));
}

const PtxRow BitRows[] = {
    {"and", logic<Instruction::And>},
    {"or", logic<Instruction::Or>},
    {"xor", logic<Instruction::Xor>},
    {"not", complement},
    {"cnot", logicalNot},
    {"shl", shift<true>},
    {"shr", shift<false>},
    {"shf", funnelShift},
    {"lop3", logic3},
    {"bfe", extractField},
    {"bfi", insertField},
    {"bfind", findHighest},
    {"brev", reverse},
    {"popc", countOnes},
    {"clz", countLeading},
    {"fns", findNth},
    {"prmt", permute},
    {"szext", extend},
    {"bmsk", makeMask},
};

} // namespace

ArrayRef<PtxRow> ptxBitRows() { return BitRows; }

} // namespace blockmaestro
