// Atomics of every width and kind: exact, an atomic access of the word.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

#include <cuda_fp16.h>

// CHECK-LABEL: kernel words
// CHECK-DAG: atomic exact { [bx] -> arg0[4*tx + 0..3] }
// CHECK-DAG: atomic exact { [bx] -> arg1[4*tx + 0..3] }
// CHECK-DAG: atomic exact { [bx] -> arg2[4*tx + 0..3] }
__global__ void words(int *a, unsigned *b, float *c) {
  atomicAdd(&a[threadIdx.x], 1);
  atomicMax(&b[threadIdx.x], 7u);
  atomicExch(&c[threadIdx.x], 2.0f);
}

// CHECK-LABEL: kernel wide
// CHECK-DAG: atomic exact { [bx] -> arg0[8*tx + 0..7] }
// CHECK-DAG: atomic exact { [bx] -> arg1[8*tx + 0..7] }
__global__ void wide(unsigned long long *a, double *b) {
  atomicMin(&a[threadIdx.x], 5ull);
  atomicAdd(&b[threadIdx.x], 0.5);
}

// CHECK-LABEL: kernel floats
// CHECK-NEXT: atomic exact { [bx] -> arg0[4*bx + 0..3] }
__global__ void floats(float *sums) { atomicAdd(&sums[blockIdx.x], 1.0f); }

// CHECK-LABEL: kernel narrow
// CHECK-DAG: atomic exact { [bx] -> arg0[2*tx + 0..1] }
// CHECK-DAG: atomic exact { [bx] -> arg1[4*tx + 0..3] }
// CHECK-DAG: atomic exact { [bx] -> arg2[2*tx + 0..1] }
__global__ void narrow(__half *a, __half2 *b, unsigned short *c) {
  atomicAdd(&a[threadIdx.x], __float2half(1.0f));
  atomicAdd(&b[threadIdx.x], __float2half2_rn(1.0f));
  atomicCAS(&c[threadIdx.x], (unsigned short)1, (unsigned short)2);
}

// CHECK-LABEL: kernel bounds
// CHECK-DAG: atomic exact { [bx] -> arg0[0..3] }
// CHECK-DAG: atomic exact { [bx] -> arg0[4..7] }
// CHECK-DAG: atomic exact { [bx] -> arg0[8..11] }
__global__ void bounds(unsigned *a) {
  atomicInc(&a[0], 100u);
  atomicDec(&a[1], 100u);
  atomicXor(&a[2], 1u);
}

// CHECK-LABEL: kernel scopes
// CHECK-DAG: atomic exact { [bx] -> arg0[4*tx + 0..3] }
// CHECK-DAG: atomic exact { [bx] -> arg1[4*tx + 0..3] }
__global__ void scopes(int *a, int *b) {
  atomicAdd_system(&a[threadIdx.x], 1);
  atomicAdd_block(&b[threadIdx.x], 1);
}

// CHECK-LABEL: kernel histogram
// CHECK-DAG: read exact { [bx] -> arg1[tx + bx*Dx] }
// CHECK-DAG: atomic bounded { [bx] -> arg0[4*v0 + 0..3] : {{.*}} }
__global__ void histogram(int *bins, const unsigned char *data) {
  atomicAdd(&bins[data[blockIdx.x * blockDim.x + threadIdx.x]], 1);
}
