// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: changing an executable graph to what another graph of the same
// shape says.
// On the data's way: cudaGraphExecUpdate() and the change of a child graph.
// Invariants: either everything is changed or nothing.
// Threads: the callers hold GraphState::Lock.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_GRAPHS_GRAPHUPDATE_H
#define BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_GRAPHS_GRAPHUPDATE_H

#include "Graph.h"

namespace blockmaestro::emulated {

struct UpdateOutcome {
  cudaGraphExecUpdateResult Result = cudaGraphExecUpdateSuccess;
  GraphNode *At = nullptr;   ///< A node of the graph that says what to change.
  GraphNode *From = nullptr; ///< The start of an edge that does not match.
};

/// Nodes are matched as CUDA documents it: the last ones in the order added,
/// then what each needs in the order of the edges.
UpdateOutcome updateGraph(Graph &Which, const Graph &To);

/// Whether a node may be changed like this in an executable graph.
cudaGraphExecUpdateResult mayChange(const Command &Old, const Command &New);

} // namespace blockmaestro::emulated

#endif
