// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: from which roots, and how far from each, a pointer may point.
// On the data's way: between an access's pointer and its pieces.
// Invariants: see Note [Pointers] in the source. Ownership: refers to the
// kernel's analysis. Threads: one per kernel.

#ifndef BLOCKMAESTRO_PASSES_DEVICE_POINTERS_H
#define BLOCKMAESTRO_PASSES_DEVICE_POINTERS_H

#include "Cases.h"

#include <set>

namespace llvm {
class LoadInst;
class Loop;
class Value;
} // namespace llvm

namespace blockmaestro {

struct KernelAnalysis;

/// Where a pointer points in one case: Bytes from Base.
struct PointerCase {
  Root Base; ///< RootKind::None: memory that no other block sees.
  Case Bytes;
};

/// As Translation, for pointers.
struct PointerTranslation {
  std::vector<PointerCase> Cases; ///< None: not known, see Why.
  std::vector<Fact> Assumptions;
  bool Pruned = false;
  std::optional<Rejection> Inexact;
  Rejection Why;
};

class Pointers {
public:
  explicit Pointers(KernelAnalysis &K) : K(K) {}

  /// Where Pointer points to inside loop Scope.
  PointerTranslation translate(const llvm::Value *Pointer,
                               const llvm::Loop *Scope);

private:
  PointerTranslation base(const llvm::Value *V, const llvm::Loop *Scope);
  PointerTranslation merged(const llvm::Value *V, const llvm::Loop *Scope);
  PointerTranslation chosen(const llvm::LoadInst &Load,
                            const llvm::Loop *Scope);
  bool addPlace(PointerTranslation &To, const Case &Index, const Root &Base);
  bool addArm(PointerTranslation &To, const Condition &When,
              const llvm::Value *Arm, const llvm::Loop *Scope);

  KernelAnalysis &K;
  std::set<const llvm::Value *> Open;
};

} // namespace blockmaestro

#endif
