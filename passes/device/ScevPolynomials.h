// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the visitor that turns LLVM's scalar evolutions into the
// contract's polynomials, case by case.
// On the data's way: between a pointer or condition in the IR and the offset
// or guard in the footprint.
// Invariants: see Note [Wrap] in the source. Symbols are
// added to the footprint as they are met. Ownership: refers to the kernel's
// analysis. Threads: one per kernel.

#ifndef BLOCKMAESTRO_PASSES_DEVICE_SCEVPOLYNOMIALS_H
#define BLOCKMAESTRO_PASSES_DEVICE_SCEVPOLYNOMIALS_H

#include "Cases.h"

#include <map>
#include <set>
#include <utility>

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

class ScevPolynomials {
public:
  explicit ScevPolynomials(KernelAnalysis &K) : K(K) {}

  /// The integer S, or V, stands for inside loop Scope (null: outside of all).
  /// Counters of the loops around Scope are symbols.
  Translation translate(const llvm::SCEV *S, const llvm::Loop *Scope);
  Translation translate(const llvm::Value *V, const llvm::Loop *Scope);

  /// The address that a pointer is, where it is made of one that the launch
  /// gives and a number, or null.
  Translation address(const llvm::SCEV *Pointer, const llvm::Loop *Scope);

  /// Whether a bit of Number is set, as 0 or 1: bit k where Power, a number of
  /// the launch, is 2 to the power k, which is assumed; Signed: not the sign.
  /// Both have Bits bits. Not known where Power is no such number.
  Translation bitOf(const Translation &Number, const Translation &Power,
                    unsigned Bits, bool Signed);

  /// Whether Y is a number of the launch that is taken for one less than a
  /// power of two: x & Y is then not negative.
  bool isBitsOfLaunch(const Polynomial &Y) const;

  /// How often an answer was one that its own question hangs on: not known.
  unsigned circles() const { return Circles; }

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
  CheckedPolynomial masked(const Polynomial &Value, llvm::APInt Mask,
                           Case &Out);
  struct LaunchMask;
  Translation extendedBits(const llvm::SCEV *Inner, bool Signed,
                           const llvm::Loop *Scope);
  CheckedPolynomial withLaunch(const llvm::BinaryOperator &I, Polynomial X,
                               Polynomial Y, unsigned Bits, Case &Out);
  bool isMask(const Translation &Number) const;
  bool areDisjoint(const Polynomial &X, const Polynomial &Y, unsigned Bits,
                   Case &Out);
  std::optional<LaunchMask> launchMask(const Polynomial &Y) const;
  CheckedPolynomial common(const Polynomial &X, const LaunchMask &Mask,
                           Case &Out);
  CheckedPolynomial bit(const Polynomial &X, const Polynomial &Power,
                        Case &Out);
  /// That __mul24 takes of a factor.
  static constexpr uint8_t ProductBits = 24;
  bool isOfSizes(const Polynomial &P, unsigned Bits) const;
  bool isPower(const Polynomial &P) const;
  CheckedPolynomial overPower(const Polynomial &Power, unsigned Bits,
                              Case &Out);
  bool needPower(const Polynomial &Power, unsigned Bits, Case &Out);

  KernelAnalysis &K;
  std::map<Question, Translation> Memo;
  std::set<Question> Open; ///< Those that wait for others.
  unsigned Circles = 0;
};

} // namespace blockmaestro

#endif
