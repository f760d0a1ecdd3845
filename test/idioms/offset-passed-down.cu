// `p + offset` given to a function: exact, the offset is part of the access.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

__device__ void fill(float *row, int n) {
  for (int k = threadIdx.x; k < n; k += 32)
    row[k] = 0.0f;
}
// CHECK-LABEL: kernel rows
// CHECK: write exact { [bx] -> arg0[4*tx + 4*bx*arg1 + 128*i0 + 0..3] : tx + 32*i0 < arg1 }
__global__ void rows(float *a, int width) { fill(a + blockIdx.x * width, width); }

__device__ __noinline__ float left(const float *p) { return p[-1]; }
// CHECK-LABEL: kernel shifted
// CHECK-DAG: read exact { [bx] -> arg1[4*tx - 4 + 0..3] : tx >= 1 }
// CHECK-DAG: write exact { [bx] -> arg0[4*tx + 0..3] : tx >= 1 }
__global__ void shifted(float *to, const float *from) {
  if (threadIdx.x >= 1)
    to[threadIdx.x] = left(from + threadIdx.x);
}

__device__ void deeper(float *p, int depth) { p[depth * 64] = 0.0f; }
__device__ void deep(float *p, int i) { deeper(p + i, 2); }
// CHECK-LABEL: kernel twice
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx + 4*arg1 + 512..515] }
__global__ void twice(float *a, long start) { deep(a + start, threadIdx.x); }
