// Counted loops: exact, each iteration is a value of a counter.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

// CHECK-LABEL: kernel fixed
// CHECK-NEXT: loop i0 < 8
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx + 4096*i0 + 0..3] }
__global__ void fixed(float *a) {
  for (int k = 0; k < 8; k++)
    a[k * 1024 + threadIdx.x] = 0.0f;
}

// CHECK-LABEL: kernel given
// CHECK-NEXT: loop i0 < arg1
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx + 1024*i0 + 0..3]{{( : arg1 >= 1)?}} }
__global__ void given(float *a, int n) {
  for (int k = 0; k < n; k++)
    a[k * 256 + threadIdx.x] = 0.0f;
}

// CHECK-LABEL: kernel stepped
// CHECK-NEXT: loop i0 < floor((arg1 - 1)/4) + 1
// CHECK-NEXT: write exact { [bx] -> arg0[16*i0 + 0..3] : arg1 >= 1 }
__global__ void stepped(float *a, int n) {
  for (int k = 0; k < n; k += 4)
    a[k] = 0.0f;
}

// CHECK-LABEL: kernel unrolled
// CHECK-NEXT: loop i0 < arg1
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx + 1024*i0 + 0..3]{{( : arg1 >= 1)?}} }
__global__ void unrolled(float *a, int n) {
#pragma unroll 4
  for (int k = 0; k < n; k++)
    a[k * 256 + threadIdx.x] = 0.0f;
}

// CHECK-LABEL: kernel tail
// CHECK: write exact { [bx] -> arg0[4*arg1 - 4*i0 - 4 + 0..3]{{( : arg1 >= 1)?}} }
__global__ void tail(float *a, int n) {
  for (int k = n - 1; k >= 0; k--)
    a[k] = 0.0f;
}

// CHECK-LABEL: kernel divided
// CHECK-NEXT: loop i0 < floor(arg1/16)
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx + 64*i0 + 0..3] : arg1 >= 16 }
__global__ void divided(float *a, int n) {
  for (int k = 0; k < n / 16; k++)
    a[k * 16 + threadIdx.x] = 0.0f;
}

// CHECK-LABEL: kernel skips
// CHECK: write exact { [bx] -> arg0[4*i0 + 0..3] : i0 >= 5{{( and arg1 >= 1)?}} }
__global__ void skips(float *a, int n) {
  for (int k = 0; k < n; k++) {
    if (k < 5)
      continue;
    a[k] = 0.0f;
  }
}
