// Calls of functions that may end the thread: bounded what follows, where the
// function is not inlined.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

__device__ __noinline__ int find(const int *keys, int i, int key) {
  if (keys[i] == key)
    asm volatile("exit;");
  return i > 0 ? find(keys, i - 2, key) + 1 : 0;
}

// CHECK-LABEL: kernel behind(int
// CHECK: read allocation { [bx] -> arg1[*] }
// CHECK: write bounded { [bx] -> arg0[4*tx + 0..3] }
// CHECK-NEXT: because it stands under a condition that cannot be evaluated at launch
__global__ void behind(int *to, const int *keys) {
  find(keys, threadIdx.x, 7);
  to[threadIdx.x] = 1;
}

// CHECK-LABEL: kernel before
// CHECK: write exact { [bx] -> arg0[4*tx + 0..3] }
__global__ void before(int *to, const int *keys) {
  to[threadIdx.x] = 1;
  find(keys, threadIdx.x, 7);
}

__device__ void stop(int *p) { __nvvm_exit(); }
__device__ void go(int *p) { *p = 1; }
__device__ void (*const either[2])(int *) = {stop, go};

// CHECK-LABEL: kernel byTable
// CHECK-DAG: write bounded { [bx] -> arg0[4*tx + 0..3] }
__global__ void byTable(int *to, int *from, int which) {
  either[which](from);
  to[threadIdx.x] = 1;
}

__device__ __noinline__ void leave(const int *keys, int i) {
  if (keys[i] > 0)
    leave(keys, keys[i]);
  __nvvm_exit();
}

// The other threads of the block go on.
// CHECK-LABEL: kernel neverBack
// CHECK: write {{exact|bounded}} { [bx] -> arg0[4*tx + 0..3]
__global__ void neverBack(int *to, const int *keys, int n) {
  if (threadIdx.x >= n)
    leave(keys, threadIdx.x);
  to[threadIdx.x] = 1;
}

__device__ void fail(const int *keys, int i) {
  if (keys[i] > 0)
    fail(keys, keys[i]);
  __trap();
}

// A trap ends the kernel.
// CHECK-LABEL: kernel failing
// CHECK: write exact { [bx] -> arg0[4*tx + 0..3]
__global__ void failing(int *to, const int *keys, int n) {
  if (threadIdx.x >= n)
    fail(keys, threadIdx.x);
  to[threadIdx.x] = 1;
}
