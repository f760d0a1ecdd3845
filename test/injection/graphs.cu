// The same for graphs, captured and made by hand, launched twice.
// REQUIRES: injection
// RUN: %bmclangxx -O1 -fblockmaestro -I%S/Inputs %s -o %t && %inject %t

#include "calls.h"

constexpr int N = 128;

__global__ void add(int *Data, int Value) { Data[threadIdx.x] += Value; }

/// Capturing is all or nothing: where one call fails, all of it is done again.
static cudaError_t capture(cudaStream_t Stream, int *Data, int *Host, cudaGraph_t *Graph) {
  cudaError_t Error = cudaStreamBeginCapture(Stream, cudaStreamCaptureModeGlobal);
  if (Error != cudaSuccess)
    return Error;
  add<<<1, N, 0, Stream>>>(Data, 1);
  cudaError_t Launched = cudaGetLastError();
  const cudaError_t Copied =
      cudaMemcpyAsync(Host, Data, N * sizeof(int), cudaMemcpyDeviceToHost, Stream);
  Error = cudaStreamEndCapture(Stream, Graph);
  if (Error == cudaSuccess)
    Error = Launched != cudaSuccess ? Launched : Copied;
  return Error;
}

int main() {
  int *Data = nullptr, *Host = nullptr;
  cudaStream_t Stream;
  cudaGraph_t Captured = nullptr, Made = nullptr;
  cudaGraphExec_t First, Second;
  CALL(cudaMalloc(&Data, N * sizeof(int)));
  CALL(cudaMemset(Data, 0, N * sizeof(int)));
  CALL(cudaMallocHost(&Host, N * sizeof(int)));
  CALL(cudaStreamCreate(&Stream));
  CALL(capture(Stream, Data, Host, &Captured));
  CALL(cudaGraphInstantiate(&First, Captured, 0));

  CALL(cudaGraphCreate(&Made, 0));
  cudaGraphNode_t Kernel, Memset;
  int Value = 5;
  void *Arguments[] = {&Data, &Value};
  cudaKernelNodeParams Node{};
  Node.func = reinterpret_cast<void *>(add);
  Node.gridDim = dim3(1);
  Node.blockDim = dim3(N);
  Node.kernelParams = Arguments;
  CALL(cudaGraphAddKernelNode(&Kernel, Made, nullptr, 0, &Node));
  cudaMemsetParams Set{};
  Set.dst = Data;
  Set.elementSize = 4;
  Set.width = N / 2;
  Set.height = 1;
  CALL(cudaGraphAddMemsetNode(&Memset, Made, &Kernel, 1, &Set));
  CALL(cudaGraphInstantiate(&Second, Made, 0));

  CALL(cudaGraphLaunch(First, Stream));
  CALL(cudaGraphLaunch(Second, Stream));
  CALL(cudaGraphLaunch(First, Stream));
  CALL(cudaStreamSynchronize(Stream));
  for (int I = 0; I < N; ++I)
    if (Host[I] != (I < N / 2 ? 1 : 7))
      lost("Host", I, Host[I], I < N / 2 ? 1 : 7);
  CALL(cudaGraphExecDestroy(First));
  CALL(cudaGraphExecDestroy(Second));
  CALL(cudaGraphDestroy(Captured));
  CALL(cudaGraphDestroy(Made));
  CALL(cudaStreamDestroy(Stream));
  CALL(cudaFree(Data));
  CALL(cudaFreeHost(Host));
  std::puts("ok");
}
