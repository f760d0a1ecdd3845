// A one-dimensional index with a guard for the last block is exact: the guard is
// the domain, and the 32-bit index is an assumption checked at launch.
// RUN: %bmclangxx -O0 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | FileCheck %s
// RUN: %bmclangxx -O3 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | FileCheck %s

// CHECK: kernel add(float const*, float const*, float*, int) [_Z3addPKfS0_Pfi]
// CHECK-NEXT: read exact arg0 4 bytes at { 4*threadIdx.x + 4*blockIdx.x*blockDim.x : -threadIdx.x - blockIdx.x*blockDim.x + arg3 - 1 >= 0 } assuming i32(threadIdx.x + blockIdx.x*blockDim.x){{$| }}
// CHECK-NEXT: read exact arg1 4 bytes at { 4*threadIdx.x + 4*blockIdx.x*blockDim.x : -threadIdx.x - blockIdx.x*blockDim.x + arg3 - 1 >= 0 }
// CHECK-NEXT: write exact arg2 4 bytes at { 4*threadIdx.x + 4*blockIdx.x*blockDim.x : -threadIdx.x - blockIdx.x*blockDim.x + arg3 - 1 >= 0 }
// CHECK-NOT: {{^ *(read|write)}}

__global__ void add(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}
