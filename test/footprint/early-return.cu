// Returning early is the same guard as an if around the rest.
// RUN: %bmclangxx -O0 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | FileCheck %s
// RUN: %bmclangxx -O3 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | FileCheck %s

// CHECK: kernel early
// CHECK-NEXT: write exact arg0 4 bytes at { 4*threadIdx.x + 4*blockIdx.x*blockDim.x : -threadIdx.x - blockIdx.x*blockDim.x + arg1 - 1 >= 0 }

__global__ void early(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  a[i] = 1;
}
