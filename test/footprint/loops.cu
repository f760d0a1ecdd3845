// Loops become counters. An extent may be a constant, an argument, or a counter
// further out; going down is going up from the other end.
// RUN: %bmclangxx -O0 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | grep -v "^    at " | FileCheck %s
// RUN: %bmclangxx -O3 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | grep -v "^    at " | FileCheck %s

// CHECK: kernel counted
// CHECK-NEXT: loop i0 < 8
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx + 4096*i0 + 0..3] }
__global__ void counted(float *a) {
  for (int k = 0; k < 8; k++)
    a[k * 1024 + threadIdx.x] = 1;
}

// CHECK: kernel symbolic
// CHECK-NEXT: loop i0 < arg1
// CHECK-NEXT: loop i1 < arg2
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx + 1024*arg2*i0 + 1024*i1 + 0..3] }
// CHECK-NEXT: assuming i32(i1 + 1), i32(i0 + 1), u32(tx + 256*arg2*i0 + 256*i1)
__global__ void symbolic(float *a, int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[(i * m + j) * 256 + threadIdx.x] = 1;
}

// CHECK: kernel triangle
// CHECK-NEXT: loop i0 < arg1
// CHECK-NEXT: loop i1 < i0 + 1
// CHECK-NEXT: write exact { [bx] -> arg0[4*arg1*i0 + 4*i1 + 0..3] : i0 >= i1 }
// CHECK-NEXT: assuming u32(i1), u32(i0), i32(i0 + 1)
__global__ void triangle(float *a, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      a[i * n + j] = 1;
}

// CHECK: kernel down
// CHECK-NEXT: loop i0 < arg1
// CHECK-NEXT: write exact { [bx] -> arg0[4*arg1 - 4*i0 - 4 + 0..3] }
// CHECK-NEXT: assuming i32(arg1 - i0)
__global__ void down(float *a, int n) {
  for (int i = n - 1; i >= 0; i--)
    a[i] = 1;
}

// CHECK: kernel counting
// CHECK-NEXT: loop i0 < arg1
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx + 16*i0 + 0..3] }
// CHECK-NEXT: assuming u32(i0 + 1), u32(arg1), u32(tx + 4*i0)
__global__ void counting(float *a, unsigned n) {
  for (unsigned k = 0; k < n; k++)
    a[k * 4 + threadIdx.x] = 1;
}
