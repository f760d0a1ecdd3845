// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What the matrix units compute. Products of floating-point numbers are exact
// in single precision, or fused in double; they are added to the accumulator
// one after another along K, each sum rounded to nearest. PTX leaves order and
// precision of these sums open. Integers are summed exactly.

#include "MatrixShapes.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace blockmaestro {

namespace {

constexpr unsigned Lanes = 32;
constexpr unsigned MostNumbers = 16 * 64; ///< Of A or B, bits as words.
constexpr unsigned MostSums = 16 * 16;

float fromHalf(uint32_t Bits) {
  uint32_t Magnitude = Bits & 0x7fff;
  float Scaled = std::bit_cast<float>(Magnitude << 13) * 0x1p112f;
  uint32_t Wide = Magnitude >= 0x7c00 ? Magnitude << 13 | 0x7f800000
                                      : std::bit_cast<uint32_t>(Scaled);
  return std::bit_cast<float>(Wide | (Bits & 0x8000) << 16);
}

float fromE4M3(uint32_t Bits) {
  uint32_t Magnitude = Bits & 0x7f;
  float Scaled = std::bit_cast<float>(Magnitude << 20) * 0x1p120f;
  uint32_t Wide =
      Magnitude == 0x7f ? 0x7fc00000 : std::bit_cast<uint32_t>(Scaled);
  return std::bit_cast<float>(Wide | (Bits & 0x80) << 24);
}

/// To nearest, ties to even.
uint32_t toHalf(float X) {
  uint32_t Bits = std::bit_cast<uint32_t>(X);
  uint32_t Sign = Bits >> 16 & 0x8000;
  uint32_t Magnitude = Bits & 0x7fffffff;
  if (Magnitude > 0x7f800000)
    return 0x7fff;
  if (Magnitude >= 0x477ff000)
    return Sign | 0x7c00;
  if (Magnitude < 0x38800000) {
    // The sum's last bit is the least half there is.
    float Shifted = std::bit_cast<float>(Magnitude) + 0.5f;
    return Sign | (std::bit_cast<uint32_t>(Shifted) - 0x3f000000);
  }
  uint32_t Odd = Magnitude >> 13 & 1;
  return Sign | (Magnitude - 0x38000000 + 0xfff + Odd) >> 13;
}

/// The number of kind \p Number whose bits are the lowest of \p Bits.
template <typename T> T decode(MatrixNumber Number, uint64_t Bits) {
  switch (Number) {
  case MatrixNumber::F16:
    return T(fromHalf(Bits & 0xffff));
  case MatrixNumber::BF16:
    return T(std::bit_cast<float>(uint32_t(Bits << 16)));
  case MatrixNumber::TF32:
    return T(std::bit_cast<float>(uint32_t(Bits) & ~0x1fffu));
  case MatrixNumber::F32:
    return T(std::bit_cast<float>(uint32_t(Bits)));
  case MatrixNumber::F64:
    return T(std::bit_cast<double>(Bits));
  case MatrixNumber::E4M3:
    return T(fromE4M3(Bits & 0xff));
  case MatrixNumber::E5M2:
    return T(fromHalf((Bits & 0xff) << 8));
  case MatrixNumber::S8:
    return T(int8_t(Bits));
  case MatrixNumber::U8:
    return T(uint8_t(Bits));
  case MatrixNumber::S4:
    return T(int8_t(Bits << 4) >> 4);
  case MatrixNumber::U4:
    return T(Bits & 15);
  case MatrixNumber::B1:
  case MatrixNumber::S32:
    return T(int32_t(Bits));
  }
  return T();
}

template <typename T> uint64_t encode(MatrixNumber Number, T X) {
  switch (Number) {
  case MatrixNumber::F16:
    return toHalf(float(X));
  case MatrixNumber::F32:
    return std::bit_cast<uint32_t>(float(X));
  case MatrixNumber::F64:
    return std::bit_cast<uint64_t>(double(X));
  default:
    return uint32_t(int32_t(X));
  }
}

uint64_t readRegister(const uint8_t *At, unsigned Bytes) {
  uint64_t Bits = 0;
  std::memcpy(&Bits, At, Bytes);
  return Bits;
}

/// Calls \p Do(memory of the register, its place) for every lane's registers
/// of one part that begin at \p Offset.
template <typename Function>
void forEachRegister(uint8_t *const (&Memories)[Lanes], unsigned Offset,
                     MatrixPart Part, MatrixShape S, MatrixNumber Number,
                     Function Do) {
  const unsigned Bytes = registerBits(Number) / 8;
  const unsigned Count = distinctRegisters(Part, S, Number);
  for (unsigned R = 0; R < Count; ++R) {
    const MatrixPlace Place = placeOf(Part, S, Number, R);
    for (unsigned Lane = 0; Lane < Lanes; ++Lane)
      if (Memories[Lane])
        Do(Memories[Lane] + Offset + R * Bytes, Lane, Place);
  }
}

/// A matrix by rows, from the lanes' registers.
template <typename T>
void gather(uint8_t *const (&Memories)[Lanes], unsigned Offset, MatrixPart Part,
            MatrixShape S, MatrixNumber Number, T *Out) {
  const unsigned Columns = columnsOf(Part, S);
  const unsigned Width = bitsOf(Number);
  const unsigned Each = perRegister(Number);
  std::fill(Out, Out + rowsOf(Part, S) * Columns, T());
  forEachRegister(Memories, Offset, Part, S, Number,
                  [&](const uint8_t *At, unsigned Lane, const MatrixPlace &P) {
                    uint64_t Bits = readRegister(At, Width * Each / 8);
                    for (unsigned E = 0; E < Each; ++E)
                      Out[P.Row.at(Lane, E) * Columns + P.Column.at(Lane, E)] =
                          decode<T>(Number, Bits >> E * Width);
                  });
}

/// The accumulators \p Sums by rows, into the lanes' registers of D.
template <typename T>
void scatter(uint8_t *const (&Memories)[Lanes], const MatrixProduct &P,
             const T *Sums) {
  const unsigned Width = bitsOf(P.D);
  const unsigned Each = perRegister(P.D);
  forEachRegister(
      Memories, MatrixMemory(P).D, MatrixPart::Accumulator, P.Shape, P.D,
      [&](uint8_t *At, unsigned Lane, const MatrixPlace &Place) {
        uint64_t Bits = 0;
        for (unsigned E = 0; E < Each; ++E)
          Bits |= encode(P.D, Sums[Place.Row.at(Lane, E) * P.Shape.N +
                                   Place.Column.at(Lane, E)])
                  << E * Width;
        std::memcpy(At, &Bits, Width * Each / 8);
      });
}

/// Adds A * B to \p Sums.
template <typename T>
void multiply(MatrixShape S, const T *A, const T *B, T *Sums) {
  for (unsigned M = 0; M < S.M; ++M)
    for (unsigned K = 0; K < S.K; ++K) {
      const T Factor = A[M * S.K + K];
      const T *Row = B + K * S.N;
      T *Sum = Sums + M * S.N;
      for (unsigned N = 0; N < S.N; ++N)
        if constexpr (std::is_same_v<T, double>)
          Sum[N] = std::fma(Factor, Row[N], Sum[N]);
        else
          Sum[N] += Factor * Row[N];
    }
}

template <typename T>
void multiplyFloats(uint8_t *const (&Memories)[Lanes], const MatrixProduct &P) {
  T A[MostNumbers], B[MostNumbers], Sums[MostSums];
  const MatrixMemory At(P);
  gather(Memories, At.A, MatrixPart::A, P.Shape, P.A, A);
  gather(Memories, At.B, MatrixPart::B, P.Shape, P.B, B);
  gather(Memories, At.C, MatrixPart::Accumulator, P.Shape, P.C, Sums);
  multiply(P.Shape, A, B, Sums);
  scatter(Memories, P, Sums);
}

/// Counts bits of A and B, whose numbers are words, that meet.
void countBits(MatrixShape S, bool Xor, const int32_t *A, const int32_t *B,
               int32_t *Sums) {
  for (unsigned M = 0; M < S.M; ++M)
    for (unsigned K = 0; K < S.K; ++K)
      for (unsigned N = 0; N < S.N; ++N) {
        uint32_t X = A[M * S.K + K], Y = B[K * S.N + N];
        Sums[M * S.N + N] += std::popcount(Xor ? X ^ Y : X & Y);
      }
}

void multiplyIntegers(uint8_t *const (&Memories)[Lanes],
                      const MatrixProduct &P) {
  int32_t A[MostNumbers], B[MostNumbers], Products[MostSums] = {};
  int64_t Sums[MostSums];
  const MatrixMemory At(P);
  MatrixShape S = P.Shape;
  MatrixNumber NumberA = P.A, NumberB = P.B;
  if (P.A == MatrixNumber::B1) {
    S.K /= 32;
    NumberA = NumberB = MatrixNumber::S32;
  }
  gather(Memories, At.A, MatrixPart::A, S, NumberA, A);
  gather(Memories, At.B, MatrixPart::B, S, NumberB, B);
  gather(Memories, At.C, MatrixPart::Accumulator, S, P.C, Sums);
  if (P.A == MatrixNumber::B1)
    countBits(S, P.Xor, A, B, Products);
  else
    multiply(S, A, B, Products);
  for (unsigned I = 0; I < unsigned(S.M) * S.N; ++I) {
    Sums[I] += Products[I];
    if (P.Saturates)
      Sums[I] =
          std::clamp<int64_t>(Sums[I], std::numeric_limits<int32_t>::min(),
                              std::numeric_limits<int32_t>::max());
  }
  scatter(Memories, P, Sums);
}

/// Half a register of halves.
float halfAt(const uint8_t *Registers, unsigned Number) {
  return Registers ? fromHalf(readRegister(Registers + 2 * Number, 2)) : 0;
}

/// Where number \p I of an accumulator of isOfQuads() is.
struct QuadPlace {
  unsigned Row;
  unsigned Column;
};
QuadPlace quadPlace(MatrixNumber Number, unsigned Lane, unsigned I) {
  const unsigned Upper = Lane < 16 ? 0 : 4;
  if (Number == MatrixNumber::F16)
    return {Upper + Lane % 4, I};
  return {Upper + (Lane & 1) + (I & 2), (I & 4) + (Lane & 2) + (I & 1)};
}

/// The product of the lanes \p Quad * 4 + {0..3, 16..19}.
void multiplyQuad(uint8_t *const (&Memories)[Lanes], const MatrixProduct &P,
                  unsigned Quad) {
  float A[8][4] = {}, B[4][8] = {}, Sums[8][8] = {};
  const MatrixMemory At(P);
  auto ForEachLane = [&](auto Do) {
    for (unsigned I = 0; I < 8; ++I)
      if (unsigned Lane = Quad * 4 + I % 4 + I / 4 * 16; Memories[Lane])
        Do(Lane, Memories[Lane]);
  };
  ForEachLane([&](unsigned Lane, const uint8_t *Memory) {
    const unsigned Upper = Lane < 16 ? 0 : 4;
    for (unsigned I = 0; I < 4; ++I) {
      (P.ColumnsOfA ? A[Upper + I][Lane % 4] : A[Upper + Lane % 4][I]) =
          halfAt(Memory + At.A, I);
      (P.RowsOfB ? B[Lane % 4][Upper + I] : B[I][Upper + Lane % 4]) =
          halfAt(Memory + At.B, I);
    }
    const unsigned Bytes = bitsOf(P.C) / 8;
    for (unsigned I = 0; I < 8; ++I) {
      QuadPlace Place = quadPlace(P.C, Lane, I);
      Sums[Place.Row][Place.Column] =
          decode<float>(P.C, readRegister(Memory + At.C + I * Bytes, Bytes));
    }
  });
  multiply(P.Shape, &A[0][0], &B[0][0], &Sums[0][0]);
  ForEachLane([&](unsigned Lane, uint8_t *Memory) {
    const unsigned Bytes = bitsOf(P.D) / 8;
    for (unsigned I = 0; I < 8; ++I) {
      QuadPlace Place = quadPlace(P.D, Lane, I);
      uint64_t Bits = encode(P.D, Sums[Place.Row][Place.Column]);
      std::memcpy(Memory + At.D + I * Bytes, &Bits, Bytes);
    }
  });
}

} // namespace

void multiplyMatrices(uint8_t *const (&Memories)[32]) {
  const uint8_t *Any =
      *std::find_if(Memories, Memories + 31, [](uint8_t *M) { return M; });
  const MatrixProduct P = unpackProduct(readRegister(Any, 8));
  if (P.isOfQuads()) {
    for (unsigned Quad = 0; Quad < 4; ++Quad)
      multiplyQuad(Memories, P, Quad);
  } else if (P.A == MatrixNumber::F64) {
    multiplyFloats<double>(Memories, P);
  } else if (P.C == MatrixNumber::S32) {
    multiplyIntegers(Memories, P);
  } else {
    multiplyFloats<float>(Memories, P);
  }
}

} // namespace blockmaestro
