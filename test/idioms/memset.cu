// memset in a kernel: exact, a write of the length given.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

// CHECK-LABEL: kernel fixed
// CHECK-NEXT: write exact { [bx] -> arg0[256*bx + 0..255] : tx = 0 }
__global__ void fixed(char *a) {
  if (threadIdx.x == 0)
    memset(a + 256 * blockIdx.x, 0, 256);
}

// CHECK-LABEL: kernel given
// CHECK: loop i0 < 4*arg1
// CHECK-NEXT: write exact { [bx] -> arg0[4*bx*arg1 + i0] : tx = 0 }
__global__ void given(float *a, size_t n) {
  if (threadIdx.x == 0)
    memset(a + blockIdx.x * n, 0, n * sizeof(float));
}
