// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What code that no instruction cache has costs: straight lines of so many
// steps of two instructions, gone through three times within a launch and
// launched four times, three of these behind another kernel. Prints the median
// cycles over the SMs of each time. Compiled by nvcc or plain clang with
// -lcudart, nothing of BlockMaestro.

#include "Measuring.h"

constexpr int Sms = 132;
constexpr int Times = 3;

template <int Steps>
__global__ void straight(unsigned Other, long long *Cycles, unsigned *Result) {
  unsigned A[4] = {threadIdx.x, Other, Other + 1, Other + 2};
#pragma unroll 1
  for (int Time = 0; Time < Times; ++Time) {
    const long long Begin = clock64();
#pragma unroll
    for (int I = 0; I < Steps; ++I)
      A[I & 3] = (A[I & 3] ^ Other) + Other;
    asm volatile("" ::"r"(A[0]), "r"(A[1]), "r"(A[2]), "r"(A[3]) : "memory");
    if (threadIdx.x == 0)
      Cycles[blockIdx.x * Times + Time] = clock64() - Begin;
    Other += 2;
  }
  Result[blockIdx.x * blockDim.x + threadIdx.x] = A[0] + A[1] + A[2] + A[3];
}

__global__ void another(unsigned *Result) {
  if (Result[threadIdx.x] == 77)
    Result[0] = 1;
}

template <int Steps> void launches(int Threads) {
  Array<long long> Cycles(Sms * Times);
  Array<unsigned> Result(Sms * 256);
  for (int Launch = 0; Launch < 4; ++Launch) {
    if (Launch != 2)
      another<<<Sms, 32>>>(Result.get());
    straight<Steps><<<Sms, Threads>>>(3, Cycles.get(), Result.get());
    CHECK(cudaDeviceSynchronize());
    const std::vector<long long> All = Cycles.host();
    std::printf("steps %d threads %d round %d:", Steps, Threads, Launch);
    for (int Time = 0; Time < Times; ++Time) {
      std::vector<double> Each;
      for (int Sm = 0; Sm < Sms; ++Sm)
        Each.push_back(double(All[size_t(Sm) * Times + Time]));
      std::printf(" %.0f", median(Each));
    }
    std::printf("\n");
  }
}

template <int Steps> void both() {
  launches<Steps>(32);
  launches<Steps>(256);
}

int main() {
  cudaDeviceProp Prop;
  CHECK(cudaGetDeviceProperties(&Prop, 0));
  std::printf("%s\n", Prop.name);
  both<4>();
  both<16>();
  both<32>();
  both<64>();
  both<128>();
  both<256>();
  both<512>();
  both<1024>();
  both<4096>();
  return 0;
}
