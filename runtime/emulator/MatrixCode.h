// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what a lane does of the matrix operations of its warp, as IR:
// loads and stores of its own registers, and markers where the lanes meet.
// On the data's way: shared by PtxMatrix and MatrixIntrinsics, which read
// inline PTX and clang's builtins; WarpLowering replaces the markers.
// Invariants: registers are integers of 32 or 64 bits. Code goes to the end of
// the builder's block or before its instruction. Threads: one module.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_MATRIXCODE_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_MATRIXCODE_H

#include "MatrixShapes.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/IRBuilder.h"

#include <optional>

namespace blockmaestro {

/// The kind of number called \p Name in PTX.
std::optional<MatrixNumber> matrixNumber(llvm::StringRef Name);
/// Reads "m16n8k16".
std::optional<MatrixShape> matrixShape(llvm::StringRef Name);
/// Whether PTX has the product \p P for GPUs up to sm_90: of mma, or, if
/// \p Fragments, of wmma.
bool isMatrixProduct(const MatrixProduct &P, bool Fragments);

/// A matrix in memory that the lanes of a warp load or store.
struct MatrixTile {
  MatrixPart Part = MatrixPart::A;
  MatrixShape Shape;
  MatrixNumber Number = MatrixNumber::F16;
  bool ByColumns = false; ///< Neighbours in a column are neighbours in memory.
};

/// How many registers a lane has for a fragment of wmma.
unsigned fragmentRegisters(MatrixPart Part, MatrixShape S, MatrixNumber Number);

using MatrixRegisters = llvm::SmallVector<llvm::Value *, 8>;

class MatrixCode {
public:
  explicit MatrixCode(llvm::IRBuilder<> &B) : B(B) {}

  /// The registers of D; of A and B the distinct registers count.
  MatrixRegisters multiply(const MatrixProduct &P,
                           llvm::ArrayRef<llvm::Value *> A,
                           llvm::ArrayRef<llvm::Value *> B,
                           llvm::ArrayRef<llvm::Value *> C);
  /// wmma.load and wmma.store; \p Stride is an i32 of numbers, or null where
  /// lines follow each other closely.
  MatrixRegisters load(const MatrixTile &Tile, llvm::Value *Pointer,
                       llvm::Value *Stride);
  void store(const MatrixTile &Tile, llvm::Value *Pointer,
             llvm::ArrayRef<llvm::Value *> Registers, llvm::Value *Stride);
  /// ldmatrix and stmatrix of \p Count matrices of 8x8 numbers of 16 bits.
  /// \p Address is a 32-bit address in shared memory.
  MatrixRegisters loadSmall(llvm::Value *Address, unsigned Count,
                            bool Transposed);
  void storeSmall(llvm::Value *Address, llvm::ArrayRef<llvm::Value *> Registers,
                  bool Transposed);
  /// movmatrix.
  llvm::Value *transposeSmall(llvm::Value *Register);

private:
  llvm::Value *lane();
  llvm::AllocaInst *memory(unsigned Bytes);
  llvm::Value *axis(const MatrixAxis &Axis, unsigned Number);
  llvm::Value *address(const MatrixTile &Tile, unsigned Register,
                       unsigned Number, llvm::Value *Pointer,
                       llvm::Value *Stride);
  void waitForWarp();
  void callMarker(const char *Name, llvm::Value *Memory);
  llvm::Value *collect(llvm::Value *Word);
  llvm::Value *wordOf(llvm::Value *Words, llvm::Value *Lane);
  llvm::Value *rowAddress(llvm::Value *Addresses, unsigned Matrix,
                          llvm::Value *Row, llvm::Value *Column);
  template <typename Function>
  void forEachSmallPiece(llvm::Value *Address, unsigned Count, bool Transposed,
                         Function Do);

  llvm::IRBuilder<> &B;
};

/// Lowers the calls of NVVM's wmma intrinsics in \p M that are known.
void lowerMatrixIntrinsics(llvm::Module &M);

} // namespace blockmaestro

#endif
