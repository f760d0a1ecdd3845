// A pointer chosen by a condition: exact, each array under its condition.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

// CHECK-LABEL: kernel choose
// CHECK-DAG: write exact { [bx] -> arg0[4*tx + 0..3] : arg2 >= 4 }
// CHECK-DAG: write exact { [bx] -> arg1[4*tx + 0..3] : arg2 < 4 }
__global__ void choose(float *a, float *b, int n) {
  float *p = n > 3 ? a : b;
  p[threadIdx.x] = 0.0f;
}

// CHECK-LABEL: kernel byBlock
// CHECK-DAG: write exact { [bx] -> arg0[4*tx + 0..3] : bx = 0 }
// CHECK-DAG: write exact { [bx] -> arg1[4*tx + 4*bx + 0..3] : bx >= 1 }
__global__ void byBlock(float *first, float *rest) {
  float *p = first;
  if (blockIdx.x != 0)
    p = rest + blockIdx.x;
  p[threadIdx.x] = 0.0f;
}

// CHECK-LABEL: kernel byData
// CHECK-DAG: read exact { [bx] -> arg2[4*tx + 0..3] }
// CHECK-DAG: write bounded { [bx] -> arg0[4*tx + 0..3] }
// CHECK-DAG: write bounded { [bx] -> arg1[4*tx + 0..3] }
__global__ void byData(float *a, float *b, const int *which) {
  float *p = which[threadIdx.x] ? a : b;
  p[threadIdx.x] = 0.0f;
}
