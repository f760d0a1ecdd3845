// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a CUDA graph: nodes of work with edges between them.
// On the data's way: filled by the calls that add nodes (GraphNodes.cpp) or by
// a capture (CaptureCalls.cpp), copied into an executable graph (GraphExec.h).
// Invariants: both ends of an edge are in the same graph; an edge is in the
// Needs of its later and the Users of its earlier node, in the order made;
// there are no two equal edges. That there is no cycle is checked by order().
// Ownership: a graph owns its nodes, a node its child graph.
// Threads: none of its own; the callers hold GraphState::Lock.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_GRAPHS_GRAPH_H
#define BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_GRAPHS_GRAPH_H

#include "Command.h"
#include "GraphObjects.h"

#include <cuda_runtime_api.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace blockmaestro::emulated {

class Graph;
struct GraphNode;

/// One end of an edge, seen from the other.
struct GraphEdge {
  GraphNode *Other = nullptr;
  cudaGraphEdgeData Data = {};
};

bool operator==(const cudaGraphEdgeData &A, const cudaGraphEdgeData &B);
bool operator==(const GraphEdge &A, const GraphEdge &B);

struct GraphNode {
  GraphNode(Graph &Of, Command What);
  ~GraphNode();

  cudaGraphNodeType type() const;

  Graph &Of;
  uint64_t Id;             ///< Unique in the process.
  uint64_t ClonedFrom = 0; ///< Id of the node this is a copy of; 0: none.
  Command What;
  std::unique_ptr<Graph> Child; ///< What is EmptyCommand then.
  std::vector<GraphEdge> Needs;
  std::vector<GraphEdge> Users;
  bool Enabled = true; ///< Of nodes of executable graphs.
  /// Of kernels, as set by the program.
  std::map<cudaLaunchAttributeID, cudaLaunchAttributeValue> Attributes;
  /// Of kernels: what cudaKernelNodeParams::kernelParams points to.
  std::vector<void *> Parameters;
};

class Graph {
public:
  Graph();
  /// With references of its own to these objects.
  explicit Graph(const ObjectReferences &Kept);
  ~Graph();
  Graph(const Graph &) = delete;
  Graph &operator=(const Graph &) = delete;

  /// Adds a node after others of this graph; null when these are not of this
  /// graph or named twice.
  GraphNode *add(Command What, const std::vector<GraphEdge> &Needs);
  /// The same with a child graph, which is taken only when there is a node.
  GraphNode *addChild(std::unique_ptr<Graph> &Child,
                      const std::vector<GraphEdge> &Needs);
  /// cudaErrorInvalidValue for nodes of other graphs, loops to oneself, edges
  /// that exist (connect) or do not (disconnect), and data that the nodes
  /// cannot have.
  cudaError_t connect(GraphNode &From, GraphNode &To,
                      const cudaGraphEdgeData &Data);
  cudaError_t disconnect(GraphNode &From, GraphNode &To,
                         const cudaGraphEdgeData &Data);
  /// Takes it out, with all its edges.
  std::unique_ptr<GraphNode> take(GraphNode &Node);

  /// In the order added.
  std::vector<GraphNode *> nodes() const;
  /// Each after all it needs, else in the order added; nothing when there is a
  /// cycle.
  std::optional<std::vector<GraphNode *>> order() const;
  /// A node of a cycle; null when there is none.
  GraphNode *nodeOfCycle() const;
  /// Nodes that no other node needs.
  std::vector<GraphNode *> leaves() const;
  /// Whether every node of Some is one of Ends or before one of them.
  bool leadTo(const std::vector<GraphEdge> &Some,
              const std::vector<GraphEdge> &Ends) const;

  std::unique_ptr<Graph> clone() const;
  /// The copy of a node in this graph or a child graph of it; null when there
  /// is none.
  GraphNode *copyOf(uint64_t Id) const;
  /// Whether a node allocates or frees memory, here or in a child graph.
  bool usesMemoryNodes() const;

  size_t size() const { return Nodes.size(); }
  uint64_t id() const { return Id; }
  /// Id of the graph this is a copy of; 0: none.
  uint64_t clonedFrom() const { return ClonedFrom; }
  /// The node whose child it is; null for a graph of its own.
  GraphNode *Parent = nullptr;
  /// A capture fills it: nodes cannot be removed, nor the graph.
  bool Capturing = false;
  /// Kept alive by it and by everything made of it.
  ObjectReferences Objects;
  /// How many executable graphs there are of it.
  std::shared_ptr<unsigned> Executables = std::make_shared<unsigned>(0);

private:
  bool mayNeed(const GraphNode &Node,
               const std::vector<GraphEdge> &Needs) const;
  GraphNode *insert(std::unique_ptr<GraphNode> Made,
                    const std::vector<GraphEdge> &Needs);
  bool edgeFits(const GraphNode &From, const GraphNode &To,
                const cudaGraphEdgeData &Data) const;

  uint64_t Id;
  uint64_t ClonedFrom = 0;
  std::vector<std::unique_ptr<GraphNode>> Nodes;
};

} // namespace blockmaestro::emulated

#endif
