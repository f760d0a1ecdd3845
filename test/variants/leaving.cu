// Threads that return before others have passed their last barrier or warp
// operation are counted in the prelaunch variant, and no worker runs the kernel;
// where all threads provably stay together, they meet once more at the end.
// RUN: %bmclangxx -O3 -fblockmaestro -c %s -o %t.o
// RUN: %bm-dump metadata %t.o | FileCheck %s
// RUN: %bmclangxx -O0 -fblockmaestro -c %s -o %t.0.o
// RUN: %bm-dump metadata %t.0.o | FileCheck %s
// RUN: %bmclangxx -O3 -fblockmaestro --cuda-device-only -S %s -o - | FileCheck --check-prefix=PTX %s

// PTX: .entry _Z6roundsPiPKii$bm_prelaunch(
// PTX: activemask.b32
// PTX: bar.warp.sync
// PTX: atom.acq_rel.cta.shared.add.u32
// PTX: fence.acq_rel.gpu;
// PTX: ret;

// Numbers of rounds differ from thread to thread.
// CHECK-LABEL: kernel rounds(
// CHECK: features: barrier, early exit
// CHECK: prelaunch:
// CHECK: no variant: persistent only: threads may return while others still wait for each other
#include "Inputs/rounds.h"

// CHECK-LABEL: kernel early(
// CHECK: features: barrier, early exit
// CHECK: no variant: persistent only: threads may return
__global__ void early(int *a, int n) {
  if (threadIdx.x >= n)
    return;
  a[threadIdx.x] += 1;
  __syncthreads();
  a[threadIdx.x] += a[0];
}

// Behind a `continue` of some threads.
// CHECK-LABEL: kernel skipping(
// CHECK: features: barrier, early exit
__global__ void skipping(int *a, int n) {
  for (int i = 0; i < n; ++i) {
    if (a[threadIdx.x] == i)
      continue;
    __syncthreads();
    a[threadIdx.x] += 1;
  }
}

// The bound comes from memory that the kernel writes.
// CHECK-LABEL: kernel moving(
// CHECK: features: barrier, early exit
__global__ void moving(int *a) {
  for (int i = 0; i < a[0]; ++i) {
    __syncthreads();
    if (threadIdx.x == 0)
      a[0] -= 1;
    __syncthreads();
  }
}

// In a function that only some threads call.
__device__ __noinline__ int shared_sum(int v) {
  __shared__ int s[1024];
  s[threadIdx.x] = v;
  __syncthreads();
  return s[0];
}
// CHECK-LABEL: kernel called_by_some(
// CHECK: features: barrier, early exit
__global__ void called_by_some(int *a) {
  if (a[threadIdx.x] > 0)
    a[threadIdx.x] = shared_sum(a[threadIdx.x]);
}

// CHECK-LABEL: kernel called_by_all(
// CHECK: features: barrier{{$}}
// CHECK: persistent case:
__global__ void called_by_all(int *a) {
  a[threadIdx.x] = shared_sum(a[threadIdx.x]);
}

// A thread that has returned is not waited for by its warp either.
// CHECK-LABEL: kernel shuffled_early(
// CHECK: features: early exit
// CHECK: prelaunch:
// CHECK: no variant: persistent only: threads may return
__global__ void shuffled_early(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  a[i] += __shfl_xor_sync(~0u, a[i], 1);
}

// All threads alike: by arguments, sizes, block and what nobody writes.
// CHECK-LABEL: kernel uniform(
// CHECK: features: barrier{{$}}
// CHECK: persistent case:
__global__ void uniform(int *a, const int *n, int m) {
  for (int i = blockIdx.x; i < m; i += gridDim.x) {
    for (int k = 0; k < n[blockIdx.x]; ++k) {
      if (m > 7)
        __syncthreads();
      if (threadIdx.x < k)
        a[threadIdx.x] += k;
      __syncthreads();
    }
  }
}

// Whole warps leave where rows of threads are whole warps.
// CHECK-LABEL: kernel row_per_warp(
// CHECK: features: warp rows
// CHECK: persistent case:
__global__ void row_per_warp(float *y, const float *a, int rows) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows)
    return;
  float sum = a[row * 32 + lane];
  for (int d = 16; d; d /= 2)
    sum += __shfl_down_sync(~0u, sum, d);
  if (lane == 0)
    y[row] = sum;
}

// CHECK-LABEL: kernel reduced(
// CHECK: features: barrier, warp rows
// CHECK: persistent case:
__global__ void reduced(float *y, const float *x) {
  __shared__ float sums[32];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  float v = x[blockIdx.x * blockDim.x + threadIdx.x];
  for (int d = 16; d; d /= 2)
    v += __shfl_down_sync(~0u, v, d);
  if (lane == 0)
    sums[warp] = v;
  __syncthreads();
  if (warp == 0) {
    v = lane < blockDim.x / 32 ? sums[lane] : 0;
    for (int d = 16; d; d /= 2)
      v += __shfl_down_sync(~0u, v, d);
    if (lane == 0)
      y[blockIdx.x] = v;
  }
}

// A check that ends the program keeps no thread from the barrier.
// CHECK-LABEL: kernel checked(
// CHECK: features: barrier, asserts
// CHECK: persistent case:
__global__ void checked(int *a) {
  if (a[threadIdx.x] < 0)
    __trap();
  __syncthreads();
}

// Division rounds to zero: below it the lanes of a warp get two quotients.
// CHECK-LABEL: kernel rounded_to_zero(
// CHECK: features: early exit
// CHECK: no variant: persistent only: threads may return
__global__ void rounded_to_zero(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if ((int(threadIdx.x) - 64) / 32 < n)
    return;
  a[i] += __shfl_xor_sync(~0u, a[i], 1);
}

// CHECK-LABEL: kernel rounded_down(
// CHECK: features: warp rows
// CHECK: persistent case:
__global__ void rounded_down(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if ((int(threadIdx.x) - 64) >> 5 < n)
    return;
  a[i] += __shfl_xor_sync(~0u, a[i], 1);
}

// What is no number of a thread may be below zero, numbers of threads are not.
// CHECK-LABEL: kernel divided(
// CHECK: features: warp rows
// CHECK: persistent case:
__global__ void divided(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (int(threadIdx.x) / 32 >= n)
    return;
  a[i] += __shfl_xor_sync(~0u, a[i], 1);
}

// CHECK-LABEL: kernel divided_in_grid(
// CHECK: features: warp rows
// CHECK: persistent case:
__global__ void divided_in_grid(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i / 32 >= n)
    return;
  a[i] += __shfl_xor_sync(~0u, a[i], 1);
}

// A barrier of single threads would wait for those that are still to be counted.
// CHECK-LABEL: kernel single(
// CHECK: features: barrier, early exit
// CHECK-NOT: prelaunch:
// CHECK: no variant: prelaunch and persistent: threads may return while others wait at barriers of single threads
__global__ void single(int *a, int n) {
  for (int i = threadIdx.x; i < n; i += 29) {
    a[threadIdx.x] += a[i];
    __nvvm_barrier_sync(0);
  }
}

// CHECK-LABEL: kernel single_together(
// CHECK: prelaunch:
__global__ void single_together(int *a, int n) {
  for (int i = 0; i < n; ++i) {
    a[threadIdx.x] += a[i];
    __nvvm_barrier_sync(0);
  }
}
