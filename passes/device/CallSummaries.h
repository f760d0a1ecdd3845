// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: which memory a call may touch that was not inlined: through
// which of its arguments, which variables, or anywhere.
// On the data's way: between a kernel's calls and its accesses.
// Invariants: a summary covers everything the function and what it calls may
// do, recursion included; it says nothing of where in an array.
// Ownership: refers to the module. Threads: one per module.

#ifndef BLOCKMAESTRO_PASSES_DEVICE_CALLSUMMARIES_H
#define BLOCKMAESTRO_PASSES_DEVICE_CALLSUMMARIES_H

#include "PointerMoves.h"
#include "Reasons.h"

#include "blockmaestro/Footprint.h"

#include "llvm/ADT/MapVector.h"

#include <cstdint>
#include <map>
#include <vector>

namespace llvm {
class CallBase;
class Function;
class Value;
} // namespace llvm

namespace blockmaestro {

/// A set of access kinds.
struct KindSet {
  uint8_t Bits = 0;

  bool has(AccessKind K) const { return Bits >> unsigned(K) & 1; }
  void add(AccessKind K) { Bits |= 1u << unsigned(K); }
  void add(KindSet Other) { Bits |= Other.Bits; }
  bool operator==(const KindSet &) const = default;
};

struct CallSummary {
  std::vector<KindSet> Parameters; ///< Through the pointer in each.
  llvm::MapVector<const llvm::Value *, KindSet> Globals;
  KindSet Anywhere;
  Rejection Why; ///< Of the first access that may be anywhere.
};

class CallSummaries {
public:
  /// What Call, which has targets or goes through a pointer, may touch.
  CallSummary of(const llvm::CallBase &Call);

private:
  const CallSummary &of(const llvm::Function &F);
  bool update(const llvm::Function &F);
  CallSummary ofTargets(const llvm::CallBase &Call);

  const PointerMoves &movesIn(const llvm::Function &F);

  std::map<const llvm::Function *, CallSummary> Known;
  std::map<const llvm::Function *, PointerMoves> Moves;
};

} // namespace blockmaestro

#endif
