// assert: no access, what follows stays exact, and the kernel is marked.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

#include <cassert>

// CHECK-LABEL: kernel checked{{.*}}
// CHECK-DAG: assert
// CHECK-DAG: read exact { [bx] -> arg1[4*tx + 0..3] }
// CHECK-DAG: write exact { [bx] -> arg0[4*tx + 0..3] }
// CHECK-NOT: unknown
__global__ void checked(float *to, const float *from, int n) {
  int i = threadIdx.x;
  assert(from[i] >= 0.0f);
  to[i] = from[i];
}
