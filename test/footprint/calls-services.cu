// The device's own services: printing reads the strings it prints, memory from
// the device's heap is a thread's own until its address is stored somewhere.
// RUN: %bmclangxx -O0 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | grep -v "^    at " | FileCheck %s
// RUN: %bmclangxx -O3 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | grep -v "^    at " | FileCheck %s

#include <cassert>
#include <cstdio>
#include <new>

// CHECK: kernel numbers
// CHECK-NEXT: prints
// CHECK: read exact { [bx] -> arg0[4*tx + 0..3] }
// CHECK: 1 access:
__global__ void numbers(int *a) { printf("%5d%% of %s\n", a[threadIdx.x], "all"); }

// CHECK: kernel text
// CHECK: read allocation { [bx] -> arg1[*] }
// CHECK-NEXT: because printf prints a string from memory
// CHECK: 1 access:
__global__ void text(int n, const char *s) { printf("%d %s %p\n", n, s, s); }

// CHECK: kernel format
// CHECK: read allocation { [bx] -> arg0[*] }
// CHECK: read unknown { [bx] -> anywhere }
// CHECK-NEXT: because printf prints a string from memory
__global__ void format(const char *s) { printf(s, 1); }

// CHECK: kernel checked
// CHECK-NEXT: asserts
// CHECK: read exact { [bx] -> arg0[4*tx + 0..3] }
// CHECK: 1 access:
__global__ void checked(int *a) { assert(a[threadIdx.x] == 1); }

// CHECK: kernel scratch
// CHECK-NEXT: device heap
// CHECK: write exact { [bx] -> arg0[4*tx + 0..3] }
// CHECK: 1 access:
__global__ void scratch(int *a, int n) {
  int *own = new int[n];
  for (int i = 0; i < n; ++i)
    own[i] = i;
  a[threadIdx.x] = own[n - 1];
  delete[] own;
}

// CHECK: kernel published
// CHECK: write unknown { [bx] -> anywhere }
// CHECK-NEXT: because the memory comes from malloc or new on the device
// CHECK: write exact { [bx] -> arg0[8*tx + 0..7] }
__global__ void published(int **a) {
  int *shared = (int *)malloc(4);
  *shared = 1;
  a[threadIdx.x] = shared;
}
