// Device functions that are inlined: exact, as if their code stood in the
// kernel.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

__device__ __forceinline__ int globalIndex() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}
__device__ float load(const float *p, int i, int n) {
  return i < n ? p[i] : 0.0f;
}

// CHECK-LABEL: kernel scale
// CHECK-DAG: read exact { [bx] -> arg1[4*tx + 4*bx*Dx + 0..3] : tx + bx*Dx < arg2 }
// CHECK-DAG: write exact { [bx] -> arg0[4*tx + 4*bx*Dx + 0..3] }
__global__ void scale(float *to, const float *from, int n) {
  int i = globalIndex();
  to[i] = 2.0f * load(from, i, n);
}
