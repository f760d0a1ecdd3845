// __trap: no access, what follows stays exact, and the kernel is marked.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

// CHECK-LABEL: kernel guarded{{.*}}
// CHECK-DAG: assert
// CHECK-DAG: write exact { [bx] -> arg0[4*tx + 0..3] }
// CHECK-NOT: unknown
__global__ void guarded(float *a, int n) {
  int i = threadIdx.x;
  if (i >= n)
    __trap();
  a[i] = 0.0f;
}
