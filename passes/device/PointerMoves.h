// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: which pointers of a function are moved by what may be the
// distance between two allocations, so that their roots say nothing of where
// they point.
// On the data's way: asked beside the roots of a pointer.
// Invariants: see Note [Distances] in the source. Ownership: refers to the
// function. Threads: none shared.

#ifndef BLOCKMAESTRO_PASSES_DEVICE_POINTERMOVES_H
#define BLOCKMAESTRO_PASSES_DEVICE_POINTERMOVES_H

#include "llvm/ADT/DenseMap.h"

#include <cstdint>
#include <optional>

namespace llvm {
class Function;
class Instruction;
class Value;
} // namespace llvm

namespace blockmaestro {

class PointerMoves {
public:
  explicit PointerMoves(const llvm::Function &F);

  enum class Move {
    Inside,   ///< By indices.
    Distance, ///< Also by a number of bytes of which nothing is known.
    Address,  ///< Also by what is made of addresses.
  };

  /// How Pointer was moved on its way from its roots.
  Move of(const llvm::Value *Pointer) const;

private:
  /// What is known of an integer or of the moves of a pointer: its Kind, and of
  /// an integer that is the address of one object and an index, the object.
  struct State {
    Move Kind = Move::Inside;
    const llvm::Value *Object = nullptr;

    bool operator==(const State &) const = default;
  };

  static State join(State A, State B);
  static State sum(State A, State B, bool Minus);
  std::optional<State> stateOf(const llvm::Value *V) const;
  std::optional<State> visit(const llvm::Instruction &I) const;
  std::optional<State> visitPointer(const llvm::Instruction &I) const;
  std::optional<State> visitMerge(const llvm::Instruction &I) const;
  std::optional<State> visitInteger(const llvm::Instruction &I) const;
  std::optional<State> visitBinary(const llvm::Instruction &I) const;

  llvm::DenseMap<const llvm::Value *, State> Known;
};

} // namespace blockmaestro

#endif
