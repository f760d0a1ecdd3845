// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GraphUpdate.h"

#include <map>
#include <utility>
#include <vector>

namespace blockmaestro::emulated {
namespace {

struct Pair {
  GraphNode *Old;
  GraphNode *New;
};

/// Finds the pairs of nodes; says where that fails.
class Matcher {
public:
  UpdateOutcome match(const Graph &Old, const Graph &New);
  std::vector<Pair> Pairs; ///< All of them, child graphs' as well.

private:
  bool pair(GraphNode *Old, GraphNode *New);
  UpdateOutcome matchNeeds(const Pair &Of);
  UpdateOutcome matchChildren();

  std::map<GraphNode *, GraphNode *> NewOf;
  std::map<GraphNode *, GraphNode *> OldOf;
  std::vector<Pair> Here;
};

UpdateOutcome topology(GraphNode *At, GraphNode *From = nullptr) {
  return {cudaGraphExecUpdateErrorTopologyChanged, At, From};
}

/// False when one of them already has another partner.
bool Matcher::pair(GraphNode *Old, GraphNode *New) {
  auto Known = NewOf.find(Old);
  if (Known != NewOf.end() || OldOf.count(New))
    return Known != NewOf.end() && Known->second == New;
  NewOf[Old] = New;
  OldOf[New] = Old;
  Here.push_back({Old, New});
  return true;
}

UpdateOutcome Matcher::matchNeeds(const Pair &Of) {
  if (Of.Old->Needs.size() != Of.New->Needs.size())
    return topology(Of.New);
  for (size_t I = 0; I < Of.Old->Needs.size(); ++I) {
    const GraphEdge &Old = Of.Old->Needs[I];
    const GraphEdge &New = Of.New->Needs[I];
    if (!(Old.Data == New.Data) || !pair(Old.Other, New.Other))
      return topology(Of.New, New.Other);
  }
  return {};
}

UpdateOutcome Matcher::matchChildren() {
  for (const Pair &Each : Here) {
    if (Each.Old->type() != Each.New->type())
      return {cudaGraphExecUpdateErrorNodeTypeChanged, Each.New};
    Pairs.push_back(Each);
    if (!Each.Old->Child)
      continue;
    Matcher Inside;
    UpdateOutcome Out = Inside.match(*Each.Old->Child, *Each.New->Child);
    if (Out.Result != cudaGraphExecUpdateSuccess)
      return Out;
    Pairs.insert(Pairs.end(), Inside.Pairs.begin(), Inside.Pairs.end());
  }
  return {};
}

UpdateOutcome Matcher::match(const Graph &Old, const Graph &New) {
  if (Old.size() != New.size())
    return topology(nullptr);
  std::vector<GraphNode *> OldEnds = Old.leaves(), NewEnds = New.leaves();
  if (OldEnds.size() != NewEnds.size())
    return topology(NewEnds.empty() ? nullptr : NewEnds.back());
  for (size_t I = 0; I < OldEnds.size(); ++I)
    (void)pair(OldEnds[I], NewEnds[I]);
  for (size_t I = 0; I < Here.size(); ++I) {
    Pair Next = Here[I];
    UpdateOutcome Out = matchNeeds(Next);
    if (Out.Result != cudaGraphExecUpdateSuccess)
      return Out;
  }
  return Here.size() == Old.size() ? matchChildren() : topology(nullptr);
}

/// What may differ between old and new parameters of each kind.
struct Changes {
  const Command &New;

  cudaGraphExecUpdateResult sameIf(bool Same) const {
    return Same ? cudaGraphExecUpdateSuccess
                : cudaGraphExecUpdateErrorParametersChanged;
  }
  cudaGraphExecUpdateResult operator()(const LaunchCommand &Old) const {
    const Launch &Now = *std::get<LaunchCommand>(New).What;
    return Old.What->Cooperative == Now.Cooperative &&
                   Old.What->Cluster == Now.Cluster
               ? cudaGraphExecUpdateSuccess
               : cudaGraphExecUpdateErrorAttributesChanged;
  }
  cudaGraphExecUpdateResult operator()(const CopyCommand &Old) const {
    return sameIf(Old.What.kind == std::get<CopyCommand>(New).What.kind);
  }
  /// Only a single row may change its length.
  cudaGraphExecUpdateResult operator()(const FillCommand &Old) const {
    const FillCommand &Now = std::get<FillCommand>(New);
    bool Row = Old.Height == 1 && Old.Depth == 1;
    return sameIf(Old.Height == Now.Height && Old.Depth == Now.Depth &&
                  (Row || (Old.Width == Now.Width && Old.Pitch == Now.Pitch &&
                           Old.ElementBytes == Now.ElementBytes)));
  }
  cudaGraphExecUpdateResult operator()(const AllocateCommand &Old) const {
    return sameIf(Old.What.dptr == std::get<AllocateCommand>(New).What.dptr);
  }
  cudaGraphExecUpdateResult operator()(const FreeCommand &Old) const {
    return sameIf(Old.Address == std::get<FreeCommand>(New).Address);
  }
  template <typename T> cudaGraphExecUpdateResult operator()(const T &) const {
    return cudaGraphExecUpdateSuccess;
  }
};

} // namespace

cudaGraphExecUpdateResult mayChange(const Command &Old, const Command &New) {
  return Old.index() == New.index() ? std::visit(Changes{New}, Old)
                                    : cudaGraphExecUpdateErrorNodeTypeChanged;
}

UpdateOutcome updateGraph(Graph &Which, const Graph &To) {
  Matcher Found;
  UpdateOutcome Out = Found.match(Which, To);
  if (Out.Result != cudaGraphExecUpdateSuccess)
    return Out;
  for (const Pair &Each : Found.Pairs) {
    cudaGraphExecUpdateResult Result =
        mayChange(Each.Old->What, Each.New->What);
    if (Result != cudaGraphExecUpdateSuccess)
      return {Result, Each.New};
  }
  for (const Pair &Each : Found.Pairs) {
    Each.Old->What = Each.New->What;
    Each.Old->Attributes = Each.New->Attributes;
  }
  return Out;
}

} // namespace blockmaestro::emulated
