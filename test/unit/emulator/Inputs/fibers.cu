// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Kernels whose threads wait for each other and for other blocks.

extern "C" __global__ void warpSums(const int *In, int *Out) {
  int Sum = In[blockIdx.x * blockDim.x + threadIdx.x];
  for (int By = 16; By > 0; By /= 2)
    Sum += __shfl_down_sync(0xffffffffu, Sum, By);
  if (threadIdx.x % 32 == 0)
    Out[(blockIdx.x * blockDim.x + threadIdx.x) / 32] = Sum;
}

/// Block b waits until Turn is b.
extern "C" __global__ void chain(volatile int *Turn, int *Out) {
  while (*Turn != (int)blockIdx.x)
    ;
  __syncthreads();
  if (threadIdx.x == 0) {
    Out[blockIdx.x] = blockIdx.x * 3;
    __threadfence();
    *Turn = blockIdx.x + 1;
  }
}

extern "C" __global__ void oneBranchWaits(int *Out) {
  if (threadIdx.x < 4)
    Out[threadIdx.x] = __shfl_sync(0xffffffffu, threadIdx.x, 0);
  else
    __syncwarp();
}

extern "C" __global__ void allocates(int **Out) {
  Out[threadIdx.x] = new int(threadIdx.x + __any_sync(0xffffffffu, 1));
}

/// Takes numbers until none is left. What it waits for in between comes, or it
/// ends the program.
extern "C" __global__ void takes(int *Next, volatile int *Ready, int Count,
                                 int *Sum) {
  __shared__ int Mine;
  for (;;) {
    if (threadIdx.x == 0)
      Mine = atomicAdd(Next, 1);
    __syncthreads();
    const int Item = Mine;
    if (Item >= Count)
      return;
    if (threadIdx.x == 0)
      for (int Tries = 0; Ready[Item] == 0;)
        if (++Tries > 1000000)
          __trap();
    __syncthreads();
    atomicAdd(Sum, Item);
  }
}

extern "C" __global__ void waitsToFail(volatile int *Flag) {
  for (;;)
    if (*Flag)
      __trap();
}
