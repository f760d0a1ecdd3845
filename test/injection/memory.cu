// Every request for memory or a thread that the runtime makes for allocations,
// copies, symbols, streams, events, host functions and launches fails once: the
// call reports it, and made again it works.
// REQUIRES: injection
// RUN: %bmclangxx -O1 -fblockmaestro -I%S/Inputs %s -o %t && %inject %t

#include "calls.h"

constexpr int N = 512;
__device__ int Number;

__global__ void fill(int *Out, int Value) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = I + Value + Number;
}
__global__ void turn(int *Data) {
  __shared__ int Tile[64];
  Tile[threadIdx.x] = Data[blockIdx.x * 64 + threadIdx.x];
  __syncthreads();
  Data[blockIdx.x * 64 + threadIdx.x] = Tile[63 - threadIdx.x];
}

static void note(void *Count) { ++*static_cast<int *>(Count); }

int main() {
  int *A = nullptr, *B = nullptr, *Pinned = nullptr, *Managed = nullptr;
  int Host[N], Value = 3;
  cudaStream_t First, Second;
  cudaEvent_t Filled, Done;
  CALL(cudaMalloc(&A, N * sizeof(int)));
  CALL(cudaMalloc(&B, N * sizeof(int)));
  CALL(cudaMallocHost(&Pinned, N * sizeof(int)));
  CALL(cudaMallocManaged(&Managed, sizeof(int)));
  CALL(cudaStreamCreate(&First));
  CALL(cudaStreamCreateWithFlags(&Second, cudaStreamNonBlocking));
  CALL(cudaEventCreate(&Filled));
  CALL(cudaEventCreate(&Done));
  CALL(cudaMemcpyToSymbol(Number, &Value, sizeof Value));
  *Managed = 0;

  LAUNCH(fill<<<N / 64, 64, 0, First>>>(A, 10));
  CALL(cudaEventRecord(Filled, First));
  CALL(cudaStreamWaitEvent(Second, Filled, 0));
  CALL(cudaMemcpyAsync(B, A, N * sizeof(int), cudaMemcpyDeviceToDevice, Second));
  CALL(cudaEventRecord(Done, Second));
  CALL(cudaStreamWaitEvent(First, Done, 0));
  CALL(cudaMemsetAsync(A, 0, N * sizeof(int), First));
  LAUNCH(fill<<<N / 64, 64, 0, First>>>(A, 20));
  CALL(cudaStreamSynchronize(Second));
  LAUNCH(turn<<<N / 64, 64, 0, Second>>>(B));
  CALL(cudaMemcpyAsync(Pinned, B, N * sizeof(int), cudaMemcpyDeviceToHost, Second));
  CALL(cudaLaunchHostFunc(Second, note, Managed));
  CALL(cudaEventRecord(Done, Second));
  CALL(cudaEventSynchronize(Done));
  CALL(cudaDeviceSynchronize());
  CALL(cudaMemcpy(Host, A, N * sizeof(int), cudaMemcpyDeviceToHost));

  for (int I = 0; I < N; ++I) {
    if (Host[I] != I + 23)
      lost("A", I, Host[I], I + 23);
    const int Turned = I / 64 * 64 + 63 - I % 64 + 13;
    if (Pinned[I] != Turned)
      lost("B", I, Pinned[I], Turned);
  }
  if (*Managed != 1)
    lost("Managed", 0, *Managed, 1);

  int *FromPool = nullptr;
  CALL(cudaMallocAsync(&FromPool, N * sizeof(int), First));
  LAUNCH(fill<<<N / 64, 64, 0, First>>>(FromPool, 1));
  CALL(cudaMemcpyAsync(Pinned, FromPool, N * sizeof(int), cudaMemcpyDeviceToHost, First));
  CALL(cudaFreeAsync(FromPool, First));
  CALL(cudaStreamSynchronize(First));
  for (int I = 0; I < N; ++I)
    if (Pinned[I] != I + 4)
      lost("FromPool", I, Pinned[I], I + 4);

  CALL(cudaEventDestroy(Filled));
  CALL(cudaEventDestroy(Done));
  CALL(cudaStreamDestroy(First));
  CALL(cudaStreamDestroy(Second));
  CALL(cudaFree(A));
  CALL(cudaFree(B));
  CALL(cudaFree(Managed));
  CALL(cudaFreeHost(Pinned));
  std::puts("ok");
}
