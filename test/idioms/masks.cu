// Masks of an index: exact, the low bits are a remainder, the high bits the rest.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

// CHECK-LABEL: kernel low
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx - 128*floor(tx/32) + 0..3] }
__global__ void low(float *a) { a[threadIdx.x & 31] = 0.0f; }

// CHECK-LABEL: kernel high
// CHECK-NEXT: write exact { [bx] -> arg0[128*floor(tx/32) + 0..3] }
__global__ void high(float *a) { a[threadIdx.x & ~31] = 0.0f; }

// CHECK-LABEL: kernel roundUp
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx + 64*floor((arg1 + 15)/16) + 0..3] }
__global__ void roundUp(float *a, int n) {
  a[((n + 15) & ~15) + threadIdx.x] = 0.0f;
}

// CHECK-LABEL: kernel bits
// CHECK-NEXT: write exact { [bx] -> arg0[4*floor(tx/4) - 32*floor(tx/32) + 0..3] }
__global__ void bits(float *a) { a[(threadIdx.x >> 2) & 7] = 0.0f; }

// CHECK-LABEL: kernel merged
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx + 1024*bx - 1024*floor(tx/256) + 0..3] }
__global__ void merged(float *a) {
  a[(blockIdx.x << 8) | (threadIdx.x & 255)] = 0.0f;
}
