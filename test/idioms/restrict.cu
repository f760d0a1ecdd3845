// `const __restrict__` arguments: exact, as without it.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

// CHECK-LABEL: kernel add
// CHECK-DAG: read exact { [bx] -> arg1[4*tx + 4*bx*Dx + 0..3] : tx + bx*Dx < arg3 }
// CHECK-DAG: read exact { [bx] -> arg2[4*tx + 4*bx*Dx + 0..3] : tx + bx*Dx < arg3 }
// CHECK-DAG: write exact { [bx] -> arg0[4*tx + 4*bx*Dx + 0..3] : tx + bx*Dx < arg3 }
__global__ void add(float *__restrict__ c, const float *__restrict__ a,
                    const float *__restrict__ b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}
