// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the works that have come, by what decides what they touch, with
// what that is and which of them meet.
// On the data's way: inside Streams; asks WorkRelations once about a work, and
// once about two of them.
// Invariants:
//  - What a work touches was found since the relations last changed.
//  - A work that has come before costs no memory.
//  - References stay until forget().
//  - Works of a kernel of which ever others come, and none has gone beside
//    another for long, keep their place: to find out what they touch takes
//    longer than a launch.
// Threads: one caller.

#ifndef BLOCKMAESTRO_RUNTIME_EXEC_KNOWNWORKS_H
#define BLOCKMAESTRO_RUNTIME_EXEC_KNOWNWORKS_H

#include "ChainOrder.h"
#include "StreamLanes.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace blockmaestro {

struct KnownWork;

/// Of the works of one kernel, or of all copies and fills.
struct WorkUse {
  unsigned InVain = 0;  ///< New ones since one has gone beside another.
  unsigned Skipped = 0; ///< Of these, those that were not looked at.
  KnownWork *Newest = nullptr;
};

struct KnownWork {
  std::vector<uint64_t> Key; ///< See WorkRelations::describe().
  /// Null: it keeps its place.
  std::unique_ptr<WorkRelations::Touched> Touches;
  uint64_t Version = 0; ///< Of the relations, when they were asked.
  uint64_t Number = 0;  ///< Another one for each time that they were.
  WorkUse *Use = nullptr;
  KnownWork *Next = nullptr; ///< What came behind it last.
  /// See Note [Late events]: behind the work, and in front of it. At first
  /// those of the newest work of its kernel.
  StreamLanes::Credit Marks = 0, Forks = 0;
};

class KnownWorks {
public:
  /// Null: it keeps its place, and is not remembered.
  KnownWork *find(const GpuWork &What, WorkRelations &By);
  /// Whether two meet; one that keeps its place meets all.
  bool meet(KnownWork &Earlier, KnownWork &Later, WorkRelations &By);
  /// The work has gone beside another, or another beside it.
  static void wasOfUse(KnownWork &What) { What.Use->InVain = 0; }

  bool isFull() const { return Works.size() >= MostWorks; }
  void forget();
  /// Also of which kernels ever others come.
  void forgetKernels();

  static constexpr size_t MostWorks = 4096;
  static constexpr size_t MostPairs = 1 << 16;
  /// After so many works that were looked at in vain only some are: so many,
  /// each time after so many others.
  static constexpr unsigned MostInVain = 64;
  static constexpr unsigned Tries = 8;
  static constexpr unsigned SkippedBetween = 1024;

private:
  static bool mayLook(WorkUse &Of);
  KnownWork *lookUp(uint64_t &Hash);
  KnownWork &add(uint64_t Hash, WorkUse &Use);

  std::unordered_map<uint64_t, std::unique_ptr<KnownWork>> Works; ///< By hash.
  std::unordered_map<const KernelRecord *, WorkUse> Uses; ///< Copies: null.
  std::vector<uint64_t> Key; ///< Of the work that is looked for.
  KnownWork *Last = nullptr; ///< That was found.
  uint64_t Numbers = 0;
  /// By the numbers of two works.
  std::unordered_map<uint64_t, bool> Meets;
};

} // namespace blockmaestro

#endif
