// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: C++'s integer arithmetic on plain numbers: promotions, usual
// conversions, wrap-around of unsigned types, and undefined behaviour noticed.
// On the data's way: tests only; used by the interpreter of random kernels, so
// it knows nothing of LLVM.
// Threads: no state.

#ifndef BLOCKMAESTRO_TEST_SOUNDNESS_INTEGERS_H
#define BLOCKMAESTRO_TEST_SOUNDNESS_INTEGERS_H

#include <cstdint>

namespace blockmaestro::soundness {

using Wide = __int128;

enum class Int : uint8_t { I8, U8, I16, U16, I32, U32, I64, U64 };
inline constexpr unsigned IntCount = 8;

struct IntTraits {
  const char *Name; ///< As C++ spells it.
  unsigned Bits;
  bool Signed;
};

const IntTraits &traits(Int T);

/// The type of `+x`.
Int promoted(Int T);
/// The type of `a + b`.
Int common(Int A, Int B);

bool fits(Wide Value, Int T);
/// Value modulo 2 to the number of T's bits, as T reads them.
Wide wrapped(Wide Value, Int T);

enum class Operator : uint8_t {
  Add,
  Subtract,
  Multiply,
  Divide,
  Remainder,
  And,
  Or,
  Xor,
  ShiftLeft,
  ShiftRight,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Equal,
  NotEqual,
};
inline constexpr unsigned OperatorCount = unsigned(Operator::NotEqual) + 1;

const char *spelling(Operator What);
bool isComparison(Operator What);
bool isShift(Operator What);
/// The type of `a What b`.
Int resultType(Operator What, Int A, Int B);

/// `A What B` for operands of these types, as C++20 has it. Sets Undefined
/// when the program would be: signed overflow, division by zero, a shift out of
/// range.
Wide apply(Operator What, Wide A, Int TypeA, Wide B, Int TypeB,
           bool &Undefined);

} // namespace blockmaestro::soundness

#endif
