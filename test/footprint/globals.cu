// Device globals and constants are roots by name; a function that is not inlined
// by the programmer is looked into.
// RUN: %bmclangxx -O0 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | FileCheck %s
// RUN: %bmclangxx -O3 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | FileCheck %s

// CHECK: kernel apply
// CHECK-NEXT: read exact @coefficients 4 bytes at { 8 }
// CHECK-NEXT: read exact @table 4 bytes at { 4*threadIdx.x + 4 }
// CHECK-NEXT: write exact arg0 4 bytes at { 4*threadIdx.x }
// CHECK-NEXT: atomic exact @total 4 bytes at { 0 }

__constant__ float coefficients[9];
__device__ float table[1025];
__device__ int total;
__noinline__ __device__ float get(const float *from, int i) { return from[i]; }
__global__ void apply(float *a) {
  int i = threadIdx.x;
  a[i] = coefficients[2] * get(table, i + 1);
  atomicAdd(&total, 1);
}
