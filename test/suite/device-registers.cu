// Feature: device: Special registers: lanes, warps, masks, clocks, sizes of shared memory.

#include "Inputs/suite.h"
#include <cstdint>

#define REGISTER(Name, Text)                                                   \
  __device__ unsigned Name() {                                                 \
    unsigned Value;                                                            \
    asm volatile("mov.u32 %0, %%" Text ";" : "=r"(Value));                     \
    return Value;                                                              \
  }
REGISTER(laneId, "laneid")
REGISTER(warpId, "warpid")
REGISTER(warpCount, "nwarpid")
REGISTER(lanesBelow, "lanemask_lt")
REGISTER(lanesUpTo, "lanemask_le")
REGISTER(lanesAbove, "lanemask_gt")
REGISTER(lanesFrom, "lanemask_ge")
REGISTER(laneMask, "lanemask_eq")
REGISTER(multiprocessor, "smid")
REGISTER(multiprocessors, "nsmid")
REGISTER(dynamicShared, "dynamic_smem_size")
REGISTER(totalShared, "total_smem_size")

__global__ void read(unsigned *Out) {
  __shared__ int Static[8];
  int I = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  Static[I % 8] = I;
  unsigned *Mine = Out + 12 * I;
  Mine[0] = laneId();
  Mine[1] = warpId() < warpCount();
  Mine[2] = warpCount() >= (blockDim.x * blockDim.y * blockDim.z + 31) / 32;
  Mine[3] = lanesBelow();
  Mine[4] = lanesUpTo();
  Mine[5] = lanesAbove();
  Mine[6] = lanesFrom();
  Mine[7] = laneMask();
  Mine[8] = multiprocessor() < multiprocessors();
  Mine[9] = dynamicShared();
  Mine[10] = totalShared() >= dynamicShared() + sizeof Static;
  Mine[11] = warpSize;
}

__device__ uint64_t nanoseconds() {
  uint64_t Now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(Now));
  return Now;
}

__global__ void times(int *Out) {
  long long Before = clock64();
  clock_t Short = clock();
  uint64_t Timer = nanoseconds();
  unsigned Work = threadIdx.x;
  for (int I = 0; I < 1000; ++I)
    Work = Work * 1664525u + 1013904223u;
  Out[3] = Work != 0;
  while (nanoseconds() < Timer + 1000)
    ;
  Out[0] = clock64() > Before;
  Out[1] = clock() != Short;
  Out[2] = nanoseconds() > Timer;
}

__global__ void leaves(int *Out) {
  Out[threadIdx.x] = 1;
  if (threadIdx.x % 2)
    asm volatile("exit;");
  Out[threadIdx.x] = 2;
}

int main() {
  dim3 Block(5, 4, 3);
  suite::Array<unsigned> Out(12 * 60);
  read<<<1, Block, 48>>>(Out);
  std::vector<unsigned> Expected;
  for (unsigned I = 0; I < 60; ++I) {
    unsigned Own = 1u << I % 32, Below = Own - 1;
    for (unsigned V : {I % 32, 1u, 1u, Below, Below | Own, ~(Below | Own), ~Below,
                       Own, 1u, 48u, 1u, 32u})
      Expected.push_back(V);
  }
  same(Out.host(), Expected);

  suite::Array<int> Times(4);
  times<<<1, 1>>>(Times);
  same(Times.host(), (std::vector<int>{1, 1, 1, 1}));

  suite::Array<int> Left(8);
  leaves<<<1, 8>>>(Left);
  same(Left.host(), (std::vector<int>{2, 1, 2, 1, 2, 1, 2, 1}));
  return suite::finish();
}
