// `A[min(B[i], n - 1)]`, clamps: bounded by the limits; of indices that are
// known at launch: exact, one access for each case.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

// CHECK-LABEL: kernel least
// CHECK-DAG: read exact { [bx] -> arg1[4*tx + 0..3] }
// CHECK-DAG: write bounded { [bx] -> arg0[4*arg2 - 4 + 0..3] }
// CHECK-DAG: write bounded { [bx] -> arg0[4*v0 + 0..3] : v0 < arg2 - 1{{.*}} }
__global__ void least(float *to, const unsigned *where, unsigned n) {
  to[min(where[threadIdx.x], n - 1)] = 1.0f;
}

// CHECK-LABEL: kernel clamped
// CHECK-DAG: read exact { [bx] -> arg1[4*tx + 0..3] }
// CHECK-DAG: write bounded { [bx] -> arg0[0..3] : arg2 < 2 }
// CHECK-DAG: write bounded { [bx] -> arg0[4*arg2 - 4 + 0..3] : arg2 >= 2 }
// CHECK-DAG: write bounded { [bx] -> arg0[4*v0 + 0..3] : v0 < arg2 - 1 and v0 >= 1{{.*}} }
__global__ void clamped(float *to, const int *where, int n) {
  to[max(0, min(where[threadIdx.x], n - 1))] = 1.0f;
}

// CHECK-LABEL: kernel edges
// CHECK-DAG: read exact { [bx] -> arg1[0..3] : tx < 2 and arg2 >= 1 }
// CHECK-DAG: read exact { [bx] -> arg1[4*tx - 4 + 0..3] : tx >= 2 and tx <= arg2 }
// CHECK-DAG: read exact { [bx] -> arg1[4*arg2 - 4 + 0..3] : tx >= 2 and tx > arg2 }
// CHECK-DAG: write exact { [bx] -> arg0[4*tx + 0..3] }
__global__ void edges(float *to, const float *from, int n) {
  int i = threadIdx.x;
  to[i] = from[min(max(i - 1, 0), n - 1)];
}

// CHECK-LABEL: kernel selected
// CHECK-DAG: read exact { [bx] -> arg1[400..403] : tx = 0 }
// CHECK-DAG: read exact { [bx] -> arg1[4*tx - 4 + 0..3] : tx >= 1 }
// CHECK-DAG: write exact { [bx] -> arg0[4*tx + 0..3] }
__global__ void selected(float *to, const float *from) {
  int i = threadIdx.x;
  to[i] = from[i == 0 ? 100 : i - 1];
}
