// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: how the lanes of a warp share the matrices of one product
// D = A * B + C, and how a product is described.
// On the data's way: PtxMatrix and MatrixIntrinsics describe a product and
// place its numbers in memory; MatrixProduct, which the lanes call together,
// reads both.
//
// Note [Fragments]
// A lane holds registers of 32 bits, or of 64 for doubles. With the lane's
// group (lane / 4) and its thread in the group (lane % 4) the row and the
// column of each number in a register are sums of these two and the number's
// place in the register. Registers of A and B count along K last, those of the
// accumulators along N last. These are the layouts that PTX gives for mma; the
// fragments of wmma, whose layout is nobody's business, have the same in larger
// matrices, and may repeat: what a register behind the last distinct one holds
// is what the register that many before holds.
//
// Invariants: a product's extents are among those that PTX knows.
// Threads: values.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_MATRIXSHAPES_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_MATRIXSHAPES_H

#include <cstdint>

namespace blockmaestro {

enum class MatrixNumber : uint8_t {
  F16,
  BF16,
  TF32,
  F32,
  F64,
  S8,
  U8,
  S4,
  U4,
  B1,
  E4M3,
  E5M2,
  S32,
};

constexpr unsigned bitsOf(MatrixNumber Number) {
  constexpr unsigned Bits[] = {16, 16, 32, 32, 64, 8, 8, 4, 4, 1, 8, 8, 32};
  return Bits[unsigned(Number)];
}
constexpr unsigned registerBits(MatrixNumber Number) {
  return Number == MatrixNumber::F64 ? 64 : 32;
}
constexpr unsigned perRegister(MatrixNumber Number) {
  return registerBits(Number) / bitsOf(Number);
}

struct MatrixShape {
  uint16_t M = 0;
  uint16_t N = 0;
  uint16_t K = 0;
  bool operator==(const MatrixShape &) const = default;
};

enum class MatrixPart : uint8_t { A, B, Accumulator };

constexpr unsigned rowsOf(MatrixPart Part, MatrixShape S) {
  return Part == MatrixPart::B ? S.K : S.M;
}
constexpr unsigned columnsOf(MatrixPart Part, MatrixShape S) {
  return Part == MatrixPart::A ? S.K : S.N;
}

/// A row or column as a sum; see Note [Fragments].
struct MatrixAxis {
  unsigned Base = 0;
  unsigned PerGroup = 0;
  unsigned PerThread = 0;
  unsigned PerNumber = 0;

  constexpr unsigned at(unsigned Lane, unsigned Number) const {
    return Base + Lane / 4 * PerGroup + Lane % 4 * PerThread +
           Number * PerNumber;
  }
};
struct MatrixPlace {
  MatrixAxis Row;
  MatrixAxis Column;
};

/// How many registers hold different numbers.
constexpr unsigned distinctRegisters(MatrixPart Part, MatrixShape S,
                                     MatrixNumber Number) {
  return rowsOf(Part, S) * columnsOf(Part, S) / (32 * perRegister(Number));
}

/// Where the numbers of a lane's register \p Register are.
constexpr MatrixPlace placeOf(MatrixPart Part, MatrixShape S,
                              MatrixNumber Number, unsigned Register) {
  constexpr unsigned Groups = 8;
  const unsigned Each = perRegister(Number);
  const unsigned Run = 4 * Each; ///< Of one register along K.
  Register %= distinctRegisters(Part, S, Number);
  const unsigned RowBlocks = S.M / Groups;
  const unsigned Runs = S.K / Run;
  switch (Part) {
  case MatrixPart::A:
    return {{Register % RowBlocks * Groups, 1, 0, 0},
            {Register / RowBlocks * Run, 0, Each, 1}};
  case MatrixPart::B:
    return {{Register % Runs * Run, 0, Each, 1},
            {Register / Runs * Groups, 1, 0, 0}};
  case MatrixPart::Accumulator:
    break;
  }
  const unsigned First = Register * Each;
  return {{First / 2 % RowBlocks * Groups, 1, 0, 0},
          {First % 2 + First / 2 / RowBlocks * Groups, 0, 2, 1}};
}

struct MatrixProduct {
  MatrixShape Shape;
  MatrixNumber A = MatrixNumber::F16;
  MatrixNumber B = MatrixNumber::F16;
  MatrixNumber C = MatrixNumber::F32;
  MatrixNumber D = MatrixNumber::F32;
  bool Saturates = false;  ///< Integers do not wrap.
  bool Xor = false;        ///< Bits that differ are counted, not common ones.
  bool ColumnsOfA = false; ///< Of isOfQuads() only.
  bool RowsOfB = false;    ///< Of isOfQuads() only.

  /// The four products of 8x8x4 halves of eight lanes each.
  constexpr bool isOfQuads() const {
    return Shape == MatrixShape{8, 8, 4} && A == MatrixNumber::F16;
  }
  bool operator==(const MatrixProduct &) const = default;
};

/// The registers of a lane for one part; \p Number is that of C or D for the
/// accumulators.
constexpr unsigned registersOf(const MatrixProduct &P, MatrixPart Part,
                               MatrixNumber Number) {
  if (P.isOfQuads())
    return Part != MatrixPart::Accumulator ? 2
           : Number == MatrixNumber::F16   ? 4
                                           : 8;
  return distinctRegisters(Part, P.Shape, Number);
}

/// The product in 64 bits, and back.
constexpr uint64_t packProduct(const MatrixProduct &P) {
  const uint64_t Flags = uint64_t(P.Saturates) | uint64_t(P.Xor) << 1 |
                         uint64_t(P.ColumnsOfA) << 2 | uint64_t(P.RowsOfB) << 3;
  return uint64_t(P.Shape.M) | uint64_t(P.Shape.N) << 8 |
         uint64_t(P.Shape.K) << 16 | uint64_t(P.A) << 32 | uint64_t(P.B) << 36 |
         uint64_t(P.C) << 40 | uint64_t(P.D) << 44 | Flags << 48;
}
constexpr MatrixProduct unpackProduct(uint64_t Bits) {
  auto Number = [&](unsigned At) { return MatrixNumber(Bits >> At & 15); };
  return {{uint16_t(Bits & 255), uint16_t(Bits >> 8 & 255),
           uint16_t(Bits >> 16 & 0xffff)},
          Number(32),
          Number(36),
          Number(40),
          Number(44),
          (Bits >> 48 & 1) != 0,
          (Bits >> 49 & 1) != 0,
          (Bits >> 50 & 1) != 0,
          (Bits >> 51 & 1) != 0};
}

/// What a lane hands over: the packed product, then its registers.
struct MatrixMemory {
  unsigned A = 8; ///< Offsets in bytes.
  unsigned B = 0;
  unsigned C = 0;
  unsigned D = 0;
  unsigned Bytes = 0;

  constexpr explicit MatrixMemory(const MatrixProduct &P) {
    auto After = [&](unsigned At, MatrixPart Part, MatrixNumber Number) {
      unsigned End =
          At + registersOf(P, Part, Number) * registerBits(Number) / 8;
      return (End + 7) / 8 * 8;
    };
    B = After(A, MatrixPart::A, P.A);
    C = After(B, MatrixPart::B, P.B);
    D = After(C, MatrixPart::Accumulator, P.C);
    Bytes = After(D, MatrixPart::Accumulator, P.D);
  }
};

/// Computes the product that lane \p Lanes' memories describe, into each
/// lane's registers of D. A lane that does not take part has null; its numbers
/// count as zeros.
void multiplyMatrices(uint8_t *const (&Memories)[32]);

} // namespace blockmaestro

#endif
