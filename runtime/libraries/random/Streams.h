// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the generators of pseudorandom numbers of which cuRAND has many
// beside each other, one for each thread of a GPU: a stream.
// On the data's way: Sources.h takes numbers of streams by turns.
// Invariants: a stream gives the numbers that curand() gives on the device
// after curand_init() with the same seed, subsequence and offset.
// Threads: values.

#ifndef BLOCKMAESTRO_RUNTIME_LIBRARIES_RANDOM_STREAMS_H
#define BLOCKMAESTRO_RUNTIME_LIBRARIES_RANDOM_STREAMS_H

#include <array>
#include <cstdint>
#include <random>

namespace blockmaestro::random {

template <typename R> struct Pair {
  R First, Second;
};

/// What cuRAND makes of 32 bits, in (0, 1], and of twice 32.
float uniformOf(uint32_t Bits);
double uniformOf(uint32_t Low, uint32_t High);
/// Two numbers of the normal distribution, by Box and Muller.
Pair<float> normalsOf(uint32_t A, uint32_t B);
Pair<double> normalsOf(uint32_t A, uint32_t B, uint32_t C, uint32_t D);

/// Marsaglia's xorshift of 160 bits with a Weyl sequence.
class Xorwow {
public:
  explicit Xorwow(uint64_t Seed);
  uint32_t bits();
  float uniform() { return uniformOf(bits()); }
  double uniformDouble();
  Pair<float> normals();
  Pair<double> normalDoubles();
  void skip(uint64_t Count);
  /// To the next subsequence, 2^67 numbers on.
  void skipSubsequence();

private:
  std::array<uint32_t, 5> Shift;
  uint32_t Weyl;
};

/// L'Ecuyer's combined multiple recursive generator.
class Mrg32k3a {
public:
  explicit Mrg32k3a(uint64_t Seed);
  uint32_t bits();
  float uniform() { return float(unit()); }
  double uniformDouble() { return unit(); }
  Pair<float> normals();
  Pair<double> normalDoubles();
  void skip(uint64_t Count);
  /// To the next subsequence, 2^76 numbers on.
  void skipSubsequence();

  using Vector = std::array<uint64_t, 3>;

private:
  uint32_t next();
  double unit();

  Vector First, Second;
};

/// The standard sequence of the seed; cuRAND has 8192 subsequences of it.
class Mersenne {
public:
  explicit Mersenne(uint64_t Seed) : Engine(uint32_t(Seed)) {}
  uint32_t bits() { return uint32_t(Engine()); }
  float uniform() { return uniformOf(bits()); }
  double uniformDouble();
  Pair<float> normals();
  Pair<double> normalDoubles();
  void skip(uint64_t) {}
  void skipSubsequence() {}

private:
  std::mt19937 Engine;
};

/// The four numbers of a counter, with ten rounds.
std::array<uint32_t, 4> philox(uint64_t Key, uint64_t Counter,
                               uint64_t Subsequence);

} // namespace blockmaestro::random

#endif
