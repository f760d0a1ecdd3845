// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a kernel's tree as steps with jumps, functions in place of their
// calls, so that a thread can stop anywhere and go on.
// On the data's way: between the tree and its interpretation. Threads: no
// state.

#ifndef BLOCKMAESTRO_TEST_BARRIERS_FLATTEN_H
#define BLOCKMAESTRO_TEST_BARRIERS_FLATTEN_H

#include "Program.h"

namespace blockmaestro::barriers {

/// Loops around each other, with those of a called function.
inline constexpr unsigned MostLoops = 8;

enum class Action : uint8_t {
  Run,    ///< The statement, then the next step.
  Branch, ///< To Targets[condition].
  Select, ///< To Targets[Left % 3].
  Jump,   ///< To Targets[0].
  Enter,  ///< Sets the loop's counter, bound and iteration.
  Count,  ///< Counter by one step.
  More,   ///< To Targets[counter < bound], one more iteration where so.
  Again,  ///< One more iteration without a test.
  End,    ///< The thread leaves.
};

struct Step {
  Action Does = Action::Run;
  const Statement *Of = nullptr;
  unsigned Loops = 0; ///< Loops around it; the loop's own number for its steps.
  unsigned Base = 0;  ///< Loops around the function it is written in.
  unsigned Targets[3] = {0, 0, 0};
};

std::vector<Step> flatten(const Kernel &K);

} // namespace blockmaestro::barriers

#endif
