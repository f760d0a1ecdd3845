// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The NVVM intrinsics of integers and bits.

#include "NvvmCall.h"

#include "llvm/IR/Module.h"

using namespace llvm;

namespace blockmaestro {

namespace {

/// Takes the word that says how long an integer is; whether it is signed.
bool takeSigned(NvvmCall &C) {
  for (StringRef Word : {"i", "s", "ll"})
    if (C.take(Word))
      return true;
  for (StringRef Word : {"ui", "us", "ull", "u"})
    if (C.take(Word))
      return false;
  return false;
}

Value *highProduct(NvvmCall &C) {
  bool Signed = takeSigned(C);
  Type *Narrow = C.Call.getType();
  unsigned Bits = Narrow->getIntegerBitWidth();
  Type *Wide = C.B.getIntNTy(2 * Bits);
  Value *Product = C.B.CreateMul(C.B.CreateIntCast(C.operand(0), Wide, Signed),
                                 C.B.CreateIntCast(C.operand(1), Wide, Signed));
  return C.B.CreateTrunc(C.B.CreateLShr(Product, Bits), Narrow);
}

Value *product24(NvvmCall &C) {
  bool Signed = takeSigned(C);
  auto Low24 = [&](Value *V) {
    Value *Up = C.B.CreateShl(V, 8);
    return Signed ? C.B.CreateAShr(Up, 8) : C.B.CreateLShr(Up, 8);
  };
  return C.B.CreateMul(Low24(C.operand(0)), Low24(C.operand(1)));
}

/// |a - b| + c.
Value *sumOfDifferences(NvvmCall &C) {
  bool Signed = takeSigned(C);
  Value *X = C.operand(0);
  Value *Y = C.operand(1);
  Value *Less = Signed ? C.B.CreateICmpSLT(X, Y) : C.B.CreateICmpULT(X, Y);
  Value *Difference =
      C.B.CreateSelect(Less, C.B.CreateSub(Y, X), C.B.CreateSub(X, Y));
  return C.B.CreateAdd(Difference, C.operand(2));
}

/// flo: the highest bit that differs from the sign; ~0 when there is none. The
/// last operand asks for the distance from the top instead.
Value *findHighest(NvvmCall &C) {
  IRBuilder<> &B = C.B;
  bool Signed = takeSigned(C);
  Value *X = C.operand(0);
  Type *T = X->getType();
  unsigned Bits = T->getIntegerBitWidth();
  if (Signed)
    X = B.CreateXor(X, B.CreateAShr(X, Bits - 1));
  Value *Leading = B.CreateBinaryIntrinsic(Intrinsic::ctlz, X, B.getFalse());
  Value *At =
      B.CreateSelect(C.operand(1), Leading,
                     B.CreateSub(ConstantInt::get(T, Bits - 1), Leading));
  Value *None = B.CreateICmpEQ(X, ConstantInt::get(T, 0));
  return B.CreateSelect(None, B.getInt32(~0U),
                        B.CreateTrunc(At, B.getInt32Ty()));
}

/// Byte \p N of prmt: three bits of the selector choose it, the fourth takes
/// its sign instead.
Value *permutedByte(NvvmCall &C, Value *Bytes, Value *Selector, unsigned N) {
  IRBuilder<> &B = C.B;
  Value *Nibble = B.CreateAnd(B.CreateLShr(Selector, 4 * N), 15);
  Value *At =
      B.CreateZExt(B.CreateShl(B.CreateAnd(Nibble, 7), 3), B.getInt64Ty());
  Value *Byte = B.CreateTrunc(B.CreateLShr(Bytes, At), B.getInt8Ty());
  Value *Sign = B.CreateAShr(Byte, 7);
  Value *Replicate = B.CreateICmpNE(B.CreateAnd(Nibble, 8), B.getInt32(0));
  return B.CreateShl(
      B.CreateZExt(B.CreateSelect(Replicate, Sign, Byte), B.getInt32Ty()),
      8 * N);
}

Value *permuteBy(NvvmCall &C, Value *X, Value *Y, Value *Selector) {
  IRBuilder<> &B = C.B;
  Type *Wide = B.getInt64Ty();
  Value *Bytes =
      B.CreateOr(B.CreateZExt(X, Wide), B.CreateShl(B.CreateZExt(Y, Wide), 32));
  Value *Whole = permutedByte(C, Bytes, Selector, 0);
  for (unsigned N = 1; N < 4; ++N)
    Whole = B.CreateOr(Whole, permutedByte(C, Bytes, Selector, N));
  return Whole;
}

/// The selectors that a mode of prmt makes of 0, 1, 2 and 3.
struct PermuteRow {
  const char *Mode;
  uint16_t Selectors[4];
};
const PermuteRow PermuteRows[] = {
    {"f4e", {0x3210, 0x4321, 0x5432, 0x6543}},
    {"b4e", {0x5670, 0x6701, 0x7012, 0x0123}},
    {"rc8", {0x0000, 0x1111, 0x2222, 0x3333}},
    {"ecl", {0x3210, 0x3211, 0x3222, 0x3333}},
    {"ecr", {0x0000, 0x1110, 0x2210, 0x3210}},
    {"rc16", {0x1010, 0x3232, 0x1010, 0x3232}},
};

Value *permute(NvvmCall &C) {
  IRBuilder<> &B = C.B;
  if (C.Words.empty())
    return permuteBy(C, C.operand(0), C.operand(1), C.operand(2));
  bool OneWord = C.Call.arg_size() == 2;
  for (const PermuteRow &Row : PermuteRows) {
    if (!C.take(Row.Mode))
      continue;
    Value *Index = B.CreateAnd(C.operand(OneWord ? 1 : 2), 3);
    Value *Selector = B.getInt32(Row.Selectors[0]);
    for (unsigned N = 1; N < 4; ++N)
      Selector = B.CreateSelect(B.CreateICmpEQ(Index, B.getInt32(N)),
                                B.getInt32(Row.Selectors[N]), Selector);
    return permuteBy(C, C.operand(0), OneWord ? B.getInt32(0) : C.operand(1),
                     Selector);
  }
  return nullptr;
}

/// idp4a.s.u(a, b, c) and idp2a.s.u(a, b, upper, c).
template <unsigned Count> Value *dotProduct(NvvmCall &C) {
  IRBuilder<> &B = C.B;
  if (C.Words.size() != 2)
    return nullptr;
  bool SignedX = C.Words[0] == "s";
  bool SignedY = C.Words[1] == "s";
  C.Words.clear();
  auto Part = [&](Value *V, unsigned N, unsigned Bits, bool Signed) {
    Value *Up = B.CreateShl(V, 32 - Bits * (N + 1));
    return Signed ? B.CreateAShr(Up, 32 - Bits) : B.CreateLShr(Up, 32 - Bits);
  };
  Value *Y = C.operand(1);
  Value *Sum = C.operand(2);
  if (Count == 2) {
    Y = B.CreateSelect(C.operand(2), B.CreateLShr(Y, 16), Y);
    Sum = C.operand(3);
  }
  for (unsigned N = 0; N < Count; ++N)
    Sum =
        B.CreateAdd(Sum, B.CreateMul(Part(C.operand(0), N, 32 / Count, SignedX),
                                     Part(Y, N, 8, SignedY)));
  return Sum;
}

/// fshl.clamp, fshr.clamp: the shift is at most 32.
template <bool Left> Value *funnelClamp(NvvmCall &C) {
  IRBuilder<> &B = C.B;
  C.take("clamp");
  Type *Wide = B.getInt64Ty();
  Value *Both = B.CreateOr(B.CreateShl(B.CreateZExt(C.operand(0), Wide), 32),
                           B.CreateZExt(C.operand(1), Wide));
  Value *By = B.CreateZExt(
      B.CreateBinaryIntrinsic(Intrinsic::umin, C.operand(2), B.getInt32(32)),
      Wide);
  Value *Moved =
      Left ? B.CreateLShr(B.CreateShl(Both, By), 32) : B.CreateLShr(Both, By);
  return B.CreateTrunc(Moved, B.getInt32Ty());
}

/// The operand, at most 32 or modulo 32, as a count of 64 bits.
Value *bitCount(NvvmCall &C, Value *V, bool Wrap) {
  IRBuilder<> &B = C.B;
  Value *Count =
      Wrap ? B.CreateAnd(V, 31)
           : B.CreateBinaryIntrinsic(Intrinsic::umin, V, B.getInt32(32));
  return B.CreateZExt(Count, B.getInt64Ty());
}

/// sext and zext of the lowest bits of a word.
template <bool Signed> Value *extendBits(NvvmCall &C) {
  IRBuilder<> &B = C.B;
  bool Wrap = C.take("wrap");
  C.take("clamp");
  Value *Cut = B.CreateSub(B.getInt64(64), bitCount(C, C.operand(1), Wrap));
  Value *None = B.CreateICmpEQ(Cut, B.getInt64(64));
  Value *Safe = B.CreateSelect(None, B.getInt64(0), Cut);
  Value *Up = B.CreateShl(B.CreateZExt(C.operand(0), B.getInt64Ty()), Safe);
  Value *Down = Signed ? B.CreateAShr(Up, Safe) : B.CreateLShr(Up, Safe);
  return B.CreateSelect(None, B.getInt32(0),
                        B.CreateTrunc(Down, B.getInt32Ty()));
}

/// bmsk(at, length): ones from bit `at`.
Value *makeMask(NvvmCall &C) {
  IRBuilder<> &B = C.B;
  bool Wrap = C.take("wrap");
  C.take("clamp");
  Value *Ones =
      B.CreateSub(B.CreateShl(B.getInt64(1), bitCount(C, C.operand(1), Wrap)),
                  B.getInt64(1));
  return B.CreateTrunc(B.CreateShl(Ones, bitCount(C, C.operand(0), Wrap)),
                       B.getInt32Ty());
}

/// fns: found by the host (SoftMath).
Value *findNth(NvvmCall &C) {
  Type *Int = C.B.getInt32Ty();
  FunctionCallee Callee = C.Call.getModule()->getOrInsertFunction(
      "bm_find_nth", FunctionType::get(Int, {Int, Int, Int}, false));
  auto *F = cast<Function>(Callee.getCallee());
  F->setDoesNotAccessMemory();
  F->setDoesNotThrow();
  return C.B.CreateCall(Callee, {C.operand(0), C.operand(1), C.operand(2)});
}

const NvvmRow IntegerIntrinsicRows[] = {
    {"mulhi", highProduct},
    {"mul24", product24},
    {"sad", sumOfDifferences},
    {"flo", findHighest},
    {"prmt", permute},
    {"idp4a", dotProduct<4>},
    {"idp2a", dotProduct<2>},
    {"fshl", funnelClamp<true>},
    {"fshr", funnelClamp<false>},
    {"sext", extendBits<true>},
    {"zext", extendBits<false>},
    {"bmsk", makeMask},
    {"fns", findNth},
};

} // namespace

ArrayRef<NvvmRow> nvvmIntegerRows() { return IntegerIntrinsicRows; }

} // namespace blockmaestro
