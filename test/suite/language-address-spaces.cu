// Feature: language: Generic pointers to shared, local, constant and global memory; which
// is which, and integers that hold shared addresses.

#include "Inputs/suite.h"
#include <cstdint>

__constant__ int Constant[4] = {10, 20, 30, 40};
__device__ int Global[4] = {1, 2, 3, 4};

__device__ int kinds(const void *P) {
  return __isShared(P) + 2 * __isLocal(P) + 4 * __isGlobal(P) +
         8 * __isConstant(P);
}

__device__ int sum(const int *P) { return P[0] + P[1]; }

__global__ void ask(int *Out, int *Argument) {
  __shared__ int Static[4];
  extern __shared__ int Dynamic[];
  int Local[4] = {5, 6, static_cast<int>(threadIdx.x), 8};
  Static[threadIdx.x % 4] = 7;
  Dynamic[threadIdx.x] = threadIdx.x;
  __syncthreads();
  const int *Pointers[5] = {Static, Dynamic + 2, Local + threadIdx.x % 2,
                            Constant + 1, Global};
  int Mine = threadIdx.x % 5;
  Out[3 * threadIdx.x] = kinds(Pointers[Mine]);
  Out[3 * threadIdx.x + 1] = sum(Pointers[Mine]);
  Out[3 * threadIdx.x + 2] = kinds(Argument);
}

__global__ void numbers(int *Out) {
  __shared__ int Cells[32];
  Cells[threadIdx.x] = threadIdx.x * 11;
  __syncthreads();
  uint32_t Address =
      static_cast<uint32_t>(__cvta_generic_to_shared(&Cells[31 - threadIdx.x]));
  int *Back = static_cast<int *>(__cvta_shared_to_generic(Address));
  int Loaded;
  asm volatile("ld.shared.s32 %0, [%1];" : "=r"(Loaded) : "r"(Address));
  Out[threadIdx.x] = *Back + 1000 * Loaded;
}

int main() {
  const int N = 40;
  suite::Array<int> Out(3 * N), Argument(1);
  ask<<<1, N, N * sizeof(int)>>>(Out, Argument);
  const int Kinds[] = {1, 1, 2, 8, 4};
  std::vector<int> Expected(3 * N);
  for (int I = 0; I < N; ++I) {
    const int Sums[] = {14, 5, I % 2 ? 6 + I : 11, 50, 3};
    Expected[3 * I] = Kinds[I % 5];
    Expected[3 * I + 1] = Sums[I % 5];
    Expected[3 * I + 2] = 4;
  }
  same(Out.host(), Expected);

  suite::Array<int> Numbers(32);
  numbers<<<1, 32>>>(Numbers);
  std::vector<int> ExpectedNumbers(32);
  for (int I = 0; I < 32; ++I)
    ExpectedNumbers[I] = (31 - I) * 11 * 1001;
  same(Numbers.host(), ExpectedNumbers);
  return suite::finish();
}
