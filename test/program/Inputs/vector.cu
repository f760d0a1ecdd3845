// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A chain of three kernels over vectors: c = a + b, then b = 3c, then b += a.
// Each block needs just the block before it in the chain.
//
// usage: vector [--n N] [--threads T] [--repeat R] [--time]
//
// All values are whole numbers below 2^24, so that float arithmetic is exact,
// in whatever way a compiler contracts it.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <cuda_runtime.h>

__global__ void add(const float *A, const float *B, float *C, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    C[I] = A[I] + B[I];
}

__global__ void scale(const float *C, float *B, float Factor, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    B[I] = Factor * C[I];
}

__global__ void addTo(float *B, const float *A, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    B[I] += A[I];
}

static void check(cudaError_t Error, const char *What) {
  if (Error == cudaSuccess)
    return;
  std::fprintf(stderr, "vector: %s: %s\n", What, cudaGetErrorString(Error));
  std::exit(1);
}

static uint64_t checksum(const void *Data, size_t Bytes) {
  uint64_t Hash = 0xcbf29ce484222325u;
  for (size_t I = 0; I < Bytes; ++I)
    Hash =
        (Hash ^ static_cast<const unsigned char *>(Data)[I]) * 0x100000001b3u;
  return Hash;
}

static long option(int Argc, char **Argv, const char *Name, long Default) {
  for (int I = 1; I + 1 < Argc; ++I)
    if (!std::strcmp(Argv[I], Name))
      return std::atol(Argv[I + 1]);
  return Default;
}

static bool flag(int Argc, char **Argv, const char *Name) {
  for (int I = 1; I < Argc; ++I)
    if (!std::strcmp(Argv[I], Name))
      return true;
  return false;
}

int main(int Argc, char **Argv) {
  const int N = static_cast<int>(option(Argc, Argv, "--n", 10000));
  const int Threads = static_cast<int>(option(Argc, Argv, "--threads", 256));
  const long Repeat = option(Argc, Argv, "--repeat", 1);
  const int Blocks = (N + Threads - 1) / Threads;
  const int Launches = 3;
  const float Factor = 3.0f;
  const size_t Bytes = sizeof(float) * static_cast<size_t>(N);

  std::vector<float> A(N), B(N), Expected(N), Got(N);
  for (int I = 0; I < N; ++I) {
    A[I] = static_cast<float>(I % 1000);
    B[I] = static_cast<float>(I % 77 * 13);
    Expected[I] = Factor * (A[I] + B[I]) + A[I];
  }

  float *DeviceA = nullptr, *DeviceB = nullptr, *DeviceC = nullptr;
  check(cudaMalloc(&DeviceA, Bytes), "cudaMalloc");
  check(cudaMalloc(&DeviceB, Bytes), "cudaMalloc");
  check(cudaMalloc(&DeviceC, Bytes), "cudaMalloc");
  cudaEvent_t Start, Stop;
  check(cudaEventCreate(&Start), "cudaEventCreate");
  check(cudaEventCreate(&Stop), "cudaEventCreate");

  long Wrong = 0;
  std::vector<float> Microseconds;
  for (long Turn = 0; Turn < Repeat; ++Turn) {
    check(cudaMemcpy(DeviceA, A.data(), Bytes, cudaMemcpyHostToDevice), "copy");
    check(cudaMemcpy(DeviceB, B.data(), Bytes, cudaMemcpyHostToDevice), "copy");
    check(cudaMemset(DeviceC, 0, Bytes), "cudaMemset");
    check(cudaEventRecord(Start), "cudaEventRecord");
    add<<<Blocks, Threads>>>(DeviceA, DeviceB, DeviceC, N);
    scale<<<Blocks, Threads>>>(DeviceC, DeviceB, Factor, N);
    addTo<<<Blocks, Threads>>>(DeviceB, DeviceA, N);
    check(cudaGetLastError(), "launch");
    check(cudaEventRecord(Stop), "cudaEventRecord");
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    check(cudaMemcpy(Got.data(), DeviceB, Bytes, cudaMemcpyDeviceToHost),
          "copy back");
    Wrong += Got != Expected;
    float Milliseconds = 0;
    check(cudaEventElapsedTime(&Milliseconds, Start, Stop), "elapsed time");
    Microseconds.push_back(Milliseconds * 1000 / Launches);
  }

  check(cudaEventDestroy(Start), "cudaEventDestroy");
  check(cudaEventDestroy(Stop), "cudaEventDestroy");
  check(cudaFree(DeviceA), "cudaFree");
  check(cudaFree(DeviceB), "cudaFree");
  check(cudaFree(DeviceC), "cudaFree");

  std::sort(Microseconds.begin(), Microseconds.end());
  if (flag(Argc, Argv, "--time") && !Microseconds.empty())
    std::printf("vector: %.3f us per kernel, median of %ld\n",
                Microseconds[Microseconds.size() / 2], Repeat);
  std::printf("vector: %s, %d launches, checksum %016llx\n",
              Wrong ? "FAILED" : "ok", Launches,
              static_cast<unsigned long long>(checksum(Got.data(), Bytes)));
  return Wrong ? 1 : 0;
}
