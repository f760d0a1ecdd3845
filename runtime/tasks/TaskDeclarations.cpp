// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TaskDeclarations.h"

#include "blockmaestro/AccessObserver.h"

namespace blockmaestro {
namespace {

using Ranges = std::vector<TaskRange>;

uint32_t bitsOf(DependKind How) {
  return How == DependKind::In ? AccessReads : AccessReads | AccessWrites;
}

void addRows(const ByteRows &Of, uint32_t Bits, Ranges &To) {
  for (uint32_t Row = 0; Row < Of.Count; ++Row)
    To.push_back({Of.firstOf(Row), Of.lastOf(Row), Bits});
}

/// By number of the task.
std::vector<Ranges> rangesOf(const TaskGraph &Graph) {
  std::vector<Ranges> Out;
  const std::vector<GraphStep> &Steps = Graph.steps();
  for (size_t I = 0; I < Steps.size(); ++I) {
    const GraphStep &Each = Steps[I];
    if (Each.Is == GraphStep::What::Add)
      Out.emplace_back();
    else if (Each.Is == GraphStep::What::Use ||
             Each.Is == GraphStep::What::UseRows)
      addRows(rowsOf(&Each), bitsOf(Each.How), Out.back());
    else if (Each.Is == GraphStep::What::WaitFor)
      I += Each.First;
  }
  const TaskRange All = {0, UINT64_MAX, AccessReads | AccessWrites};
  if (Out.size() < Graph.tasks() && !Out.empty())
    Out.back() = {All};
  Out.resize(Graph.tasks(), {All});
  return Out;
}

} // namespace

std::vector<DeclaredTask> declarationsOf(const TaskGraph &Graph,
                                         const std::vector<uint32_t> &Order) {
  std::vector<Ranges> Known = rangesOf(Graph);
  std::vector<DeclaredTask> Out(Order.size());
  for (size_t Place = 0; Place < Order.size(); ++Place) {
    const TaskNode &Node = Graph.nodes()[Order[Place]];
    if (Node.Task == TaskNode::Join)
      continue;
    Out[Place] = {Graph.kindName(Node.Kind), Node.Task,
                  std::move(Known[Node.Task])};
  }
  return Out;
}

} // namespace blockmaestro
