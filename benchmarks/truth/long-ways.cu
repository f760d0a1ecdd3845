// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Three things of which a GPU was asked whether they are why kernels take
// longer than the simulator says: atomics of shared memory, by how many lanes
// want a bank or a word, beside reads; reads that L1 has, by how far apart the
// words of lanes are; and divisions of floats, by how many lanes divide a
// number for which machine code takes the long way. Compiled by plain clang
// with -lcudart, nothing of BlockMaestro.

#include "Measuring.h"

#include <cstdio>

constexpr int Rounds = 512, Words = 8192;

/// Lanes want words of Ways lanes each: Apart, others of one bank, or the same.
template <bool Atomic, bool Apart>
__global__ void access(int *To, long long *Cycles, int Ways) {
  __shared__ int Shared[Words];
  for (int I = threadIdx.x; I < Words; I += blockDim.x)
    Shared[I] = 0;
  __syncthreads();
  const int Lane = threadIdx.x & 31;
  const int At = Lane / Ways + (Apart ? Lane % Ways * 32 : 0);
  int Sum = 0;
  const long long Begin = clock64();
  for (int I = 0; I < Rounds; ++I) {
    int *Word = &Shared[(At + I * 1024) & (Words - 1)];
    if (Atomic)
      atomicAdd(Word, Lane + 1);
    else
      Sum += *static_cast<volatile int *>(Word);
  }
  __syncthreads();
  if (threadIdx.x == 0)
    *Cycles = clock64() - Begin;
  To[threadIdx.x] = Shared[threadIdx.x] + Sum;
}

/// Eight reads at once, again and again of 140 KiB, by lanes Apart words apart.
__global__ void readNear(const float *From, float *To, long long *Cycles,
                         int Apart) {
  const float *Own = From + (threadIdx.x & 31) * Apart;
  float Sum = 0;
  __syncthreads();
  const long long Begin = clock64();
  for (int I = 0; I < Rounds / 8; ++I) {
    float Read[8];
    for (int J = 0; J < 8; ++J)
      asm volatile("ld.global.ca.f32 %0, [%1];"
                   : "=f"(Read[J])
                   : "l"(Own + J * 4096 + (I & 3) * 1024));
    for (float Each : Read)
      Sum += Each;
  }
  __syncthreads();
  if (threadIdx.x == 0)
    *Cycles = clock64() - Begin;
  To[threadIdx.x] = Sum;
}

__global__ void divide(float *To, long long *Cycles, float Number, int Lanes) {
  const float Divided = (threadIdx.x & 31) < Lanes ? Number : 3.0f;
  float By = 1.7f + threadIdx.x, Sum = 0;
  const long long Begin = clock64();
  for (int I = 0; I < Rounds; ++I) {
    Sum += Divided / By;
    By += 1;
  }
  if (threadIdx.x == 0)
    *Cycles = clock64() - Begin;
  To[threadIdx.x] = Sum;
}

/// Cycles of an SM for each warp's, of the second of two runs.
template <typename F>
static double cyclesOf(int Threads, Array<long long> &Cycles, F Run) {
  Run();
  Run();
  CHECK(cudaDeviceSynchronize());
  return double(Cycles.host()[0]) / Rounds / (Threads / 32);
}

int main() {
  Array<int> To(1024);
  Array<float> Sums(1024), Near(1 << 16);
  Array<long long> Cycles(1);
  for (int Threads : {32, 256, 1024}) {
    const std::string Of = " of " + std::to_string(Threads) + " threads";
    for (int Ways : {1, 2, 4, 8, 32}) {
      const std::string What = std::to_string(Ways) + " lanes" + Of;
      tell("shared atomic, a bank for " + What, cyclesOf(Threads, Cycles, [&] {
             access<true, true><<<1, Threads>>>(To.get(), Cycles.get(), Ways);
           }));
      tell("shared atomic, a word for " + What, cyclesOf(Threads, Cycles, [&] {
             access<true, false><<<1, Threads>>>(To.get(), Cycles.get(), Ways);
           }));
      tell("shared read, a bank for " + What, cyclesOf(Threads, Cycles, [&] {
             access<false, true><<<1, Threads>>>(To.get(), Cycles.get(), Ways);
           }));
    }
    for (int Apart : {1, 2, 4, 8, 9, 16, 17, 32, 33, 48, 64, 65})
      tell("read that L1 has, words " + std::to_string(Apart) + " apart" + Of,
           cyclesOf(Threads, Cycles, [&] {
             readNear<<<1, Threads>>>(Near.get(), Sums.get(), Cycles.get(),
                                      Apart);
           }));
    for (const auto &[Name, Number] :
         {std::pair("3", 3.0f), std::pair("0", 0.0f),
          std::pair("a denormal number", 1e-42f)})
      for (int Lanes : {1, 32})
        tell("division of " + std::string(Name) + " by " +
                 std::to_string(Lanes) + " lanes" + Of,
             cyclesOf(Threads, Cycles, [&] {
               divide<<<1, Threads>>>(Sums.get(), Cycles.get(), Number, Lanes);
             }));
  }
  return 0;
}
