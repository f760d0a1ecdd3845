// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: how far a lane has come, so that of two lanes it can be said
// which one a warp executes first.
// On the data's way: part of WarpTracer.
//
// A position is a list of numbers that are compared from the first on. Within a
// function they are, from the outermost loop to the innermost, the loop's first
// step and how often the lane has come back to it, and last the step; in a
// function that is called, behind those of the call. So lanes that have left a
// loop wait for those that are in it, and lanes that have skipped a branch for
// those that take it: control comes together again as early as it can. Where it
// is not reducible to loops a lane may go back; the order is then as good as
// any. Ownership: the code is borrowed. Threads: none inside.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_LANEPOSITION_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_LANEPOSITION_H

#include "TracedCode.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace blockmaestro {

class LanePosition {
public:
  /// The lane goes to a step.
  void visit(uint32_t Step, const std::vector<StepPlace> &Places);
  /// It leaves the function that was called last.
  void leave();
  void clear();

  /// Lanes in the same step of the same iterations have the same.
  const std::vector<uint32_t> &parts() const { return Parts; }

private:
  struct Frame {
    size_t Begin;  ///< Of its part of Parts.
    uint32_t Step; ///< The last one.
  };

  std::vector<uint32_t> Parts;
  std::vector<Frame> Frames;
};

} // namespace blockmaestro

#endif
