// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the ways a floating-point result is formed, as values.
// On the data's way: shared by what lowers PTX and what lowers NVVM intrinsics.
// Threads: values.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_FLOATFORM_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_FLOATFORM_H

namespace blockmaestro {

enum class PtxRounding {
  Nearest,
  Zero,
  Down,
  Up,
  NearestAway, ///< Ties away from zero.
};

/// How the result of a floating-point operation is formed.
struct FloatForm {
  PtxRounding Rounding = PtxRounding::Nearest;
  bool Flush = false;     ///< .ftz
  bool Saturate = false;  ///< .sat: 0..1, NaN to 0.
  bool Relu = false;      ///< Negative to 0.
  bool Nan = false;       ///< Of min and max: NaN if one operand is.
  bool XorSign = false;   ///< Of min and max, with .abs.
  bool SatFinite = false; ///< Overflow to the greatest finite number.
};

enum class FloatOp {
  Add,
  Sub,
  Mul,
  Fma,
  Div,
  Rcp,
  Sqrt,
  Rsqrt,
  Min,
  Max,
  Abs,
  Neg,
  Sin,
  Cos,
  Ex2,
  Lg2,
  Tanh,
  Floor,
  Ceil,
  Trunc,
  Round, ///< To nearest, ties to even.
  Copysign,
};

} // namespace blockmaestro

#endif
