// memcpy and memmove in a kernel: exact, a read and a write of the length given.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

// CHECK-LABEL: kernel fixed
// CHECK-DAG: read exact { [bx] -> arg1[64*tx + 0..63] }
// CHECK-DAG: write exact { [bx] -> arg0[64*tx + 0..63] }
__global__ void fixed(char *to, const char *from) {
  memcpy(to + 64 * threadIdx.x, from + 64 * threadIdx.x, 64);
}

// CHECK-LABEL: kernel given
// CHECK-DAG: loop i0 < arg2
// CHECK-DAG: loop i1 < arg2
// CHECK-DAG: read exact { [bx] -> arg1[bx*arg2 + i0] }
// CHECK-DAG: write exact { [bx] -> arg0[bx*arg2 + i1] }
__global__ void given(char *to, const char *from, size_t n) {
  memcpy(to + blockIdx.x * n, from + blockIdx.x * n, n);
}

// CHECK-LABEL: kernel moved
// CHECK-DAG: read exact { [bx] -> arg0[128*tx + 16..47] }
// CHECK-DAG: write exact { [bx] -> arg0[128*tx + 0..31] }
__global__ void moved(char *a) {
  __builtin_memmove(a + 128 * threadIdx.x, a + 128 * threadIdx.x + 16, 32);
}
