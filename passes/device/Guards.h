// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: under which conditions a basic block of a kernel runs.
// On the data's way: the guards of an access's domain.
// Invariants: see Note [Guards] in the source. Ownership: refers to the
// kernel's analysis. Threads: one per kernel.

#ifndef BLOCKMAESTRO_PASSES_DEVICE_GUARDS_H
#define BLOCKMAESTRO_PASSES_DEVICE_GUARDS_H

#include "Cases.h"

#include "llvm/IR/CycleInfo.h"

#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace llvm {
class BasicBlock;
class Loop;
class PHINode;
} // namespace llvm

namespace blockmaestro {

struct KernelAnalysis;

class GuardFinder {
public:
  explicit GuardFinder(KernelAnalysis &K);

  /// When Block runs.
  const Condition &find(const llvm::BasicBlock *Block);

  /// Where the ways that Phi joins part; null where they may lead through Phi
  /// itself. See Note [Joining].
  const llvm::BasicBlock *parting(const llvm::PHINode &Phi) const;

  /// When the way leads from Top, which dominates From, over the edge from
  /// From to To, given that Top runs; as known in Scope.
  Condition along(const llvm::BasicBlock *Top, const llvm::BasicBlock *From,
                  const llvm::BasicBlock *To, const llvm::Loop *Scope);

  using Edge = std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>;

  /// When L is left over Out, where that is the same in all iterations.
  std::optional<Condition> leaves(const llvm::Loop &L, const Edge &Out);

  /// When it is not.
  std::optional<Condition> stays(const llvm::Loop &L, const Edge &Out);

private:
  using Way = std::vector<Edge>;

  const llvm::BasicBlock *above(const llvm::BasicBlock *Block,
                                bool &AroundLoop) const;
  Condition extended(const Condition &Outer, const llvm::BasicBlock *From,
                     const llvm::BasicBlock *To, bool AroundLoop);
  Condition step(const llvm::BasicBlock *From, const llvm::BasicBlock *To,
                 bool AroundLoop);
  Condition edge(const Edge &Along);
  Condition alternatives(const llvm::BasicBlock *Top,
                         const llvm::BasicBlock *Block);
  bool collectWays(const llvm::BasicBlock *Top, const llvm::BasicBlock *Block,
                   const llvm::BasicBlock *Not, std::vector<Way> &Ways) const;
  const llvm::Loop *passed(const Edge &Along) const;
  std::vector<const llvm::BasicBlock *>
  waysOn(const llvm::BasicBlock *At, const llvm::BasicBlock *Block) const;
  bool differAt(const Way &A, const Way &B, size_t At) const;
  void shorten(std::vector<Way> &Ways) const;
  Condition translate(std::vector<Way> Ways);
  bool alwaysReaches(const llvm::BasicBlock *From, const llvm::BasicBlock *To,
                     bool AroundLoop) const;

  bool mayReach(const llvm::BasicBlock *From, const llvm::BasicBlock *To,
                const llvm::BasicBlock *Top) const;
  bool isInvariant(const Condition &C, const llvm::Loop &L) const;
  Condition inside(const llvm::Loop &L, const llvm::BasicBlock *Block);
  Condition behind(const llvm::Loop &L, const llvm::BasicBlock *To,
                   bool AtOnce);

  KernelAnalysis &K;
  llvm::CycleInfo Cycles;
  std::map<const llvm::BasicBlock *, Condition> Known;
};

} // namespace blockmaestro

#endif
