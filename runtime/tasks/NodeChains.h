// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: lists of nodes that grow at one end only and share what is
// behind: a copy of one is two numbers, and nodes that join several equal lists
// one after the other make one new list of them.
// On the data's way: inside LastUses.
// Invariants: a list never changes. Lists with one head are the same.
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
  static constexpr uint32_t None = UINT32_MAX;
  struct Chain {
    uint32_t Head = None;
    uint32_t Size = 0;

    bool operator==(const Chain &) const = default;
  };

  /// The list with Node before all of Behind; Behind where it begins with Node.
  Chain push(Chain Behind, uint32_t Node) {
    if (Behind.Head != None && Cells[Behind.Head].Node == Node)
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
    for (uint32_t At = From.Head; At != None; At = Cells[At].Next)
      To.push_back(Cells[At].Node);
  }

  /// Whether both have the same nodes in the same order.
  bool equal(Chain A, Chain B) const {
    if (A.Size != B.Size)
      return false;
    uint32_t AtA = A.Head, AtB = B.Head;
    while (AtA != AtB && Cells[AtA].Node == Cells[AtB].Node) {
      AtA = Cells[AtA].Next;
      AtB = Cells[AtB].Next;
    }
    return AtA == AtB;
  }

  void clear() {
    Cells.clear();
    LastNode = None;
  }

private:
  struct Cell {
    uint32_t Node;
    uint32_t Next;
  };

  std::vector<Cell> Cells;
  Chain LastBehind; ///< What was pushed last, and what came of it.
  Chain LastMade;
  uint32_t LastNode = None;
};

} // namespace blockmaestro

#endif
