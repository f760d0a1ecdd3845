// Remainders of an index: exact, the number less divisor times quotient.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

// CHECK-LABEL: kernel wrap
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx - 40*floor(tx/10) + 0..3] }
__global__ void wrap(float *a) { a[threadIdx.x % 10] = 0.0f; }

// CHECK-LABEL: kernel ring
// CHECK-NEXT: read exact { [bx] -> arg0[4*tx - 4*arg2*floor((tx + 1)/arg2) + 4..7] }
__global__ void ring(const float *a, float *b, int n) {
  b[threadIdx.x] = a[(threadIdx.x + 1) % n];
}

// CHECK-LABEL: kernel everyFourth
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx + 0..3] : tx = 4*floor(tx/4) }
__global__ void everyFourth(float *a) {
  if (threadIdx.x % 4 == 0)
    a[threadIdx.x] = 0.0f;
}

// CHECK-LABEL: kernel bounded
// CHECK-DAG: read exact { [bx] -> arg1[4*tx + 0..3] }
// CHECK-DAG: write bounded { [bx] -> arg0[4*v0 + 0..3] : 0 <= v0 <= 99 }
__global__ void bounded(float *a, const unsigned *keys) {
  a[keys[threadIdx.x] % 100] = 0.0f;
}
