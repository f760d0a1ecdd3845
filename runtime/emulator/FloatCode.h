// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: IR that computes what a GPU's floating-point instructions do:
// half, bfloat16, single and double, every rounding, flushing and saturation.
// On the data's way: called by PtxLowering and NvvmLowering.
// Invariants: values are bits, integers as wide as their PtxType; a vector's
// lanes are computed one by one. What comes out has no branches but the calls
// for doubles that are not rounded to nearest, so that loops around it may be
// vectorised. Threads: one module.
//
// Note [Exact results of narrow types]
// A result in half, bfloat16 or a single rounded in another direction is first
// computed in double so that nothing is lost: a product is exact, a sum,
// quotient or root is rounded to odd (its last bit tells that something was cut
// off). Rounding that to a type with at least two bits fewer gives the
// correctly rounded result.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_FLOATCODE_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_FLOATCODE_H

#include "FloatForm.h"
#include "PtxTypes.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/IRBuilder.h"

namespace blockmaestro {

class FloatCode {
public:
  explicit FloatCode(llvm::IRBuilder<> &B) : B(B) {}

  /// \p Op on operands of type \p Type, rounded and formed as \p Form says.
  llvm::Value *apply(FloatOp Op, PtxType Type, const FloatForm &Form,
                     llvm::ArrayRef<llvm::Value *> Operands);

  /// One number from type \p From to type \p To, both floating point.
  llvm::Value *convert(llvm::Value *Bits, PtxType From, PtxType To,
                       const FloatForm &Form);
  /// To an integer of type \p To, saturating; \p Form's rounding decides.
  llvm::Value *toInteger(llvm::Value *Bits, PtxType From, PtxType To,
                         const FloatForm &Form);
  /// From an integer of type \p From.
  llvm::Value *fromInteger(llvm::Value *Bits, PtxType From, PtxType To,
                           const FloatForm &Form);

  /// The number \p Bits as a float or a double, exactly.
  llvm::Value *widen(llvm::Value *Bits, PtxType Type);
  llvm::Value *isNan(llvm::Value *Bits, PtxType Type);
  /// Applies \p Each to the lanes of \p Operands and puts the results together.
  llvm::Value *perLane(
      PtxType Type, llvm::ArrayRef<llvm::Value *> Operands,
      llvm::function_ref<llvm::Value *(llvm::ArrayRef<llvm::Value *>)> Each);

private:
  llvm::Value *applyLane(FloatOp Op, PtxType Type, const FloatForm &Form,
                         llvm::ArrayRef<llvm::Value *> Operands);
  llvm::Value *simple(FloatOp Op, llvm::ArrayRef<llvm::Value *> X);
  llvm::Value *minMax(FloatOp Op, PtxType Type, const FloatForm &Form,
                      llvm::ArrayRef<llvm::Value *> Operands);
  llvm::Value *signOnly(FloatOp Op, PtxType Type,
                        llvm::ArrayRef<llvm::Value *> Operands);
  llvm::Value *directedDouble(FloatOp Op, PtxRounding Rounding,
                              llvm::ArrayRef<llvm::Value *> X);
  llvm::Value *exactInDouble(FloatOp Op, llvm::ArrayRef<llvm::Value *> X,
                             PtxRounding Rounding);
  llvm::Value *roundToOdd(llvm::Value *Rounded, llvm::Value *Error);
  llvm::Value *zeroOfSum(llvm::Value *Sum, llvm::Value *X, llvm::Value *Y);
  llvm::Value *oddSum(llvm::Value *X, llvm::Value *Y, PtxRounding Rounding);
  llvm::Value *oddFloat(llvm::Value *Double);
  llvm::Value *narrow(llvm::Value *Wide, PtxType To, const FloatForm &Form);
  llvm::Value *narrowNearest(llvm::Value *Wide, PtxType To);
  llvm::Value *direct(llvm::Value *Bits, llvm::Value *Wide, PtxType Type,
                      PtxRounding Rounding);
  llvm::Value *finish(llvm::Value *Bits, PtxType Type, const FloatForm &Form);
  llvm::Value *limit(llvm::Value *Bits, PtxType Type);
  llvm::Value *flush(llvm::Value *Bits, PtxType Type);
  llvm::Value *roundTf32(llvm::Value *Float, const FloatForm &Form);
  llvm::Value *toMini(llvm::Value *Wide, PtxType To);
  llvm::Value *fromMini(llvm::Value *Bits, PtxType From);
  llvm::Value *integral(llvm::Value *Wide, PtxRounding Rounding);
  llvm::Value *canonicalNan(PtxType Type);
  llvm::Value *hostCall(const char *Name, llvm::Type *Result,
                        llvm::ArrayRef<llvm::Value *> Operands);

  llvm::IRBuilder<> &B;
};

} // namespace blockmaestro

#endif
