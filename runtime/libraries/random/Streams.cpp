// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Streams.h"

#include <cmath>
#include <numbers>
#include <vector>

namespace blockmaestro::random {
namespace {

constexpr double TwoToMinus32 = 0x1p-32;
constexpr double TwoToMinus53 = 0x1p-53;

template <typename R> Pair<R> boxMuller(R Uniform, R Angle) {
  const R Length = std::sqrt(R(-2) * std::log(Uniform));
  return {Length * std::sin(Angle), Length * std::cos(Angle)};
}

uint64_t joined(uint32_t Low, uint32_t High) {
  return uint64_t(Low) ^ (uint64_t(High) << 21);
}

// Xorwow's step is linear over bits: a matrix of 160 columns.

using Bits = std::array<uint32_t, 5>;
using BitMatrix = std::vector<Bits>;

Bits stepped(const Bits &V) {
  const uint32_t T = V[0] ^ (V[0] >> 2);
  return {V[1], V[2], V[3], V[4], V[4] ^ (V[4] << 4) ^ T ^ (T << 1)};
}

Bits product(const BitMatrix &M, const Bits &V) {
  Bits Out = {};
  for (size_t Word = 0; Word < 5; ++Word)
    for (uint32_t Rest = V[Word]; Rest; Rest &= Rest - 1) {
      const Bits &Column = M[Word * 32 + size_t(__builtin_ctz(Rest))];
      for (size_t I = 0; I < 5; ++I)
        Out[I] ^= Column[I];
    }
  return Out;
}

/// The step's matrix to the power of 2^0, 2^1, and so on up to 2^67.
std::vector<BitMatrix> stepPowers() {
  BitMatrix One(160);
  for (size_t I = 0; I < 160; ++I) {
    Bits Unit = {};
    Unit[I / 32] = uint32_t(1) << (I % 32);
    One[I] = stepped(Unit);
  }
  std::vector<BitMatrix> Out = {One};
  for (int Power = 1; Power <= 67; ++Power) {
    BitMatrix Next(160);
    for (size_t I = 0; I < 160; ++I)
      Next[I] = product(Out.back(), Out.back()[I]);
    Out.push_back(std::move(Next));
  }
  return Out;
}

const std::vector<BitMatrix> &xorwowPowers() {
  static const std::vector<BitMatrix> Made = stepPowers();
  return Made;
}

// Mrg32k3a's two recurrences are linear modulo a number each.

constexpr uint64_t FirstModulus = 4294967087, SecondModulus = 4294944443;

using Vector = Mrg32k3a::Vector;
using Matrix = std::array<Vector, 3>; ///< Rows.

Vector product(const Matrix &M, const Vector &V, uint64_t Modulus) {
  Vector Out = {};
  for (size_t Row = 0; Row < 3; ++Row)
    for (size_t I = 0; I < 3; ++I)
      Out[Row] = (Out[Row] + M[Row][I] * V[I] % Modulus) % Modulus;
  return Out;
}

Matrix square(const Matrix &M, uint64_t Modulus) {
  Matrix Out = {};
  for (size_t Row = 0; Row < 3; ++Row)
    for (size_t Column = 0; Column < 3; ++Column)
      for (size_t I = 0; I < 3; ++I)
        Out[Row][Column] =
            (Out[Row][Column] + M[Row][I] * M[I][Column] % Modulus) % Modulus;
  return Out;
}

/// Powers of 2^0 up to 2^76.
std::vector<Matrix> powersOf(Matrix Step, uint64_t Modulus) {
  std::vector<Matrix> Out = {Step};
  for (int Power = 1; Power <= 76; ++Power)
    Out.push_back(square(Out.back(), Modulus));
  return Out;
}

const std::vector<Matrix> &firstPowers() {
  static const std::vector<Matrix> Made =
      powersOf({{{0, 1, 0}, {0, 0, 1}, {FirstModulus - 810728, 1403580, 0}}},
               FirstModulus);
  return Made;
}

const std::vector<Matrix> &secondPowers() {
  static const std::vector<Matrix> Made =
      powersOf({{{0, 1, 0}, {0, 0, 1}, {SecondModulus - 1370589, 0, 527612}}},
               SecondModulus);
  return Made;
}

} // namespace

float uniformOf(uint32_t Bits) {
  return float(Bits) * float(TwoToMinus32) + float(TwoToMinus32 / 2);
}

double uniformOf(uint32_t Low, uint32_t High) {
  return double(joined(Low, High)) * TwoToMinus53 + TwoToMinus53 / 2;
}

Pair<float> normalsOf(uint32_t A, uint32_t B) {
  const float Turn = float(TwoToMinus32 * 2 * std::numbers::pi);
  return boxMuller(uniformOf(A), float(B) * Turn + Turn / 2);
}

Pair<double> normalsOf(uint32_t A, uint32_t B, uint32_t C, uint32_t D) {
  return boxMuller(uniformOf(A, B), uniformOf(C, D) * 2 * std::numbers::pi);
}

Xorwow::Xorwow(uint64_t Seed) {
  const uint32_t Low = uint32_t(Seed) ^ 0xaad26b49u;
  const uint32_t High = uint32_t(Seed >> 32) ^ 0xf7dcefddu;
  const uint32_t A = 1099087573u * Low, B = 2591861531u * High;
  Weyl = 6615241u + B + A;
  Shift = {123456789u + A, 362436069u ^ A, 521288629u + B, 88675123u ^ B,
           5783321u + A};
}

uint32_t Xorwow::bits() {
  Shift = stepped(Shift);
  Weyl += 362437u;
  return Shift[4] + Weyl;
}

double Xorwow::uniformDouble() {
  const uint32_t A = bits();
  return uniformOf(A, bits());
}

Pair<float> Xorwow::normals() {
  const uint32_t A = bits();
  return normalsOf(A, bits());
}

Pair<double> Xorwow::normalDoubles() {
  const uint32_t A = bits(), B = bits(), C = bits();
  return normalsOf(A, B, C, bits());
}

void Xorwow::skip(uint64_t Count) {
  Weyl += 362437u * uint32_t(Count);
  for (size_t Power = 0; Power < 64 && Count >> Power; ++Power)
    if (Count >> Power & 1)
      Shift = product(xorwowPowers()[Power], Shift);
}

void Xorwow::skipSubsequence() { Shift = product(xorwowPowers()[67], Shift); }

Mrg32k3a::Mrg32k3a(uint64_t Seed) {
  First = Second = {12345, 12345, 12345};
  if (Seed == 0)
    return;
  const uint64_t A = uint32_t(Seed) ^ 0x55555555u;
  const uint64_t B = uint32_t(Seed >> 32) ^ 0xAAAAAAAAu;
  First = {A * 12345 % FirstModulus, B * 12345 % FirstModulus,
           A * 12345 % FirstModulus};
  Second = {B * 12345 % SecondModulus, A * 12345 % SecondModulus,
            B * 12345 % SecondModulus};
}

uint32_t Mrg32k3a::next() {
  const uint64_t A =
      (1403580 * First[1] + (FirstModulus - 810728) * First[0] % FirstModulus) %
      FirstModulus;
  const uint64_t B = (527612 * Second[2] +
                      (SecondModulus - 1370589) * Second[0] % SecondModulus) %
                     SecondModulus;
  First = {First[1], First[2], A};
  Second = {Second[1], Second[2], B};
  return uint32_t(A > B ? A - B : A + FirstModulus - B);
}

uint32_t Mrg32k3a::bits() { return uint32_t(next() * 1.000000048662); }

double Mrg32k3a::unit() { return next() * 2.3283065498378288e-10; }

Pair<float> Mrg32k3a::normals() {
  const float A = uniform();
  return boxMuller(A, uniform() * float(2 * std::numbers::pi));
}

Pair<double> Mrg32k3a::normalDoubles() {
  const double A = unit();
  return boxMuller(A, unit() * 2 * std::numbers::pi);
}

void Mrg32k3a::skip(uint64_t Count) {
  for (size_t Power = 0; Power < 64 && Count >> Power; ++Power)
    if (Count >> Power & 1) {
      First = product(firstPowers()[Power], First, FirstModulus);
      Second = product(secondPowers()[Power], Second, SecondModulus);
    }
}

void Mrg32k3a::skipSubsequence() {
  First = product(firstPowers()[76], First, FirstModulus);
  Second = product(secondPowers()[76], Second, SecondModulus);
}

double Mersenne::uniformDouble() {
  const uint32_t A = bits();
  return uniformOf(A, bits());
}

Pair<float> Mersenne::normals() {
  const uint32_t A = bits();
  return normalsOf(A, bits());
}

Pair<double> Mersenne::normalDoubles() {
  const uint32_t A = bits(), B = bits(), C = bits();
  return normalsOf(A, B, C, bits());
}

std::array<uint32_t, 4> philox(uint64_t Key, uint64_t Counter,
                               uint64_t Subsequence) {
  std::array<uint32_t, 4> C = {uint32_t(Counter), uint32_t(Counter >> 32),
                               uint32_t(Subsequence),
                               uint32_t(Subsequence >> 32)};
  uint32_t K0 = uint32_t(Key), K1 = uint32_t(Key >> 32);
  for (int Round = 0; Round < 10; ++Round) {
    const uint64_t P0 = uint64_t(0xD2511F53u) * C[0];
    const uint64_t P1 = uint64_t(0xCD9E8D57u) * C[2];
    C = {uint32_t(P1 >> 32) ^ C[1] ^ K0, uint32_t(P1),
         uint32_t(P0 >> 32) ^ C[3] ^ K1, uint32_t(P0)};
    K0 += 0x9E3779B9u;
    K1 += 0xBB67AE85u;
  }
  return C;
}

} // namespace blockmaestro::random
