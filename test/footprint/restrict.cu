// Loads through __restrict__ pointers and __ldg are reads like any other.
// RUN: %bmclangxx -O0 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | FileCheck %s
// RUN: %bmclangxx -O3 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | FileCheck %s

// CHECK: kernel copy
// CHECK-NEXT: read exact arg1 4 bytes at { 4*threadIdx.x }
// CHECK-NEXT: read exact arg1 4 bytes at { 4*threadIdx.x + 4 }
// CHECK-NEXT: write exact arg0 4 bytes at { 4*threadIdx.x }

__global__ void copy(float *__restrict__ a, const float *__restrict__ b) {
  int i = threadIdx.x;
  a[i] = __ldg(b + i) + b[i + 1];
}
