// Feature: language: Threads of a block that wait for each other through shared memory,
// in warps of their own and within one warp.

#include "Inputs/suite.h"

// Warp 0 produces, warp 1 takes, through a flag for each slot.
__global__ void handOver(int *Out, int Count) {
  __shared__ volatile int Slot[4], Full[4];
  if (threadIdx.x < 4)
    Full[threadIdx.x] = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int I = 0; I < Count; ++I) {
      while (Full[I % 4])
        ;
      Slot[I % 4] = I * I;
      __threadfence_block();
      Full[I % 4] = 1;
    }
  } else if (threadIdx.x == 32) {
    for (int I = 0; I < Count; ++I) {
      while (!Full[I % 4])
        ;
      __threadfence_block();
      Out[I] = Slot[I % 4];
      __threadfence_block();
      Full[I % 4] = 0;
    }
  }
}

// Every lane has its turn, the last one first.
__global__ void turns(int *Out) {
  __shared__ volatile int Turn;
  if (threadIdx.x == 0)
    Turn = 31;
  __syncwarp();
  while (Turn != static_cast<int>(threadIdx.x))
    ;
  Out[31 - threadIdx.x] = threadIdx.x;
  __threadfence_block();
  Turn = threadIdx.x - 1;
}

// Each thread of a warp takes the same lock.
__global__ void lanesLock(int *Counter) {
  __shared__ int Lock;
  if (threadIdx.x == 0)
    Lock = 0;
  __syncthreads();
  bool Done = false;
  while (!Done) {
    if (atomicCAS(&Lock, 0, 1) == 0) {
      __threadfence_block();
      *static_cast<volatile int *>(Counter) += 1;
      __threadfence_block();
      atomicExch(&Lock, 0);
      Done = true;
    }
  }
}

// A thread counts up to a number that another one could change.
__global__ void countTo(volatile int *Most, int *Out) {
  int Steps = 0;
  for (int I = 0; I < Most[threadIdx.x]; ++I)
    ++Steps;
  Out[threadIdx.x] = Steps;
}

int main() {
  const int Count = 50;
  suite::Array<int> Out(Count);
  handOver<<<1, 64>>>(Out, Count);
  std::vector<int> Squares(Count);
  for (int I = 0; I < Count; ++I)
    Squares[I] = I * I;
  same(Out.host(), Squares);

  suite::Array<int> Order(32);
  turns<<<1, 32>>>(Order);
  std::vector<int> Falling(32);
  for (int I = 0; I < 32; ++I)
    Falling[I] = 31 - I;
  same(Order.host(), Falling);

  suite::Array<int> Counter(1);
  lanesLock<<<1, 96>>>(Counter);
  same(Counter.host(), std::vector<int>(1, 96));

  const std::vector<int> Most = {100000, 7, 50000};
  suite::Array<int> Limits(Most), Steps(3);
  countTo<<<1, 3>>>(Limits, Steps);
  same(Steps.host(), Most);
  return suite::finish();
}
