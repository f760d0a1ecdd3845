// Loads and stores with a cache hint (__ldg, __ldcg, __stwt and so on): exact,
// plain reads and writes of their word.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

// CHECK-LABEL: kernel readOnly
// CHECK-DAG: read exact { [bx] -> arg1[4*tx + 4*bx*Dx + 0..3] }
// CHECK-DAG: write exact { [bx] -> arg0[4*tx + 4*bx*Dx + 0..3] }
__global__ void readOnly(float *to, const float *from) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = __ldg(&from[i]);
}

// CHECK-LABEL: kernel vectors
// CHECK-DAG: read exact { [bx] -> arg1[16*tx + 0..15] }
// CHECK-DAG: write exact { [bx] -> arg0[16*tx + 0..3] }
// CHECK-DAG: write exact { [bx] -> arg0[16*tx + 4..7] }
// CHECK-DAG: write exact { [bx] -> arg0[16*tx + 8..11] }
// CHECK-DAG: write exact { [bx] -> arg0[16*tx + 12..15] }
__global__ void vectors(float4 *to, const float4 *from) {
  to[threadIdx.x] = __ldg(from + threadIdx.x);
}

// CHECK-LABEL: kernel hints
// CHECK-DAG: read exact { [bx] -> arg1[4*tx + 0..3] }
// CHECK-DAG: read exact { [bx] -> arg1[4*tx + 1024..1027] }
// CHECK-DAG: write exact { [bx] -> arg0[4*tx + 0..3] }
__global__ void hints(int *to, const int *from) {
  int value = __ldcs(from + threadIdx.x) + __ldcg(from + threadIdx.x + 256);
  __stwt(to + threadIdx.x, value);
}
