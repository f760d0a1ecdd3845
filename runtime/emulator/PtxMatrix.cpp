// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The instructions of PTX on matrices: mma, wmma, ldmatrix, stmatrix,
// movmatrix.

#include "MatrixCode.h"
#include "PtxCode.h"

using namespace llvm;

namespace blockmaestro {

namespace {

std::optional<MatrixShape> takeShape(PtxInstruction &I) {
  for (StringRef Modifier : I.Words)
    if (std::optional<MatrixShape> Shape = matrixShape(Modifier)) {
      I.take(Modifier);
      return Shape;
    }
  return std::nullopt;
}

std::optional<MatrixNumber> numberOf(PtxType Type) {
  switch (Type.Kind) {
  case PtxKind::Float:
    return Type.Bits == 16   ? MatrixNumber::F16
           : Type.Bits == 32 ? MatrixNumber::F32
                             : MatrixNumber::F64;
  case PtxKind::BFloat:
    return MatrixNumber::BF16;
  case PtxKind::Tf32:
    return MatrixNumber::TF32;
  case PtxKind::E4M3:
    return MatrixNumber::E4M3;
  case PtxKind::E5M2:
    return MatrixNumber::E5M2;
  case PtxKind::Signed:
    return Type.Bits == 4   ? MatrixNumber::S4
           : Type.Bits == 8 ? MatrixNumber::S8
                            : MatrixNumber::S32;
  case PtxKind::Unsigned:
    return Type.Bits == 4 ? MatrixNumber::U4 : MatrixNumber::U8;
  case PtxKind::Bits:
    return MatrixNumber::B1;
  default:
    return std::nullopt;
  }
}

/// Reads the types of a product: D, A, B, C; of halves in wmma D and C alone.
bool readTypes(const PtxInstruction &I, MatrixProduct &P) {
  SmallVector<MatrixNumber, 4> Numbers;
  for (PtxType Type : I.Types)
    if (std::optional<MatrixNumber> Number = numberOf(Type))
      Numbers.push_back(*Number);
  if (Numbers.size() == 2)
    Numbers = {Numbers[0], MatrixNumber::F16, MatrixNumber::F16, Numbers[1]};
  if (Numbers.size() != 4)
    return false;
  P.D = Numbers[0];
  P.A = Numbers[1];
  P.B = Numbers[2];
  P.C = Numbers[3];
  return true;
}

/// The registers of \p Operand; refuses where there are not \p Count.
SmallVector<Value *, 4> registers(PtxCode &C, const PtxOperand &Operand,
                                  MatrixNumber Number, unsigned Count) {
  PtxType Type{PtxKind::Bits, registerBits(Number), 1};
  SmallVector<Value *, 4> All = C.readAll(Operand, Type);
  if (All.size() != Count)
    C.refuse("a list of registers of another length");
  return All;
}

void writeRegisters(PtxCode &C, const PtxOperand &To,
                    ArrayRef<Value *> Registers) {
  if (To.Kind != PtxOperandKind::Vector) {
    if (Registers.size() != 1)
      return C.refuse("a list of registers of another length");
    return C.write(To, Registers[0]);
  }
  if (To.Elements.size() != Registers.size())
    return C.refuse("a list of registers of another length");
  for (auto [Element, Register] : zip(To.Elements, Registers))
    C.write(Element, Register);
}

/// The layouts of A and B, of which mma has others than row and col only for
/// eights of lanes.
bool takeLayouts(PtxInstruction &I, MatrixProduct &P, bool Fragments) {
  SmallVector<StringRef, 2> Layouts;
  for (StringRef Modifier : I.Words)
    if (Modifier == "row" || Modifier == "col")
      Layouts.push_back(Modifier);
  if (Layouts.size() != 2)
    return false;
  for (StringRef Layout : Layouts)
    I.take(Layout);
  bool ColumnsOfA = Layouts[0] == "col", RowsOfB = Layouts[1] == "row";
  if (P.isOfQuads()) {
    P.ColumnsOfA = ColumnsOfA;
    P.RowsOfB = RowsOfB;
    return true;
  }
  return Fragments || (!ColumnsOfA && !RowsOfB);
}

/// d, a, b, c of mma and, if \p Fragments, of wmma.mma.
void product(PtxCode &C, PtxInstruction &I, bool Fragments) {
  MatrixProduct P;
  std::optional<MatrixShape> Shape = takeShape(I);
  if (!Shape || !readTypes(I, P) || I.Operands.size() != 4)
    return C.refuse();
  P.Shape = *Shape;
  P.Saturates = I.take("satfinite");
  if (P.A == MatrixNumber::F64)
    I.take("rn");
  if (P.A == MatrixNumber::B1) {
    P.Xor = I.take("xor");
    if ((!P.Xor && !I.take("and")) || !I.take("popc"))
      return C.refuse();
  }
  if (!I.take("sync") || !I.take("aligned") || !takeLayouts(I, P, Fragments) ||
      !isMatrixProduct(P, Fragments) || !I.Words.empty())
    return C.refuse();
  auto Count = [&](MatrixPart Part, MatrixNumber Number) {
    return Fragments ? fragmentRegisters(Part, P.Shape, Number)
                     : registersOf(P, Part, Number);
  };
  auto A = registers(C, I.Operands[1], P.A, Count(MatrixPart::A, P.A));
  auto B = registers(C, I.Operands[2], P.B, Count(MatrixPart::B, P.B));
  auto Sums =
      registers(C, I.Operands[3], P.C, Count(MatrixPart::Accumulator, P.C));
  if (C.refused())
    return;
  writeRegisters(C, I.Operands[0], MatrixCode(C.B).multiply(P, A, B, Sums));
}

void multiply(PtxCode &C, PtxInstruction &I) {
  product(C, I, /*Fragments=*/false);
}

/// wmma.load.{a,b,c} r, [p]{, stride} and wmma.store.d [p], r{, stride}.
void moveFragment(PtxCode &C, PtxInstruction &I, bool Stores) {
  std::optional<MatrixShape> Shape = takeShape(I);
  std::optional<MatrixNumber> Number = numberOf(I.type());
  StringRef Part = I.takeAny({"a", "b", "c", "d"});
  StringRef Layout = I.takeAny({"row", "col"});
  bool Shared = !I.takeAny({"shared", "shared::cta"}).empty();
  I.take("global");
  if (!Shape || !Number || Part.empty() || Layout.empty() ||
      I.Types.size() != 1 || !I.take("sync") || !I.take("aligned") ||
      I.Operands.size() < 2)
    return C.refuse();
  MatrixTile Tile{Part == "a"   ? MatrixPart::A
                  : Part == "b" ? MatrixPart::B
                                : MatrixPart::Accumulator,
                  *Shape, *Number, Layout == "col"};
  Value *Pointer = C.address(I.Operands[Stores ? 0 : 1],
                             Shared ? NVPTXAS::ADDRESS_SPACE_SHARED : 0);
  Value *Stride = I.Operands.size() > 2 ? C.operand(I, 2, PtxWord) : nullptr;
  if (C.refused())
    return;
  MatrixCode Code(C.B);
  if (!Stores)
    return writeRegisters(C, I.Operands[0], Code.load(Tile, Pointer, Stride));
  auto Registers =
      registers(C, I.Operands[1], *Number,
                fragmentRegisters(Tile.Part, Tile.Shape, Tile.Number));
  if (!C.refused())
    Code.store(Tile, Pointer, Registers, Stride);
}

void fragment(PtxCode &C, PtxInstruction &I) {
  if (I.take("mma"))
    return product(C, I, /*Fragments=*/true);
  bool Stores = I.take("store");
  if (!Stores && !I.take("load"))
    return C.refuse();
  moveFragment(C, I, Stores);
}

/// What ldmatrix and stmatrix share: the number of matrices, 0 if none.
unsigned takeSmall(PtxInstruction &I) {
  StringRef Count = I.takeAny({"x1", "x2", "x4"});
  I.takeAny({"shared", "shared::cta"});
  if (!I.take("sync") || !I.take("aligned") || !I.take("m8n8") ||
      I.type() != PtxType{PtxKind::Bits, 16, 1} || I.Operands.size() != 2)
    return 0;
  return Count.empty() ? 1 : Count.back() - '0';
}

Value *sharedAddress(PtxCode &C, const PtxOperand &Operand) {
  return C.B.CreateTrunc(
      C.B.CreatePtrToInt(C.address(Operand, NVPTXAS::ADDRESS_SPACE_SHARED),
                         C.B.getInt64Ty()),
      C.B.getInt32Ty());
}

void loadMatrices(PtxCode &C, PtxInstruction &I) {
  bool Transposed = I.take("trans");
  unsigned Count = takeSmall(I);
  if (!Count)
    return C.refuse();
  Value *Address = sharedAddress(C, I.Operands[1]);
  writeRegisters(C, I.Operands[0],
                 MatrixCode(C.B).loadSmall(Address, Count, Transposed));
}

void storeMatrices(PtxCode &C, PtxInstruction &I) {
  bool Transposed = I.take("trans");
  unsigned Count = takeSmall(I);
  if (!Count)
    return C.refuse();
  Value *Address = sharedAddress(C, I.Operands[0]);
  auto Registers = registers(C, I.Operands[1], MatrixNumber::F16, Count);
  if (!C.refused())
    MatrixCode(C.B).storeSmall(Address, Registers, Transposed);
}

void moveMatrix(PtxCode &C, PtxInstruction &I) {
  if (!I.take("sync") || !I.take("aligned") || !I.take("m8n8") ||
      !I.take("trans") || I.Operands.size() != 2)
    return C.refuse();
  C.write(I.Operands[0],
          MatrixCode(C.B).transposeSmall(C.operand(I, 1, PtxWord)));
}

const PtxRow MatrixRows[] = {
    {"mma", multiply},          {"wmma", fragment},
    {"ldmatrix", loadMatrices}, {"stmatrix", storeMatrices},
    {"movmatrix", moveMatrix},
};

} // namespace

ArrayRef<PtxRow> ptxMatrixRows() { return MatrixRows; }

} // namespace blockmaestro
