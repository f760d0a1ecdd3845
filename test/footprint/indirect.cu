// What is read from memory is not known at launch: as an index it leaves the
// root's allocation, as a pointer nothing.
// RUN: %bmclangxx -O0 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | grep -v "^    at " | FileCheck %s
// RUN: %bmclangxx -O3 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | grep -v "^    at " | FileCheck %s

// CHECK: kernel scatter
// CHECK-NEXT: read exact { [bx] -> arg1[4*tx + 0..3] }
// CHECK-NEXT: write allocation { [bx] -> arg0[*] }
// CHECK-NEXT: because the index is itself read from memory
__global__ void scatter(float *a, const int *where) { a[where[threadIdx.x]] = 1; }

// CHECK: kernel chase
// CHECK-NEXT: read exact { [bx] -> arg0[8*tx + 0..7] }
// CHECK-NEXT: write unknown { [bx] -> anywhere }
// CHECK-NEXT: because the pointer is itself read from memory
__global__ void chase(float **a) { a[threadIdx.x][3] = 1; }

// CHECK: kernel forged
// CHECK-NEXT: write unknown { [bx] -> anywhere }
// CHECK-NEXT: because the pointer is made from an integer
__global__ void forged(long a) { *(float *)(a & ~15) = 1; }

// CHECK: kernel choose
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx + 0..3] : arg2 >= 4 }
// CHECK-NEXT: write exact { [bx] -> arg1[4*tx + 0..3] : arg2 < 4 }
__global__ void choose(float *a, float *b, int n) {
  float *p = n > 3 ? a : b;
  p[threadIdx.x] = 1;
}

// CHECK: kernel clamped
// CHECK-NEXT: read exact { [bx] -> arg1[4*arg2 + 0..3] : tx >= arg2 - 1 }
// CHECK-NEXT: read exact { [bx] -> arg1[4*tx + 4..7] : tx < arg2 - 1 }
__global__ void clamped(float *a, const float *b, int n) {
  a[threadIdx.x] = b[min(int(threadIdx.x) + 1, n)];
}

// CHECK: kernel divided
// CHECK-NEXT: write exact { [bx] -> arg0[4*floor(tx/arg1) + 0..3] }
__global__ void divided(float *a, int w) { a[int(threadIdx.x) / w] = 1; }
