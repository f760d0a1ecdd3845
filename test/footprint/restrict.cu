// Loads through __restrict__ pointers and __ldg are reads like any other.
// RUN: %bmclangxx -O0 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | grep -v "^    at " | FileCheck %s
// RUN: %bmclangxx -O3 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | grep -v "^    at " | FileCheck %s

// CHECK: kernel copy
// CHECK-NEXT: read exact { [bx] -> arg1[4*tx + 0..3] }
// CHECK-NEXT: read exact { [bx] -> arg1[4*tx + 4..7] }
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx + 0..3] }

__global__ void copy(float *__restrict__ a, const float *__restrict__ b) {
  int i = threadIdx.x;
  a[i] = __ldg(b + i) + b[i + 1];
}
