// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the visitor that turns LLVM's scalar evolutions into the
// contract's polynomials, case by case.
// On the data's way: between a pointer or condition in the IR and the offset
// or guard in the footprint.
// Invariants: see Note [Wrap] and Note [Values] in the source. Symbols are
// added to the footprint as they are met. Ownership: refers to the kernel's
// analysis. Threads: one per kernel.

#ifndef BLOCKMAESTRO_PASSES_DEVICE_SCEVPOLYNOMIALS_H
#define BLOCKMAESTRO_PASSES_DEVICE_SCEVPOLYNOMIALS_H

#include "Pieces.h"

#include <map>
#include <utility>
#include <vector>

namespace llvm {
class APInt;
class BinaryOperator;
class Instruction;
class Loop;
class PHINode;
class SCEV;
class Value;
} // namespace llvm

namespace blockmaestro {

struct KernelAnalysis;

/// What is known of a value besides its range.
struct ValueFact {
  Rejection Why;        ///< Why it is not followed.
  bool Bounded = false; ///< Its range says more than its type.
};

class ScevPolynomials {
public:
  explicit ScevPolynomials(KernelAnalysis &K) : K(K) {}

  /// The integer S, or V, stands for inside loop Scope (null: outside of all).
  /// Counters of the loops around Scope are symbols.
  Translation translate(const llvm::SCEV *S, const llvm::Loop *Scope);
  Translation translate(const llvm::Value *V, const llvm::Loop *Scope);

  /// What is known of Footprint::Values[Index].
  const ValueFact &fact(unsigned Index) const { return Facts[Index]; }

  /// Why the first value in P is not followed.
  Rejection whyOf(const Polynomial &P) const;

  /// A new value in Range.
  Polynomial newValue(const ValueRange &Range, const ValueFact &Fact);

private:
  using Question = std::pair<const llvm::SCEV *, const llvm::Loop *>;

  const llvm::Loop *ownScope(const llvm::SCEV *S,
                             const llvm::Loop *Scope) const;
  Translation visit(const llvm::SCEV *S, const llvm::Loop *Scope);
  Translation visitOperands(const llvm::SCEV *S, const llvm::Loop *Scope);
  Translation visitMinMax(const llvm::SCEV *S, const llvm::Loop *Scope);
  Translation visitRecurrence(const llvm::SCEV *S, const llvm::Loop *Scope);
  Translation visitUnknown(const llvm::Value *V, const llvm::Loop *Scope);
  Translation visitInstruction(const llvm::Instruction &I,
                               const llvm::Loop *Scope);
  Translation visitPhi(const llvm::PHINode &Phi, const llvm::Loop *Scope);
  Translation visitBinary(const llvm::BinaryOperator &I,
                          const llvm::Loop *Scope);
  Translation extended(Translation Inner, unsigned Bits, bool Signed);
  Translation unsignedQuotient(const Translation &A, const Translation &B,
                               unsigned Bits);
  Translation signedDivision(const Translation &A, const Translation &B,
                             unsigned Bits, bool Remainder);
  Translation bitwise(const llvm::BinaryOperator &I, const Translation &A,
                      const Translation &B, unsigned Bits);
  std::optional<Polynomial> masked(const Polynomial &Value, llvm::APInt Mask,
                                   Case &Out);
  Translation valueOf(const llvm::Value *V);

  KernelAnalysis &K;
  std::vector<ValueFact> Facts;
  std::map<const llvm::Value *, Polynomial> ValueSymbols;
  std::map<Question, Translation> Memo;
};

} // namespace blockmaestro

#endif
