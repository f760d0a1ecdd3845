// `A[B[i] & 255]`: bounded by the mask.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

// CHECK-LABEL: kernel masked
// CHECK-DAG: read exact { [bx] -> arg1[4*tx + 0..3] }
// CHECK-DAG: write bounded { [bx] -> arg0[4*v0 + 0..3] : 0 <= v0 <= 255 }
// CHECK-DAG: because the index is itself read from memory
__global__ void masked(float *to, const int *where) {
  to[where[threadIdx.x] & 255] = 1.0f;
}

// CHECK-LABEL: kernel binsOfBlock
// CHECK-DAG: read exact { [bx] -> arg1[4*tx + 0..3] }
// CHECK-DAG: write bounded { [bx] -> arg0[1024*bx + 4*v0 + 0..3] : 0 <= v0 <= 255 }
__global__ void binsOfBlock(int *bins, const int *where) {
  bins[256 * blockIdx.x + (where[threadIdx.x] & 255)] = 1;
}
