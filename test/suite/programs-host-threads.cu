// Feature: programs: Host threads that allocate, copy and launch at once, on streams of their
// own and on the default stream, with an error state for each.
// Flags: -lpthread

#include <atomic>
#include <thread>

#include "Inputs/suite.h"

__device__ int Everyone;

__global__ void fill(int *Out, int N, int Value) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    Out[I] = Value + I;
  if (I == 0)
    atomicAdd(&Everyone, 1);
}

static std::atomic<int> Wrong{0};

static void work(int Number, bool OwnStream) {
  constexpr int N = 500;
  cudaStream_t Stream = nullptr;
  Wrong += OwnStream && cudaStreamCreateWithFlags(&Stream, cudaStreamNonBlocking) != cudaSuccess;
  for (int Round = 0; Round < 10; ++Round) {
    int *Data = nullptr;
    std::vector<int> Host(N, -1);
    Wrong += cudaMalloc(&Data, N * sizeof(int)) != cudaSuccess;
    fill<<<(N + 63) / 64, 64, 0, Stream>>>(Data, N, Number * 1000 + Round);
    Wrong += cudaGetLastError() != cudaSuccess;
    Wrong += cudaMemcpyAsync(Host.data(), Data, N * sizeof(int), cudaMemcpyDeviceToHost, Stream) !=
             cudaSuccess;
    Wrong += cudaStreamSynchronize(Stream) != cudaSuccess;
    for (int I = 0; I < N; ++I)
      Wrong += Host[I] != Number * 1000 + Round + I;
    Wrong += cudaFree(Data) != cudaSuccess;
  }
  // The last error is each thread's own.
  fill<<<0, 1, 0, Stream>>>(nullptr, 0, 0);
  Wrong += cudaPeekAtLastError() != cudaErrorInvalidValue;
  Wrong += cudaGetLastError() != cudaErrorInvalidValue;
  Wrong += cudaGetLastError() != cudaSuccess;
  if (Stream)
    Wrong += cudaStreamDestroy(Stream) != cudaSuccess;
}

int main() {
  std::vector<std::thread> Threads;
  for (int I = 0; I < 6; ++I)
    Threads.emplace_back(work, I, I % 2 == 0);
  for (std::thread &Thread : Threads)
    Thread.join();
  expect(Wrong == 0);
  int Count = 0;
  check(cudaMemcpyFromSymbol(&Count, Everyone, sizeof Count));
  expect(Count == 60);
  return suite::finish();
}
