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
