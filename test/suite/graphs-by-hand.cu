// Feature: graphs: Graphs built node by node: kernels, copies, fills, host functions, dependences.
//
// Every kind of plain node, a diamond of dependences, parameters copied when
// the node is added, and several launches of one executable graph in order.

#include <cstring>
#include <vector>

#include "Inputs/suite.h"

__device__ int Offsets[4];
__device__ int Results[4];

__global__ void add(int *Data, int Count, int Value) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Count)
    Data[I] += Value;
}

__global__ void combine(int *Out, const int *A, const int *B, int Count) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Count)
    Out[I] = 10 * A[I] + B[I];
}

__global__ void applyOffsets(int *Data) {
  Results[threadIdx.x] = Data[threadIdx.x] + Offsets[threadIdx.x];
}

static cudaGraphNode_t addKernel(cudaGraph_t Graph,
                                 std::vector<cudaGraphNode_t> After, void *Stub,
                                 dim3 Grid, dim3 Block, void **Arguments) {
  cudaKernelNodeParams Params = {};
  Params.func = Stub;
  Params.gridDim = Grid;
  Params.blockDim = Block;
  Params.kernelParams = Arguments;
  cudaGraphNode_t Node = nullptr;
  check(cudaGraphAddKernelNode(&Node, Graph, After.data(), After.size(),
                               &Params));
  return Node;
}

static void diamond() {
  constexpr int Count = 1000;
  suite::Array<int> A(Count), B(Count), Out(Count);
  std::vector<int> Host(Count, 3), Back(Count);
  cudaGraph_t Graph = nullptr;
  check(cudaGraphCreate(&Graph, 0));

  cudaGraphNode_t Copy, Fill, Empty, Last;
  check(cudaGraphAddMemcpyNode1D(&Copy, Graph, nullptr, 0, A.get(), Host.data(),
                                 Count * sizeof(int), cudaMemcpyHostToDevice));
  cudaMemsetParams Zero = {};
  Zero.dst = B.get();
  Zero.elementSize = 4;
  Zero.value = 7;
  Zero.width = Count;
  Zero.height = 1;
  check(cudaGraphAddMemsetNode(&Fill, Graph, nullptr, 0, &Zero));
  cudaGraphNode_t Both[] = {Copy, Fill};
  check(cudaGraphAddEmptyNode(&Empty, Graph, Both, 2));

  int *Where = A.get(), Size = Count, Value = 5;
  void *AddArguments[] = {&Where, &Size, &Value};
  cudaGraphNode_t Left = addKernel(Graph, {Empty}, (void *)add, 8, 128,
                                   AddArguments);
  Where = B.get();
  Value = 1;
  cudaGraphNode_t Right = addKernel(Graph, {Empty}, (void *)add, 8, 128,
                                    AddArguments);
  Where = nullptr;
  Value = -1;
  int *To = Out.get();
  const int *FromA = A.get(), *FromB = B.get();
  void *CombineArguments[] = {&To, &FromA, &FromB, &Size};
  cudaGraphNode_t Join = addKernel(Graph, {Left, Right}, (void *)combine, 8,
                                   128, CombineArguments);
  check(cudaGraphAddMemcpyNode1D(&Last, Graph, &Join, 1, Back.data(), Out.get(),
                                 Count * sizeof(int), cudaMemcpyDeviceToHost));

  cudaGraphExec_t Exec = nullptr;
  check(cudaGraphInstantiate(&Exec, Graph, 0));
  check(cudaGraphDestroy(Graph));
  check(cudaGraphLaunch(Exec, nullptr));
  check(cudaStreamSynchronize(nullptr));
  same(Back, std::vector<int>(Count, 10 * 8 + 8));
  Host.assign(Count, 4);
  check(cudaGraphLaunch(Exec, nullptr));
  check(cudaStreamSynchronize(nullptr));
  same(Back, std::vector<int>(Count, 10 * 9 + 8));
  check(cudaGraphExecDestroy(Exec));
}

struct Log {
  std::vector<int> Values;
  int *Shared;
};

static void CUDART_CB note(void *Where) {
  Log *To = static_cast<Log *>(Where);
  To->Values.push_back(*To->Shared);
}

/// Launches of one executable graph come one after the other, in any streams.
static void inOrder() {
  int *Counter = nullptr;
  check(cudaMallocHost(&Counter, sizeof(int)));
  *Counter = 0;
  suite::Array<int> Device(1);
  check(cudaDeviceSynchronize()); // These streams do not wait for the fill.
  Log Seen = {{}, Counter};
  cudaGraph_t Graph = nullptr;
  check(cudaGraphCreate(&Graph, 0));
  int *Where = Device.get(), Size = 1, Value = 1;
  void *Arguments[] = {&Where, &Size, &Value};
  cudaGraphNode_t Step = addKernel(Graph, {}, (void *)add, 1, 32, Arguments);
  cudaGraphNode_t Copy, Call;
  check(cudaGraphAddMemcpyNode1D(&Copy, Graph, &Step, 1, Counter, Device.get(),
                                 sizeof(int), cudaMemcpyDeviceToHost));
  cudaHostNodeParams Host = {note, &Seen};
  check(cudaGraphAddHostNode(&Call, Graph, &Copy, 1, &Host));
  cudaGraphExec_t Exec = nullptr;
  check(cudaGraphInstantiate(&Exec, Graph, 0));
  cudaStream_t One, Two;
  check(cudaStreamCreateWithFlags(&One, cudaStreamNonBlocking));
  check(cudaStreamCreateWithFlags(&Two, cudaStreamNonBlocking));
  check(cudaGraphUpload(Exec, One));
  for (int I = 0; I < 10; ++I)
    check(cudaGraphLaunch(Exec, I % 2 ? One : Two));
  check(cudaStreamSynchronize(One));
  check(cudaStreamSynchronize(Two));
  same(Seen.Values, (std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
  check(cudaGraphExecDestroy(Exec));
  check(cudaGraphDestroy(Graph));
  check(cudaStreamDestroy(One));
  check(cudaStreamDestroy(Two));
  check(cudaFreeHost(Counter));
}

/// Device variables, and a copy of rows.
static void symbolsAndRows() {
  std::vector<int> Data = {1, 2, 3, 4}, Plus = {10, 20, 30, 40}, Back(4);
  suite::Array<int> Device(Data);
  cudaGraph_t Graph = nullptr;
  check(cudaGraphCreate(&Graph, 0));
  cudaGraphNode_t In, Out;
  check(cudaGraphAddMemcpyNodeToSymbol(&In, Graph, nullptr, 0, Offsets,
                                       Plus.data(), 4 * sizeof(int), 0,
                                       cudaMemcpyHostToDevice));
  int *Where = Device.get();
  void *Arguments[] = {&Where};
  cudaGraphNode_t Kernel = addKernel(Graph, {In}, (void *)applyOffsets, 1, 4,
                                     Arguments);
  check(cudaGraphAddMemcpyNodeFromSymbol(&Out, Graph, &Kernel, 1,
                                         Back.data() + 1, Results,
                                         3 * sizeof(int), sizeof(int),
                                         cudaMemcpyDeviceToHost));
  // Two rows of three out of rows of four, into rows of eight.
  unsigned char From[8] = {1, 2, 3, 0, 4, 5, 6, 0}, To[16] = {};
  suite::Array<unsigned char> Rows(16);
  cudaMemcpy3DParms Box = {};
  Box.srcPtr = make_cudaPitchedPtr(From, 4, 4, 2);
  Box.dstPtr = make_cudaPitchedPtr(Rows.get(), 8, 8, 2);
  Box.dstPos = make_cudaPos(1, 0, 0);
  Box.extent = make_cudaExtent(3, 2, 1);
  Box.kind = cudaMemcpyHostToDevice;
  cudaGraphNode_t Boxed, Whole;
  check(cudaGraphAddMemcpyNode(&Boxed, Graph, nullptr, 0, &Box));
  check(cudaGraphAddMemcpyNode1D(&Whole, Graph, &Boxed, 1, To, Rows.get(), 16,
                                 cudaMemcpyDeviceToHost));
  cudaGraphExec_t Exec = nullptr;
  check(cudaGraphInstantiate(&Exec, Graph, 0));
  check(cudaGraphLaunch(Exec, nullptr));
  check(cudaDeviceSynchronize());
  same(Back, (std::vector<int>{0, 22, 33, 44}));
  const unsigned char Expected[16] = {0, 1, 2, 3, 0, 0, 0, 0,
                                      0, 4, 5, 6, 0, 0, 0, 0};
  expect(std::memcmp(To, Expected, 16) == 0);
  cudaMemcpy3DParms Told = {};
  check(cudaGraphMemcpyNodeGetParams(Boxed, &Told));
  expect(Told.extent.width == 3 && Told.extent.height == 2);
  expect(Told.dstPos.x == 1 && Told.kind == cudaMemcpyHostToDevice);
  check(cudaGraphExecDestroy(Exec));
  check(cudaGraphDestroy(Graph));
}

/// The generic call makes the same nodes.
static void generic() {
  suite::Array<int> Device(64);
  cudaGraph_t Graph = nullptr;
  check(cudaGraphCreate(&Graph, 0));
  cudaGraphNodeParams Fill = {};
  Fill.type = cudaGraphNodeTypeMemset;
  Fill.memset.dst = Device.get();
  Fill.memset.elementSize = 4;
  Fill.memset.value = 40;
  Fill.memset.width = 64;
  Fill.memset.height = 1;
  cudaGraphNode_t First, Second;
  check(cudaGraphAddNode(&First, Graph, nullptr, nullptr, 0, &Fill));
  int *Where = Device.get(), Size = 64, Value = 2;
  void *Arguments[] = {&Where, &Size, &Value};
  cudaGraphNodeParams Kernel = {};
  Kernel.type = cudaGraphNodeTypeKernel;
  Kernel.kernel.func = (void *)add;
  Kernel.kernel.gridDim = dim3(2);
  Kernel.kernel.blockDim = dim3(32);
  Kernel.kernel.kernelParams = Arguments;
  check(cudaGraphAddNode(&Second, Graph, &First, nullptr, 1, &Kernel));
  cudaGraphNodeType Type;
  check(cudaGraphNodeGetType(Second, &Type));
  expect(Type == cudaGraphNodeTypeKernel);
  cudaKernelNodeParams Told = {};
  check(cudaGraphKernelNodeGetParams(Second, &Told));
  expect(Told.func == (void *)add && Told.gridDim.x == 2);
  expect(*static_cast<int *>(Told.kernelParams[2]) == 2);
  cudaGraphExec_t Exec = nullptr;
  check(cudaGraphInstantiate(&Exec, Graph, 0));
  check(cudaGraphLaunch(Exec, nullptr));
  same(Device.host(), std::vector<int>(64, 42));
  check(cudaGraphExecDestroy(Exec));
  check(cudaGraphDestroy(Graph));
}

int main() {
  diamond();
  inOrder();
  symbolsAndRows();
  generic();
  return suite::finish();
}
