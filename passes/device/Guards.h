// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: under which conditions a basic block of a kernel runs.
// On the data's way: the guards of an access's domain.
// Invariants: see Note [Guards] in the source. Ownership: refers to the
// kernel's analysis. Threads: one per kernel.

#ifndef BLOCKMAESTRO_PASSES_DEVICE_GUARDS_H
#define BLOCKMAESTRO_PASSES_DEVICE_GUARDS_H

#include "Pieces.h"

#include <map>
#include <utility>
#include <vector>

namespace llvm {
class BasicBlock;
class Loop;
} // namespace llvm

namespace blockmaestro {

struct KernelAnalysis;

class GuardFinder {
public:
  explicit GuardFinder(KernelAnalysis &K) : K(K) {}

  /// When Block runs.
  const Condition &find(const llvm::BasicBlock *Block);

  /// When the way leads from Top, which dominates From, over the edge from
  /// From to To, given that Top runs.
  Condition along(const llvm::BasicBlock *Top, const llvm::BasicBlock *From,
                  const llvm::BasicBlock *To);

private:
  using Edge = std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>;
  using Way = std::vector<Edge>;

  Condition step(const llvm::BasicBlock *From, const llvm::BasicBlock *To,
                 bool AroundLoop);
  Condition edge(const Edge &Along);
  Condition alternatives(const llvm::BasicBlock *Top,
                         const llvm::BasicBlock *Block);
  bool collectWays(const llvm::BasicBlock *Top, const llvm::BasicBlock *Block,
                   const llvm::BasicBlock *Not, std::vector<Way> &Ways) const;
  static bool differAt(const Way &A, const Way &B, size_t At);
  static void shorten(std::vector<Way> &Ways);
  Condition translate(std::vector<Way> Ways);
  bool alwaysReaches(const llvm::BasicBlock *From, const llvm::BasicBlock *To,
                     bool AroundLoop) const;

  KernelAnalysis &K;
  std::map<const llvm::BasicBlock *, Condition> Known;
};

} // namespace blockmaestro

#endif
