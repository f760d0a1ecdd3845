// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: goes through the points of one access's domain in one block:
// threads, then counters, then values, each cut down by the constraints that
// bound it.
// On the data's way: inside Instance.
// Ownership: refers to the instance and the access. Threads: one.

#ifndef BLOCKMAESTRO_TEST_SOUNDNESS_WALK_H
#define BLOCKMAESTRO_TEST_SOUNDNESS_WALK_H

#include "Instance.h"

namespace blockmaestro::soundness {

class Walk {
public:
  Walk(const Instance &I, const Access &A, Dim3 Block);
  AccessBytes run();

private:
  /// Slope * variable + Rest.
  struct Line {
    Reduced Slope, Rest;
  };
  struct Condition {
    Reduced Value;
    bool Equality = false;
    std::optional<Line> Of; ///< In the last of its variables.
  };
  struct Variable {
    uint16_t Id = 0;
    std::vector<Condition> Conditions; ///< Those it is the last variable of.
  };

  void order(const std::vector<bool> &Used);
  bool follows(uint16_t Value, const std::vector<bool> &Placed) const;
  size_t levelOf(const Polynomial &P) const;
  std::optional<Line> lineIn(const Reduced &P, uint16_t Id) const;
  bool startRange(uint16_t Id, Wide &Low, Wide &High);
  bool clip(const Condition &C, Wide &Low, Wide &High);
  bool met(const Condition &C);
  void visit(size_t Level);
  bool addAll(const Variable &V, Wide Low, Wide High);
  void addPoint();

  const Instance &I;
  const Footprint &F;
  const Access &A;
  Reduced Offset;
  std::optional<Line> OffsetLine; ///< In the last variable.
  std::vector<Variable> Variables;
  std::vector<Condition> Fixed; ///< Conditions of no variable.
  Instance::Point At;
  unsigned Left; ///< Steps that may still be made.
  bool Bad = false;
  AccessBytes Out;
};

} // namespace blockmaestro::soundness

#endif
