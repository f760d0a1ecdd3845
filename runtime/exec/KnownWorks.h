// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the works that have come, by their arguments, with what they
// touch and which of them meet.
// On the data's way: inside Streams; asks WorkRelations once about a work, and
// once about two of them.
// Invariants:
//  - What a work touches was found since the relations last changed.
//  - A work that has come before costs no memory.
//  - References stay until forget().
// Threads: one caller.

#ifndef BLOCKMAESTRO_RUNTIME_EXEC_KNOWNWORKS_H
#define BLOCKMAESTRO_RUNTIME_EXEC_KNOWNWORKS_H

#include "ChainOrder.h"
#include "HeldWork.h"
#include "StreamLanes.h"

#include <cstdint>
#include <memory>
#include <unordered_map>

namespace blockmaestro {

struct KnownWork {
  HeldWork Kept; ///< On no stream.
  /// Null: it keeps its place.
  std::unique_ptr<WorkRelations::Touched> Touches;
  uint64_t Version = 0;          ///< Of the relations, when they were asked.
  uint64_t Number = 0;           ///< Another one for each time that they were.
  StreamLanes::Credit Marks = 0; ///< See Note [Late events].
  StreamLanes::Credit Forks = 0; ///< The same, in front of it.
};

class KnownWorks {
public:
  KnownWork &find(const GpuWork &What, WorkRelations &By);
  /// Whether two meet; one that keeps its place meets all.
  bool meet(KnownWork &Earlier, KnownWork &Later, WorkRelations &By);

  bool isFull() const { return Works.size() >= MostWorks; }
  void forget();

  static constexpr size_t MostWorks = 4096;
  static constexpr size_t MostPairs = 1 << 16;

private:
  KnownWork &lookUp(const GpuWork &What);

  std::unordered_map<uint64_t, std::unique_ptr<KnownWork>> Works; ///< By hash.
  HeldWork Next; ///< The work that is looked for.
  uint64_t Numbers = 0;
  /// By the numbers of two works.
  std::unordered_map<uint64_t, bool> Meets;
};

} // namespace blockmaestro

#endif
