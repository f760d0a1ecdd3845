// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The model of a graph and updates of one graph by another.

#include "emulated/graphs/Graph.h"
#include "emulated/graphs/GraphExec.h"
#include "emulated/graphs/GraphState.h"
#include "emulated/graphs/GraphUpdate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

using namespace blockmaestro;
using namespace blockmaestro::emulated;

namespace {

GraphEdge plain(GraphNode *Node) { return {Node, {}}; }

FillCommand row(size_t Width) {
  FillCommand Out;
  Out.To = reinterpret_cast<void *>(0x1000);
  Out.Width = Width;
  return Out;
}

/// A before B and C, both before D.
struct Diamond {
  Graph What;
  GraphNode *A = What.add(EmptyCommand{}, {});
  GraphNode *B = What.add(EmptyCommand{}, {plain(A)});
  GraphNode *C = What.add(EmptyCommand{}, {plain(A)});
  GraphNode *D = What.add(EmptyCommand{}, {plain(C), plain(B)});
};

size_t placeOf(const std::vector<GraphNode *> &In, GraphNode *Node) {
  return size_t(std::find(In.begin(), In.end(), Node) - In.begin());
}

TEST(Graph, OrdersNodesBehindWhatTheyNeed) {
  Diamond G;
  GraphNode *First = G.What.add(EmptyCommand{}, {});
  ASSERT_EQ(G.What.connect(*First, *G.A, {}), cudaSuccess);
  std::vector<GraphNode *> Order = *G.What.order();
  ASSERT_EQ(Order.size(), 5u);
  for (GraphNode *Each : Order)
    for (const GraphEdge &Need : Each->Needs)
      EXPECT_LT(placeOf(Order, Need.Other), placeOf(Order, Each));
  EXPECT_EQ(G.What.leaves(), std::vector<GraphNode *>{G.D});
}

TEST(Graph, FindsACycle) {
  Diamond G;
  EXPECT_EQ(G.What.nodeOfCycle(), nullptr);
  ASSERT_EQ(G.What.connect(*G.D, *G.B, {}), cudaSuccess);
  EXPECT_FALSE(G.What.order().has_value());
  GraphNode *In = G.What.nodeOfCycle();
  EXPECT_TRUE(In == G.B || In == G.D);
}

TEST(Graph, RefusesEdgesThatCannotBe) {
  Diamond G;
  Graph Other;
  GraphNode *Strange = Other.add(EmptyCommand{}, {});
  EXPECT_EQ(G.What.connect(*G.A, *G.A, {}), cudaErrorInvalidValue);
  EXPECT_EQ(G.What.connect(*G.A, *G.B, {}), cudaErrorInvalidValue);
  EXPECT_EQ(G.What.connect(*G.A, *Strange, {}), cudaErrorInvalidValue);
  EXPECT_EQ(G.What.disconnect(*G.A, *G.D, {}), cudaErrorInvalidValue);
  EXPECT_EQ(G.What.add(EmptyCommand{}, {plain(G.A), plain(G.A)}), nullptr);
  EXPECT_EQ(G.What.add(EmptyCommand{}, {plain(Strange)}), nullptr);
  EXPECT_EQ(G.What.size(), 4u);
  EXPECT_EQ(G.A->Users.size(), 2u);
}

TEST(Graph, EdgeDataIsForKernelsOnly) {
  Graph What;
  LaunchCommand Kernel{nullptr, std::make_shared<Launch>()};
  GraphNode *A = What.add(Kernel, {});
  GraphNode *B = What.add(Kernel, {});
  GraphNode *E = What.add(EmptyCommand{}, {});
  cudaGraphEdgeData Early = {};
  Early.from_port = cudaGraphKernelNodePortProgrammatic;
  Early.type = cudaGraphDependencyTypeProgrammatic;
  EXPECT_EQ(What.connect(*A, *B, Early), cudaSuccess);
  EXPECT_EQ(What.connect(*A, *E, Early), cudaErrorInvalidValue);
  EXPECT_EQ(What.connect(*A, *B, {}), cudaSuccess) << "another kind of edge";
  cudaGraphEdgeData Odd = {};
  Odd.from_port = cudaGraphKernelNodePortProgrammatic;
  EXPECT_EQ(What.connect(*B, *A, Odd), cudaErrorInvalidValue);
  Odd = {};
  Odd.reserved[2] = 1;
  EXPECT_EQ(What.connect(*B, *A, Odd), cudaErrorInvalidValue);
}

TEST(Graph, TakingANodeTakesItsEdges) {
  Diamond G;
  cudaGraphNode_t Handle = handleOf(G.B);
  EXPECT_EQ(graphState().Handles.node(Handle), G.B);
  (void)G.What.take(*G.B);
  EXPECT_EQ(graphState().Handles.node(Handle), nullptr);
  EXPECT_EQ(G.What.size(), 3u);
  EXPECT_EQ(G.A->Users, std::vector<GraphEdge>{plain(G.C)});
  EXPECT_EQ(G.D->Needs, std::vector<GraphEdge>{plain(G.C)});
}

TEST(Graph, ACloneHasEverythingAnew) {
  Diamond G;
  std::unique_ptr<Graph> Child = G.What.clone();
  Graph Outer;
  GraphNode *Holder = Outer.addChild(Child, {});
  GraphNode *Inner = Holder->Child->copyOf(G.B->Id);
  ASSERT_NE(Inner, nullptr);

  std::unique_ptr<Graph> Copy = Outer.clone();
  GraphNode *HolderCopy = Copy->copyOf(Holder->Id);
  GraphNode *InnerCopy = Copy->copyOf(Inner->Id);
  ASSERT_NE(HolderCopy, nullptr);
  ASSERT_NE(InnerCopy, nullptr);
  EXPECT_EQ(&InnerCopy->Of, HolderCopy->Child.get());
  EXPECT_EQ(HolderCopy->Child->Parent, HolderCopy);
  EXPECT_EQ(Copy->copyOf(G.B->Id), nullptr) << "not the one it was made of";

  GraphNode *Last = HolderCopy->Child->leaves().at(0);
  ASSERT_EQ(Last->Needs.size(), 2u);
  EXPECT_EQ(Last->Needs[1].Other, InnerCopy) << "edges keep their order";
  for (GraphNode *Each : HolderCopy->Child->nodes())
    for (const GraphEdge &Need : Each->Needs)
      EXPECT_EQ(&Need.Other->Of, HolderCopy->Child.get());
}

TEST(Graph, KnowsWhatLeadsWhere) {
  Diamond G;
  EXPECT_TRUE(G.What.leadTo({plain(G.A), plain(G.C)}, {plain(G.D)}));
  EXPECT_TRUE(G.What.leadTo({plain(G.D)}, {plain(G.D)}));
  EXPECT_FALSE(G.What.leadTo({plain(G.C)}, {plain(G.B)}));
  EXPECT_TRUE(G.What.leadTo({}, {}));
  EXPECT_FALSE(G.What.leadTo({plain(G.A)}, {}));
}

TEST(UserObjects, DieWithTheLastReference) {
  int Died = 0;
  auto Count = [](void *Where) { ++*static_cast<int *>(Where); };
  auto *Object = new UserObject(&Died, Count, 2);
  {
    Graph What;
    What.Objects.adopt(*Object, 2);
    std::unique_ptr<Graph> Copy = What.clone();
    EXPECT_FALSE(What.Objects.yield(*Object, 3));
    EXPECT_TRUE(What.Objects.yield(*Object, 1));
    EXPECT_TRUE(Object->release(1));
    EXPECT_EQ(Died, 0);
  }
  EXPECT_EQ(Died, 1);
  EXPECT_EQ(graphState().Handles.object(handleOf(Object)), nullptr);
}

TEST(GraphUpdate, ChangesTheMatchingNodes) {
  Graph Old, New;
  GraphNode *A = Old.add(row(1), {});
  GraphNode *B = Old.add(row(2), {plain(A)});
  GraphNode *NewA = New.add(row(10), {});
  (void)New.add(row(20), {plain(NewA)});
  EXPECT_EQ(updateGraph(Old, New).Result, cudaGraphExecUpdateSuccess);
  EXPECT_EQ(std::get<FillCommand>(A->What).Width, 10u);
  EXPECT_EQ(std::get<FillCommand>(B->What).Width, 20u);
}

TEST(GraphUpdate, MatchesByEdgesNotByOrder) {
  Graph Old, New;
  GraphNode *A = Old.add(row(1), {});
  GraphNode *B = Old.add(row(2), {});
  (void)Old.add(EmptyCommand{}, {plain(A), plain(B)});
  GraphNode *NewB = New.add(row(20), {});
  GraphNode *NewA = New.add(row(10), {});
  (void)New.add(EmptyCommand{}, {plain(NewA), plain(NewB)});
  EXPECT_EQ(updateGraph(Old, New).Result, cudaGraphExecUpdateSuccess);
  EXPECT_EQ(std::get<FillCommand>(A->What).Width, 10u);
  EXPECT_EQ(std::get<FillCommand>(B->What).Width, 20u);
}

TEST(GraphUpdate, SaysWhereTheShapesDiffer) {
  Diamond Old, New;
  (void)New.What.add(EmptyCommand{}, {});
  UpdateOutcome More = updateGraph(Old.What, New.What);
  EXPECT_EQ(More.Result, cudaGraphExecUpdateErrorTopologyChanged);
  EXPECT_EQ(More.At, nullptr);

  Diamond Fewer;
  ASSERT_EQ(Fewer.What.disconnect(*Fewer.A, *Fewer.B, {}), cudaSuccess);
  UpdateOutcome Edge = updateGraph(Old.What, Fewer.What);
  EXPECT_EQ(Edge.Result, cudaGraphExecUpdateErrorTopologyChanged);
  EXPECT_EQ(Edge.At, Fewer.B);

  Diamond Crossed;
  ASSERT_EQ(Crossed.What.disconnect(*Crossed.A, *Crossed.B, {}), cudaSuccess);
  ASSERT_EQ(Crossed.What.connect(*Crossed.C, *Crossed.B, {}), cudaSuccess);
  UpdateOutcome Other = updateGraph(Old.What, Crossed.What);
  EXPECT_EQ(Other.Result, cudaGraphExecUpdateErrorTopologyChanged);
  EXPECT_EQ(Other.At, Crossed.B);
  EXPECT_EQ(Other.From, Crossed.C);
}

TEST(GraphUpdate, ChangesNothingWhenAnythingIsWrong) {
  Graph Old, New, Third;
  GraphNode *A = Old.add(row(1), {});
  (void)Old.add(row(2), {plain(A)});
  GraphNode *NewA = New.add(row(10), {});
  GraphNode *NewB = New.add(EmptyCommand{}, {plain(NewA)});
  UpdateOutcome Type = updateGraph(Old, New);
  EXPECT_EQ(Type.Result, cudaGraphExecUpdateErrorNodeTypeChanged);
  EXPECT_EQ(Type.At, NewB);

  FillCommand Rows = row(20);
  Rows.Height = 2;
  GraphNode *ThirdA = Third.add(row(10), {});
  GraphNode *ThirdB = Third.add(Rows, {plain(ThirdA)});
  UpdateOutcome Shape = updateGraph(Old, Third);
  EXPECT_EQ(Shape.Result, cudaGraphExecUpdateErrorParametersChanged);
  EXPECT_EQ(Shape.At, ThirdB);
  EXPECT_EQ(std::get<FillCommand>(A->What).Width, 1u);
}

HostCommand call() {
  return {[](void *) {}, nullptr};
}

TEST(GraphExec, LaysChildGraphsFlat) {
  auto Inner = std::make_unique<Graph>();
  (void)Inner->add(call(), {});
  (void)Inner->add(call(), {});
  Graph Outer;
  GraphNode *A = Outer.add(call(), {});
  GraphNode *Child = Outer.addChild(Inner, {plain(A)});
  GraphNode *D = Outer.add(call(), {plain(Child)});
  auto *Event = reinterpret_cast<cudaEvent_t>(1);
  (void)Outer.add(RecordCommand{Event, cudaEventRecordExternal}, {plain(D)});

  GraphExec Exec(Outer, 0);
  EXPECT_EQ(*Outer.Executables, 1u);
  cudaError_t Error = cudaSuccess;
  std::shared_ptr<const GraphPlan> Plan = Exec.plan(Error);
  ASSERT_NE(Plan, nullptr);
  using Needs = std::vector<uint32_t>;
  ASSERT_EQ(Plan->Steps.size(), 6u);
  EXPECT_EQ(Plan->Steps[0].Needs, Needs{});
  EXPECT_EQ(Plan->Steps[1].Needs, Needs{0});
  EXPECT_EQ(Plan->Steps[2].Needs, Needs{0});
  EXPECT_EQ(Plan->Steps[3].Needs, (Needs{1, 2}));
  EXPECT_EQ(Plan->Steps[4].Needs, Needs{3});
  const auto *Record = std::get_if<RecordCommand>(&Plan->Steps[5].Asked);
  ASSERT_NE(Record, nullptr);
  EXPECT_EQ(Record->Event, Event);
  EXPECT_EQ(Plan->Ends, Needs{5});
  EXPECT_TRUE(Plan->Steps[2].What.Host && !Plan->Steps[3].What.Host);
}

TEST(GraphExec, ChangesAreForLaterLaunches) {
  Graph What;
  GraphNode *A = What.add(call(), {});
  GraphExec Exec(What, 0);
  cudaError_t Error = cudaSuccess;
  std::shared_ptr<const GraphPlan> Before = Exec.plan(Error);
  EXPECT_EQ(Exec.plan(Error), Before) << "made once";
  Exec.copyOf(*A)->Enabled = false;
  Exec.changed();
  std::shared_ptr<const GraphPlan> After = Exec.plan(Error);
  EXPECT_TRUE(Before->Steps[0].What.Host);
  EXPECT_FALSE(After->Steps[0].What.Host) << "switched off: only a place";
  EXPECT_TRUE(A->Enabled);
}

TEST(GraphMemory, FollowsAnAllocationThroughLaunches) {
  GraphMemory Memory;
  void *Address = nullptr;
  ASSERT_EQ(Memory.reserve(1000, &Address), cudaSuccess);
  MemorySteps Takes{{Address}, {}};
  uint64_t Used = 1;
  ASSERT_EQ(Memory.attribute(cudaGraphMemAttrUsedMemCurrent, Used),
            cudaSuccess);
  EXPECT_EQ(Used, 0u);
  cudaError_t Freed = cudaSuccess;
  EXPECT_TRUE(Memory.free(Address, Freed));
  EXPECT_EQ(Freed, cudaErrorInvalidValue) << "not launched yet";

  Memory.instantiated(Takes);
  EXPECT_EQ(Memory.launch(Takes, false), cudaSuccess);
  EXPECT_EQ(Memory.launch(Takes, false), cudaErrorInvalidValue);
  EXPECT_EQ(Memory.launch(Takes, true), cudaSuccess);
  Memory.destroyed(Takes);
  Memory.dropped(Address);
  (void)Memory.attribute(cudaGraphMemAttrUsedMemCurrent, Used);
  EXPECT_EQ(Used, 1000u) << "the program has it still";
  EXPECT_TRUE(Memory.free(Address, Freed));
  EXPECT_EQ(Freed, cudaSuccess);
  EXPECT_FALSE(Memory.free(Address, Freed)) << "nobody's any more";

  (void)Memory.attribute(cudaGraphMemAttrReservedMemCurrent, Used);
  EXPECT_EQ(Used, 1000u);
  void *Again = nullptr;
  ASSERT_EQ(Memory.reserve(900, &Again), cudaSuccess);
  EXPECT_EQ(Again, Address);
  Memory.dropped(Again);
  Memory.trim();
  (void)Memory.attribute(cudaGraphMemAttrReservedMemCurrent, Used);
  EXPECT_EQ(Used, 0u);
  (void)Memory.attribute(cudaGraphMemAttrReservedMemHigh, Used);
  EXPECT_EQ(Used, 1000u);
  EXPECT_EQ(Memory.resetHigh(cudaGraphMemAttrReservedMemHigh), cudaSuccess);
  EXPECT_EQ(Memory.resetHigh(cudaGraphMemAttrUsedMemCurrent),
            cudaErrorInvalidValue);
}

TEST(GraphMemory, IsFreedOnceInItsGraphOrInOthers) {
  GraphMemory Memory;
  void *A = nullptr, *B = nullptr;
  ASSERT_EQ(Memory.reserve(64, &A), cudaSuccess);
  ASSERT_EQ(Memory.reserve(64, &B), cudaSuccess);
  EXPECT_EQ(Memory.claimFree(A, true), cudaSuccess);
  EXPECT_EQ(Memory.claimFree(A, true), cudaErrorInvalidValue);
  EXPECT_EQ(Memory.claimFree(A, false), cudaErrorInvalidValue);
  EXPECT_EQ(Memory.claimFree(B, false), cudaSuccess);
  EXPECT_EQ(Memory.claimFree(B, true), cudaErrorInvalidValue);
  EXPECT_EQ(Memory.claimFree(nullptr, false), cudaErrorInvalidValue);
  MemorySteps Both{{A}, {A}};
  Memory.instantiated(Both);
  EXPECT_EQ(Memory.launch(Both, false), cudaSuccess);
  EXPECT_EQ(Memory.launch(Both, false), cudaSuccess);
  MemorySteps Foreign{{}, {B}};
  EXPECT_EQ(Memory.launch(Foreign, false), cudaErrorInvalidValue);
  Memory.destroyed(Both);
  Memory.dropped(A);
  Memory.dropped(B);
  Memory.trim();
}

} // namespace
