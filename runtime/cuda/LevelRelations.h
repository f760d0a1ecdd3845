// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the relations between the levels of a graph of tasks that may be
// in flight together.
// On the data's way: LeveledTasks -> here -> Runtime::runTasks.
// Invariants: levels are asked for in order, from 0. A relation has the pairs
// that the graph has, each with every hazard: what a task declares need not be
// what it touches.
// Threads: one caller.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_LEVELRELATIONS_H
#define BLOCKMAESTRO_RUNTIME_CUDA_LEVELRELATIONS_H

#include "LeveledTasks.h"
#include "Window.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace blockmaestro {

class LevelRelations {
public:
  /// Depth levels may be in flight behind a running one. WithPaths: paths() is
  /// going to be asked for.
  LevelRelations(const LeveledTasks &Of, unsigned Depth, bool WithPaths)
      : Of(Of), Depth(Depth), WithPaths(WithPaths) {}

  /// Goes on to the next level.
  void next();
  /// What it waits for, where level 0 is the node First.
  std::vector<Need> edges(uint64_t First) const;
  /// The same with all pairs that paths order, also by tasks in between.
  std::vector<Need> paths(uint64_t First) const;

private:
  using Places = std::vector<uint32_t>;

  template <typename Lists>
  std::vector<Need> needs(uint64_t First, const Lists &ProducersOf) const;
  void extendPaths();

  const LeveledTasks &Of;
  const unsigned Depth;
  const bool WithPaths;
  size_t Level = SIZE_MAX;
  /// Of the tasks from place KnownFrom on, ascending, which tasks of levels in
  /// flight come before it.
  std::deque<Places> Known;
  uint32_t KnownFrom = 0;
};

} // namespace blockmaestro

#endif
