// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MatrixCode.h"

#include "WarpLowering.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace blockmaestro {

namespace {

constexpr unsigned WarpLanes = 32;

/// The products of one kind of number.
struct ProductRow {
  MatrixNumber Of;
  bool Fragments; ///< Of wmma, not of mma.
  MatrixShape Shape;
};
using N = MatrixNumber;
const ProductRow ProductRows[] = {
    {N::F16, false, {8, 8, 4}},    {N::F16, false, {16, 8, 8}},
    {N::F16, false, {16, 8, 16}},  {N::BF16, false, {16, 8, 8}},
    {N::BF16, false, {16, 8, 16}}, {N::TF32, false, {16, 8, 4}},
    {N::TF32, false, {16, 8, 8}},  {N::F64, false, {8, 8, 4}},
    {N::F64, false, {16, 8, 4}},   {N::F64, false, {16, 8, 8}},
    {N::F64, false, {16, 8, 16}},  {N::S8, false, {8, 8, 16}},
    {N::S8, false, {16, 8, 16}},   {N::S8, false, {16, 8, 32}},
    {N::S4, false, {8, 8, 32}},    {N::S4, false, {16, 8, 32}},
    {N::S4, false, {16, 8, 64}},   {N::B1, false, {8, 8, 128}},
    {N::B1, false, {16, 8, 128}},  {N::B1, false, {16, 8, 256}},
    {N::E4M3, false, {16, 8, 16}}, {N::E4M3, false, {16, 8, 32}},
    {N::F16, true, {16, 16, 16}},  {N::F16, true, {32, 8, 16}},
    {N::F16, true, {8, 32, 16}},   {N::BF16, true, {16, 16, 16}},
    {N::BF16, true, {32, 8, 16}},  {N::BF16, true, {8, 32, 16}},
    {N::S8, true, {16, 16, 16}},   {N::S8, true, {32, 8, 16}},
    {N::S8, true, {8, 32, 16}},    {N::TF32, true, {16, 16, 8}},
    {N::F64, true, {8, 8, 4}},     {N::S4, true, {8, 8, 32}},
    {N::B1, true, {8, 8, 128}},
};

/// Numbers that may be multiplied with each other have one family.
MatrixNumber familyOf(MatrixNumber Number) {
  return Number == N::U8     ? N::S8
         : Number == N::U4   ? N::S4
         : Number == N::E5M2 ? N::E4M3
                             : Number;
}

bool isAccumulator(MatrixNumber Number, MatrixNumber Family) {
  switch (Family) {
  case N::F16:
  case N::E4M3:
    return Number == N::F16 || Number == N::F32;
  case N::BF16:
  case N::TF32:
    return Number == N::F32;
  case N::F64:
    return Number == N::F64;
  default:
    return Number == N::S32;
  }
}

} // namespace

std::optional<MatrixNumber> matrixNumber(StringRef Name) {
  return StringSwitch<std::optional<MatrixNumber>>(Name)
      .Case("f16", N::F16)
      .Case("bf16", N::BF16)
      .Case("tf32", N::TF32)
      .Case("f32", N::F32)
      .Case("f64", N::F64)
      .Case("s8", N::S8)
      .Case("u8", N::U8)
      .Case("s4", N::S4)
      .Case("u4", N::U4)
      .Case("b1", N::B1)
      .Case("e4m3", N::E4M3)
      .Case("e5m2", N::E5M2)
      .Case("s32", N::S32)
      .Default(std::nullopt);
}

std::optional<MatrixShape> matrixShape(StringRef Name) {
  unsigned Rows = 0, Columns = 0, Inner = 0;
  if (!Name.consume_front("m") || Name.consumeInteger(10, Rows) ||
      !Name.consume_front("n") || Name.consumeInteger(10, Columns) ||
      !Name.consume_front("k") || Name.consumeInteger(10, Inner) ||
      !Name.empty())
    return std::nullopt;
  return MatrixShape{uint16_t(Rows), uint16_t(Columns), uint16_t(Inner)};
}

bool isMatrixProduct(const MatrixProduct &P, bool Fragments) {
  MatrixNumber Family = familyOf(P.A);
  bool Integers = P.C == N::S32;
  return Family == familyOf(P.B) && isAccumulator(P.C, Family) &&
         isAccumulator(P.D, Family) && (Integers || !P.Saturates) &&
         !(P.A == N::B1 && P.Saturates) &&
         any_of(ProductRows, [&](const ProductRow &Row) {
           return Row.Of == Family && Row.Fragments == Fragments &&
                  Row.Shape == P.Shape;
         });
}

unsigned fragmentRegisters(MatrixPart Part, MatrixShape S,
                           MatrixNumber Number) {
  constexpr unsigned OfHalves = 8;
  bool Repeats = Part != MatrixPart::Accumulator && Number == N::F16;
  return Repeats ? OfHalves : distinctRegisters(Part, S, Number);
}

Value *MatrixCode::lane() {
  return B.CreateIntrinsic(B.getInt32Ty(), Intrinsic::nvvm_read_ptx_sreg_laneid,
                           {});
}

/// Memory of the lane's stack.
AllocaInst *MatrixCode::memory(unsigned Bytes) {
  BasicBlock &Entry = B.GetInsertBlock()->getParent()->getEntryBlock();
  IRBuilder<> Top(&Entry, Entry.begin());
  AllocaInst *Memory = Top.CreateAlloca(ArrayType::get(Top.getInt8Ty(), Bytes),
                                        nullptr, "matrix");
  Memory->setAlignment(Align(8));
  return Memory;
}

void MatrixCode::callMarker(const char *Name, Value *Memory) {
  Module &M = *B.GetInsertBlock()->getModule();
  B.CreateCall(M.getOrInsertFunction(Name, B.getVoidTy(), B.getPtrTy()),
               {Memory});
}

void MatrixCode::waitForWarp() {
  B.CreateIntrinsic(B.getVoidTy(), Intrinsic::nvvm_bar_warp_sync,
                    {B.getInt32(~0u)});
}

MatrixRegisters MatrixCode::multiply(const MatrixProduct &P,
                                     ArrayRef<Value *> Left,
                                     ArrayRef<Value *> Right,
                                     ArrayRef<Value *> C) {
  const MatrixMemory At(P);
  AllocaInst *Memory = memory(At.Bytes);
  auto Register = [&](unsigned Offset, MatrixNumber Number, unsigned I) {
    return B.CreatePtrAdd(Memory,
                          B.getInt64(Offset + I * (registerBits(Number) / 8)));
  };
  auto Put = [&](unsigned Offset, MatrixPart Part, MatrixNumber Number,
                 ArrayRef<Value *> From) {
    for (unsigned I = 0; I < registersOf(P, Part, Number); ++I)
      B.CreateStore(From[I], Register(Offset, Number, I));
  };
  B.CreateLifetimeStart(Memory);
  B.CreateStore(B.getInt64(packProduct(P)), Memory);
  Put(At.A, MatrixPart::A, P.A, Left);
  Put(At.B, MatrixPart::B, P.B, Right);
  Put(At.C, MatrixPart::Accumulator, P.C, C);
  callMarker(MultiplyMarker, Memory);
  MatrixRegisters D;
  for (unsigned I = 0; I < registersOf(P, MatrixPart::Accumulator, P.D); ++I)
    D.push_back(
        B.CreateLoad(B.getIntNTy(registerBits(P.D)), Register(At.D, P.D, I)));
  B.CreateLifetimeEnd(Memory);
  return D;
}

/// The row or column of number \p Number of a register, as i64.
Value *MatrixCode::axis(const MatrixAxis &Axis, unsigned Number) {
  Value *Sum = B.getInt32(Axis.Base + Number * Axis.PerNumber);
  auto Add = [&](Value *Of, unsigned Each) {
    if (Each)
      Sum = B.CreateAdd(Sum, B.CreateMul(Of, B.getInt32(Each)));
  };
  Add(B.CreateLShr(lane(), 2), Axis.PerGroup);
  Add(B.CreateAnd(lane(), 3), Axis.PerThread);
  return B.CreateZExt(Sum, B.getInt64Ty());
}

Value *MatrixCode::address(const MatrixTile &Tile, unsigned Register,
                           unsigned Number, Value *Pointer, Value *Stride) {
  MatrixPlace Place = placeOf(Tile.Part, Tile.Shape, Tile.Number, Register);
  const MatrixAxis &Line = Tile.ByColumns ? Place.Column : Place.Row;
  const MatrixAxis &Along = Tile.ByColumns ? Place.Row : Place.Column;
  Value *Lines =
      Stride ? B.CreateZExt(Stride, B.getInt64Ty())
             : (Value *)B.getInt64(Tile.ByColumns
                                       ? rowsOf(Tile.Part, Tile.Shape)
                                       : columnsOf(Tile.Part, Tile.Shape));
  Value *Numbers =
      B.CreateAdd(B.CreateMul(axis(Line, Number), Lines), axis(Along, Number));
  Value *Bytes =
      B.CreateLShr(B.CreateMul(Numbers, B.getInt64(bitsOf(Tile.Number))), 3);
  return B.CreatePtrAdd(Pointer, Bytes);
}

namespace {

Align numberAlignment(MatrixNumber Number) {
  return Align(std::max(1u, bitsOf(Number) / 8));
}

/// Into how many pieces of memory a register falls: all its numbers are
/// neighbours, or each stands alone.
unsigned piecesOf(const MatrixTile &Tile) {
  MatrixPlace Place = placeOf(Tile.Part, Tile.Shape, Tile.Number, 0);
  const MatrixAxis &Along = Tile.ByColumns ? Place.Row : Place.Column;
  return Along.PerNumber ? 1 : perRegister(Tile.Number);
}

} // namespace

MatrixRegisters MatrixCode::load(const MatrixTile &Tile, Value *Pointer,
                                 Value *Stride) {
  const unsigned Pieces = piecesOf(Tile);
  const unsigned Bits = registerBits(Tile.Number);
  const unsigned Distinct =
      distinctRegisters(Tile.Part, Tile.Shape, Tile.Number);
  waitForWarp();
  MatrixRegisters Loaded;
  for (unsigned R = 0; R < Distinct; ++R) {
    Value *Register = B.getIntN(Bits, 0);
    for (unsigned P = 0; P < Pieces; ++P) {
      Value *Piece = B.CreateAlignedLoad(B.getIntNTy(Bits / Pieces),
                                         address(Tile, R, P, Pointer, Stride),
                                         numberAlignment(Tile.Number));
      Register = B.CreateOr(
          Register, B.CreateShl(B.CreateZExt(Piece, Register->getType()),
                                P * (Bits / Pieces)));
    }
    Loaded.push_back(Register);
  }
  const unsigned Count = fragmentRegisters(Tile.Part, Tile.Shape, Tile.Number);
  for (unsigned R = Distinct; R < Count; ++R)
    Loaded.push_back(Loaded[R - Distinct]);
  return Loaded;
}

void MatrixCode::store(const MatrixTile &Tile, Value *Pointer,
                       ArrayRef<Value *> Registers, Value *Stride) {
  const unsigned Pieces = piecesOf(Tile);
  const unsigned Bits = registerBits(Tile.Number);
  waitForWarp();
  for (unsigned R = 0; R < Registers.size(); ++R)
    for (unsigned P = 0; P < Pieces; ++P)
      B.CreateAlignedStore(
          B.CreateTrunc(B.CreateLShr(Registers[R], P * (Bits / Pieces)),
                        B.getIntNTy(Bits / Pieces)),
          address(Tile, R, P, Pointer, Stride), numberAlignment(Tile.Number));
  waitForWarp();
}

/// The words that all lanes bring, in memory.
Value *MatrixCode::collect(Value *Word) {
  AllocaInst *Words = memory(WarpLanes * 4);
  B.CreateStore(Word, Words);
  callMarker(CollectMarker, Words);
  return Words;
}

Value *MatrixCode::wordOf(Value *Words, Value *Lane) {
  return B.CreateLoad(B.getInt32Ty(), B.CreateGEP(B.getInt32Ty(), Words, Lane));
}

/// The address of a number of 16 bits of matrix number \p Matrix: the lanes'
/// addresses are those of the rows.
Value *MatrixCode::rowAddress(Value *Addresses, unsigned Matrix, Value *Row,
                              Value *Column) {
  constexpr unsigned Rows = 8;
  Value *Base = wordOf(Addresses, B.CreateAdd(Row, B.getInt32(Matrix * Rows)));
  Value *Sum = B.CreateAdd(Base, B.CreateShl(Column, 1));
  return B.CreateIntToPtr(B.CreateZExt(Sum, B.getInt64Ty()),
                          B.getPtrTy(NVPTXAS::ADDRESS_SPACE_SHARED));
}

/// Calls \p Do(matrix, address, bits, shift) for the pieces of memory that the
/// lane's registers consist of: of a transposed matrix two numbers in two rows.
template <typename Function>
void MatrixCode::forEachSmallPiece(Value *Address, unsigned Count,
                                   bool Transposed, Function Do) {
  Value *Addresses = collect(Address);
  Value *Group = B.CreateLShr(lane(), 2);
  Value *Pair = B.CreateShl(B.CreateAnd(lane(), 3), 1);
  for (unsigned Matrix = 0; Matrix < Count; ++Matrix) {
    if (!Transposed) {
      Do(Matrix, rowAddress(Addresses, Matrix, Group, Pair), 32, 0);
      continue;
    }
    for (unsigned I : {0, 1})
      Do(Matrix,
         rowAddress(Addresses, Matrix, B.CreateAdd(Pair, B.getInt32(I)), Group),
         16, I * 16);
  }
}

MatrixRegisters MatrixCode::loadSmall(Value *Address, unsigned Count,
                                      bool Transposed) {
  MatrixRegisters Loaded(Count, B.getInt32(0));
  forEachSmallPiece(
      Address, Count, Transposed,
      [&](unsigned Matrix, Value *At, unsigned Bits, unsigned Shift) {
        Value *Piece =
            B.CreateAlignedLoad(B.getIntNTy(Bits), At, Align(Bits / 8));
        Loaded[Matrix] =
            B.CreateOr(Loaded[Matrix],
                       B.CreateShl(B.CreateZExt(Piece, B.getInt32Ty()), Shift));
      });
  return Loaded;
}

void MatrixCode::storeSmall(Value *Address, ArrayRef<Value *> Registers,
                            bool Transposed) {
  forEachSmallPiece(
      Address, Registers.size(), Transposed,
      [&](unsigned Matrix, Value *At, unsigned Bits, unsigned Shift) {
        B.CreateAlignedStore(
            B.CreateTrunc(B.CreateLShr(Registers[Matrix], Shift),
                          B.getIntNTy(Bits)),
            At, Align(Bits / 8));
      });
}

Value *MatrixCode::transposeSmall(Value *Register) {
  Value *Words = collect(Register);
  Value *Group = B.CreateLShr(lane(), 2);
  Value *Pair = B.CreateShl(B.CreateAnd(lane(), 3), 1);
  Value *Shift = B.CreateShl(B.CreateAnd(Group, 1), 4);
  auto Number = [&](unsigned I) {
    Value *Row = B.CreateAdd(Pair, B.getInt32(I));
    Value *From = B.CreateAdd(B.CreateShl(Row, 2), B.CreateLShr(Group, 1));
    return B.CreateAnd(B.CreateLShr(wordOf(Words, From), Shift), 0xffff);
  };
  Value *Low = Number(0);
  return B.CreateOr(Low, B.CreateShl(Number(1), 16));
}

} // namespace blockmaestro
