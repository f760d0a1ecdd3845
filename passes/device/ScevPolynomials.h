// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the visitor that turns LLVM's scalar evolutions into the
// contract's polynomials, and loops into counters with extents.
// On the data's way: between a pointer or condition in the IR and the offset
// or guard in the footprint.
// Invariants: see Note [Wrap] in the source. Symbols are added to the footprint
// as they are met. Ownership: refers to the footprint and the analyses given.
// Threads: one per kernel.

#ifndef BLOCKMAESTRO_PASSES_DEVICE_SCEVPOLYNOMIALS_H
#define BLOCKMAESTRO_PASSES_DEVICE_SCEVPOLYNOMIALS_H

#include "Reasons.h"

#include "blockmaestro/Footprint.h"

#include <map>
#include <optional>
#include <vector>

namespace llvm {
class Loop;
class LoopInfo;
class SCEV;
class ScalarEvolution;
class Value;
} // namespace llvm

namespace blockmaestro {

/// A value in the integers, what must hold for the program's to be the same,
/// or why there is none.
struct Translation {
  std::optional<Polynomial> Value;
  std::vector<Assumption> Assumptions;
  Rejection Why;
};

/// How often a loop's header runs.
struct LoopExtent {
  std::optional<Polynomial> Count; ///< None when not known at launch.
  std::vector<Assumption> Assumptions;
  bool MayLeaveEarly = false; ///< Count is an upper bound only.
};

class ScevPolynomials {
public:
  /// Numbers the loops of LI in program order, outer before inner.
  ScevPolynomials(llvm::ScalarEvolution &SE, llvm::LoopInfo &LI, Footprint &F);

  /// The integer S stands for. Loop counters in it are symbols.
  Translation translate(const llvm::SCEV *S);

  /// The extent of counter Counter; counters in it are of outer loops.
  const LoopExtent &extent(unsigned Counter);

  unsigned counterCount() const { return Loops.size(); }
  const llvm::Loop *loop(unsigned Counter) const { return Loops[Counter]; }

  uint16_t symbolIndex(const Symbol &S);

private:
  using Maybe = std::optional<Polynomial>;

  Maybe visit(const llvm::SCEV *S, Translation &To);
  Maybe visitUnknown(const llvm::Value *V, Translation &To);
  Maybe visitExtension(const llvm::SCEV *Inner, bool Signed, Translation &To);
  Maybe visitOperands(const llvm::SCEV *S, Translation &To);
  Maybe visitRecurrence(const llvm::SCEV *S, Translation &To);
  LoopExtent computeExtent(const llvm::Loop &L);

  llvm::ScalarEvolution &SE;
  Footprint &F;
  std::vector<const llvm::Loop *> Loops;
  std::map<unsigned, LoopExtent> Extents;
};

} // namespace blockmaestro

#endif
