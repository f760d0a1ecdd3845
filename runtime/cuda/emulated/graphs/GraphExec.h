// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: an executable graph: a graph's copy that can be launched.
// On the data's way: made of a Graph, changed node by node or as a whole
// (GraphUpdate.h), launched into a stream as one group of operations.
// Invariants: the copy has no cycle; launches run one after the other; a change
// is for later launches only.
// Ownership: owns its copy and the references to user objects; launches under
// way keep what they need.
// Threads: the callers hold GraphState::Lock, inside which the lock of the
// device's state may be taken.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_GRAPHS_GRAPHEXEC_H
#define BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_GRAPHS_GRAPHEXEC_H

#include "Engine.h"
#include "Graph.h"
#include "GraphMemory.h"

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

namespace blockmaestro::emulated {

/// One operation of a launch.
struct GraphStep {
  Command Asked;
  Work What;                   ///< Of Asked.
  std::vector<uint32_t> Needs; ///< Earlier steps.
};

/// A graph with its child graphs, flat.
struct GraphPlan {
  std::vector<GraphStep> Steps;
  std::vector<uint32_t> Ends; ///< Steps that no other needs.
  MemorySteps Memory;
  ObjectReferences Objects;
};

class GraphExec {
public:
  /// The graph has no cycle, here or in child graphs.
  GraphExec(Graph &From, unsigned long long Flags);
  ~GraphExec();

  /// The node that is the copy of the graph's; null when there is none.
  GraphNode *copyOf(const GraphNode &Original) const;
  const Graph &graph() const { return *Copy; }
  Graph &graph() { return *Copy; }
  unsigned long long flags() const { return Flags; }
  /// After a change of the copy.
  void changed() { Plan.reset(); }

  /// What a launch does; null, and Error, when work of a node cannot be done.
  std::shared_ptr<const GraphPlan> plan(cudaError_t &Error);
  /// The launches, copies and fills it does, each of which may come behind the
  /// one before; or why that is not all.
  Result<std::vector<Command>> steps();
  /// After what is in the stream and the launches before.
  cudaError_t launch(cudaStream_t Stream);

private:
  Result<OperationRef> submit(const GraphPlan &What,
                              std::span<const OperationRef> After);

  const unsigned long long Flags;
  std::unique_ptr<Graph> Copy;
  std::shared_ptr<unsigned> Executables; ///< Counts those of the graph.
  MemorySteps Memory;
  std::shared_ptr<const GraphPlan> Plan;
  OperationRef Last; ///< Of the launch before.
};

} // namespace blockmaestro::emulated

#endif
