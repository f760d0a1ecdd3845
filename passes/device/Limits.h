// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: how much of a kernel is analysed: what keeps the time that
// compiling takes, and the depth of recursion, within bounds for any input.
// On the data's way: asked by every part of the device analysis.
// Invariants: counted in steps, never in time, so that the same kernel always
// has the same footprint. What lies beyond a limit is taken for anything it may
// be, with ReasonKind::KernelTooLarge. Ownership and threads: plain values.

#ifndef BLOCKMAESTRO_PASSES_DEVICE_LIMITS_H
#define BLOCKMAESTRO_PASSES_DEVICE_LIMITS_H

#include <cstddef>
#include <cstdint>

namespace blockmaestro {

/// Symbols of a kernel, so many that none has too large a number.
inline constexpr size_t MaxSymbols = 4096;

/// Loops of a kernel, and copies of variable length.
inline constexpr size_t MaxCounters = 4096;

/// Symbols in what one symbol stands for, all of it written out: quotients of
/// quotients, and values bounded by values.
inline constexpr size_t MaxWritten = 256;

/// Accesses of one footprint.
inline constexpr size_t MaxAccesses = 4096;

/// Constraints that a block of the kernel stands under, all alternatives
/// together.
inline constexpr size_t MaxGuard = 48;

/// What one number, condition or block rests on.
inline constexpr size_t MaxAssumptions = 192;

/// Pointers chosen by conditions, one inside the other.
inline constexpr size_t MaxChoices = 128;

/// Questions about numbers and conditions that wait for each other.
inline constexpr size_t MaxNested = 512;

/// Steps for one kernel: an expression, a condition, a basic block on a way, or
/// a term of a polynomial in one of these.
inline constexpr uint64_t MaxSteps = 1'000'000;

/// Coefficients of all sets of one kernel that isl is asked about.
inline constexpr uint64_t MaxCoefficients = 20'000'000;

/// What is left of a number of steps.
class Budget {
public:
  explicit Budget(uint64_t Steps = MaxSteps) : Left(Steps) {}

  /// Takes Steps away; false where so many were not left.
  bool spend(uint64_t Steps = 1) {
    const bool Enough = Steps <= Left;
    Left = Enough ? Left - Steps : 0;
    return Enough;
  }

  bool isSpent() const { return Left == 0; }

private:
  uint64_t Left;
};

} // namespace blockmaestro

#endif
