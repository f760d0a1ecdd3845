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

// A loop of two iterations, whose condition is "i == 0" after optimisation.
// CHECK: kernel twice
// CHECK-NEXT: loop i0 < 2
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx + 4*arg1*i0 + 0..3] }
__global__ void twice(int *p, long n) {
#pragma nounroll
  for (int i = 0; i < 2; ++i)
    p[i * n + threadIdx.x] = 1;
}

// The step is an argument: that both 0 <= i and i < n hold does not make it
// positive and negative at once.
// CHECK: kernel step
// CHECK-NEXT: loop i0 < floor((-tx - bx*Dx + arg1 - 1)/arg2) + 1
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx + 4*bx*Dx + 4*arg2*i0 + 0..3] : tx + bx*Dx < arg1 and tx + bx*Dx + arg2*i0 < arg1 }
// CHECK-NEXT: assuming u64(arg1)
// CHECK-NEXT: assuming u63(arg2 - 1), i64(tx + bx*Dx + arg2 + arg2*i0), u63(arg1) where tx + bx*Dx < arg1
__global__ void step(float *p, long n, long by) {
  for (unsigned long i = blockIdx.x * (unsigned long)blockDim.x + threadIdx.x; i < n; i += by)
    p[i] = 1;
}

// Both loops run once where n is 0: that the inner one is inside the outer one
// does not say that n is above.
// CHECK: kernel onceAtLeast
// CHECK: write exact { [bx] -> arg0[4000..4003] }
// CHECK: write exact { [bx] -> arg0[4*i1 + 4000..4003] : i1 >= 1 }
__global__ void onceAtLeast(int *p, int n) {
  int i = 0;
  do {
    if (i < threadIdx.x + 5) {
      int j = 0;
      do
        p[1000 + j] = 1;
      while (++j < n);
    }
  } while (++i < n);
}
