// Kernels of a program's own before, between and behind those of Thrust, which
// sorts, sums and scans what they write. Every round has the host's numbers.
// REQUIRES: gpu
// RUN: %bmclangxx -O3 -fblockmaestro -isystem %cuda/include/cccl %s -o %t
// RUN: env BLOCKMAESTRO_DEVICE=cuda %t 200 | FileCheck %s
// RUN: env BLOCKMAESTRO_DEVICE=cuda BLOCKMAESTRO_EXECUTOR=chained:by-block \
// RUN:   %t 200 | FileCheck %s
// CHECK: thrust: ok

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <numeric>
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <vector>

namespace {

constexpr int Count = 5000, Steps = 12;

__host__ __device__ unsigned mixed(unsigned Old, unsigned Salt) {
  return (Old * 2654435761u) ^ (Old >> 7) ^ Salt;
}

__global__ void mix(const unsigned *From, unsigned *To, int N, unsigned Salt) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    To[I] = mixed(From[(I + 17) % N], Salt);
}

__global__ void addSum(unsigned *To, int N, const unsigned *Sum) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    To[I] += *Sum;
}

__global__ void keep(unsigned *Where, unsigned What) { *Where = What; }

std::vector<unsigned> expected(unsigned Salt) {
  std::vector<unsigned> A(Count), B(Count);
  std::iota(A.begin(), A.end(), Salt);
  for (int Step = 0; Step < Steps; ++Step) {
    for (int I = 0; I < Count; ++I)
      B[I] = mixed(A[(I + 17) % Count], Salt + Step);
    if (Step % 3 == 0)
      std::sort(B.begin(), B.end());
    if (Step % 3 == 1)
      std::partial_sum(B.begin(), B.end(), B.begin());
    const unsigned Sum = std::accumulate(B.begin(), B.end(), 0u);
    for (unsigned &Each : B)
      Each += Sum;
    std::swap(A, B);
  }
  return A;
}

} // namespace

int main(int WordCount, char **Words) {
  const int Rounds = WordCount > 1 ? std::atoi(Words[1]) : 20;
  unsigned *A, *B, *Sum;
  const size_t Bytes = Count * sizeof(unsigned);
  cudaMalloc(&A, Bytes);
  cudaMalloc(&B, Bytes);
  cudaMalloc(&Sum, sizeof(unsigned));
  const int Blocks = (Count + 127) / 128;
  for (int Round = 0; Round < Rounds; ++Round) {
    const unsigned Salt = Round % 3;
    std::vector<unsigned> Host(Count);
    std::iota(Host.begin(), Host.end(), Salt);
    cudaMemcpy(A, Host.data(), Bytes, cudaMemcpyHostToDevice);
    for (int Step = 0; Step < Steps; ++Step) {
      mix<<<Blocks, 128>>>(A, B, Count, Salt + Step);
      if (Step % 3 == 0)
        thrust::sort(thrust::device, B, B + Count);
      if (Step % 3 == 1)
        thrust::inclusive_scan(thrust::device, B, B + Count, B);
      keep<<<1, 1>>>(Sum, thrust::reduce(thrust::device, B, B + Count, 0u));
      addSum<<<Blocks, 128>>>(B, Count, Sum);
      std::swap(A, B);
    }
    cudaMemcpy(Host.data(), A, Bytes, cudaMemcpyDeviceToHost);
    if (cudaError_t Error = cudaGetLastError())
      return std::printf("thrust: %s\n", cudaGetErrorString(Error)), 1;
    if (Host != expected(Salt))
      return std::printf("thrust: round %d is wrong\n", Round), 1;
  }
  std::printf("thrust: ok, %d rounds\n", Rounds);
}
