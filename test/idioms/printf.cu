// printf: no access to the program's memory but what its arguments read, and the
// kernel is marked as printing.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

#include <cstdio>

// CHECK-LABEL: kernel report{{.*}}
// CHECK-DAG: prints
// CHECK-DAG: read exact { [bx] -> arg0[4*tx + 0..3] }
// CHECK-DAG: write exact { [bx] -> arg1[4*tx + 0..3] }
// CHECK-NOT: unknown
__global__ void report(const float *values, int *done) {
  printf("block %d thread %d: %f\n", blockIdx.x, threadIdx.x,
         values[threadIdx.x]);
  done[threadIdx.x] = 1;
}
