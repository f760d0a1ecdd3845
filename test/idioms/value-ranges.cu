// Ranges that the compiler can prove or is told, of numbers read from memory:
// bounded.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

// CHECK-LABEL: kernel byte
// CHECK-DAG: write bounded { [bx] -> arg0[4*v0 + 0..3] : 0 <= v0 <= 255 }
__global__ void byte(float *a, const unsigned char *b) {
  a[b[threadIdx.x]] = 1.0f;
}

// CHECK-LABEL: kernel assumed
// CHECK-DAG: write bounded { [bx] -> arg0[4*v0 + 0..3] : 0 <= v0 <= 63 }
__global__ void assumed(float *a, const int *b, int n) {
  int i = b[threadIdx.x];
  __builtin_assume(i >= 0 && i < 64);
  a[i] = 1.0f;
}

// CHECK-LABEL: kernel guarded
// CHECK-DAG: write bounded { [bx] -> arg0[4*v0 + 0..3] : v0 >= 0 and v0 < arg2{{.*}} }
__global__ void guarded(float *a, const int *b, int n) {
  int i = b[threadIdx.x];
  if (i >= 0 && i < n)
    a[i] = 1.0f;
}

// CHECK-LABEL: kernel truth
// CHECK-DAG: write bounded { [bx] -> arg0[8*tx + 4*v0 + 0..3] : 0 <= v0 <= 1 }
__global__ void truth(float *a, const float *b) {
  a[2 * threadIdx.x + (b[threadIdx.x] > 0.0f)] = 1.0f;
}
