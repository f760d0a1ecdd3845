// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: short names for making the nodes of a kernel.
// On the data's way: tests only. Invariants: integers come out typed, given
// that their kids are. Threads: no state.

#ifndef BLOCKMAESTRO_TEST_SOUNDNESS_BUILD_H
#define BLOCKMAESTRO_TEST_SOUNDNESS_BUILD_H

#include "Program.h"

#include <utility>

namespace blockmaestro::soundness {

inline Node node(Op What, std::vector<Node> Kids = {}) {
  Node N;
  N.What = What;
  N.Kids = std::move(Kids);
  return N;
}

inline Node num(int64_t Value, Int T = Int::I32) {
  Node N = node(Op::Constant);
  N.Value = Value;
  N.Type = T;
  return N;
}

/// threadIdx, blockIdx, blockDim and gridDim are 0, 1, 2 and 3.
inline Node reg(unsigned Which, unsigned Axis) {
  Node N = node(Op::Register);
  N.Value = 3 * Which + Axis;
  N.Type = Int::U32;
  return N;
}

inline Node bin(Operator What, Node A, Node B) {
  Int T = resultType(What, A.Type, B.Type);
  Node N = node(Op::Binary, {std::move(A), std::move(B)});
  N.Value = int64_t(What);
  N.Type = T;
  return N;
}
inline Node plus(Node A, Node B) {
  return bin(Operator::Add, std::move(A), std::move(B));
}
inline Node minus(Node A, Node B) {
  return bin(Operator::Subtract, std::move(A), std::move(B));
}
inline Node times(Node A, Node B) {
  return bin(Operator::Multiply, std::move(A), std::move(B));
}
inline Node less(Node A, Node B) {
  return bin(Operator::Less, std::move(A), std::move(B));
}

inline Node truth(Op What, std::vector<Node> Kids) {
  return node(What, std::move(Kids));
}

inline Node cast(Int T, Node A) {
  Node N = node(Op::Cast, {std::move(A)});
  N.Type = T;
  return N;
}

inline Node choose(Node Condition, Node A, Node B) {
  Int T = A.Type == B.Type ? A.Type : common(A.Type, B.Type);
  Node N = node(Op::Choose, {std::move(Condition), std::move(A), std::move(B)});
  N.Type = T;
  return N;
}

/// Op::Minimum or Op::Maximum, in the operands' common type.
inline Node extreme(Op What, Node A, Node B) {
  Int T = common(A.Type, B.Type);
  Node N = node(What, {std::move(A), std::move(B)});
  N.Type = T;
  return N;
}

inline Node advance(Node Pointer, Node Index) {
  Element Of = Pointer.Of;
  Node N = node(Op::Advance, {std::move(Pointer), std::move(Index)});
  N.Of = Of;
  return N;
}
inline Node retyped(Element Of, Node Pointer) {
  Node N = node(Op::Retype, {std::move(Pointer)});
  N.Of = Of;
  return N;
}
inline Node either(Node Condition, Node A, Node B) {
  Element Of = A.Of;
  Node N = node(Op::Either, {std::move(Condition), std::move(A), std::move(B)});
  N.Of = Of;
  return N;
}
inline Node field(Node Pointer, int64_t Which) {
  Node N = node(Op::Field, {std::move(Pointer)});
  N.Of = Element::I32;
  N.Value = Which;
  return N;
}
inline Node load(Node Pointer) {
  Int T = integerOf(Pointer.Of);
  Node N = node(Op::Load, {std::move(Pointer)});
  N.Type = T;
  return N;
}

inline Node sequence(std::vector<Node> Kids) {
  return node(Op::Sequence, std::move(Kids));
}
inline Node when(Node Condition, std::vector<Node> Then,
                 std::vector<Node> Else = {}) {
  return node(Op::If, {std::move(Condition), sequence(std::move(Then)),
                       sequence(std::move(Else))});
}
inline Node caseOf(int64_t Value, std::vector<Node> Body, unsigned How = 0) {
  Node N = node(Op::Case, {sequence(std::move(Body))});
  N.Value = Value;
  N.Id = How;
  return N;
}

} // namespace blockmaestro::soundness

#endif
