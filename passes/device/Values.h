// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: integers of which only a range is known: what is read from
// memory or computed in a way that is not followed.
// On the data's way: leaves of indices and guards; Footprint::Values.
// Invariants: see Note [Values] in the source. Ownership: refers to the
// kernel's analysis. Threads: one per kernel.

#ifndef BLOCKMAESTRO_PASSES_DEVICE_VALUES_H
#define BLOCKMAESTRO_PASSES_DEVICE_VALUES_H

#include "Cases.h"

#include <map>
#include <vector>

namespace llvm {
class Loop;
class PHINode;
class Value;
} // namespace llvm

namespace blockmaestro {

struct KernelAnalysis;

/// At most that many numbers: more than that a range is worth no more than the
/// whole allocation.
inline constexpr uint64_t UsefulSpan = uint64_t(1) << 24;

/// What is known of a value besides its range.
struct ValueFact {
  Rejection Why;        ///< Why it is not followed.
  bool Bounded = false; ///< Its range says more than its type.
};

class Values {
public:
  explicit Values(KernelAnalysis &K) : K(K) {}

  /// V, of an integer type of at most 64 bits, as a value; not known at a
  /// limit.
  Translation of(const llvm::Value *V);

  /// A new value in Low .. High; none at a limit.
  CheckedPolynomial make(const CheckedPolynomial &Low,
                         const CheckedPolynomial &High, const ValueFact &Fact);

  /// What is known of Footprint::Values[Index].
  const ValueFact &fact(unsigned Index) const { return Facts[Index]; }

  /// Why the first value in P is not followed.
  Rejection whyOf(const Polynomial &P) const;

private:
  bool shrinks(const llvm::PHINode &Phi, Case &Out);
  bool growsToBound(const llvm::PHINode &Phi, Case &Out);
  CheckedPolynomial number(const llvm::Value *V, const llvm::Loop *L,
                           unsigned Bits, Case &Out);

  KernelAnalysis &K;
  std::vector<ValueFact> Facts;
  std::map<const llvm::Value *, Case> Known;
};

} // namespace blockmaestro

#endif
