// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: says of the operations of a sequence, one after the other,
// whether they are defined, and whether any order of their blocks gives the
// same. On the data's way: tests only; asked while a sequence is made, and
// about every smaller one. Invariants: see Note [Nothing is undefined].
// Ownership: the sequence outlives it and may grow. Threads: one.

#ifndef BLOCKMAESTRO_TEST_SOUNDNESS_SEQUENCEJUDGE_H
#define BLOCKMAESTRO_TEST_SOUNDNESS_SEQUENCEJUDGE_H

#include "Sequence.h"

#include <map>
#include <optional>

namespace blockmaestro::soundness {

/// How far behind a pointer the memory that it is meant for may begin.
inline constexpr int64_t NearBytes = 64;

/// Whether a pointer at At is one to its memory, of Bytes bytes, and all that
/// is touched lies in that.
bool isInside(const Place &At, const Spread &Of, int64_t Bytes);

/// What the interpreter says of a shape.
struct Run {
  Outcome How = Outcome::Done;
  std::vector<BlockTruth> Blocks;
  Watched Seen;
};

class Judge {
public:
  explicit Judge(const Sequence &S) : S(S) {}

  /// Says of O alone, which comes after all that were asked before.
  Judgement next(const Operation &O);
  /// Of a shape of the sequence; remembered.
  const Run &runOf(unsigned Shape);
  /// Whether any order of the blocks gives the same, each array being in memory
  /// of its own.
  bool isOrdered(unsigned Shape);
  /// The last shape has gone from the sequence.
  void forget(unsigned Shape) { Runs.erase(Shape); }

private:
  void launch(const Operation &O);
  void checkPlaces(const Operation &O, const Run &Of);
  void checkContents(const Operation &O, const Run &Of);
  void checkCopies(const Operation &O, const Run &Of);
  bool ordered(const Operation &O, const Run &Of) const;
  void written(const Operation &O, const Run &Of);
  void transfer(const Operation &O);
  void inside(const Place &At, int64_t Low, int64_t High);
  std::optional<Operation> &held(unsigned Memory);
  void bad(const char *Why) {
    if (Out.Undefined.empty())
      Out.Undefined = Why;
  }

  const Sequence &S;
  std::map<unsigned, Run> Runs;
  /// By memory: who wrote the contents it still has.
  std::vector<std::optional<Operation>> Held;
  Judgement Out;
};

} // namespace blockmaestro::soundness

#endif
