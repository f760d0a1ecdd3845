// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: runs of works from one fence to the next that had better be held
// as a whole, and whether the run under way may become one of them.
// On the data's way: inside Chained.
// Threads: one caller.

#ifndef BLOCKMAESTRO_RUNTIME_EXEC_EXPECTEDRUNS_H
#define BLOCKMAESTRO_RUNTIME_EXEC_EXPECTEDRUNS_H

#include "HeldWork.h"

#include <cstddef>
#include <span>
#include <vector>

namespace blockmaestro {

class ExpectedRuns {
public:
  /// A run begins.
  void begin();
  /// It goes on with this work. Whether it may still become an expected one.
  bool goesOn(const GpuWork &With);
  /// It can become no longer one.
  bool isComplete() const;
  /// It has ended like this, and should be held as a whole or not.
  void ended(std::span<const HeldWork> Like, bool Wanted);
  void forget() { Runs.clear(); }

  static constexpr size_t MostRuns = 8;
  /// A run is expected no more when it has begun so often in a row and has
  /// become another.
  static constexpr unsigned MostMissed = 3;

private:
  struct Run {
    void *Stream = nullptr;
    std::vector<NodeKind> Kinds;
    unsigned Missed = 0;
    bool Matches = false; ///< The run under way has begun like it.

    bool is(std::span<const HeldWork> Other) const;
  };

  std::vector<Run> Runs; ///< The one that came last is the last.
  size_t Length = 0;     ///< Of the run under way.
};

} // namespace blockmaestro

#endif
