// A one-dimensional index with a guard for the last block is exact: the guard is
// the domain, and the 32-bit index is an assumption checked at launch.
// RUN: %bmclangxx -O0 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | grep -v "^    at " | FileCheck %s
// RUN: %bmclangxx -O3 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | grep -v "^    at " | FileCheck %s

// CHECK: kernel add(float const*, float const*, float*, int) [_Z3addPKfS0_Pfi]
// CHECK-NEXT: read exact { [bx] -> arg0[4*tx + 4*bx*Dx + 0..3] : tx + bx*Dx < arg3 }
// CHECK-NEXT: assuming i32(tx + bx*Dx)
// CHECK-NEXT: read exact { [bx] -> arg1[4*tx + 4*bx*Dx + 0..3] : tx + bx*Dx < arg3 }
// CHECK-NEXT: assuming i32(tx + bx*Dx)
// CHECK-NEXT: write exact { [bx] -> arg2[4*tx + 4*bx*Dx + 0..3] : tx + bx*Dx < arg3 }
// CHECK-NEXT: assuming i32(tx + bx*Dx)
// CHECK-NOT: {{^ *(read|write)}}

__global__ void add(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}
