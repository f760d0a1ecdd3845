// Vectors, structs and copies have their whole size. An element written back
// unchanged is written: another block may have changed it meanwhile.
// RUN: %bmclangxx -O0 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | FileCheck %s
// RUN: %bmclangxx -O3 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | FileCheck %s

// CHECK: kernel vectors
// CHECK-NEXT: read exact arg1 16 bytes at { 16*threadIdx.x }
// CHECK-NEXT: write exact arg0 16 bytes at { 16*threadIdx.x }
__global__ void vectors(float4 *a, const float4 *b) {
  a[threadIdx.x] = b[threadIdx.x];
}

struct Triple {
  float x, y, z;
};
// CHECK: kernel structs
// CHECK-NEXT: read exact arg1 12 bytes at { 12*threadIdx.x }
// CHECK-NEXT: write exact arg0 12 bytes at { 12*threadIdx.x }
__global__ void structs(Triple *a, const Triple *b) {
  a[threadIdx.x] = b[threadIdx.x];
}

// CHECK: kernel unchanged
// CHECK-NEXT: read exact arg0 4 bytes at { 4*threadIdx.x }
// CHECK-NEXT: write exact arg0 4 bytes at { 4*threadIdx.x }
__global__ void unchanged(float *a) { a[threadIdx.x] = a[threadIdx.x]; }
