// Feature: graphs: Memory that graphs allocate and free, by nodes and by capture.

#include <cstdint>
#include <vector>

#include "Inputs/suite.h"

constexpr int Count = 256;

__global__ void fill(int *Data, int Value) { Data[threadIdx.x] = Value; }
__global__ void addTo(int *To, const int *From) {
  To[threadIdx.x] += From[threadIdx.x];
}

static cudaGraphNode_t addKernel(cudaGraph_t Graph, cudaGraphNode_t After,
                                 void *Stub, void **Arguments) {
  cudaKernelNodeParams Params = {};
  Params.func = Stub;
  Params.gridDim = dim3(1);
  Params.blockDim = dim3(Count);
  Params.kernelParams = Arguments;
  cudaGraphNode_t Node = nullptr;
  check(cudaGraphAddKernelNode(&Node, Graph, &After, 1, &Params));
  return Node;
}

static cudaMemAllocNodeParams bytes(size_t Size) {
  cudaMemAllocNodeParams Out = {};
  Out.poolProps.allocType = cudaMemAllocationTypePinned;
  Out.poolProps.location.type = cudaMemLocationTypeDevice;
  Out.poolProps.location.id = 0;
  Out.bytesize = Size;
  return Out;
}

static uint64_t attribute(cudaGraphMemAttributeType Which) {
  uint64_t Out = 0;
  check(cudaDeviceGetGraphMemAttribute(0, Which, &Out));
  return Out;
}

/// Allocated and freed in the graph, at the same place in every launch.
static void inside() {
  suite::Array<int> Sum(Count);
  cudaGraph_t Graph = nullptr;
  check(cudaGraphCreate(&Graph, 0));
  cudaMemAllocNodeParams Asked = bytes(Count * sizeof(int));
  cudaGraphNode_t Take, Give;
  check(cudaGraphAddMemAllocNode(&Take, Graph, nullptr, 0, &Asked));
  int *Temporary = static_cast<int *>(Asked.dptr), Value = 3;
  expect(Temporary != nullptr);
  cudaMemAllocNodeParams Told = {};
  check(cudaGraphMemAllocNodeGetParams(Take, &Told));
  expect(Told.dptr == Asked.dptr && Told.bytesize == Asked.bytesize);
  void *Fill[] = {&Temporary, &Value};
  int *To = Sum.get();
  void *Add[] = {&To, &Temporary};
  cudaGraphNode_t Filled = addKernel(Graph, Take, (void *)fill, Fill);
  cudaGraphNode_t Added = addKernel(Graph, Filled, (void *)addTo, Add);
  check(cudaGraphAddMemFreeNode(&Give, Graph, &Added, 1, Temporary));
  void *Freed = nullptr;
  check(cudaGraphMemFreeNodeGetParams(Give, &Freed));
  expect(Freed == Temporary);
  cudaGraphNode_t Twice;
  expect(cudaGraphAddMemFreeNode(&Twice, Graph, &Added, 1, Temporary) ==
         cudaErrorInvalidValue);
  (void)cudaGetLastError();
  cudaGraph_t Clone = nullptr;
  expect(cudaGraphClone(&Clone, Graph) != cudaSuccess);
  (void)cudaGetLastError();

  cudaGraphExec_t Exec = nullptr, Second = nullptr;
  check(cudaGraphInstantiate(&Exec, Graph, 0));
  expect(cudaGraphInstantiate(&Second, Graph, 0) != cudaSuccess);
  (void)cudaGetLastError();
  for (int I = 0; I < 3; ++I)
    check(cudaGraphLaunch(Exec, nullptr));
  same(Sum.host(), std::vector<int>(Count, 9));
  expect(attribute(cudaGraphMemAttrUsedMemHigh) >= Count * sizeof(int));
  check(cudaGraphExecDestroy(Exec));
  check(cudaGraphDestroy(Graph));
  check(cudaDeviceGraphMemTrim(0));
  expect(attribute(cudaGraphMemAttrUsedMemCurrent) == 0);
  uint64_t Zero = 0;
  check(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &Zero));
  expect(attribute(cudaGraphMemAttrUsedMemHigh) == 0);
}

/// Allocated by a graph, used by the stream, freed by the program.
static void outside() {
  cudaGraph_t Graph = nullptr;
  check(cudaGraphCreate(&Graph, 0));
  cudaMemAllocNodeParams Asked = bytes(Count * sizeof(int));
  cudaGraphNode_t Take;
  check(cudaGraphAddMemAllocNode(&Take, Graph, nullptr, 0, &Asked));
  int *Data = static_cast<int *>(Asked.dptr), Value = 5;
  void *Fill[] = {&Data, &Value};
  (void)addKernel(Graph, Take, (void *)fill, Fill);
  cudaGraphExec_t Exec = nullptr;
  check(cudaGraphInstantiate(&Exec, Graph, 0));
  cudaStream_t Stream;
  check(cudaStreamCreate(&Stream));
  suite::Array<int> Sum(Count);
  for (int I = 0; I < 2; ++I) {
    check(cudaGraphLaunch(Exec, Stream));
    addTo<<<1, Count, 0, Stream>>>(Sum, Data);
    check(cudaGetLastError());
    check(cudaFreeAsync(Data, Stream));
  }
  check(cudaGraphLaunch(Exec, Stream));
  check(cudaStreamSynchronize(Stream));
  expect(cudaGraphLaunch(Exec, Stream) == cudaErrorInvalidValue);
  (void)cudaGetLastError();
  check(cudaFree(Data));
  same(Sum.host(), std::vector<int>(Count, 10));
  check(cudaGraphExecDestroy(Exec));

  check(cudaGraphInstantiate(&Exec, Graph,
                             cudaGraphInstantiateFlagAutoFreeOnLaunch));
  unsigned long long Flags = 0;
  check(cudaGraphExecGetFlags(Exec, &Flags));
  expect(Flags == cudaGraphInstantiateFlagAutoFreeOnLaunch);
  check(cudaGraphLaunch(Exec, Stream));
  check(cudaGraphLaunch(Exec, Stream));
  check(cudaFreeAsync(Data, Stream));
  check(cudaStreamSynchronize(Stream));
  check(cudaGraphExecDestroy(Exec));
  check(cudaGraphDestroy(Graph));
  check(cudaStreamDestroy(Stream));
}

/// cudaMallocAsync and cudaFreeAsync of a captured stream become nodes.
static void captured() {
  suite::Array<int> Sum(Count);
  check(cudaDeviceSynchronize());
  cudaStream_t Stream;
  check(cudaStreamCreateWithFlags(&Stream, cudaStreamNonBlocking));
  check(cudaStreamBeginCapture(Stream, cudaStreamCaptureModeGlobal));
  int *Temporary = nullptr;
  check(cudaMallocAsync(&Temporary, Count * sizeof(int), Stream));
  fill<<<1, Count, 0, Stream>>>(Temporary, 7);
  addTo<<<1, Count, 0, Stream>>>(Sum, Temporary);
  check(cudaFreeAsync(Temporary, Stream));
  cudaGraph_t Graph = nullptr;
  check(cudaStreamEndCapture(Stream, &Graph));
  cudaGraphNode_t Root = nullptr;
  size_t One = 1;
  check(cudaGraphGetRootNodes(Graph, &Root, &One));
  cudaGraphNodeType Type;
  check(cudaGraphNodeGetType(Root, &Type));
  expect(Type == cudaGraphNodeTypeMemAlloc);
  cudaGraphExec_t Exec = nullptr;
  check(cudaGraphInstantiate(&Exec, Graph, 0));
  check(cudaGraphLaunch(Exec, Stream));
  check(cudaGraphLaunch(Exec, Stream));
  check(cudaStreamSynchronize(Stream));
  same(Sum.host(), std::vector<int>(Count, 14));
  check(cudaGraphExecDestroy(Exec));
  check(cudaGraphDestroy(Graph));
  check(cudaStreamDestroy(Stream));
}

int main() {
  inside();
  outside();
  captured();
  return suite::finish();
}
