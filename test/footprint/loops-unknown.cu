// A loop whose length is not known at launch: an index with its counter is
// anywhere in the allocation, one without it is as good as outside the loop. A
// loop that may be left early has an upper bound.
// RUN: %bmclangxx -O0 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | grep -v "^    at " | FileCheck %s
// RUN: %bmclangxx -O3 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | grep -v "^    at " | FileCheck %s

// CHECK: kernel search
// CHECK-NEXT: read allocation { [bx] -> arg0[*] }
// CHECK-NEXT: because the index depends on a loop whose number of iterations is not known at launch
// CHECK-NEXT: write exact { [bx] -> arg1[4*tx + 0..3] }
__global__ void search(const float *a, int *found) {
  int k = 0;
  while (a[k] > 0)
    k++;
  found[threadIdx.x] = k;
}

// CHECK: kernel leave
// CHECK-NEXT: loop i0 < arg2
// CHECK-NEXT: read bounded { [bx] -> arg0[4*i0 + 0..3] }
// CHECK-NEXT: assuming i32(i0 + 1)
// CHECK-NEXT: because its loop may be left early
// CHECK-NEXT: write bounded { [bx] -> arg1[4*i0 + 0..3] }
// CHECK-NEXT: assuming i32(i0 + 1)
// CHECK-NEXT: because it stands under a condition that cannot be evaluated at launch
__global__ void leave(const float *a, float *b, int n) {
  for (int k = 0; k < n; k++) {
    if (a[k] > 0)
      break;
    b[k] = 1;
  }
}

// The length of the outer loop is not known, which does not make what stands in
// it impossible: that the index is below zero in the first iteration remains.
// CHECK: kernel around
// CHECK: write bounded { [bx] -> arg0[-8*i0 - 8 + 0..7] : bx*Dx = 0 and ty >= 1 }
// CHECK-NEXT: assuming i32(bx*Dx)
// CHECK-NEXT: assuming u32(-i0 - 1) where the conditions hold
__global__ void around(double *p) {
  for (int i = 0; i < (blockDim.x * blockIdx.x
                           ? 1
                           : (unsigned long)blockIdx.x * blockDim.x + threadIdx.x);
       i++)
    for (unsigned k = 0; k < threadIdx.y; k--)
      p[k - 1] = 1;
}

// It goes on in the first iteration and in iteration s, which is the second where
// s is 1: two cases, each of which holds once, are three iterations.
// CHECK: kernel twoCases
// CHECK-NOT: loop i0 < 2
// CHECK: write allocation { [bx] -> arg0[*] }
// CHECK-NEXT: because the index depends on a loop whose number of iterations is not known at launch
__global__ void twoCases(int *p, int s) {
  for (int i = 0;; i++) {
    p[i] = 1;
    if (i != s && i)
      break;
  }
}
