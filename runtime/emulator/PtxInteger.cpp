// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The integer arithmetic of PTX: sums with carry, wide and high products,
// multiply-add, minima, dot products.

#include "PtxInteger.h"

#include "PtxCode.h"

using namespace llvm;

namespace blockmaestro {

namespace {

/// X + Y + Carry, the carry out of it too.
std::pair<Value *, Value *> addWithCarry(IRBuilder<> &B, Value *X, Value *Y,
                                         Value *Carry) {
  unsigned Bits = X->getType()->getIntegerBitWidth();
  Type *Wide = B.getIntNTy(Bits + 1);
  Value *Sum =
      B.CreateAdd(B.CreateAdd(B.CreateZExt(X, Wide), B.CreateZExt(Y, Wide)),
                  B.CreateZExt(Carry, Wide));
  return {B.CreateTrunc(Sum, X->getType()),
          B.CreateTrunc(B.CreateLShr(Sum, Bits), B.getInt1Ty())};
}

/// Writes X + Y, with the carry flag where \p I uses it. A difference is the
/// sum with ~Y and an inverted carry, which is how the flag of subtraction is
/// held: set means borrow.
void writeSum(PtxCode &C, PtxInstruction &I, Value *X, Value *Y, bool CarryIn,
              bool Minus) {
  IRBuilder<> &B = C.B;
  bool CarryOut = I.take("cc");
  if (!CarryIn && !CarryOut) {
    C.write(I.Operands[0], Minus ? B.CreateSub(X, Y) : B.CreateAdd(X, Y),
            I.type().isSigned());
    return;
  }
  if (CarryIn && !C.isCarrySet())
    return C.refuse("a carry that no statement of the function sets");
  Value *In =
      CarryIn ? (Value *)B.CreateLoad(B.getInt1Ty(), C.carry()) : B.getFalse();
  if (Minus) {
    Y = B.CreateNot(Y);
    In = B.CreateNot(In);
  }
  auto [Sum, Out] = addWithCarry(B, X, Y, In);
  C.write(I.Operands[0], Sum, I.type().isSigned());
  if (CarryOut)
    B.CreateStore(Minus ? B.CreateNot(Out) : Out, C.carry());
}

void sum(PtxCode &C, PtxInstruction &I, bool CarryIn, bool Minus) {
  PtxType Type = I.type();
  Value *X = C.operand(I, 1, Type);
  Value *Y = C.operand(I, 2, Type);
  if (I.take("sat")) {
    C.write(I.Operands[0],
            C.B.CreateBinaryIntrinsic(
                Minus ? Intrinsic::ssub_sat : Intrinsic::sadd_sat, X, Y),
            true);
    return;
  }
  if (Type.Lanes == 1)
    return writeSum(C, I, X, Y, CarryIn, Minus);
  C.write(
      I.Operands[0], C.Floats.perLane(Type, {X, Y}, [&](ArrayRef<Value *> L) {
        return Minus ? C.B.CreateSub(L[0], L[1]) : C.B.CreateAdd(L[0], L[1]);
      }));
}

/// The whole, lower or upper part of X * Y as \p I asks for it; its type in
/// \p Out. 24-bit operands when \p Narrow.
Value *product(PtxCode &C, PtxInstruction &I, PtxType &Out, bool Narrow) {
  IRBuilder<> &B = C.B;
  PtxType Type = I.type();
  Value *X = C.operand(I, 1, Type);
  Value *Y = C.operand(I, 2, Type);
  if (Narrow) {
    auto Low24 = [&](Value *V) {
      Value *Up = B.CreateShl(V, 8);
      return Type.isSigned() ? B.CreateAShr(Up, 8) : B.CreateLShr(Up, 8);
    };
    X = Low24(X);
    Y = Low24(Y);
  }
  StringRef Part = I.takeAny({"wide", "hi", "lo"});
  Out = Type;
  if (Part == "lo" || Part.empty())
    return B.CreateMul(X, Y);
  llvm::Type *Wide = B.getIntNTy(2 * Type.Bits);
  Value *Whole = B.CreateMul(B.CreateIntCast(X, Wide, Type.isSigned()),
                             B.CreateIntCast(Y, Wide, Type.isSigned()));
  if (Part == "wide") {
    Out.Bits *= 2;
    return Whole;
  }
  return B.CreateTrunc(B.CreateLShr(Whole, Narrow ? 16 : Type.Bits),
                       X->getType());
}

template <bool Narrow> void multiply(PtxCode &C, PtxInstruction &I) {
  PtxType Out;
  Value *Product = product(C, I, Out, Narrow);
  C.write(I.Operands[0], Product, Out.isSigned());
}

void multiplyAdd(PtxCode &C, PtxInstruction &I, bool CarryIn, bool Narrow) {
  PtxType Out;
  Value *Product = product(C, I, Out, Narrow);
  Value *Added = C.operand(I, 3, Out);
  if (I.take("sat")) {
    C.write(I.Operands[0],
            C.B.CreateBinaryIntrinsic(Intrinsic::sadd_sat, Product, Added),
            true);
    return;
  }
  writeSum(C, I, Product, Added, CarryIn, /*Minus=*/false);
}

/// Division as a GPU does it, which does not trap: x / 0 is all ones, x % 0 is
/// x, and the least number over -1 wraps.
template <bool Remainder> void divide(PtxCode &C, PtxInstruction &I) {
  IRBuilder<> &B = C.B;
  PtxType Type = I.type();
  Value *X = C.operand(I, 1, Type);
  Value *Y = C.operand(I, 2, Type);
  Value *Zero = B.CreateICmpEQ(Y, B.getIntN(Type.Bits, 0));
  Value *Unsafe = Zero;
  if (Type.isSigned())
    Unsafe = B.CreateOr(
        Zero, B.CreateICmpEQ(Y, Constant::getAllOnesValue(Y->getType())));
  Value *Safe = B.CreateSelect(Unsafe, B.getIntN(Type.Bits, 1), Y);
  Value *Known;
  Value *Result;
  if (Remainder) {
    Result = Type.isSigned() ? B.CreateSRem(X, Safe) : B.CreateURem(X, Safe);
    Known = B.CreateSelect(Zero, X, B.getIntN(Type.Bits, 0));
  } else {
    Result = Type.isSigned() ? B.CreateSDiv(X, Safe) : B.CreateUDiv(X, Safe);
    Known = B.CreateSelect(Zero, Constant::getAllOnesValue(X->getType()),
                           B.CreateNeg(X));
  }
  C.write(I.Operands[0], B.CreateSelect(Unsafe, Known, Result),
          Type.isSigned());
}

/// min and max, also of packed halves and with .relu.
void extreme(PtxCode &C, PtxInstruction &I, bool Greater) {
  IRBuilder<> &B = C.B;
  PtxType Type = I.type();
  bool Relu = I.take("relu");
  Intrinsic::ID Id = Type.isSigned()
                         ? (Greater ? Intrinsic::smax : Intrinsic::smin)
                         : (Greater ? Intrinsic::umax : Intrinsic::umin);
  Value *X = C.operand(I, 1, Type);
  Value *Y = C.operand(I, 2, Type);
  if (C.refused())
    return;
  Value *Result = C.Floats.perLane(Type, {X, Y}, [&](ArrayRef<Value *> L) {
    Value *Best = B.CreateBinaryIntrinsic(Id, L[0], L[1]);
    return Relu ? B.CreateBinaryIntrinsic(Intrinsic::smax, Best,
                                          ConstantInt::get(Best->getType(), 0))
                : Best;
  });
  C.write(I.Operands[0], Result, Type.isSigned());
}

/// c + |a - b|.
void sumOfDifferences(PtxCode &C, PtxInstruction &I) {
  IRBuilder<> &B = C.B;
  PtxType Type = I.type();
  Value *X = C.operand(I, 1, Type);
  Value *Y = C.operand(I, 2, Type);
  Value *Less = Type.isSigned() ? B.CreateICmpSLT(X, Y) : B.CreateICmpULT(X, Y);
  Value *Difference =
      B.CreateSelect(Less, B.CreateSub(Y, X), B.CreateSub(X, Y));
  C.write(I.Operands[0], B.CreateAdd(C.operand(I, 3, Type), Difference),
          Type.isSigned());
}

/// Part \p Number of \p Bits bits of a word, extended to 32.
Value *partOf(IRBuilder<> &B, Value *Word, unsigned Number, unsigned Bits,
              bool Signed) {
  Value *Up = B.CreateShl(Word, 32 - Bits * (Number + 1));
  return Signed ? B.CreateAShr(Up, 32 - Bits) : B.CreateLShr(Up, 32 - Bits);
}

/// dp4a: four bytes by four bytes; dp2a: two halves by two of the bytes.
template <unsigned Count> void dotProduct(PtxCode &C, PtxInstruction &I) {
  if (I.Types.size() != 2)
    return C.refuse();
  bool Upper = Count == 2 && I.take("hi");
  I.take("lo");
  Value *X = C.operand(I, 1, I.Types[0]);
  Value *Y = C.operand(I, 2, I.Types[1]);
  PtxType Out{PtxKind::Bits, 32, 1};
  Value *Sum = C.operand(I, 3, Out);
  for (unsigned N = 0; N < Count; ++N)
    Sum = C.B.CreateAdd(
        Sum, C.B.CreateMul(partOf(C.B, X, N, 32 / Count, I.Types[0].isSigned()),
                           partOf(C.B, Y, N + (Upper ? 2 : 0), 8,
                                  I.Types[1].isSigned())));
  C.write(I.Operands[0], Sum);
}

const PtxRow IntegerRows[] = {
    {"addc", [](PtxCode &C, PtxInstruction &I) { sum(C, I, true, false); }},
    {"subc", [](PtxCode &C, PtxInstruction &I) { sum(C, I, true, true); }},
    {"madc",
     [](PtxCode &C, PtxInstruction &I) { multiplyAdd(C, I, true, false); }},
    {"mul24", multiply<true>},
    {"mad24",
     [](PtxCode &C, PtxInstruction &I) { multiplyAdd(C, I, false, true); }},
    {"rem", divide<true>},
    {"sad", sumOfDifferences},
    {"dp4a", dotProduct<4>},
    {"dp2a", dotProduct<2>},
};

} // namespace

void ptxIntegerAdd(PtxCode &C, PtxInstruction &I) { sum(C, I, false, false); }
void ptxIntegerSub(PtxCode &C, PtxInstruction &I) { sum(C, I, false, true); }
void ptxIntegerMul(PtxCode &C, PtxInstruction &I) { multiply<false>(C, I); }
void ptxIntegerMad(PtxCode &C, PtxInstruction &I) {
  multiplyAdd(C, I, false, false);
}
void ptxIntegerDiv(PtxCode &C, PtxInstruction &I) { divide<false>(C, I); }
void ptxIntegerMin(PtxCode &C, PtxInstruction &I) { extreme(C, I, false); }
void ptxIntegerMax(PtxCode &C, PtxInstruction &I) { extreme(C, I, true); }

void ptxIntegerAbs(PtxCode &C, PtxInstruction &I) {
  Value *X = C.operand(I, 1, I.type());
  C.write(I.Operands[0],
          C.B.CreateBinaryIntrinsic(Intrinsic::abs, X, C.B.getFalse()), true);
}

void ptxIntegerNeg(PtxCode &C, PtxInstruction &I) {
  C.write(I.Operands[0], C.B.CreateNeg(C.operand(I, 1, I.type())), true);
}

ArrayRef<PtxRow> ptxIntegerRows() { return IntegerRows; }

} // namespace blockmaestro
