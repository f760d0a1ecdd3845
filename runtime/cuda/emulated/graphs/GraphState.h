// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the graphs of the emulated device, their memory, and captures.
// On the data's way: changed and asked by the calls about graphs, and by all
// that ask captures (Capture.h) or free memory.
// Invariants: as of EngineState.h: one in a process, never destroyed.
// Threads: see Lock; handles and memory have locks of their own.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_GRAPHS_GRAPHSTATE_H
#define BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_GRAPHS_GRAPHSTATE_H

#include "Captures.h"
#include "GraphHandles.h"
#include "GraphMemory.h"

#include <mutex>

namespace blockmaestro::emulated {

struct GraphState {
  /// Held by every call about graphs and captures while it looks at them; never
  /// while anything waits or code of the program runs.
  std::mutex Lock;
  GraphHandles Handles;
  GraphMemory Memory;
  Captures Captured; ///< Under Lock, but for what says otherwise.
};

GraphState &graphState();

} // namespace blockmaestro::emulated

#endif
