// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a kernel as its warps are traced: its code in steps, where each
// step lies, and which access of a step each marked access is.
// On the data's way: made by WarpCoding, kept in a CompiledUnit, read by
// WarpTracer.
// Invariants: steps are numbered function by function, in reverse post order
// within one, so that the header of a loop comes before the rest of it; a step
// is a basic block, or a part of one that is cut behind calls and whatever
// waits. Threads: plain values.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_TRACEDCODE_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_TRACEDCODE_H

#include "blockmaestro/WarpTrace.h"

#include <cstdint>
#include <vector>

namespace blockmaestro {

struct StepPlace {
  std::vector<uint32_t> Loops; ///< The first steps of those around it, the
                               ///< outermost first.
  uint32_t Accesses = 0;       ///< How many of its instructions are some.
  bool IsEntry = false;        ///< Of a function that is called.
};

/// What code that is traced says instead of a step: it leaves a function that
/// was called.
inline constexpr uint32_t LeavesFunction = ~0u;

struct TracedCode {
  WarpCode Code;
  std::vector<StepPlace> Places; ///< By step.
  /// Of each marked access, by its number, which one of its step it is.
  std::vector<uint32_t> Sites;
};

} // namespace blockmaestro

#endif
