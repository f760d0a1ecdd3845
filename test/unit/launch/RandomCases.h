// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: random kernels and launches, small enough to be run through by
// hand, of every shape evaluation knows and of many it does not.

#ifndef BLOCKMAESTRO_TEST_UNIT_LAUNCH_RANDOMCASES_H
#define BLOCKMAESTRO_TEST_UNIT_LAUNCH_RANDOMCASES_H

#include "Builders.h"

#include <random>

namespace blockmaestro::test {

/// The memory random cases run in: A and B, so large that even an index that
/// wraps around in 32 bits stays inside.
AllocationMap randomMemory();

class RandomCases {
public:
  explicit RandomCases(uint64_t Seed) : Engine(Seed) {}
  Case next();
  /// One whose formulas have quotients, remainders, powers and values.
  Case nextComputed();

private:
  int64_t pick(int64_t Low, int64_t High);
  bool chance(int Percent) { return pick(1, 100) <= Percent; }
  Poly anyIndex();
  Poly smallNumber(int64_t Low, int64_t High);
  Poly rowMajor();
  Poly linear();
  Poly scattered();
  Poly guard();
  AccessSpec access();
  Poly dividend(uint16_t Number);
  Poly divisor();
  Poly computedTerm(const Case &C);
  Poly computedGuard(const Case &C);
  Poly lowerBound();

  std::mt19937_64 Engine;
  /// The case's own columns and rows, so that guards and accesses agree.
  Poly Column, Row, Pitch;
};

} // namespace blockmaestro::test

#endif
