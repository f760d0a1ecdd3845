// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: how often each loop of a kernel runs: as a number of the launch,
// or as a condition on its counter.
// On the data's way: between the loops of the IR and CounterExtents, and the
// part of a domain that ends a loop.
// Invariants: see Note [Loops] in the source. Ownership: refers to the
// kernel's analysis. Threads: one per kernel.

#ifndef BLOCKMAESTRO_PASSES_DEVICE_LOOPSHAPES_H
#define BLOCKMAESTRO_PASSES_DEVICE_LOOPSHAPES_H

#include "Pieces.h"

#include <map>
#include <vector>

namespace llvm {
class BasicBlock;
class Loop;
class Value;
} // namespace llvm

namespace blockmaestro {

struct KernelAnalysis;

struct LoopShape {
  /// Counters below it are all that can run. None: no bound is known.
  std::optional<Polynomial> Extent;
  /// An iteration after the first runs only where one of these holds, with its
  /// number as the counter, and wherever one does unless Inexact. Never empty.
  std::vector<Conjunction> Runs{{}};
  /// Where Runs holds in the first iteration, Extent is the number of
  /// iterations, one for the launch: Runs says nothing more.
  bool Counted = false;
  std::vector<Assumption> Assumptions;
  std::optional<Rejection> Inexact;
};

class LoopShapes {
public:
  /// Numbers the loops of K in program order, outer before inner.
  explicit LoopShapes(KernelAnalysis &K);

  const LoopShape &shape(unsigned Counter);

  unsigned count() const { return Loops.size() + Added; }

  /// A counter for something that runs as Shape says, inside no loop of its
  /// own.
  unsigned addCounter(const LoopShape &Shape);

  /// The counter of L.
  unsigned number(const llvm::Loop &L) const;

private:
  LoopShape compute(unsigned Counter);
  void setExtent(unsigned Counter, const LoopShape &Shape);
  bool isUsable(const Polynomial &P, unsigned Counter, bool Own);
  void restrict(unsigned Counter, LoopShape &Shape);
  /// What one of the cases of a condition to stay says.
  struct Ending {
    Conjunction Runs;
    std::optional<Polynomial> Extent;
    bool Counted = false;
    std::vector<Assumption> Assumptions;
  };
  bool addExit(const llvm::Loop &L, unsigned Counter,
               const llvm::BasicBlock &Exiting, LoopShape &To);
  bool addCondition(unsigned Counter, const Condition &Stay, LoopShape &To);
  bool addCases(unsigned Counter, const Condition &Stay, LoopShape &To);
  bool addTakenCount(const llvm::Loop &L, unsigned Counter,
                     const llvm::BasicBlock &Exiting, LoopShape &To);
  bool addConstraint(unsigned Counter, const Constraint &C, Ending &To);
  /// How a condition changes from iteration to iteration.
  struct Course {
    Polynomial First; ///< In the first.
    Polynomial Step;  ///< It falls by this.
  };
  std::optional<Course> courseOf(unsigned Counter, const Constraint &C);
  bool staysTrue(unsigned Counter, const Constraint &C, const Conjunction &All);
  static void bound(const Polynomial &Extent, bool Counted, Ending &To);
  std::optional<Polynomial> largest(const std::vector<Ending> &Any) const;
  bool addEndings(std::vector<Ending> Any, LoopShape &To);

  KernelAnalysis &K;
  std::vector<const llvm::Loop *> Loops;
  std::map<unsigned, LoopShape> Shapes;
  unsigned Added = 0;
};

} // namespace blockmaestro

#endif
