// A guard becomes comparisons of polynomials; an "or" gives an access for each
// of its sides. What cannot be said so makes the access a superset: the
// condition is left out, with the reason.
// RUN: %bmclangxx -O0 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | grep -v "^    at " | FileCheck %s
// RUN: %bmclangxx -O3 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | grep -v "^    at " | FileCheck %s

// CHECK: kernel either
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx + 0..3] : tx < arg1 }
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx + 0..3] : tx > arg2 }
__global__ void either(float *a, int n, int m) {
  int i = threadIdx.x;
  if (i < n || i > m)
    a[i] = 1;
}

// CHECK: kernel flagged
// CHECK-NEXT: read exact { [bx] -> arg1[4*tx + 0..3] : tx < arg2 }
// CHECK-NEXT: write bounded { [bx] -> arg0[4*tx + 0..3] : tx < arg2 }
// CHECK-NEXT: because it stands under a condition that cannot be evaluated at launch
__global__ void flagged(float *a, const int *flags, int n) {
  int i = threadIdx.x;
  if (i < n && flags[i] > 0)
    a[i] = 1;
}

// CHECK: kernel never
// CHECK-NOT: write
__global__ void never(float *a) {
  if (threadIdx.x > 2000)
    a[0] = 1;
}

// CHECK: kernel first
// CHECK-NEXT: write exact { [bx] -> arg0[4*bx + 0..3] : tx = 0 }
__global__ void first(float *a) {
  if (threadIdx.x == 0)
    a[blockIdx.x] = 1;
}
