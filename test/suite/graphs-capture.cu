// Feature: graphs: Streams captured into graphs, with forks and joins by events.
//
// What is captured does not run until the graph is launched, and then as often
// as it is launched; kernel arguments are those of the capture.

#include <vector>

#include "Inputs/suite.h"

__global__ void scale(int *Data, int Count, int Factor) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Count)
    Data[I] *= Factor;
}

__global__ void sum(int *Out, const int *A, const int *B, int Count) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Count)
    Out[I] = A[I] + B[I];
}

static int Calls;
static void CUDART_CB count(void *By) { Calls += *static_cast<int *>(By); }

static cudaGraphExec_t instantiate(cudaGraph_t Graph) {
  cudaGraphExec_t Exec = nullptr;
  check(cudaGraphInstantiate(&Exec, Graph, 0));
  return Exec;
}

/// One stream: a copy in, a fill, a kernel, a copy out and a host function.
static void oneStream() {
  constexpr int Count = 500;
  suite::Array<int> A(Count), B(Count);
  int *In = nullptr, *Out = nullptr;
  check(cudaMallocHost(&In, Count * sizeof(int)));
  check(cudaMallocHost(&Out, Count * sizeof(int)));
  cudaStream_t Stream;
  check(cudaStreamCreate(&Stream));
  check(cudaStreamBeginCapture(Stream, cudaStreamCaptureModeGlobal));
  cudaStreamCaptureStatus Status;
  check(cudaStreamIsCapturing(Stream, &Status));
  expect(Status == cudaStreamCaptureStatusActive);
  int By = 3, Factor = 5;
  check(cudaMemcpyAsync(A, In, Count * sizeof(int), cudaMemcpyHostToDevice,
                        Stream));
  check(cudaMemsetAsync(B, 0, Count * sizeof(int), Stream));
  scale<<<4, 128, 0, Stream>>>(A, Count, Factor);
  check(cudaGetLastError());
  Factor = 100;
  sum<<<4, 128, 0, Stream>>>(B, A, B, Count);
  check(cudaMemcpyAsync(Out, B, Count * sizeof(int), cudaMemcpyDeviceToHost,
                        Stream));
  check(cudaLaunchHostFunc(Stream, count, &By));
  cudaGraph_t Graph = nullptr;
  check(cudaStreamEndCapture(Stream, &Graph));
  check(cudaStreamIsCapturing(Stream, &Status));
  expect(Status == cudaStreamCaptureStatusNone);
  size_t Nodes = 0;
  check(cudaGraphGetNodes(Graph, nullptr, &Nodes));
  expect(Nodes == 6);
  check(cudaStreamSynchronize(Stream));
  expect(Calls == 0);

  cudaGraphExec_t Exec = instantiate(Graph);
  for (int Round = 1; Round <= 3; ++Round) {
    for (int I = 0; I < Count; ++I)
      In[I] = Round * I;
    check(cudaGraphLaunch(Exec, Stream));
    check(cudaStreamSynchronize(Stream));
    expect(Calls == 3 * Round);
    for (int I = 0; I < Count; ++I)
      expect(Out[I] == 5 * Round * I);
  }
  check(cudaGraphExecDestroy(Exec));
  check(cudaGraphDestroy(Graph));
  check(cudaStreamDestroy(Stream));
  check(cudaFreeHost(In));
  check(cudaFreeHost(Out));
}

/// Another stream joins by an event and is joined by another.
static void forkAndJoin() {
  constexpr int Count = 300;
  suite::Array<int> A(std::vector<int>(Count, 1)),
      B(std::vector<int>(Count, 2)), C(Count);
  check(cudaDeviceSynchronize()); // These streams do not wait for the fill.
  cudaStream_t Main, Side;
  cudaEvent_t Fork, Join;
  check(cudaStreamCreateWithFlags(&Main, cudaStreamNonBlocking));
  check(cudaStreamCreateWithFlags(&Side, cudaStreamNonBlocking));
  check(cudaEventCreateWithFlags(&Fork, cudaEventDisableTiming));
  check(cudaEventCreateWithFlags(&Join, cudaEventDisableTiming));
  check(cudaStreamBeginCapture(Main, cudaStreamCaptureModeThreadLocal));
  check(cudaEventRecord(Fork, Main));
  check(cudaStreamWaitEvent(Side, Fork, 0));
  cudaStreamCaptureStatus Status;
  check(cudaStreamIsCapturing(Side, &Status));
  expect(Status == cudaStreamCaptureStatusActive);
  scale<<<3, 128, 0, Main>>>(A, Count, 10);
  scale<<<3, 128, 0, Side>>>(B, Count, 100);
  check(cudaEventRecord(Join, Side));
  check(cudaStreamWaitEvent(Main, Join, 0));
  sum<<<3, 128, 0, Main>>>(C, A, B, Count);
  cudaGraph_t Graph = nullptr;
  check(cudaStreamEndCapture(Main, &Graph));
  check(cudaStreamIsCapturing(Side, &Status));
  expect(Status == cudaStreamCaptureStatusNone);

  size_t Nodes = 0, Roots = 0, Edges = 0;
  check(cudaGraphGetNodes(Graph, nullptr, &Nodes));
  check(cudaGraphGetRootNodes(Graph, nullptr, &Roots));
  check(cudaGraphGetEdges(Graph, nullptr, nullptr, nullptr, &Edges));
  expect(Nodes == 3 && Roots == 2 && Edges == 2);
  cudaGraphExec_t Exec = instantiate(Graph);
  check(cudaGraphLaunch(Exec, Main));
  check(cudaGraphLaunch(Exec, Main));
  check(cudaStreamSynchronize(Main));
  same(C.host(), std::vector<int>(Count, 100 + 20000));
  check(cudaGraphExecDestroy(Exec));
  check(cudaGraphDestroy(Graph));
  check(cudaEventDestroy(Fork));
  check(cudaEventDestroy(Join));
  check(cudaStreamDestroy(Main));
  check(cudaStreamDestroy(Side));
}

/// Into a graph that has nodes, with what the program says it comes after.
static void intoAGraph() {
  suite::Array<int> A(std::vector<int>(32, 1));
  cudaStream_t Stream;
  check(cudaStreamCreateWithFlags(&Stream, cudaStreamNonBlocking));
  cudaGraph_t Graph = nullptr, Same = nullptr;
  check(cudaGraphCreate(&Graph, 0));
  cudaMemsetParams Params = {};
  Params.dst = A.get();
  Params.elementSize = 1;
  Params.value = 1;
  Params.width = 32 * sizeof(int);
  Params.height = 1;
  cudaGraphNode_t Fill, Empty;
  check(cudaGraphAddMemsetNode(&Fill, Graph, nullptr, 0, &Params));
  check(cudaStreamBeginCaptureToGraph(Stream, Graph, &Fill, nullptr, 1,
                                      cudaStreamCaptureModeGlobal));
  scale<<<1, 32, 0, Stream>>>(A, 32, 2);

  cudaStreamCaptureStatus Status;
  unsigned long long Id = 0;
  cudaGraph_t Into = nullptr;
  const cudaGraphNode_t *Needs = nullptr;
  size_t Count = 0;
  check(cudaStreamGetCaptureInfo(Stream, &Status, &Id, &Into, &Needs, nullptr,
                                 &Count));
  expect(Status == cudaStreamCaptureStatusActive && Into == Graph);
  expect(Count == 1 && Needs[0] != Fill);
  check(cudaGraphAddEmptyNode(&Empty, Graph, Needs, Count));
  check(cudaStreamUpdateCaptureDependencies(Stream, &Empty, nullptr, 1,
                                            cudaStreamSetCaptureDependencies));
  scale<<<1, 32, 0, Stream>>>(A, 32, 3);
  check(cudaStreamEndCapture(Stream, &Same));
  expect(Same == Graph);
  size_t Dependents = 0;
  check(cudaGraphNodeGetDependentNodes(Empty, nullptr, nullptr, &Dependents));
  expect(Dependents == 1);
  cudaGraphExec_t Exec = instantiate(Graph);
  check(cudaGraphLaunch(Exec, Stream));
  check(cudaStreamSynchronize(Stream));
  same(A.host(), std::vector<int>(32, 0x01010101 * 6));
  check(cudaGraphExecDestroy(Exec));
  check(cudaGraphDestroy(Graph));
  check(cudaStreamDestroy(Stream));
}

int main() {
  oneStream();
  forkAndJoin();
  intoAGraph();
  return suite::finish();
}
