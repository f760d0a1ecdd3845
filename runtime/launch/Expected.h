// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what the front end holds true of a launch, or of a copy, before
// it runs: what it is to touch and what it waits for.
// On the data's way: runtime/cuda -> Device::expect -> runtime/check.
// Invariants: nodes are numbered in the order issued. Once an earlier node is
// left out of InFlight, no later node names it again.
// Ownership and threads: plain values.

#ifndef BLOCKMAESTRO_RUNTIME_LAUNCH_EXPECTED_H
#define BLOCKMAESTRO_RUNTIME_LAUNCH_EXPECTED_H

#include "Window.h"
#include "blockmaestro/Launch.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace blockmaestro {

struct ExpectedNode {
  uint64_t Node = 0;                  ///< As the window numbers it.
  std::shared_ptr<const Launch> What; ///< Null when it is no launch.
  std::shared_ptr<const LaunchAccesses> Touched;
  /// Its relations to earlier nodes, those too that others imply.
  std::vector<Need> Needs;
  /// Every earlier node that may still be running, oldest first.
  std::vector<uint64_t> InFlight;
  /// Of those, the ones that the program does not order before it; ascending.
  std::vector<uint64_t> Unordered = {};
  /// Its blocks are tasks, none of which comes behind another.
  bool AreTasks = false;
};

} // namespace blockmaestro

#endif
