// Kernels whose blocks may wait for other blocks keep their plain form; loops
// that only try an atomic update again do not wait.
// RUN: %bmclangxx -O3 -fblockmaestro -c %s -o %t.o
// RUN: %bm-dump metadata %t.o | FileCheck %s
// RUN: %bmclangxx -O0 -fblockmaestro -c %s -o %t.0.o
// RUN: %bm-dump metadata %t.0.o | FileCheck %s

// A barrier of the grid by hand.
// CHECK-LABEL: kernel grid_barrier(
// CHECK: features: {{.*}}block wait
// CHECK-NOT: prelaunch:
// CHECK: no variant: prelaunch and persistent: its blocks may wait for each other
__global__ void grid_barrier(unsigned *count, int *a) {
  a[blockIdx.x] = 1;
  __threadfence();
  atomicAdd(count, 1);
  while (*(volatile unsigned *)count < gridDim.x)
    ;
}

// CHECK-LABEL: kernel atomic_read(
// CHECK: features: {{.*}}block wait
__global__ void atomic_read(unsigned *count) {
  while (atomicAdd(count, 0) < gridDim.x)
    ;
}

// CHECK-LABEL: kernel locked(
// CHECK: features: {{.*}}block wait
__global__ void locked(int *lock, int *a) {
  while (atomicCAS(lock, 0, 1) != 0)
    ;
  a[0] += 1;
  __threadfence();
  atomicExch(lock, 0);
}

// CHECK-LABEL: kernel behind_fences(
// CHECK: features: {{.*}}block wait
__global__ void behind_fences(int *flags, int *a) {
  if (blockIdx.x > 0)
    while (flags[blockIdx.x - 1] == 0)
      __threadfence();
  a[blockIdx.x] = 1;
}

// CHECK-LABEL: kernel in_assembly(
// CHECK: features: {{.*}}block wait
__global__ void in_assembly(int *flag) {
  int seen;
  do
    asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
  while (!seen);
}

__device__ __noinline__ int look(volatile int *flag, int depth) {
  return depth == 0 ? *flag : look(flag, depth - 1);
}
// CHECK-LABEL: kernel by_call(
// CHECK: features: {{.*}}block wait
__global__ void by_call(int *flag, int depth) {
  while (!look(flag, depth))
    ;
}

// CHECK-LABEL: kernel largest(
// CHECK-NOT: block wait
// CHECK: prelaunch:
__global__ void largest(float *to, const float *x) {
  int *bits = (int *)to, old = *bits, seen;
  do {
    seen = old;
    if (__int_as_float(seen) >= x[threadIdx.x])
      break;
    old = atomicCAS(bits, seen, __float_as_int(x[threadIdx.x]));
  } while (old != seen);
}

// CHECK-LABEL: kernel queue(
// CHECK-NOT: block wait
// CHECK: prelaunch:
__global__ void queue(unsigned *next, int *a, unsigned n) {
  for (unsigned i = atomicAdd(next, 1); i < n; i = atomicAdd(next, 1))
    a[i] += 1;
}

// Memory of the block is nobody else's.
// CHECK-LABEL: kernel in_block(
// CHECK-NOT: block wait
// CHECK: prelaunch:
__global__ void in_block(int *a) {
  __shared__ volatile int turn;
  turn = 0;
  __syncthreads();
  while (turn < int(threadIdx.x) / 32)
    ;
  a[threadIdx.x] = 1;
  turn = turn + 1;
}

// CHECK-LABEL: kernel counted(
// CHECK-NOT: block wait
// CHECK: prelaunch:
__global__ void counted(int *a, const int *n) {
  for (int i = 0; i < *n; ++i) {
    __syncthreads();
    a[threadIdx.x] += i;
  }
}
