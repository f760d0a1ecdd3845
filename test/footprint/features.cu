// What a kernel does beyond touching memory is listed, through calls too.
// RUN: %bmclangxx -I%cuda/include/cccl -O0 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | grep -v "^    at " | FileCheck %s
// RUN: %bmclangxx -I%cuda/include/cccl -O3 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | grep -v "^    at " | FileCheck %s

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// CHECK: kernel plain
// CHECK: write exact
__global__ void plain(int *a) { a[threadIdx.x] = 1; }

// CHECK: kernel blockwide
// CHECK-NEXT: barrier
// CHECK-NOT: {{grid sync|early}}
// CHECK: write exact
__global__ void blockwide(int *a) {
  cg::thread_block block = cg::this_thread_block();
  block.sync();
  a[block.thread_rank()] = 1;
}

// CHECK: kernel early
// CHECK-NEXT: barrier, early exit
__device__ void wait() { __syncthreads(); }
__global__ void early(int *a, int n) {
  if (threadIdx.x >= n)
    return;
  wait();
  a[threadIdx.x] = 1;
}

// A thread that exits ends like one that returns.
// CHECK: kernel leaving
// CHECK-NEXT: barrier, early exit
__global__ void leaving(int n) {
  if (threadIdx.x >= n)
    __nvvm_exit();
  __syncthreads();
}

// A jump into a loop: some threads may go round once more than others.
// CHECK: kernel jumping
// CHECK-NEXT: barrier, early exit
__global__ void jumping(volatile int *a, int n) {
  int i = 0;
  if (threadIdx.x >= n)
    goto inside;
  do {
    a[0] = i;
  inside:
    __syncthreads();
  } while (++i < n);
}

// A loop around barriers that may have no round, left by all threads alike.
// CHECK: kernel halving
// CHECK-NEXT: shared 1024 bytes
// CHECK-NEXT: barrier{{$}}
// CHECK-NOT: early
// CHECK: 0 accesses
__global__ void halving() {
  __shared__ int sums[256];
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (threadIdx.x < s)
      sums[threadIdx.x] += sums[threadIdx.x + s];
    __syncthreads();
  }
}

// A barrier after a check that ends the program is still met by all.
// CHECK: kernel trapped
// CHECK-NEXT: barrier, asserts
// CHECK-NOT: early
// CHECK: 0 accesses
__global__ void trapped(int n) {
  if (n < 0)
    __trap();
  __syncthreads();
}

// CHECK: kernel meeting
// CHECK-NEXT: barrier, grid sync, asserts
// CHECK-NOT: anywhere
// CHECK: write {{.*}} { [bx] -> arg0[0..3] }
__global__ void meeting(int *a) {
  cg::this_grid().sync();
  a[0] = 1;
}

// CHECK: kernel timed
// CHECK-NEXT: volatile, clock
__global__ void timed(volatile int *a) { a[0] = clock(); }

// CHECK: kernel {{clustered}}
// CHECK-NEXT: {{cluster.*}}, inline assembly
__global__ void clustered(int *a) {
  asm volatile("barrier.cluster.arrive;\n barrier.cluster.wait;" ::: "memory");
  a[threadIdx.x] = 1;
}

// CHECK: kernel warp
// CHECK-NOT: barrier
// CHECK: read exact { [bx] -> arg0[4*tx + 0..3] }
// CHECK: write exact { [bx] -> arg0[4*bx + 0..3] : tx
// CHECK: 2 accesses
__global__ void warp(int *a) {
  int v = a[threadIdx.x];
  for (int d = 16; d; d /= 2)
    v += __shfl_xor_sync(~0u, v, d);
  v += __ballot_sync(~0u, v) + __match_any_sync(~0u, v) + __reduce_add_sync(~0u, v);
  if (threadIdx.x == 0)
    a[blockIdx.x] = v;
}
