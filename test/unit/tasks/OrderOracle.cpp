// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OrderOracle.h"

namespace blockmaestro {

static bool conflict(const TaskGraph::Range &A, const TaskGraph::Range &B) {
  const bool Together = A.How == B.How && (A.How == DependKind::In ||
                                           A.How == DependKind::InOutSet);
  const uint64_t EndA = A.Address + (A.Bytes ? A.Bytes : 1);
  const uint64_t EndB = B.Address + (B.Bytes ? B.Bytes : 1);
  return !Together && A.Address < EndB && B.Address < EndA;
}

/// Each row as a range.
static std::vector<TaskGraph::Range>
rowsOf(const std::vector<TaskGraph::Range> &Ranges) {
  std::vector<TaskGraph::Range> Out;
  for (const TaskGraph::Range &Each : Ranges)
    for (uint32_t Row = 0; Row < Each.Count; ++Row)
      Out.push_back({Each.Address + Row * Each.AddressStep,
                     Each.Bytes + Row * Each.BytesStep, Each.How});
  return Out;
}

uint64_t OrderOracle::conflicts(const std::vector<Range> &Ranges) const {
  uint64_t Out = Ended;
  for (size_t Task = 0; Task < Tasks.size(); ++Task)
    for (const Range &Mine : Ranges)
      for (const Range &Theirs : Tasks[Task])
        if (conflict(Theirs, Mine))
          Out |= uint64_t(1) << Task;
  for (size_t Task = 0; Task < Tasks.size(); ++Task)
    if (Out >> Task & 1)
      Out |= Before[Task];
  return Out;
}

void OrderOracle::add(const std::vector<Range> &Ranges, bool Undeferred) {
  const std::vector<Range> Rows = rowsOf(Ranges);
  Before.push_back(conflicts(Rows));
  Tasks.push_back(Rows);
  if (Undeferred)
    Ended |= Before.back() | uint64_t(1) << (Tasks.size() - 1);
}

void OrderOracle::waitAll() {
  for (size_t Task = 0; Task < Tasks.size(); ++Task)
    Ended |= uint64_t(1) << Task;
}

void OrderOracle::waitFor(const std::vector<Range> &Ranges) {
  Ended |= conflicts(rowsOf(Ranges));
}

void OrderOracle::beginGroup() { Groups.push_back(Tasks.size()); }

void OrderOracle::endGroup() {
  for (size_t Task = Groups.back(); Task < Tasks.size(); ++Task)
    Ended |= Before[Task] | uint64_t(1) << Task;
  Groups.pop_back();
}

std::vector<uint64_t> tasksBefore(const TaskGraph &Graph) {
  const std::vector<TaskNode> &Nodes = Graph.nodes();
  std::vector<uint64_t> ByNode(Nodes.size()), Out(Graph.tasks());
  for (uint32_t Node = 0; Node < Nodes.size(); ++Node) {
    for (uint32_t Each : Graph.producers().of(Node)) {
      ByNode[Node] |= ByNode[Each];
      if (Nodes[Each].Task != TaskNode::Join)
        ByNode[Node] |= uint64_t(1) << Nodes[Each].Task;
    }
    if (Nodes[Node].Task != TaskNode::Join)
      Out[Nodes[Node].Task] = ByNode[Node];
  }
  return Out;
}

} // namespace blockmaestro
