// Feature: graphs: Child graphs, copies of graphs, and questions about nodes and edges.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "Inputs/suite.h"

__global__ void append(int *Data, int Digit) { *Data = *Data * 10 + Digit; }

static cudaGraphNode_t addDigit(cudaGraph_t Graph, int *Data, int Digit,
                                std::vector<cudaGraphNode_t> After = {}) {
  void *Arguments[] = {&Data, &Digit};
  cudaKernelNodeParams Params = {};
  Params.func = (void *)append;
  Params.gridDim = dim3(1);
  Params.blockDim = dim3(1);
  Params.kernelParams = Arguments;
  cudaGraphNode_t Node = nullptr;
  check(cudaGraphAddKernelNode(&Node, Graph, After.data(), After.size(),
                               &Params));
  return Node;
}

static int runGraph(cudaGraph_t Graph, int *Data) {
  cudaGraphExec_t Exec = nullptr;
  check(cudaGraphInstantiateWithFlags(&Exec, Graph, 0));
  check(cudaMemset(Data, 0, sizeof(int)));
  check(cudaGraphLaunch(Exec, nullptr));
  int Out = -1;
  check(cudaMemcpy(&Out, Data, sizeof(int), cudaMemcpyDeviceToHost));
  check(cudaGraphExecDestroy(Exec));
  return Out;
}

static std::vector<cudaGraphNode_t> needsOf(cudaGraphNode_t Node) {
  size_t Count = 0;
  check(cudaGraphNodeGetDependencies(Node, nullptr, nullptr, &Count));
  std::vector<cudaGraphNode_t> Out(Count);
  if (Count)
    check(cudaGraphNodeGetDependencies(Node, Out.data(), nullptr, &Count));
  return Out;
}

static size_t edgeCount(cudaGraph_t Graph) {
  size_t Count = 0;
  check(cudaGraphGetEdges(Graph, nullptr, nullptr, nullptr, &Count));
  return Count;
}

static void edges() {
  suite::Array<int> Data(1);
  cudaGraph_t Graph = nullptr;
  check(cudaGraphCreate(&Graph, 0));
  cudaGraphNode_t Two = addDigit(Graph, Data, 2);
  cudaGraphNode_t One = addDigit(Graph, Data, 1);
  cudaGraphNode_t Three = addDigit(Graph, Data, 3, {Two});
  check(cudaGraphAddDependencies(Graph, &One, &Two, nullptr, 1));
  expect(runGraph(Graph, Data) == 123);
  expect(edgeCount(Graph) == 2);
  expect(needsOf(Three) == std::vector<cudaGraphNode_t>{Two});
  expect(needsOf(One).empty());
  expect(cudaGraphAddDependencies(Graph, &One, &Two, nullptr, 1) !=
         cudaSuccess);
  (void)cudaGetLastError();

  cudaGraphNode_t Users[3] = {};
  size_t Count = 3;
  check(cudaGraphNodeGetDependentNodes(One, Users, nullptr, &Count));
  expect(Count == 1 && Users[0] == Two);
  cudaGraphNode_t From[2], To[2];
  cudaGraphEdgeData Between[2];
  Count = 2;
  check(cudaGraphGetEdges(Graph, From, To, Between, &Count));
  expect(Count == 2);
  for (size_t I = 0; I < Count; ++I) {
    expect((From[I] == One && To[I] == Two) ||
           (From[I] == Two && To[I] == Three));
    expect(Between[I].type == cudaGraphDependencyTypeDefault);
  }

  // 3 before 1 before 2.
  check(cudaGraphRemoveDependencies(Graph, &Two, &Three, nullptr, 1));
  check(cudaGraphAddDependencies(Graph, &Three, &One, nullptr, 1));
  expect(runGraph(Graph, Data) == 312);
  cudaGraphNode_t Root = nullptr;
  Count = 1;
  check(cudaGraphGetRootNodes(Graph, &Root, &Count));
  expect(Count == 1 && Root == Three);
  check(cudaGraphDestroyNode(One));
  expect(edgeCount(Graph) == 0);
  check(cudaGraphAddDependencies(Graph, &Two, &Three, nullptr, 1));
  expect(runGraph(Graph, Data) == 23);
  check(cudaGraphDestroy(Graph));
}

static void children() {
  suite::Array<int> Data(1);
  cudaGraph_t Inner = nullptr, Outer = nullptr;
  check(cudaGraphCreate(&Inner, 0));
  check(cudaGraphCreate(&Outer, 0));
  cudaGraphNode_t First = addDigit(Inner, Data, 4);
  (void)addDigit(Inner, Data, 5, {First});
  cudaGraphNode_t Before = addDigit(Outer, Data, 1);
  cudaGraphNode_t Child = nullptr, Second = nullptr;
  check(cudaGraphAddChildGraphNode(&Child, Outer, &Before, 1, Inner));
  (void)addDigit(Inner, Data, 6); // After the copy was made.
  (void)addDigit(Outer, Data, 9, {Child});
  expect(runGraph(Outer, Data) == 1459);

  cudaGraph_t Held = nullptr;
  check(cudaGraphChildGraphNodeGetGraph(Child, &Held));
  expect(Held != Inner);
  size_t Count = 0;
  check(cudaGraphGetNodes(Held, nullptr, &Count));
  expect(Count == 2);
  cudaGraphNode_t Root = nullptr;
  Count = 1;
  check(cudaGraphGetRootNodes(Held, &Root, &Count));
  check(cudaGraphNodeGetDependentNodes(Root, &Second, nullptr, &Count));

  // Change the executable graph's child by a graph of the same shape.
  cudaGraph_t Other = nullptr;
  check(cudaGraphCreate(&Other, 0));
  cudaGraphNode_t Seven = addDigit(Other, Data, 7);
  (void)addDigit(Other, Data, 8, {Seven});
  cudaGraphExec_t Exec = nullptr;
  check(cudaGraphInstantiate(&Exec, Outer, 0));
  check(cudaGraphExecChildGraphNodeSetParams(Exec, Child, Other));
  check(cudaMemset(Data, 0, sizeof(int)));
  check(cudaGraphLaunch(Exec, nullptr));
  same(Data.host(), std::vector<int>{1789});
  check(cudaGraphExecDestroy(Exec));
  check(cudaGraphDestroy(Inner));
  check(cudaGraphDestroy(Outer));
  check(cudaGraphDestroy(Other));
}

static void copies() {
  suite::Array<int> Data(1);
  cudaGraph_t Graph = nullptr, Clone = nullptr;
  check(cudaGraphCreate(&Graph, 0));
  cudaGraphNode_t One = addDigit(Graph, Data, 1);
  cudaGraphNode_t Two = addDigit(Graph, Data, 2, {One});
  check(cudaGraphClone(&Clone, Graph));
  cudaGraphNode_t Copied = nullptr, CopiedOne = nullptr;
  check(cudaGraphNodeFindInClone(&Copied, Two, Clone));
  check(cudaGraphNodeFindInClone(&CopiedOne, One, Clone));
  expect(Copied != Two);
  expect(needsOf(Copied) == std::vector<cudaGraphNode_t>{CopiedOne});
  (void)addDigit(Graph, Data, 3, {Two});
  (void)addDigit(Clone, Data, 4, {Copied});
  expect(runGraph(Graph, Data) == 123);
  check(cudaGraphDestroy(Graph));
  expect(runGraph(Clone, Data) == 124);
  check(cudaGraphDestroyNode(Copied));
  check(cudaGraphDestroy(Clone));
}

static void attributes() {
  suite::Array<int> Data(1);
  cudaGraph_t Graph = nullptr;
  check(cudaGraphCreate(&Graph, 0));
  cudaGraphNode_t A = addDigit(Graph, Data, 1);
  cudaGraphNode_t B = addDigit(Graph, Data, 2, {A});
  cudaLaunchAttributeValue Value = {};
  Value.cooperative = 1;
  check(cudaGraphKernelNodeSetAttribute(A, cudaLaunchAttributeCooperative,
                                        &Value));
  check(cudaGraphKernelNodeCopyAttributes(B, A));
  Value.cooperative = 0;
  check(cudaGraphKernelNodeGetAttribute(B, cudaLaunchAttributeCooperative,
                                        &Value));
  expect(Value.cooperative == 1);
  expect(runGraph(Graph, Data) == 12);
  check(cudaGraphDestroy(Graph));
}

static void printed() {
  suite::Array<int> Data(1);
  cudaGraph_t Graph = nullptr;
  check(cudaGraphCreate(&Graph, 0));
  (void)addDigit(Graph, Data, 2, {addDigit(Graph, Data, 1)});
  char Path[] = "/tmp/graphs-structure-XXXXXX";
  int Handle = mkstemp(Path);
  expect(Handle >= 0);
  check(cudaGraphDebugDotPrint(Graph, Path, cudaGraphDebugDotFlagsVerbose));
  std::FILE *File = std::fopen(Path, "r");
  std::vector<char> Text(1 << 16);
  size_t Bytes = File ? std::fread(Text.data(), 1, Text.size(), File) : 0;
  if (File)
    std::fclose(File);
  std::string Dot(Text.data(), Bytes);
  expect(Dot.find("digraph") != std::string::npos);
  expect(Dot.find("append") != std::string::npos);
  expect(Dot.find("->") != std::string::npos);
  std::remove(Path);
  check(cudaGraphDestroy(Graph));
}

int main() {
  edges();
  children();
  copies();
  attributes();
  printed();
  return suite::finish();
}
