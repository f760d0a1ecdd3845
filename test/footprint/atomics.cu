// Atomics are their own kind; a compare-and-swap is one of them.
// RUN: %bmclangxx -O0 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | grep -v "^    at " | FileCheck %s
// RUN: %bmclangxx -O3 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | grep -v "^    at " | FileCheck %s

// CHECK: kernel count
// CHECK-NEXT: atomic exact { [bx] -> arg0[4*tx + 0..3] : tx < arg2 }
// CHECK-NEXT: atomic exact { [bx] -> arg1[8..15] }
// CHECK-NOT: {{^ *(read|write)}}

__global__ void count(int *a, unsigned long long *b, int n) {
  if (int(threadIdx.x) < n)
    atomicAdd(&a[threadIdx.x], 1);
  atomicCAS(&b[1], 0ull, 1ull);
}
