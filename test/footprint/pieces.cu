// An index or guard with cases gives one access for each: clamps, switches, a
// pointer chosen by a branch, the first iteration of a do-while loop.
// RUN: %bmclangxx -O0 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | grep -v "^    at " | FileCheck %s
// RUN: %bmclangxx -O3 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | grep -v "^    at " | FileCheck %s

// CHECK: kernel differs
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx + 0..3] : tx > arg1 }
// CHECK: write exact { [bx] -> arg0[4*tx + 0..3] : tx < arg1 }
// CHECK: 2 accesses: 2 exact
__global__ void differs(float *a, int n) {
  if (threadIdx.x != n)
    a[threadIdx.x] = 1;
}

// CHECK: kernel chosen
// CHECK: write exact { [bx] -> arg0[4*tx + 4..7] : tx < arg2 }
// CHECK: write exact { [bx] -> arg1[4*tx + 0..3] : tx >= arg2 }
// CHECK: 3 accesses: 3 exact
__global__ void chosen(float *a, float *b, int n) {
  int i = threadIdx.x;
  float *p;
  if (i < n) {
    p = a + 1;
    b[1000] = 1;
  } else
    p = b;
  p[i] = 1;
}

// CHECK: kernel once
// CHECK-NEXT: loop i0 < floor((-tx + arg1 - 1)/32) + 1
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx + 0..3] }
// CHECK: write exact { [bx] -> arg0[4*tx + 128*i0 + 0..3] : tx + 32*i0 < arg1 and i0 >= 1 }
__global__ void once(float *a, int n) {
  int i = threadIdx.x;
  do {
    a[i] = 1;
    i += 32;
  } while (i < n);
}

// CHECK: kernel exchanged
// CHECK: read bounded { [bx] -> arg0[4*tx + 0..3] : arg2 >= 1 }
// CHECK: read bounded { [bx] -> arg1[4*tx + 0..3] : arg2 >= 1 }
// CHECK: 4 accesses: 4 bounded
__global__ void exchanged(float *a, float *b, int n) {
  int i = threadIdx.x;
  for (int k = 0; k < n; k++) {
    b[i] = a[i];
    __syncthreads();
    float *t = a;
    a = b;
    b = t;
  }
}
