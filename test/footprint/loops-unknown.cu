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
