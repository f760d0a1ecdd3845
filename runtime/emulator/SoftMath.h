// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: arithmetic that has no short form in IR, as functions that
// generated code calls: doubles rounded in a direction, 8-bit floats.
// On the data's way: called from compiled kernels, by the rows of HostCalls.
// Threads: stateless; the rounding mode of the calling thread is put back.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_SOFTMATH_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_SOFTMATH_H

#include <cstdint>

extern "C" {

/// The FloatOp \p Op of the operands, rounded as PtxRounding \p Rounding says.
double bm_directed_f64(uint32_t Op, uint32_t Rounding, double X, double Y,
                       double Z);
/// The 64-bit integer \p Bits as a double.
double bm_directed_f64_i64(uint32_t Rounding, uint64_t Bits, uint32_t Signed);

/// To nearest, what is too great to the greatest finite number.
uint32_t bm_to_e4m3(float X);
uint32_t bm_to_e5m2(float X);
float bm_from_e4m3(uint32_t Bits);
float bm_from_e5m2(uint32_t Bits);

/// PTX's fns: the position of the |Offset|-th set bit of \p Mask, counted from
/// \p Base upwards or downwards; all ones when there is none.
uint32_t bm_find_nth(uint32_t Mask, uint32_t Base, int32_t Offset);
}

#endif
