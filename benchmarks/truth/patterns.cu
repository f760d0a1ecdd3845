// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Small kernels that each have one pattern of what programs do, of none of the
// programs of benchmarks/: what the simulator has wrong of a pattern shows here
// by itself. Each at three sizes, one of a few blocks, one of a block for each
// SM, one of several; all of it twice, of which the second counts.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

static void check(cudaError_t Error) {
  if (Error == cudaSuccess)
    return;
  std::fprintf(stderr, "patterns: %s\n", cudaGetErrorString(Error));
  std::exit(1);
}

static __device__ int threadNumber() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}

__global__ void columnSum(const float *A, float *To, int N, int K) {
  float Sum = 0;
  for (int I = 0; I < K; ++I)
    Sum += A[size_t(I) * N + threadNumber()];
  To[threadNumber()] = Sum;
}

__global__ void rowProduct(const float *A, const float *X, float *To, int K) {
  float Sum = 0;
  for (int I = 0; I < K; ++I)
    Sum += A[size_t(threadNumber()) * K + I] * X[I];
  To[threadNumber()] = Sum;
}

__global__ void columnProduct(const float *A, const float *X, float *To, int N,
                              int K) {
  float Sum = 0;
  for (int I = 0; I < K; ++I)
    Sum += A[size_t(I) * N + threadNumber()] * X[I];
  To[threadNumber()] = Sum;
}

__global__ void weightedSum(const float *Weights, const float *Values,
                            float *To, int K) {
  const float *W = Weights + size_t(blockIdx.x) * K;
  const float *V = Values + size_t(blockIdx.x) * K * blockDim.x;
  float Sum = 0;
  for (int I = 0; I < K; ++I)
    Sum += W[I] * V[I * blockDim.x + threadIdx.x];
  To[threadNumber()] = Sum;
}

__global__ void nearest(const float *Points, const float *Centres, int *To,
                        int N, int Count, int Dimensions) {
  float Least = 1e30f;
  int At = 0;
  for (int C = 0; C < Count; ++C) {
    float Sum = 0;
    for (int D = 0; D < Dimensions; ++D) {
      float Off = Points[D * N + threadNumber()] - Centres[C * Dimensions + D];
      Sum += Off * Off;
    }
    if (Sum < Least) {
      Least = Sum;
      At = C;
    }
  }
  To[threadNumber()] = At;
}

__global__ void meanOfEqual(const float *X, const int *Of, float *To, int K) {
  float Sum = 0;
  int Count = 0;
  for (int I = 0; I < K; ++I)
    if (Of[I] == threadNumber()) {
      Sum += X[I];
      ++Count;
    }
  To[threadNumber()] = Count ? Sum / Count : 0;
}

__global__ void chase(const int *Next, int *To, int Steps) {
  int At = threadNumber();
  for (int I = 0; I < Steps; ++I)
    At = Next[At];
  To[threadNumber()] = At;
}

/// The sum of what the 256 threads of a block have put into Sums.
static __device__ void addUp(float *Sums, float *To) {
  __syncthreads();
  for (int Width = 128; Width > 0; Width /= 2) {
    if (threadIdx.x < Width)
      Sums[threadIdx.x] += Sums[threadIdx.x + Width];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    To[blockIdx.x] = Sums[0];
}

__global__ void treeSum(const float *A, float *To) {
  __shared__ float Sums[256];
  Sums[threadIdx.x] = A[threadNumber()];
  addUp(Sums, To);
}

__global__ void sharedBins(const uint8_t *A, int *To, int K) {
  __shared__ int Bins[256];
  Bins[threadIdx.x] = 0;
  __syncthreads();
  for (int I = 0; I < K; ++I)
    atomicAdd(&Bins[A[(blockIdx.x * K + I) * 256 + threadIdx.x]], 1);
  __syncthreads();
  atomicAdd(&To[threadIdx.x], Bins[threadIdx.x]);
}

__global__ void collatz(const int *From, int *To) {
  int V = From[threadNumber()] + 1, Steps = 0;
  for (; V != 1 && Steps < 300; ++Steps)
    V = V & 1 ? 3 * V + 1 : V / 2;
  To[threadNumber()] = Steps;
}

__global__ void warpProduct(const float *A, const float *X, float *To, int K) {
  const int Warp = threadNumber() / 32, Lane = threadNumber() % 32;
  float Sum = 0;
  for (int I = Lane; I < K; I += 32)
    Sum += A[size_t(Warp) * K + I] * X[I];
  for (int Off = 16; Off > 0; Off /= 2)
    Sum += __shfl_xor_sync(~0u, Sum, Off);
  if (Lane == 0)
    To[Warp] = Sum;
}

__global__ void blockProduct(const float *A, const float *X, float *To, int K) {
  __shared__ float Sums[256];
  float Sum = 0;
  for (int I = threadIdx.x; I < K; I += 256)
    Sum += A[size_t(blockIdx.x) * K + I] * X[I];
  Sums[threadIdx.x] = Sum;
  addUp(Sums, To);
}

__global__ void convolution(const float *From, const float *Weights, float *To,
                            int Channels, int Side) {
  const int X = threadIdx.x % Side, Y = threadIdx.x / Side;
  float Sum = 0;
  for (int C = 0; C < Channels; ++C)
    for (int DY = -1; DY <= 1; ++DY)
      for (int DX = -1; DX <= 1; ++DX) {
        const int AtX = X + DX, AtY = Y + DY;
        if (AtX >= 0 && AtX < Side && AtY >= 0 && AtY < Side)
          Sum +=
              From[(C * Side + AtY) * Side + AtX] *
              Weights[((blockIdx.x * Channels + C) * 3 + DY + 1) * 3 + DX + 1];
      }
  To[(blockIdx.x * Side + Y) * Side + X] = Sum;
}

__global__ void oneThread(const float *A, float *To, int K) {
  if (threadIdx.x != 0)
    return;
  float Sum = 0;
  for (int I = 0; I < K; ++I)
    Sum += A[blockIdx.x * K + I];
  To[blockIdx.x] = Sum;
}

static __device__ void divideRow(const float *A, const float *By, float *To,
                                 int K) {
  for (int I = threadIdx.x; I < K; I += 128)
    To[size_t(blockIdx.x) * K + I] = A[size_t(blockIdx.x) * K + I] / By[I];
}

__global__ void scale(const float *A, const float *By, float *To, int K) {
  divideRow(A, By, To, K);
}

/// The same where what is divided is mostly 0, in which machine code takes the
/// long way.
__global__ void scaleZeros(const float *A, const float *By, float *To, int K) {
  divideRow(A, By, To, K);
}

__global__ void exponentials(const float *A, float *To, int K) {
  for (int I = threadIdx.x; I < K; I += 128)
    To[size_t(blockIdx.x) * K + I] = __expf(A[size_t(blockIdx.x) * K + I]);
}

/// On the device, where Of says of each, from the number of it and one at
/// random, what it is.
template <typename T, typename F> static T *made(size_t Count, F Of) {
  std::vector<T> Host(Count);
  uint32_t Random = 12345;
  for (size_t I = 0; I < Count; ++I) {
    Random = Random * 1664525u + 1013904223u;
    Host[I] = T(Of(I, Random >> 16));
  }
  T *Out = nullptr;
  check(cudaMalloc(&Out, Count * sizeof(T)));
  check(
      cudaMemcpy(Out, Host.data(), Count * sizeof(T), cudaMemcpyHostToDevice));
  return Out;
}

int main() {
  constexpr size_t Most = size_t(1) << 23, Some = 1 << 16, Long = 1 << 20;
  const auto Fraction = [](size_t, uint32_t R) {
    return 0.01f * (1 + R % 256);
  };
  const auto MostlyZero = [](size_t, uint32_t R) {
    return R % 8 ? 0.0f : 0.01f * (1 + R % 256);
  };
  const float *A = made<float>(Most, Fraction),
              *X = made<float>(Some, Fraction);
  const float *Zeros = made<float>(Long, MostlyZero);
  const int *Of =
      made<int>(1 << 17, [](size_t, uint32_t R) { return R % 2048; });
  const int *Next = made<int>(
      Long, [](size_t I, uint32_t) { return (I * 7919 + 13) % Long; });
  const uint8_t *Bytes =
      made<uint8_t>(4 * Long, [](size_t, uint32_t R) { return R % 256; });
  float *To = made<float>(Most, Fraction);
  int *Whole = made<int>(Long, [](size_t, uint32_t) { return 0; });
  for (int Time = 0; Time < 2; ++Time)
    for (int Blocks : {8, 132, 528}) {
      const int N = Blocks * 256;
      columnSum<<<Blocks, 256>>>(A, To, N, 32);
      rowProduct<<<Blocks, 256>>>(A, X, To, 48);
      columnProduct<<<Blocks, 256>>>(A, X, To, N, 48);
      weightedSum<<<Blocks, 64>>>(X, A, To, 96);
      nearest<<<Blocks, 256>>>(A, X, Whole, N, 16, 8);
      meanOfEqual<<<Blocks / 4, 64>>>(X, Of, To, 2048);
      chase<<<Blocks, 256>>>(Next, Whole, 24);
      treeSum<<<Blocks, 256>>>(A, To);
      sharedBins<<<Blocks, 256>>>(Bytes, Whole, 16);
      collatz<<<Blocks / 2, 256>>>(Of, Whole);
      warpProduct<<<Blocks, 256>>>(A, X, To, 512);
      blockProduct<<<Blocks, 256>>>(A, X, To, 4096);
      convolution<<<Blocks, 256>>>(A, X, To, 8, 16);
      oneThread<<<Blocks, 32>>>(A, To, 256);
      scale<<<Blocks, 128>>>(A, X, To, 1024);
      scaleZeros<<<Blocks, 128>>>(Zeros, X, To, 1024);
      exponentials<<<Blocks, 128>>>(A, To, 1024);
      check(cudaDeviceSynchronize());
    }
  check(cudaGetLastError());
}
