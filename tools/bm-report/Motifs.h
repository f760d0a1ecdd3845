// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a sequence of launches as nested repeats: a loop of a thousand
// steps is one step and its count.
// On the data's way: from what launches have in common to the motifs of a
// report, and to the positions that losses and advice are summed up by.
// Invariants: a node with Children 0 is one launch; any other is its children,
// one after the other, Count times. Nodes are in preorder; the first is the
// whole sequence, Count 1. The same sequence gives the same nodes. What repeats
// is found where one repeat has at most MostBody parts.
// Ownership and threads: plain values and pure functions.
//
// Note [Folding]
// The sequence is read once onto a stack. Behind each launch the top of the
// stack is folded as long as it can be: what equals the body of the loop below
// it becomes one more of its rounds, and two equal halves become a loop of two.
// Shorter bodies go first, so that inner loops are single parts when the loop
// around them is looked for. A step takes at most MostBody comparisons of a
// number, and of sequences only where hashes agree.

#ifndef BLOCKMAESTRO_TOOLS_BM_REPORT_MOTIFS_H
#define BLOCKMAESTRO_TOOLS_BM_REPORT_MOTIFS_H

#include "llvm/ADT/ArrayRef.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace blockmaestro {

struct MotifNode {
  uint32_t Count = 1;
  uint32_t Children = 0;
  uint32_t First = 0; ///< The launch at which its first round begins.
};

inline constexpr size_t MostBody = 512;

/// Of launches that are equal where their numbers in \p Kinds are.
std::vector<MotifNode> findMotifs(llvm::ArrayRef<uint32_t> Kinds);

/// For each of the launches the node that stands for it.
std::vector<uint32_t> motifPositions(llvm::ArrayRef<MotifNode> Nodes);

} // namespace blockmaestro

#endif
