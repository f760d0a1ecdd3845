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

#include "Cases.h"

#include "llvm/ADT/ArrayRef.h"

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
  std::optional<Polynomial> KnownExtent;
  /// An iteration after the first runs only where one of these holds, with its
  /// number as the counter, and wherever one does unless Inexact. Never empty.
  std::vector<Conjunction> Runs{{}};
  /// Where Runs holds in the first iteration, KnownExtent is the number of
  /// iterations, one for the launch: Runs says nothing more.
  bool Counted = false;
  std::vector<Fact> Assumptions;
  std::optional<Rejection> Inexact;
};

/// Counters below Extent are all that can run; Counted is as in LoopShape.
struct LoopBound {
  Polynomial Extent;
  bool Counted = false;
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
    std::vector<LoopBound> Bounds; ///< Each holds.
    std::vector<Fact> Assumptions;
  };
  bool addExit(const llvm::Loop &L, unsigned Counter,
               const llvm::BasicBlock &Exiting, LoopShape &To);
  bool addSteadyExit(const llvm::Loop &L, const llvm::BasicBlock &Exiting,
                     LoopShape &To);
  bool addCondition(unsigned Counter, const Condition &Stay, LoopShape &To);
  bool addCases(unsigned Counter, const Condition &Stay, LoopShape &To);
  bool addTakenCount(const llvm::Loop &L, unsigned Counter,
                     const llvm::BasicBlock &Exiting, LoopShape &To);
  bool addConstraint(unsigned Counter, const Constraint &C, Ending &To);
  bool addEquality(unsigned Counter, const Constraint &C, Ending &To);
  bool addStepsTo(const llvm::Loop &L, unsigned Counter, const Condition &Leave,
                  LoopShape &To);
  bool addUnending(const llvm::Loop &L, unsigned Counter,
                   const llvm::BasicBlock &Exiting, LoopShape &To);
  std::optional<Fact> neverStays(const llvm::Loop &L, unsigned Counter,
                                 const Conjunction &Stay);
  bool guarded(const llvm::Loop &L, llvm::ArrayRef<Polynomial> Values);
  /// How a condition changes from iteration to iteration.
  struct Course {
    Polynomial First; ///< In the first.
    Polynomial Step;  ///< It falls by this.
  };
  std::optional<Course> courseOf(unsigned Counter, const Polynomial &Value);
  bool staysTrue(unsigned Counter, const Constraint &C, const Conjunction &All);
  static const LoopBound *best(const Ending &One);
  std::optional<Polynomial> findLargest(const std::vector<Ending> &Any) const;
  bool addEndings(std::vector<Ending> Any, LoopShape &To);

  KernelAnalysis &K;
  std::vector<const llvm::Loop *> Loops;
  std::map<unsigned, LoopShape> Shapes;
  unsigned Added = 0;
};

} // namespace blockmaestro

#endif
