// A pointer that a loop swaps or chooses: bounded or the allocation, for each
// array it may be.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

// CHECK-LABEL: kernel pingPong
// CHECK-DAG: read bounded { [bx] -> arg0[4*tx + 0..3] : arg2 >= 1 }
// CHECK-DAG: read bounded { [bx] -> arg1[4*tx + 0..3] : arg2 >= 1 }
// CHECK-DAG: write bounded { [bx] -> arg0[4*tx + 0..3] : arg2 >= 1 }
// CHECK-DAG: write bounded { [bx] -> arg1[4*tx + 0..3] : arg2 >= 1 }
__global__ void pingPong(float *a, float *b, int rounds) {
  float *from = a, *to = b;
  for (int k = 0; k < rounds; k++) {
    to[threadIdx.x] = from[threadIdx.x] * 2.0f;
    float *other = from;
    from = to;
    to = other;
  }
}

// CHECK-LABEL: kernel lastHit
// CHECK: write allocation { [bx] -> arg0[*] }
__global__ void lastHit(float *a, const int *flags, int n) {
  float *p = a;
  for (int k = 0; k < n; k++)
    if (flags[k])
      p = a + k;
  *p = 0.0f;
}
