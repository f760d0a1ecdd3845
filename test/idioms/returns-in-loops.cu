// A return in a loop: exact where its condition is the same in all iterations,
// what it returns from and what follows the loop too; bounded where it is not.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

// CHECK-LABEL: kernel gridStride
// CHECK: write exact { [bx] -> arg0[4*tx + 4*bx*Dx + 0..3] : tx + bx*Dx < arg3 and tx + bx*Dx >= arg4 }
// CHECK: write exact { [bx] -> arg1[4*tx + 4*bx*Dx + 0..3] : tx + bx*Dx < arg3 and tx + bx*Dx < arg4 }
// CHECK: write exact { [bx] -> arg2[4*tx + 0..3] : tx + bx*Dx < arg4 }
// CHECK: write exact { [bx] -> arg2[4*tx + 0..3] : tx + bx*Dx >= arg3 }
__global__ void gridStride(float *a, float *b, float *c, int n, int m) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = x; i < n; i += blockDim.x * gridDim.x) {
    if (x >= m) {
      a[x] = 0.0f;
      return;
    }
    b[x] = 0.0f;
  }
  c[threadIdx.x] = 0.0f;
}

// In a branch, so not on the way of every iteration.
// CHECK-LABEL: kernel inBranch
// CHECK: write exact { [bx] -> arg0[4*i0 + 0..3] : tx >= arg1 }
// CHECK: write exact { [bx] -> arg0[4*i0 + 0..3] : tx < arg2 }
// CHECK-NOT: bounded
__global__ void inBranch(float *a, int n, int m, int k) {
  int x = threadIdx.x;
  for (int i = 0; i < k; ++i) {
    if (x < n)
      if (x >= m)
        return;
    a[i] = 0.0f;
  }
}

// The condition changes with the counter.
// CHECK-LABEL: kernel changing
// CHECK: write exact { [bx] -> arg0[4*i0 + 0..3] : i0 < arg2 and i0 < arg3 }
// CHECK: write bounded { [bx] -> arg1[4*tx + 0..3] }
// CHECK-NEXT: because it stands under alternative conditions
__global__ void changing(float *a, float *b, long m, int k) {
  for (int i = 0; i < k; ++i) {
    if (i >= m)
      return;
    a[i] = 0.0f;
  }
  b[threadIdx.x] = 0.0f;
}
