// A kernel without a variant says why; one that only a worker cannot run keeps
// its prelaunch variant.
// RUN: %bmclangxx -fblockmaestro -c %s -o %t.o
// RUN: %bm-dump metadata %t.o | FileCheck %s

// CHECK: kernel assembly
// CHECK-NOT: prelaunch:
// CHECK: no variant: uses inline assembly
__global__ void assembly(int *a) { asm volatile("membar.gl;" ::: "memory"); }

// CHECK: kernel pointer
// CHECK-NOT: prelaunch:
// CHECK: no variant: calls through a function pointer
__global__ void pointer(int *a, int (*f)(int)) { a[0] = f(1); }

// CHECK: kernel early
// CHECK-NOT: prelaunch:
// CHECK: no variant: a barrier may be reached after some threads have returned
__global__ void early(int *a, int n) {
  if (threadIdx.x >= n)
    return;
  a[threadIdx.x] += 1;
  __syncthreads();
  a[threadIdx.x] += a[0];
}

// CHECK: kernel votes
// CHECK: prelaunch: _Z5votesPi$bm_prelaunch
// CHECK: no variant: persistent only: uses a barrier that also votes
__global__ void votes(int *a) { a[0] = __syncthreads_count(a[threadIdx.x]); }

// CHECK: kernel looped
// CHECK: prelaunch: _Z6loopedPii$bm_prelaunch
// CHECK: persistent case: 0
__global__ void looped(int *a, int n) {
  for (int k = 0; k < n; ++k) {
    a[threadIdx.x] += 1;
    __syncthreads();
  }
}
