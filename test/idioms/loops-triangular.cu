// Triangular loops: exact, the inner loop's end is a condition on both counters.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

// CHECK-LABEL: kernel lower
// CHECK: loop i0 < arg1
// CHECK: write exact { [bx] -> arg0[4*arg1*i0 + 4*i1 + 0..3] : i0 >= i1 }
__global__ void lower(float *a, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      a[i * n + j] = 0.0f;
}

// CHECK-LABEL: kernel upper
// CHECK: loop i0 < arg1
// CHECK: write exact { [bx] -> arg0[4*arg1*i0 + 4*i0 + 4*i1 + 4..7] : i0 + i1 < arg1 - 1 }
__global__ void upper(float *a, int n) {
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++)
      a[i * n + j] = 0.0f;
}

// CHECK-LABEL: kernel perThread
// CHECK: write exact { [bx] -> arg0[4*tx*arg1 + 4*i0 + 0..3] : tx >= i0 }
__global__ void perThread(float *a, int n) {
  for (int j = 0; j <= threadIdx.x; j++)
    a[threadIdx.x * n + j] = 0.0f;
}

// CHECK-LABEL: kernel perBlock
// CHECK: write exact { [bx] -> arg0[4*bx*arg1 + 4*i0 + 0..3] : bx > i0 }
__global__ void perBlock(float *a, int n) {
  for (int j = 0; j < blockIdx.x; j++)
    a[blockIdx.x * n + j] = 0.0f;
}
