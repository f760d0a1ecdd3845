// A kernel without a variant says why; one whose blocks cannot wait for single
// blocks keeps its pdl variant, and one that only a worker cannot run its
// prelaunch variant too.
// RUN: %bmclangxx -fblockmaestro -c %s -o %t.o
// RUN: %bm-dump metadata %t.o | FileCheck %s

#include <cstdarg>
#include <cstdio>

// CHECK: kernel unclear
// CHECK-NOT: prelaunch:
// CHECK: no variant: uses inline assembly that may touch any memory
__global__ void unclear(int *a) {
  asm volatile("{ .reg .u64 q;\n not.b64 q, %0;\n st.u32 [q], 1; }" ::"l"(a)
               : "memory");
}

// CHECK: kernel stale
// CHECK-NOT: prelaunch:
// CHECK: no variant: has loads that may return stale data
__global__ void stale(int *a, const int *b) {
  asm("ld.global.nc.u32 %0, [%1];" : "=r"(a[0]) : "l"(b));
}

// CHECK: kernel early_end
// CHECK-NOT: prelaunch:
// CHECK: no variant: prelaunch and persistent: a thread may exit in the middle of the kernel
__global__ void early_end(int *a) {
  asm volatile("exit;");
  a[0] = 1;
}

// CHECK: kernel says
// CHECK-NOT: prelaunch:
// CHECK: no variant: prelaunch and persistent: prints, and the order of the lines would change
__global__ void says(int *a) { printf("%d\n", a[0]); }

// CHECK: kernel allocates
// CHECK-NOT: prelaunch:
// CHECK: no variant: prelaunch and persistent: takes memory from the device's heap
__global__ void allocates(int **a) { a[0] = (int *)malloc(4); }

// CHECK: kernel counts
// CHECK-NOT: prelaunch:
// CHECK: no variant: calls a function with a variable number of arguments
__device__ int last(int n, ...) {
  va_list rest;
  va_start(rest, n);
  int value = 0;
  for (int i = 0; i < n; ++i)
    value = va_arg(rest, int);
  va_end(rest);
  return value;
}
__global__ void counts(int *a) { a[0] = last(2, a[1], a[2]); }

// CHECK: kernel meets
// CHECK-NOT: prelaunch:
// CHECK: no variant: synchronises the whole grid
__global__ void meets(unsigned *a) {
  asm("mov.u32 %0, %%envreg2;" : "=r"(a[0]));
}

// Assembly that only computes is no obstacle; a worker has no registers of the
// kernel's own.
// CHECK: kernel computes
// CHECK: prelaunch: _Z8computesPi$bm_prelaunch
// CHECK: persistent case: 0
__global__ void computes(int *a) {
  asm("add.u32 %0, %0, 1;" : "+r"(a[threadIdx.x]));
}

// CHECK: kernel own_index
// CHECK: prelaunch: _Z9own_indexPj$bm_prelaunch
// CHECK: no variant: persistent only: reads a special register of the launch in inline assembly
__global__ void own_index(unsigned *a) {
  asm("mov.u32 %0, %%ctaid.x;" : "=r"(a[threadIdx.x]));
}

// CHECK: kernel pointer
// CHECK-NOT: prelaunch:
// CHECK: no variant: calls through a function pointer
__global__ void pointer(int *a, int (*f)(int)) { a[0] = f(1); }

// CHECK: kernel votes
// CHECK: prelaunch: _Z5votesPi$bm_prelaunch
// CHECK: no variant: persistent only: uses a barrier that also votes
__global__ void votes(int *a) { a[0] = __syncthreads_count(a[threadIdx.x]); }

// CHECK: kernel looped
// CHECK: prelaunch: _Z6loopedPii$bm_prelaunch
// CHECK: persistent case: 1
__global__ void looped(int *a, int n) {
  for (int k = 0; k < n; ++k) {
    a[threadIdx.x] += 1;
    __syncthreads();
  }
}
