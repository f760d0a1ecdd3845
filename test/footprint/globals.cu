// Device globals and constants are roots by name; a function that is not inlined
// by the programmer is looked into.
// RUN: %bmclangxx -O0 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | grep -v "^    at " | FileCheck %s
// RUN: %bmclangxx -O3 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | grep -v "^    at " | FileCheck %s

// CHECK: kernel apply
// CHECK-NEXT: read exact { [bx] -> @coefficients[8..11] }
// CHECK-NEXT: read exact { [bx] -> @table[4*tx + 4..7] }
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx + 0..3] }
// CHECK-NEXT: atomic exact { [bx] -> @total[0..3] }

__constant__ float coefficients[9];
__device__ float table[1025];
__device__ int total;
__noinline__ __device__ float get(const float *from, int i) { return from[i]; }
__global__ void apply(float *a) {
  int i = threadIdx.x;
  a[i] = coefficients[2] * get(table, i + 1);
  atomicAdd(&total, 1);
}
