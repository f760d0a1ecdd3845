// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: lists of nodes that grow at one end only and share what is
// behind: a copy of one is two numbers, a list of one node takes no memory, and
// a node that joins several equal lists one after the other makes one of them.
// On the data's way: inside LastUses.
// Invariants: a list never changes. Those of one size and head are the same.
// Ownership: owns all lists until clear(). Threads: one caller.

#ifndef BLOCKMAESTRO_RUNTIME_TASKS_NODECHAINS_H
#define BLOCKMAESTRO_RUNTIME_TASKS_NODECHAINS_H

#include "LongList.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace blockmaestro {

class NodeChains {
public:
  /// The list of one node has its number as head; longer ones have a cell,
  /// behind whose node stands the head of the rest.
  struct Chain {
    uint32_t Head = 0;
    uint32_t Size = 0;

    bool operator==(const Chain &) const = default;
  };

  /// The list with Node before all of Behind; Behind where it begins with Node.
  Chain push(Chain Behind, uint32_t Node) {
    if (Behind.Size == 0)
      return {Node, 1};
    if (firstOf(Behind) == Node)
      return Behind;
    if (!(Behind == LastBehind && Node == LastNode)) {
      LastBehind = Behind;
      LastNode = Node;
      LastMade = {uint32_t(Cells.size()), Behind.Size + 1};
      appendToLong(Cells, {Node, Behind.Head});
    }
    return LastMade;
  }

  void append(Chain From, std::vector<uint32_t> &To) const {
    for (; From.Size != 0; From = restOf(From))
      To.push_back(firstOf(From));
  }

  /// Whether both have the same nodes in the same order.
  bool equal(Chain A, Chain B) const {
    if (A.Size != B.Size)
      return false;
    while (A != B && firstOf(A) == firstOf(B)) {
      A = restOf(A);
      B = restOf(B);
    }
    return A == B;
  }

  /// Memory for so many cells; there are none.
  void bringMemory(size_t Count) { bringLong(Cells, Count); }

  void clear() {
    Cells.clear();
    LastBehind = {};
  }

private:
  struct Cell {
    uint32_t Node;
    uint32_t Next;
  };

  uint32_t firstOf(Chain Of) const {
    return Of.Size == 1 ? Of.Head : Cells[Of.Head].Node;
  }
  Chain restOf(Chain Of) const {
    return Of.Size == 1 ? Chain() : Chain{Cells[Of.Head].Next, Of.Size - 1};
  }

  std::vector<Cell> Cells;
  Chain
      LastBehind; ///< What was pushed last, and what came of it; at first none.
  Chain LastMade;
  uint32_t LastNode = 0;
};

} // namespace blockmaestro

#endif
