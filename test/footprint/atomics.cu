// Atomics are their own kind; a compare-and-swap is one of them.
// RUN: %bmclangxx -O0 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | FileCheck %s
// RUN: %bmclangxx -O3 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | FileCheck %s

// CHECK: kernel count
// CHECK-NEXT: atomic exact arg0 4 bytes at { 4*threadIdx.x : -threadIdx.x + arg2 - 1 >= 0 }
// CHECK-NEXT: atomic exact arg1 8 bytes at { 8 }
// CHECK-NOT: {{^ *(read|write)}}

__global__ void count(int *a, unsigned long long *b, int n) {
  if (int(threadIdx.x) < n)
    atomicAdd(&a[threadIdx.x], 1);
  atomicCAS(&b[1], 0ull, 1ull);
}
