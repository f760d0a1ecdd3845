// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// NVVM's wmma intrinsics, which clang makes of the builtins in mma.h:
//   llvm.nvvm.wmma.m16n16k16.load.a.row.stride.f16.p0
//   llvm.nvvm.wmma.m16n16k16.store.d.col.stride.f32.p0
//   llvm.nvvm.wmma.m16n16k16.mma.row.col.f32.f16      (types of D and C)
//   llvm.nvvm.wmma.m32n8k16.mma.row.col.s8.satfinite  (type of A)
//   llvm.nvvm.wmma.m8n8k128.mma.xor.popc.row.col.b1

#include "MatrixCode.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace blockmaestro {

namespace {

/// One call and its name in parts.
class WmmaCall {
public:
  WmmaCall(CallInst &Call, StringRef Name) : Call(Call), B(&Call), Code(B) {
    Name.split(Words, '.');
  }

  /// Whether the call has been replaced.
  bool lower();

private:
  bool lowerProduct();
  bool lowerMove(bool Stores);
  bool take(StringRef Word);
  MatrixRegisters operands(unsigned First, unsigned Count);
  void replace(ArrayRef<Value *> Registers);
  Value *stride(bool Strided) {
    return Strided ? Call.getArgOperand(Call.arg_size() - 1) : nullptr;
  }

  CallInst &Call;
  IRBuilder<> B;
  MatrixCode Code;
  SmallVector<StringRef, 8> Words;
  MatrixShape Shape;
};

bool WmmaCall::take(StringRef Word) {
  auto *At = find(Words, Word);
  if (At == Words.end())
    return false;
  Words.erase(At);
  return true;
}

/// Operands as integers.
MatrixRegisters WmmaCall::operands(unsigned First, unsigned Count) {
  MatrixRegisters All;
  for (unsigned I = First; I < First + Count; ++I) {
    Value *V = Call.getArgOperand(I);
    All.push_back(B.CreateBitCast(
        V, B.getIntNTy(V->getType()->getPrimitiveSizeInBits())));
  }
  return All;
}

/// Puts \p Registers in the place of the call's result.
void WmmaCall::replace(ArrayRef<Value *> Registers) {
  auto *Struct = dyn_cast<StructType>(Call.getType());
  if (!Struct) {
    Call.replaceAllUsesWith(B.CreateBitCast(Registers[0], Call.getType()));
    return;
  }
  Value *All = PoisonValue::get(Struct);
  for (unsigned I = 0; I < Registers.size(); ++I)
    All = B.CreateInsertValue(
        All, B.CreateBitCast(Registers[I], Struct->getElementType(I)), I);
  Call.replaceAllUsesWith(All);
}

/// The numbers of a product by the types in its name.
bool setNumbers(MatrixProduct &P, ArrayRef<MatrixNumber> Types) {
  if (Types.size() == 2) {
    P.D = Types[0];
    P.C = Types[1];
    return true;
  }
  if (Types.size() != 1)
    return false;
  P.A = P.B = Types[0];
  P.C = P.D = P.A == MatrixNumber::F64 ? MatrixNumber::F64
              : P.A == MatrixNumber::BF16 || P.A == MatrixNumber::TF32
                  ? MatrixNumber::F32
                  : MatrixNumber::S32;
  return true;
}

bool WmmaCall::lowerProduct() {
  MatrixProduct P;
  P.Shape = Shape;
  P.Saturates = take("satfinite");
  P.Xor = take("xor");
  take("and");
  take("popc");
  take("rn");
  while (take("row") || take("col"))
    ;
  SmallVector<MatrixNumber, 2> Types;
  for (StringRef Word : Words)
    if (std::optional<MatrixNumber> Number = matrixNumber(Word))
      Types.push_back(*Number);
  if (Types.size() != Words.size() || !setNumbers(P, Types) ||
      !isMatrixProduct(P, /*Fragments=*/true))
    return false;
  unsigned OfA = fragmentRegisters(MatrixPart::A, Shape, P.A);
  unsigned OfB = fragmentRegisters(MatrixPart::B, Shape, P.B);
  unsigned OfC = fragmentRegisters(MatrixPart::Accumulator, Shape, P.C);
  if (Call.arg_size() != OfA + OfB + OfC)
    return false;
  replace(Code.multiply(P, operands(0, OfA), operands(OfA, OfB),
                        operands(OfA + OfB, OfC)));
  return true;
}

bool WmmaCall::lowerMove(bool Stores) {
  bool Strided = take("stride");
  bool ByColumns = take("col");
  if (!ByColumns && !take("row"))
    return false;
  MatrixPart Part = take("a")   ? MatrixPart::A
                    : take("b") ? MatrixPart::B
                                : MatrixPart::Accumulator;
  if (Part == MatrixPart::Accumulator && !take("c") && !take("d"))
    return false;
  std::optional<MatrixNumber> Number =
      Words.empty() ? std::nullopt : matrixNumber(Words.front());
  if (!Number)
    return false;
  MatrixTile Tile{Part, Shape, *Number, ByColumns};
  unsigned Count = fragmentRegisters(Part, Shape, *Number);
  if (Call.arg_size() != 1 + Strided + (Stores ? Count : 0))
    return false;
  Value *Pointer = Call.getArgOperand(0);
  if (Stores)
    Code.store(Tile, Pointer, operands(1, Count), stride(Strided));
  else
    replace(Code.load(Tile, Pointer, stride(Strided)));
  return true;
}

bool WmmaCall::lower() {
  std::optional<MatrixShape> Known = matrixShape(Words.front());
  if (!Known)
    return false;
  Shape = *Known;
  Words.erase(Words.begin());
  if (take("mma"))
    return lowerProduct();
  bool Stores = take("store");
  return (Stores || take("load")) && lowerMove(Stores);
}

} // namespace

void lowerMatrixIntrinsics(Module &M) {
  for (Function &F : M)
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      auto *Call = dyn_cast<IntrinsicInst>(&I);
      StringRef Name = Call ? Call->getCalledFunction()->getName() : "";
      if (Name.consume_front("llvm.nvvm.wmma.") &&
          WmmaCall(*Call, Name).lower())
        Call->eraseFromParent();
    }
}

} // namespace blockmaestro
