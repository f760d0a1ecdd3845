// Loops that end at a minimum or begin at a choice: exact, a condition for each operand, an access for each case of the choice.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

// CHECK-LABEL: kernel chunk
// CHECK: write exact { [bx] -> arg0[4*tx + 256*bx + 128*i0 + 0..3] : tx + 32*i0 < 64 and tx + 64*bx + 32*i0 < arg1 }
__global__ void chunk(float *a, int n) {
  int first = blockIdx.x * 64;
  for (int i = first + threadIdx.x; i < min(first + 64, n); i += 32)
    a[i] = 0.0f;
}

// CHECK-LABEL: kernel rowsOfATile
// CHECK: loop i0 < 32
// CHECK: write exact { [bx] -> arg0[4*tx + 4096*bx + 128*i0 + 0..3] : 32*bx + i0 < arg1 }
__global__ void rowsOfATile(float *a, int n) {
  int top = blockIdx.x * 32, height = min(32, n - top);
  for (int y = 0; y < height; ++y)
    a[(top + y) * 32 + threadIdx.x] = 0.0f;
}

// CHECK-LABEL: kernel everySecond
// CHECK: loop i0 < 8
// CHECK: write exact { [bx] -> arg0[4*tx + 256*i0 + 128..131] : bx >= 8 }
// CHECK: write exact { [bx] -> arg0[4*tx + 256*i0 + 0..3] : bx < 8 }
__global__ void everySecond(float *a) {
  for (int y = blockIdx.x < 8 ? 0 : 1; y < 16; y += 2)
    a[y * 32 + threadIdx.x] = 0.0f;
}

// A minimum of a number that may be below zero, which is a large one then, of
// another type than the counter.
// CHECK-LABEL: kernel mixedTypes
// CHECK: loop i0 < 5
// CHECK: write exact { [bx] -> arg0[4*i0 + 0..3] : 3*tx + i0 < arg1 }
// CHECK: write exact { [bx] -> arg0[4*i0 + 0..3] : 3*tx > arg1 }
__global__ void mixedTypes(float *a, unsigned n) {
  for (int i = 0; i < min(5ul, n - 3ul * threadIdx.x); ++i)
    a[i] = 0.0f;
}

// Both cases end at the thread's number, whatever else ends the first.
// CHECK-LABEL: kernel sharedEnd
// CHECK: loop i0 < floor(tx/3) + 1
// CHECK: write exact {{.*}}3*tx + 3*i0 <= arg1 and tx >= 3*i0
// CHECK: write exact {{.*}}3*tx > arg1 and tx >= 3*i0
__global__ void sharedEnd(float *a, unsigned n) {
  int x = threadIdx.x;
  for (int i = 0; i <= min((unsigned long)x, (unsigned long)(n - x * 3)); i += 3)
    a[i] = 0.0f;
}
