// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// usage: scale LAUNCHES BLOCKS: so many launches of a stencil of so many
// blocks, two buffers in turn. Prints the processor time of the whole process
// in seconds and its largest memory in MiB, and ends with an error when a
// result is wrong.

#include <cstdio>
#include <cstdlib>
#include <sys/resource.h>
#include <utility>
#include <vector>

static constexpr int Threads = 8;

__global__ void smooth(const int *In, int *Out, int Size) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Size)
    Out[I] = I > 0 ? (In[I] + In[I - 1]) / 2 + 1 : In[I] + 1;
}

int main(int, char **Arguments) {
  int Launches = std::atoi(Arguments[1]), Blocks = std::atoi(Arguments[2]);
  int Size = Blocks * Threads;
  int *A, *B;
  cudaMalloc(&A, size_t(Size) * sizeof(int));
  cudaMalloc(&B, size_t(Size) * sizeof(int));
  cudaMemset(A, 0, size_t(Size) * sizeof(int));
  for (int I = 0; I < Launches; ++I) {
    smooth<<<Blocks, Threads>>>(A, B, Size);
    std::swap(A, B);
  }
  std::vector<int> Out(Size);
  cudaMemcpy(Out.data(), A, size_t(Size) * sizeof(int), cudaMemcpyDeviceToHost);
  for (int Each : Out)
    if (Each != Launches)
      return 1;
  rusage Used;
  getrusage(RUSAGE_SELF, &Used);
  auto Seconds = [](timeval T) {
    return double(T.tv_sec) + 1e-6 * double(T.tv_usec);
  };
  std::printf("%.3f %.1f\n", Seconds(Used.ru_utime) + Seconds(Used.ru_stime),
              double(Used.ru_maxrss) / 1024);
  return cudaGetLastError() != cudaSuccess;
}
