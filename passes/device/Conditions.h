// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: turns a truth value of the IR into constraints on polynomials.
// On the data's way: between a branch, select or assumption and a guard.
// Invariants: see Note [Comparisons] in the source. Ownership: refers to the
// kernel's analysis. Threads: one per kernel.

#ifndef BLOCKMAESTRO_PASSES_DEVICE_CONDITIONS_H
#define BLOCKMAESTRO_PASSES_DEVICE_CONDITIONS_H

#include "Cases.h"

#include "llvm/IR/InstrTypes.h"

#include <map>
#include <tuple>

namespace llvm {
class Loop;
class PHINode;
class SCEV;
class SelectInst;
class Value;
} // namespace llvm

namespace blockmaestro {

struct KernelAnalysis;

class Conditions {
public:
  explicit Conditions(KernelAnalysis &K) : K(K) {}

  /// When V, of type i1, is Holds inside loop Scope.
  Condition translate(const llvm::Value *V, bool Holds,
                      const llvm::Loop *Scope);

  /// When Left == Right (or not, unless Holds), both of type i Bits.
  Condition equality(const llvm::Value *Left, const llvm::Value *Right,
                     bool Holds, const llvm::Loop *Scope);

private:
  using Question = std::tuple<const llvm::Value *, bool, const llvm::Loop *>;

  Condition visit(const llvm::Value *V, bool Holds, const llvm::Loop *Scope);
  Condition chosen(const llvm::SelectInst &Choice, bool Holds,
                   const llvm::Loop *Scope);
  Condition joined(const llvm::PHINode &Phi, bool Holds,
                   const llvm::Loop *Scope);
  Condition comparison(const llvm::CmpInst &Compare, bool Holds,
                       const llvm::Loop *Scope);
  Condition neitherBit(const llvm::Value *A, const llvm::Value *B,
                       const llvm::Value *Zero, bool Holds,
                       const llvm::Loop *Scope);
  std::optional<Condition> bitTest(const llvm::Value *Number,
                                   const llvm::Value *Power, bool Set,
                                   bool Signed, const llvm::Loop *Scope);
  std::optional<Condition> ofBit(const llvm::CmpInst &Compare, bool Holds,
                                 const llvm::Loop *Scope);
  Condition ofAddresses(const llvm::CmpInst &Compare, bool Holds,
                        const llvm::Loop *Scope);
  bool testsLowBits(const llvm::CmpInst &Compare, const llvm::Loop *Scope);
  bool isComplete(const Condition &One, const Conjunction &Where) const;
  void merge(Condition &C) const;
  bool operands(const llvm::CmpInst &Compare, const llvm::Loop *Scope,
                const llvm::SCEV *(&Sides)[2]);
  void uncut(const llvm::SCEV *&Side, const llvm::SCEV *&Other,
             llvm::CmpInst::Predicate P, unsigned &Bits);
  Condition relation(const llvm::SCEV *Left, const llvm::SCEV *Right,
                     unsigned Predicate, unsigned Bits,
                     const llvm::Loop *Scope);
  Condition compare(const Translation &Left, const Translation &Right,
                    unsigned Predicate, unsigned Bits);

  KernelAnalysis &K;
  std::map<Question, Condition> Memo;
  unsigned Nested = 0; ///< Questions that wait for others.
};

} // namespace blockmaestro

#endif
