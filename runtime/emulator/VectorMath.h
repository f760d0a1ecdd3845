// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: elementary functions of single precision as IR without branches
// and calls, so that loops around them can be vectorised.
// On the data's way: called by FloatCode for the GPU's approximate instructions
// and by MathTable's lowering for the functions that programs use most.
// Invariants: errors are below what CUDA publishes (docs/math.md); NaN,
// infinities, zeros and subnormals are those of the C library.
// Threads: one module.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_VECTORMATH_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_VECTORMATH_H

#include "llvm/IR/IRBuilder.h"

namespace blockmaestro {

/// Each takes and gives a float.
llvm::Value *emitExp(llvm::IRBuilder<> &B, llvm::Value *X);
llvm::Value *emitExp2(llvm::IRBuilder<> &B, llvm::Value *X);
llvm::Value *emitLog(llvm::IRBuilder<> &B, llvm::Value *X);
llvm::Value *emitLog2(llvm::IRBuilder<> &B, llvm::Value *X);
llvm::Value *emitLog10(llvm::IRBuilder<> &B, llvm::Value *X);
/// Good to an absolute error of 2^-22 up to 2^20 or so, as sin.approx is.
llvm::Value *emitFastSin(llvm::IRBuilder<> &B, llvm::Value *X);
llvm::Value *emitFastCos(llvm::IRBuilder<> &B, llvm::Value *X);
/// Good to a relative error of 2^-11, as tanh.approx is.
llvm::Value *emitFastTanh(llvm::IRBuilder<> &B, llvm::Value *X);

} // namespace blockmaestro

#endif
