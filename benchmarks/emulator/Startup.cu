// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints the monotonic clock when its first kernel has run, or with an argument
// when that many kernels have, no two of which have the same code.

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <cuda_runtime.h>
#include <utility>

static constexpr int Threads = 256, Size = 1024, Most = 100;

__global__ void scale(float *Data, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    Data[I] = 2 * Data[I];
}

/// A reduction in shared memory, some arithmetic and a guard, as many kernels
/// have them.
template <int Number> __global__ void work(float *Data, int N, float Factor) {
  __shared__ float Part[Threads];
  int I = blockIdx.x * blockDim.x + threadIdx.x, T = threadIdx.x;
  Part[T] = I < N ? Data[I] : 0;
  __syncthreads();
  for (int Step = Threads / 2; Step > 0; Step /= 2) {
    if (T < Step)
      Part[T] += Number * Part[T + Step];
    __syncthreads();
  }
  if (I < N)
    Data[I] = sinf(Factor * Data[I]) + Part[T % (Number + 3)];
}

template <int... Numbers>
static void launch(int Count, float *Data,
                   std::integer_sequence<int, Numbers...>) {
  ((Numbers < Count
        ? work<Numbers><<<Size / Threads, Threads>>>(Data, Size, .5f)
        : void()),
   ...);
}

int main(int Words, char **Arguments) {
  float *Data;
  if (cudaMalloc(&Data, Size * sizeof(float)) != cudaSuccess)
    return 1;
  if (Words > 1)
    launch(std::atoi(Arguments[1]), Data,
           std::make_integer_sequence<int, Most>());
  else
    scale<<<Size / Threads, Threads>>>(Data, Size);
  if (cudaDeviceSynchronize() != cudaSuccess)
    return 1;
  timespec Now;
  clock_gettime(CLOCK_MONOTONIC, &Now);
  std::printf("%.9f\n", Now.tv_sec + 1e-9 * Now.tv_nsec);
}
