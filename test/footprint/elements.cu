// Vectors, structs and copies have their whole size. An element written back
// unchanged is written: another block may have changed it meanwhile.
// RUN: %bmclangxx -O0 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | grep -v "^    at " | FileCheck %s
// RUN: %bmclangxx -O3 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | grep -v "^    at " | FileCheck %s

// CHECK: kernel vectors
// CHECK-NEXT: read exact { [bx] -> arg1[16*tx + 0..15] }
// CHECK-NEXT: write exact { [bx] -> arg0[16*tx + 0..15] }
__global__ void vectors(float4 *a, const float4 *b) {
  a[threadIdx.x] = b[threadIdx.x];
}

struct Triple {
  float x, y, z;
};
// CHECK: kernel structs
// CHECK-NEXT: read exact { [bx] -> arg1[12*tx + 0..11] }
// CHECK-NEXT: write exact { [bx] -> arg0[12*tx + 0..11] }
__global__ void structs(Triple *a, const Triple *b) {
  a[threadIdx.x] = b[threadIdx.x];
}

// CHECK: kernel unchanged
// CHECK-NEXT: read exact { [bx] -> arg0[4*tx + 0..3] }
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx + 0..3] }
__global__ void unchanged(float *a) { a[threadIdx.x] = a[threadIdx.x]; }
