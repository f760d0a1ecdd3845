// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The program's graphs with kernels that start early, on graphs of our own.

#include "EarlyGraphs.h"

#include "CudaDevice.h"
#include "FakeCuda.h"
#include "Registry.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace blockmaestro {
namespace {

struct DrawnNode {
  cudaGraphNodeType Kind = cudaGraphNodeTypeKernel;
  cudaKernelNodeParams Params = {};
  int Cooperative = 0;
  unsigned Cluster = 0;
};
struct DrawnEdge {
  DrawnNode *From, *To;
  cudaGraphEdgeData How;
};
struct DrawnGraph {
  std::list<DrawnNode> Nodes;
  std::vector<DrawnEdge> Edges;
};

/// What was asked of streams, and graphs that are alive.
std::string AskedOfPort;
std::map<const void *, std::string> Ready;
int Graphs = 0, Events = 0;
unsigned Clones = 0;
cudaError_t CloneResult, ReadyResult, RecordResult;
bool StreamCaptured;

DrawnGraph *of(cudaGraph_t Graph) {
  return reinterpret_cast<DrawnGraph *>(Graph);
}
DrawnNode *of(cudaGraphNode_t Node) {
  return reinterpret_cast<DrawnNode *>(Node);
}
cudaGraphNode_t handle(DrawnNode *Node) {
  return reinterpret_cast<cudaGraphNode_t>(Node);
}
cudaStream_t stream(size_t Number) {
  return reinterpret_cast<cudaStream_t>(Number + 10);
}
std::string nameOf(cudaStream_t Stream) {
  return std::to_string(reinterpret_cast<size_t>(Stream) - 10);
}

/// The nodes in order, by name, with a star where they start early.
std::string textOf(const DrawnGraph &Graph) {
  std::string Out;
  for (const DrawnNode &Each : Graph.Nodes) {
    Out += Out.empty() ? "" : " ";
    Out += Each.Kind == cudaGraphNodeTypeKernel
               ? static_cast<const char *>(Each.Params.func)
               : "set";
    for (const DrawnEdge &Edge : Graph.Edges)
      if (Edge.To == &Each && Edge.How.type != 0)
        Out += "*";
  }
  return Out;
}

cudaGraph_t copyOf(const DrawnGraph &From) {
  auto *Out = new DrawnGraph{From.Nodes, {}};
  const auto Twin = [&](const DrawnNode *Node) {
    auto Mine = Out->Nodes.begin();
    for (const DrawnNode &Each : From.Nodes) {
      if (&Each == Node)
        break;
      ++Mine;
    }
    return &*Mine;
  };
  for (const DrawnEdge &Each : From.Edges)
    Out->Edges.push_back({Twin(Each.From), Twin(Each.To), Each.How});
  ++Graphs;
  return reinterpret_cast<cudaGraph_t>(Out);
}

template <typename Handle>
void giveSome(Handle *To, size_t *Count, std::vector<Handle> All) {
  if (To)
    std::copy_n(All.begin(), std::min(*Count, All.size()), To);
  *Count = All.size();
}

void addGraphs(RuntimeCalls &Out) {
  Out.cudaGraphClone = [](cudaGraph_t *Made, cudaGraph_t From) {
    ++Clones;
    if (CloneResult == cudaSuccess)
      *Made = copyOf(*of(From));
    return CloneResult;
  };
  Out.cudaGraphGetNodes = [](cudaGraph_t Of, cudaGraphNode_t *To,
                             size_t *Count) {
    std::vector<cudaGraphNode_t> All;
    for (DrawnNode &Each : of(Of)->Nodes)
      All.push_back(handle(&Each));
    giveSome(To, Count, All);
    return cudaSuccess;
  };
  Out.cudaGraphGetEdges = [](cudaGraph_t Of, cudaGraphNode_t *From,
                             cudaGraphNode_t *To, cudaGraphEdgeData *How,
                             size_t *Count) {
    size_t I = 0;
    for (const DrawnEdge &Each : of(Of)->Edges)
      if (From && I < *Count) {
        From[I] = handle(Each.From);
        To[I] = handle(Each.To);
        How[I++] = Each.How;
      }
    *Count = of(Of)->Edges.size();
    return cudaSuccess;
  };
  Out.cudaGraphDestroy = [](cudaGraph_t Gone) {
    delete of(Gone);
    --Graphs;
    return cudaSuccess;
  };
  Out.cudaGraphInstantiate = [](cudaGraphExec_t *Made, cudaGraph_t From,
                                unsigned long long) {
    if (ReadyResult != cudaSuccess)
      return ReadyResult;
    *Made = reinterpret_cast<cudaGraphExec_t>(new char);
    Ready[*Made] = textOf(*of(From));
    return cudaSuccess;
  };
  Out.cudaGraphExecDestroy = [](cudaGraphExec_t Gone) {
    Ready.erase(Gone);
    delete reinterpret_cast<char *>(Gone);
    return cudaSuccess;
  };
  Out.cudaGraphUpload = [](cudaGraphExec_t, cudaStream_t) {
    return cudaSuccess;
  };
}

void addNodes(RuntimeCalls &Out) {
  Out.cudaGraphNodeGetType = [](cudaGraphNode_t Node, cudaGraphNodeType *Kind) {
    *Kind = of(Node)->Kind;
    return cudaSuccess;
  };
  Out.cudaGraphKernelNodeGetParams = [](cudaGraphNode_t Node,
                                        cudaKernelNodeParams *To) {
    *To = of(Node)->Params;
    return cudaSuccess;
  };
  Out.cudaGraphKernelNodeSetParams = [](cudaGraphNode_t Node,
                                        const cudaKernelNodeParams *To) {
    of(Node)->Params = *To;
    return cudaSuccess;
  };
  Out.cudaGraphKernelNodeGetAttribute = [](cudaGraphNode_t Node,
                                           cudaLaunchAttributeID Which,
                                           cudaLaunchAttributeValue *To) {
    if (Which == cudaLaunchAttributeCooperative)
      To->cooperative = of(Node)->Cooperative;
    else
      To->clusterDim.x = of(Node)->Cluster;
    return cudaSuccess;
  };
  Out.cudaGraphRemoveDependencies = [](cudaGraph_t Of,
                                       const cudaGraphNode_t *From,
                                       const cudaGraphNode_t *To,
                                       const cudaGraphEdgeData *, size_t) {
    return std::erase_if(of(Of)->Edges,
                         [&](const DrawnEdge &Each) {
                           return Each.From == of(*From) && Each.To == of(*To);
                         }) == 1
               ? cudaSuccess
               : cudaErrorInvalidValue;
  };
  Out.cudaGraphAddDependencies = [](cudaGraph_t Of, const cudaGraphNode_t *From,
                                    const cudaGraphNode_t *To,
                                    const cudaGraphEdgeData *How, size_t) {
    of(Of)->Edges.push_back({of(*From), of(*To), *How});
    return cudaSuccess;
  };
}

void addStreams(RuntimeCalls &Out) {
  Out.cudaGetDevice = [](int *Number) {
    *Number = 0;
    return cudaSuccess;
  };
  Out.cudaPeekAtLastError = Out.cudaGetLastError = [] { return cudaSuccess; };
  Out.cudaThreadExchangeStreamCaptureMode = [](cudaStreamCaptureMode *) {
    return cudaSuccess;
  };
  Out.cudaStreamCreateWithFlags = [](cudaStream_t *, unsigned) {
    return cudaSuccess;
  };
  Out.cudaStreamSynchronize = [](cudaStream_t) { return cudaSuccess; };
  Out.cudaStreamIsCapturing = [](cudaStream_t, cudaStreamCaptureStatus *Into) {
    *Into = StreamCaptured ? cudaStreamCaptureStatusActive
                           : cudaStreamCaptureStatusNone;
    return cudaSuccess;
  };
  Out.cudaEventCreateWithFlags = [](cudaEvent_t *Made, unsigned) {
    ++Events;
    *Made = reinterpret_cast<cudaEvent_t>(new char);
    return cudaSuccess;
  };
  Out.cudaEventDestroy = [](cudaEvent_t Gone) {
    --Events;
    delete reinterpret_cast<char *>(Gone);
    return cudaSuccess;
  };
  Out.cudaEventRecord = [](cudaEvent_t, cudaStream_t On) {
    AskedOfPort += "record " + nameOf(On) + " ";
    return RecordResult;
  };
  Out.cudaStreamWaitEvent = [](cudaStream_t On, cudaEvent_t, unsigned) {
    AskedOfPort += "wait " + nameOf(On) + " ";
    return cudaSuccess;
  };
  Out.cudaDeviceSynchronize = [] {
    AskedOfPort += "host ";
    return cudaSuccess;
  };
}

KernelKey formOf(const cudaKernelNodeParams &Node) {
  static const std::map<std::string, const char *> Forms = {
      {"a", "A"}, {"b", "B"}, {"c", "C"}};
  const auto Found = Forms.find(static_cast<const char *>(Node.func));
  return Found == Forms.end() ? nullptr : Found->second;
}

class EarlyGraphsTest : public testing::Test {
protected:
  EarlyGraphsTest() {
    AskedOfPort.clear();
    Graphs = Events = 0;
    Clones = 0;
    CloneResult = ReadyResult = RecordResult = cudaSuccess;
    StreamCaptured = false;
    addGraphs(Calls);
    addNodes(Calls);
    addStreams(Calls);
    Early.emplace(Calls, 0, ChainMaker::Place::InCall);
  }
  ~EarlyGraphsTest() override {
    Early.reset();
    EXPECT_EQ(Graphs, 0);
    EXPECT_EQ(Events, 0);
    EXPECT_EQ(Ready.size(), 0u);
  }

  DrawnNode *add(const char *Kernel, const std::vector<DrawnNode *> &Behind) {
    DrawnNode &Out = Mine.Nodes.emplace_back();
    Out.Params.func = const_cast<char *>(Kernel);
    for (DrawnNode *Each : Behind)
      Mine.Edges.push_back({Each, &Out, {}});
    return &Out;
  }
  DrawnNode *addFill(DrawnNode *Behind) {
    DrawnNode *Out = add("", {Behind});
    Out->Kind = cudaGraphNodeTypeMemset;
    return Out;
  }
  /// A line of kernels.
  void line(const std::vector<const char *> &Kernels) {
    DrawnNode *Last = nullptr;
    for (const char *Each : Kernels)
      Last = add(Each, Last ? std::vector{Last} : std::vector<DrawnNode *>());
  }
  void made(cudaGraphExec_t As) {
    Early->made(As, reinterpret_cast<cudaGraph_t>(&Mine));
  }
  void made() { made(Own); }
  /// What a launch becomes: "own", or the nodes of the second graph.
  std::string launched(cudaStream_t On) {
    const Result<cudaGraphExec_t> Which = Early->toLaunch(Own, On, formOf);
    if (!Which.ok())
      return "fails";
    return *Which == Own ? "own" : Ready.at(*Which);
  }
  /// So often that the second graph is there.
  std::string launchedOften(cudaStream_t On) {
    for (unsigned I = 1; I < EarlyGraphs::Often; ++I)
      EXPECT_EQ(launched(On), "own");
    return launched(On);
  }

  RuntimeCalls Calls;
  DrawnGraph Mine;
  char Handle = 0;
  const cudaGraphExec_t Own = reinterpret_cast<cudaGraphExec_t>(&Handle);
  std::optional<EarlyGraphs> Early;
};

TEST_F(EarlyGraphsTest, KernelsBehindOneOtherStartEarly) {
  line({"a", "b", "c"});
  DrawnNode *Fill = addFill(&Mine.Nodes.back());
  add("b", {add("a", {Fill})});
  made();
  EXPECT_EQ(launchedOften(stream(0)), "a B* C* set a B*");
  EXPECT_EQ(textOf(Mine), "a b c set a b") << "the program's graph stays";
  EXPECT_EQ(AskedOfPort, "") << "streams keep the order";
  EXPECT_EQ(Early->account(),
            "of 4 launches of the program's graphs 1 went as 1 graphs whose "
            "kernels start early");
}

TEST_F(EarlyGraphsTest, KernelsOfBranchesWait) {
  DrawnNode *First = add("a", {});
  DrawnNode *Left = add("b", {First}), *Right = add("c", {First});
  add("b", {add("a", {Left, Right})});
  made();
  EXPECT_EQ(launchedOften(stream(0)), "a b c a B*");
}

TEST_F(EarlyGraphsTest, KernelsThatCannotWait) {
  line({"a", "other", "b", "c", "a", "b"});
  auto Node = std::next(Mine.Nodes.begin(), 2);
  Node->Cooperative = 1;
  (++Node)->Cluster = 2;
  Mine.Edges[3].How.type = cudaGraphDependencyTypeProgrammatic;
  made();
  EXPECT_EQ(launchedOften(stream(0)), "a other b c a* B*")
      << "the program's own edge stays";
}

TEST_F(EarlyGraphsTest, NothingToGain) {
  line({"a", "other"});
  made();
  EXPECT_EQ(launchedOften(stream(0)), "own");
  EXPECT_EQ(Graphs, 0);
}

TEST_F(EarlyGraphsTest, UnknownNodesLeaveTheGraphAsItIs) {
  line({"a", "b"});
  Mine.Nodes.back().Kind = cudaGraphNodeTypeGraph;
  line({"a", "b"});
  made();
  EXPECT_EQ(launchedOften(stream(0)), "own");
}

TEST_F(EarlyGraphsTest, WhatCannotBeMadeIsNot) {
  line({"a", "b"});
  CloneResult = cudaErrorNotSupported;
  made();
  EXPECT_EQ(launchedOften(stream(0)), "own");
  CloneResult = cudaSuccess;
  ReadyResult = cudaErrorMemoryAllocation;
  made();
  EXPECT_EQ(launchedOften(stream(0)), "own");
}

TEST_F(EarlyGraphsTest, AChangedGraphGoesAsItIs) {
  line({"a", "b"});
  made();
  EXPECT_EQ(launchedOften(stream(0)), "a B*");
  Early->changes(Own);
  EXPECT_EQ(launched(stream(0)), "own");
  EXPECT_EQ(launched(stream(1)), "own");
  EXPECT_EQ(AskedOfPort, "");
}

/// CUDA orders launches of one executable graph, but not those of two.
TEST_F(EarlyGraphsTest, AChangedGraphComesBehindItsLastLaunch) {
  line({"a", "b"});
  made();
  EXPECT_EQ(launchedOften(stream(0)), "a B*");
  EXPECT_EQ(launched(stream(1)), "a B*");
  EXPECT_EQ(AskedOfPort, "");
  Early->changes(Own);
  EXPECT_EQ(launched(stream(2)), "own");
  EXPECT_EQ(AskedOfPort, "record 1 wait 2 ");
  EXPECT_EQ(launched(stream(3)), "own");
  EXPECT_EQ(AskedOfPort, "record 1 wait 2 ");
}

TEST_F(EarlyGraphsTest, TheSecondGraphComesBehindTheFirst) {
  line({"a", "b"});
  made();
  for (unsigned I = 1; I < EarlyGraphs::Often; ++I)
    EXPECT_EQ(launched(stream(0)), "own");
  RecordResult = cudaErrorInvalidResourceHandle;
  EXPECT_EQ(launched(stream(1)), "own") << "it cannot come behind";
  RecordResult = cudaSuccess;
  AskedOfPort.clear();
  EXPECT_EQ(launched(stream(2)), "a B*");
  EXPECT_EQ(AskedOfPort, "record 1 wait 2 ");
}

/// Another stream may get its name.
TEST_F(EarlyGraphsTest, StreamsThatAreGone) {
  line({"a", "b"});
  made();
  EXPECT_EQ(launchedOften(stream(0)), "a B*");
  Early->forgetStream(stream(0));
  EXPECT_EQ(AskedOfPort, "record 0 ");
  EXPECT_EQ(launched(stream(0)), "a B*") << "CUDA orders it";
  EXPECT_EQ(Events, 0);

  Early->forgetStream(stream(0));
  Early->changes(Own);
  AskedOfPort.clear();
  EXPECT_EQ(launched(stream(0)), "own");
  EXPECT_EQ(AskedOfPort, "wait 0 ");

  Early->forgetStream(stream(0));
  RecordResult = cudaErrorInvalidResourceHandle;
  AskedOfPort.clear();
  EXPECT_EQ(launched(stream(0)), "own");
  EXPECT_EQ(AskedOfPort, "") << "CUDA orders it";
}

TEST_F(EarlyGraphsTest, StreamsThatOnlyAnotherThreadCanName) {
  line({"a", "b"});
  made();
  std::thread([&] {
    EXPECT_EQ(launchedOften(cudaStreamPerThread), "a B*");
  }).join();
  Early->changes(Own);
  EXPECT_EQ(launched(cudaStreamPerThread), "own");
  EXPECT_EQ(AskedOfPort, "host ");
}

TEST_F(EarlyGraphsTest, NoEventIsCaptured) {
  line({"a", "b"});
  made();
  EXPECT_EQ(launchedOften(stream(0)), "a B*");
  Early->changes(Own);
  StreamCaptured = true;
  EXPECT_EQ(launched(stream(1)), "own");
  EXPECT_EQ(AskedOfPort, "host ");
}

/// Graphs that are made anew each time are soon not copied any more.
TEST_F(EarlyGraphsTest, CopiesThatAreOfNoUse) {
  line({"a", "b"});
  for (unsigned I = 0; I < 64; ++I) {
    made();
    EXPECT_EQ(launched(stream(0)), "own");
    Early->forget(Own);
  }
  EXPECT_LT(Clones, 10u);
  unsigned More = 0;
  do
    made();
  while (launchedOften(stream(0)) == "own" && ++More < 32);
  EXPECT_LT(More, 16u) << "one is tried now and then";
  made();
  EXPECT_EQ(launchedOften(stream(0)), "a B*") << "and then all";
}

/// Not while a graph is made that may name it.
TEST_F(EarlyGraphsTest, MemoryGoesWhenGraphsAreMade) {
  static std::atomic<bool> IsMade{false};
  IsMade = false;
  Calls.cudaGraphUpload = [](cudaGraphExec_t, cudaStream_t) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    IsMade = true;
    return cudaSuccess;
  };
  EarlyGraphs Beside(Calls, 0);
  line({"a", "b"});
  Beside.made(Own, reinterpret_cast<cudaGraph_t>(&Mine));
  for (unsigned I = 0; I < EarlyGraphs::Often; ++I)
    EXPECT_TRUE(Beside.toLaunch(Own, stream(0), formOf).ok());
  Beside.letMemoryGo();
  EXPECT_TRUE(IsMade);
}

/// Many graphs that are made before any is launched.
TEST_F(EarlyGraphsTest, GraphsThatWait) {
  line({"a", "b"});
  char Others[8];
  for (char &Each : Others)
    made(reinterpret_cast<cudaGraphExec_t>(&Each));
  made();
  EXPECT_EQ(launchedOften(stream(0)), "a B*");
}

/// A device that launches a graph of its first two kernels.
class DeviceGraphsTest : public EarlyGraphsTest {
protected:
  DeviceGraphsTest() {
    Library.Registration = fakeRegistration();
    Library.Calls = fakeRuntime();
    addGraphs(Library.Calls);
    addNodes(Library.Calls);
    for (unsigned I = 0; I < 2; ++I) {
      Kernels[I].Record = &P.Record.Kernels[I];
      DrawnNode *Node = add("", I ? std::vector{&Mine.Nodes.front()}
                                  : std::vector<DrawnNode *>());
      Node->Params.func = &P.Stubs[I];
      Node->Params.gridDim = dim3(7);
      Node->Params.blockDim = dim3(64);
    }
  }
  ~DeviceGraphsTest() override { Opened->forgetGraphs(); }

  void open(ExecutorKind Kind) {
    Opened = makeCudaDevice(Library, 0, Options());
    ASSERT_TRUE(Opened->addModule(P.Module).ok());
    ASSERT_TRUE(Opened->makeExecutor({Kind}, 8, nullptr).ok());
  }
  /// Whether a graph that is made and launched soon goes in its second form.
  bool goesEarly() {
    Opened->graphMade(Own, reinterpret_cast<cudaGraph_t>(&Mine), 0);
    for (unsigned I = 0; I < EarlyGraphs::Often; ++I)
      (void)launched();
    Opened->letMemoryGo();
    return launched() != Own;
  }
  cudaGraphExec_t launched() {
    return *Opened->graphToLaunch(Own, nullptr, [&](const void *Stub) {
      return &Kernels[Stub == &P.Stubs[1]];
    });
  }

  Program P;
  Kernel Kernels[2];
  CudaLibrary Library;
  std::unique_ptr<Device> Opened;
};

TEST_F(DeviceGraphsTest, WhereLaunchesStartEarly) {
  open(ExecutorKind::Serial);
  EXPECT_FALSE(goesEarly());
  open(ExecutorKind::Pdl);
  EXPECT_TRUE(goesEarly());
  Opened->graphChanges(Own);
  EXPECT_EQ(launched(), Own);
  EXPECT_TRUE(goesEarly());
  Opened->driverGiven();
  EXPECT_EQ(launched(), Own) << "something may change it that we do not see";
}

TEST_F(DeviceGraphsTest, NotAKernelThatMayBeAnother) {
  open(ExecutorKind::Pdl);
  Kernels[1].Doubt = "it is weak";
  EXPECT_FALSE(goesEarly());
  Kernels[1].Doubt.clear();
  EXPECT_TRUE(goesEarly());
  ASSERT_TRUE(Opened->addModule(P.Module).ok());
  EXPECT_EQ(launched(), Own) << "another module may have its kernel too";
}

TEST_F(DeviceGraphsTest, NotIntoACaptureOrOnAnotherGpu) {
  open(ExecutorKind::Pdl);
  EXPECT_TRUE(goesEarly());
  Capturing = true;
  EXPECT_EQ(launched(), Own) << "it becomes a part of another graph";
  Capturing = false;
  EXPECT_NE(launched(), Own);
  CurrentDevice = 1;
  EXPECT_EQ(launched(), Own);
}

} // namespace
} // namespace blockmaestro
