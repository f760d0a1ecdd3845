// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Graph.h"

#include "GraphState.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <set>
#include <utility>

namespace blockmaestro::emulated {
namespace {

uint64_t nextId() {
  static std::atomic<uint64_t> Last{0};
  return ++Last;
}

struct TypeOfWork {
  cudaGraphNodeType operator()(const EmptyCommand &) const {
    return cudaGraphNodeTypeEmpty;
  }
  cudaGraphNodeType operator()(const LaunchCommand &) const {
    return cudaGraphNodeTypeKernel;
  }
  cudaGraphNodeType operator()(const CopyCommand &) const {
    return cudaGraphNodeTypeMemcpy;
  }
  cudaGraphNodeType operator()(const FillCommand &) const {
    return cudaGraphNodeTypeMemset;
  }
  /// A library of NVIDIA's launches kernels.
  cudaGraphNodeType operator()(const LibraryCommand &) const {
    return cudaGraphNodeTypeKernel;
  }
  cudaGraphNodeType operator()(const HostCommand &) const {
    return cudaGraphNodeTypeHost;
  }
  cudaGraphNodeType operator()(const RecordCommand &) const {
    return cudaGraphNodeTypeEventRecord;
  }
  cudaGraphNodeType operator()(const WaitCommand &) const {
    return cudaGraphNodeTypeWaitEvent;
  }
  cudaGraphNodeType operator()(const AllocateCommand &) const {
    return cudaGraphNodeTypeMemAlloc;
  }
  cudaGraphNodeType operator()(const FreeCommand &) const {
    return cudaGraphNodeTypeMemFree;
  }
};

bool hasTwice(const std::vector<GraphEdge> &Edges) {
  std::set<const GraphNode *> Seen;
  for (const GraphEdge &Each : Edges)
    if (!Seen.insert(Each.Other).second)
      return true;
  return false;
}

/// For so many more, so that adding them cannot fail.
template <typename T> void makeRoom(std::vector<T> &In, size_t More = 1) {
  if (In.capacity() - In.size() < More)
    In.reserve(In.size() + std::max(More, In.size()));
}

/// How many edges of each node still wait for a node that is not in an order.
using Waiting = std::map<const GraphNode *, size_t>;

/// The nodes that can be put in order; Left keeps the edges of the others.
std::vector<GraphNode *> sorted(const std::vector<GraphNode *> &Nodes,
                                Waiting &Left) {
  std::vector<GraphNode *> Out;
  for (GraphNode *Each : Nodes) {
    Left[Each] = Each->Needs.size();
    if (Each->Needs.empty())
      Out.push_back(Each);
  }
  for (size_t I = 0; I < Out.size(); ++I)
    for (const GraphEdge &Each : Out[I]->Users)
      if (--Left[Each.Other] == 0)
        Out.push_back(Each.Other);
  return Out;
}

} // namespace

bool operator==(const cudaGraphEdgeData &A, const cudaGraphEdgeData &B) {
  return A.from_port == B.from_port && A.to_port == B.to_port &&
         A.type == B.type;
}

bool operator==(const GraphEdge &A, const GraphEdge &B) {
  return A.Other == B.Other && A.Data == B.Data;
}

GraphNode::GraphNode(Graph &Of, Command What)
    : Of(Of), Id(nextId()), What(std::move(What)) {
  graphState().Handles.add(this);
}

GraphNode::~GraphNode() {
  graphState().Handles.remove(this);
  auto *Taken = std::get_if<AllocateCommand>(&What);
  if (Taken && ClonedFrom == 0)
    graphState().Memory.dropped(Taken->What.dptr);
}

cudaGraphNodeType GraphNode::type() const {
  return Child ? cudaGraphNodeTypeGraph : std::visit(TypeOfWork(), What);
}

Graph::Graph() : Graph(ObjectReferences()) {}

Graph::Graph(const ObjectReferences &Kept) : Objects(Kept), Id(nextId()) {
  graphState().Handles.add(this);
}

Graph::~Graph() { graphState().Handles.remove(this); }

/// Edges that are not ordinary start at a kernel's trigger and end at a kernel.
bool Graph::edgeFits(const GraphNode &From, const GraphNode &To,
                     const cudaGraphEdgeData &Data) const {
  const unsigned char None[sizeof(Data.reserved)] = {};
  if (Data.to_port != 0 || std::memcmp(Data.reserved, None, sizeof(None)) != 0)
    return false;
  if (Data.type == cudaGraphDependencyTypeDefault)
    return Data.from_port == cudaGraphKernelNodePortDefault;
  return Data.type == cudaGraphDependencyTypeProgrammatic &&
         (Data.from_port == cudaGraphKernelNodePortProgrammatic ||
          Data.from_port == cudaGraphKernelNodePortLaunchCompletion) &&
         From.type() == cudaGraphNodeTypeKernel &&
         To.type() == cudaGraphNodeTypeKernel;
}

bool Graph::mayNeed(const GraphNode &Node,
                    const std::vector<GraphEdge> &Needs) const {
  return !hasTwice(Needs) &&
         std::all_of(Needs.begin(), Needs.end(), [&](const GraphEdge &Each) {
           return &Each.Other->Of == this &&
                  edgeFits(*Each.Other, Node, Each.Data);
         });
}

GraphNode *Graph::insert(std::unique_ptr<GraphNode> Made,
                         const std::vector<GraphEdge> &Needs) {
  makeRoom(Nodes);
  makeRoom(Made->Needs, Needs.size());
  for (const GraphEdge &Each : Needs)
    makeRoom(Each.Other->Users);
  Nodes.push_back(std::move(Made));
  GraphNode *Node = Nodes.back().get();
  for (const GraphEdge &Each : Needs)
    (void)connect(*Each.Other, *Node, Each.Data);
  return Node;
}

GraphNode *Graph::add(Command What, const std::vector<GraphEdge> &Needs) {
  auto Made = std::make_unique<GraphNode>(*this, std::move(What));
  return mayNeed(*Made, Needs) ? insert(std::move(Made), Needs) : nullptr;
}

GraphNode *Graph::addChild(std::unique_ptr<Graph> &Child,
                           const std::vector<GraphEdge> &Needs) {
  auto Made = std::make_unique<GraphNode>(*this, EmptyCommand{});
  if (!mayNeed(*Made, Needs))
    return nullptr;
  Child->Parent = Made.get();
  Made->Child = std::move(Child);
  return insert(std::move(Made), Needs);
}

cudaError_t Graph::connect(GraphNode &From, GraphNode &To,
                           const cudaGraphEdgeData &Data) {
  GraphEdge Edge{&From, Data};
  bool Exists =
      std::find(To.Needs.begin(), To.Needs.end(), Edge) != To.Needs.end();
  if (&From == &To || &From.Of != this || &To.Of != this || Exists ||
      !edgeFits(From, To, Data))
    return cudaErrorInvalidValue;
  makeRoom(To.Needs);
  makeRoom(From.Users);
  To.Needs.push_back(Edge);
  From.Users.push_back({&To, Data});
  return cudaSuccess;
}

cudaError_t Graph::disconnect(GraphNode &From, GraphNode &To,
                              const cudaGraphEdgeData &Data) {
  auto Need =
      std::find(To.Needs.begin(), To.Needs.end(), GraphEdge{&From, Data});
  if (&From.Of != this || &To.Of != this || Need == To.Needs.end())
    return cudaErrorInvalidValue;
  To.Needs.erase(Need);
  From.Users.erase(
      std::find(From.Users.begin(), From.Users.end(), GraphEdge{&To, Data}));
  return cudaSuccess;
}

std::unique_ptr<GraphNode> Graph::take(GraphNode &Node) {
  while (!Node.Needs.empty())
    (void)disconnect(*Node.Needs.back().Other, Node, Node.Needs.back().Data);
  while (!Node.Users.empty())
    (void)disconnect(Node, *Node.Users.back().Other, Node.Users.back().Data);
  auto Found = std::find_if(Nodes.begin(), Nodes.end(), [&](const auto &Each) {
    return Each.get() == &Node;
  });
  std::unique_ptr<GraphNode> Out = std::move(*Found);
  Nodes.erase(Found);
  return Out;
}

std::vector<GraphNode *> Graph::nodes() const {
  std::vector<GraphNode *> Out;
  for (const auto &Each : Nodes)
    Out.push_back(Each.get());
  return Out;
}

std::optional<std::vector<GraphNode *>> Graph::order() const {
  Waiting Left;
  std::vector<GraphNode *> Out = sorted(nodes(), Left);
  if (Out.size() != Nodes.size())
    return std::nullopt;
  return Out;
}

GraphNode *Graph::nodeOfCycle() const {
  Waiting Left;
  (void)sorted(nodes(), Left);
  auto Stays = [&](const GraphEdge &Edge) { return Left.at(Edge.Other) > 0; };
  auto First = std::find_if(Nodes.begin(), Nodes.end(), [&](const auto &Each) {
    return Left.at(Each.get()) > 0;
  });
  if (First == Nodes.end())
    return nullptr;
  GraphNode *At = First->get();
  for (size_t Steps = 0; Steps < Nodes.size(); ++Steps)
    At = std::find_if(At->Needs.begin(), At->Needs.end(), Stays)->Other;
  return At;
}

std::vector<GraphNode *> Graph::leaves() const {
  std::vector<GraphNode *> Out;
  for (const auto &Each : Nodes)
    if (Each->Users.empty())
      Out.push_back(Each.get());
  return Out;
}

bool Graph::leadTo(const std::vector<GraphEdge> &Some,
                   const std::vector<GraphEdge> &Ends) const {
  std::set<const GraphNode *> Before;
  std::vector<const GraphNode *> Open;
  auto Visit = [&](const std::vector<GraphEdge> &Edges) {
    for (const GraphEdge &Each : Edges)
      if (Before.insert(Each.Other).second)
        Open.push_back(Each.Other);
  };
  Visit(Ends);
  while (!Open.empty()) {
    const GraphNode *Last = Open.back();
    Open.pop_back();
    Visit(Last->Needs);
  }
  return std::all_of(Some.begin(), Some.end(), [&](const GraphEdge &Each) {
    return Before.count(Each.Other) != 0;
  });
}

std::unique_ptr<Graph> Graph::clone() const {
  auto Out = std::make_unique<Graph>(Objects);
  Out->ClonedFrom = Id;
  std::map<const GraphNode *, GraphNode *> Copies;
  for (const auto &Each : Nodes) {
    std::unique_ptr<Graph> Child;
    if (Each->Child)
      Child = Each->Child->clone();
    GraphNode *Copy =
        Child ? Out->addChild(Child, {}) : Out->add(Each->What, {});
    Copy->ClonedFrom = Each->Id;
    Copy->Enabled = Each->Enabled;
    Copy->Attributes = Each->Attributes;
    Copies[Each.get()] = Copy;
  }
  for (const auto &Each : Nodes) {
    GraphNode &Copy = *Copies[Each.get()];
    for (const GraphEdge &Need : Each->Needs)
      Copy.Needs.push_back({Copies[Need.Other], Need.Data});
    for (const GraphEdge &User : Each->Users)
      Copy.Users.push_back({Copies[User.Other], User.Data});
  }
  return Out;
}

GraphNode *Graph::copyOf(uint64_t Of) const {
  for (const auto &Each : Nodes) {
    if (Each->ClonedFrom == Of)
      return Each.get();
    if (GraphNode *Inside = Each->Child ? Each->Child->copyOf(Of) : nullptr)
      return Inside;
  }
  return nullptr;
}

bool Graph::usesMemoryNodes() const {
  return std::any_of(Nodes.begin(), Nodes.end(), [](const auto &Each) {
    return std::holds_alternative<AllocateCommand>(Each->What) ||
           std::holds_alternative<FreeCommand>(Each->What) ||
           (Each->Child && Each->Child->usesMemoryNodes());
  });
}

} // namespace blockmaestro::emulated
