// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: which graphs, nodes, executable graphs and user objects there
// are, so that a handle the program gives is checked before it is used.
// Invariants: an object is here from the end of its construction to the start
// of its destruction.
// Threads: any; a lock of its own, inside which nothing else is called.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_GRAPHS_GRAPHHANDLES_H
#define BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_GRAPHS_GRAPHHANDLES_H

#include <cuda_runtime_api.h>

#include <mutex>
#include <unordered_map>

namespace blockmaestro::emulated {

class Graph;
class GraphExec;
class UserObject;
struct GraphNode;

class GraphHandles {
public:
  template <typename T> void add(const T *Object) {
    add(Object, kindOf(Object));
  }
  void remove(const void *Object);

  /// Null when there is no such thing, as all of these.
  Graph *graph(cudaGraph_t Handle) const;
  GraphNode *node(cudaGraphNode_t Handle) const;
  GraphExec *exec(cudaGraphExec_t Handle) const;
  UserObject *object(cudaUserObject_t Handle) const;

private:
  enum class Kind { Graph, Node, Exec, Object };
  static Kind kindOf(const Graph *) { return Kind::Graph; }
  static Kind kindOf(const GraphNode *) { return Kind::Node; }
  static Kind kindOf(const GraphExec *) { return Kind::Exec; }
  static Kind kindOf(const UserObject *) { return Kind::Object; }

  void add(const void *Object, Kind Is);
  bool lives(const void *Object, Kind Is) const;

  mutable std::mutex Lock;
  std::unordered_map<const void *, Kind> Alive;
};

inline cudaGraph_t handleOf(Graph *What) {
  return reinterpret_cast<cudaGraph_t>(What);
}
inline cudaGraphNode_t handleOf(GraphNode *What) {
  return reinterpret_cast<cudaGraphNode_t>(What);
}
inline cudaGraphExec_t handleOf(GraphExec *What) {
  return reinterpret_cast<cudaGraphExec_t>(What);
}
inline cudaUserObject_t handleOf(UserObject *What) {
  return reinterpret_cast<cudaUserObject_t>(What);
}

} // namespace blockmaestro::emulated

#endif
