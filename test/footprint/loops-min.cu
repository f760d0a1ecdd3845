// A loop that ends at a minimum, or begins at a choice: its conditions are
// those of every operand, its cases those of the choice.
// RUN: %bmclangxx -O0 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | grep -v "^    at " | FileCheck %s
// RUN: %bmclangxx -O3 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | grep -v "^    at " | FileCheck %s

// CHECK: kernel chunk
// CHECK-NEXT: loop i0 < floor((-tx + 63)/32) + 1
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx + 256*bx + 128*i0 + 0..3] : tx + 32*i0 < 64 and tx + 64*bx + 32*i0 < arg1 }
// CHECK-NEXT: assuming i32(tx + 64*bx), i32(64*bx + 64), i32(tx + 64*bx + 32*i0 + 32)
__global__ void chunk(float *a, int n) {
  int first = blockIdx.x * 64;
  for (int i = first + threadIdx.x; i < min(first + 64, n); i += 32)
    a[i] = 1;
}

// CHECK: kernel rows
// CHECK-NEXT: loop i0 < 32
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx + 4096*bx + 128*i0 + 0..3] : 32*bx + i0 < arg1 }
// CHECK-NEXT: assuming i32(-32*bx + arg1)
// CHECK-NEXT: assuming u32(tx + 1024*bx + 32*i0) where the conditions hold
__global__ void rows(float *a, int n) {
  int top = blockIdx.x * 32, height = min(32, n - top);
  for (int y = 0; y < height; ++y)
    a[(top + y) * 32 + threadIdx.x] = 1;
}

// CHECK: kernel unequal
// CHECK-NEXT: loop i0 < arg1
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx + 128*i0 + 0..3] : bx >= arg1 }
// CHECK-NEXT: assuming u32(arg1), i32(arg1 - 1)
// CHECK-NEXT: assuming u32(tx + 32*i0) where the conditions hold
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx + 128*i0 + 0..3] : bx < arg1 and bx > i0 }
// CHECK-NEXT: assuming u32(arg1), i32(arg1 - 1)
// CHECK-NEXT: assuming u32(tx + 32*i0) where the conditions hold
__global__ void unequal(float *a, unsigned n) {
  unsigned height = min(blockIdx.x, n);
  for (unsigned y = 0; y != height; ++y)
    a[y * 32 + threadIdx.x] = 1;
}

// CHECK: kernel least
// CHECK-NEXT: loop i0 < arg1
// CHECK-NEXT: write exact { [bx] -> arg0[4*i0 + 0..3] : i0 < arg2 and i0 < arg3 }
// CHECK-NEXT: assuming i32(i0 + 1)
__global__ void least(float *a, int n, int m, int k) {
  for (int y = 0; y < min(min(n, m), k); ++y)
    a[y] = 1;
}

// CHECK: kernel sum
// CHECK-NEXT: loop i0 < 31
// CHECK-NEXT: write exact { [bx] -> arg0[4*i0 + 0..3] : bx + i0 <= arg2 + 14 and bx + i0 <= arg1 + 14 and 2*bx + i0 < arg1 + arg2 - 1 }
// CHECK-NEXT: assuming i32(-bx + arg1), i32(-bx + arg2), i32(-bx + arg2 + 16), i32(-bx + arg1 + 16), i32(-2*bx + arg1 + arg2), i32(-bx + arg2 + 15), i32(-bx + arg1 + 15), i32(-2*bx + arg1 + arg2 - 1)
__global__ void sum(float *a, int n, int m) {
  int height = min(16, n - int(blockIdx.x)), width = min(16, m - int(blockIdx.x));
  for (int s = 0; s < height + width - 1; ++s)
    a[s] = 1;
}

// CHECK: kernel down
// CHECK-NEXT: loop i0 < 8
// CHECK-NEXT: write exact { [bx] -> arg0[4*bx - 4*i0 + 0..3] : bx > arg1 + i0 }
__global__ void down(float *a, int n) {
  for (int y = int(blockIdx.x); y > max(n, int(blockIdx.x) - 8); --y)
    a[y] = 1;
}

// CHECK: kernel from
// CHECK-NEXT: loop i0 < -arg1 + 100
// CHECK-NEXT: write exact { [bx] -> arg0[4*arg1 + 4*i0 + 0..3] : bx <= arg1 }
// CHECK-NEXT: assuming i32(arg1 + i0), u32(bx + i0)
// CHECK-NEXT: write exact { [bx] -> arg0[4*bx + 4*i0 + 0..3] : bx > arg1 and bx + i0 < 100 }
// CHECK-NEXT: assuming i32(arg1 + i0), u32(bx + i0)
__global__ void from(float *a, int n) {
  for (int y = max(n, int(blockIdx.x)); y < 100; ++y)
    a[y] = 1;
}

// CHECK: kernel chosen
// CHECK-NEXT: loop i0 < 8
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx + 256*i0 + 128..131] : bx >= 8 }
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx + 256*i0 + 0..3] : bx < 8 }
__global__ void chosen(float *a) {
  bool upper = blockIdx.x < 8;
  for (int y = upper ? 0 : 1; y < 16; y += 2)
    a[y * 32 + threadIdx.x] = 1;
}

// CHECK: kernel atLeastOnce
// CHECK-NEXT: loop i0 < arg1
// CHECK-NEXT: write exact { [bx] -> arg0[0..3] }
// CHECK-NEXT: assuming i32(i0 + 1)
// CHECK-NEXT: write exact { [bx] -> arg0[4*i0 + 0..3] : bx > i0 and i0 >= 1 }
// CHECK-NEXT: assuming i32(i0 + 1)
__global__ void atLeastOnce(float *a, int n) {
  int y = 0;
  do
    a[y] = 1;
  while (++y < min(n, int(blockIdx.x)));
}

// CHECK: kernel strided
// CHECK-NEXT: loop i0 < floor((arg1 - 1)/Dx) + 1
// CHECK-NEXT: write exact { [bx] -> arg0[4*Dx*i0 + 0..3] : Dx*i0 < arg1 and Dx*i0 < arg2 }
__global__ void strided(float *a, int n, int m) {
  for (int y = 0; y < min(n, m); y += blockDim.x)
    a[y] = 1;
}
