// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GraphHandles.h"

namespace blockmaestro::emulated {

void GraphHandles::add(const void *Object, Kind Is) {
  std::lock_guard<std::mutex> Held(Lock);
  Alive[Object] = Is;
}

void GraphHandles::remove(const void *Object) {
  std::lock_guard<std::mutex> Held(Lock);
  Alive.erase(Object);
}

bool GraphHandles::lives(const void *Object, Kind Is) const {
  std::lock_guard<std::mutex> Held(Lock);
  auto Found = Alive.find(Object);
  return Found != Alive.end() && Found->second == Is;
}

Graph *GraphHandles::graph(cudaGraph_t Handle) const {
  return lives(Handle, Kind::Graph) ? reinterpret_cast<Graph *>(Handle)
                                    : nullptr;
}

GraphNode *GraphHandles::node(cudaGraphNode_t Handle) const {
  return lives(Handle, Kind::Node) ? reinterpret_cast<GraphNode *>(Handle)
                                   : nullptr;
}

GraphExec *GraphHandles::exec(cudaGraphExec_t Handle) const {
  return lives(Handle, Kind::Exec) ? reinterpret_cast<GraphExec *>(Handle)
                                   : nullptr;
}

UserObject *GraphHandles::object(cudaUserObject_t Handle) const {
  return lives(Handle, Kind::Object) ? reinterpret_cast<UserObject *>(Handle)
                                     : nullptr;
}

} // namespace blockmaestro::emulated
