// A thread's own arrays and generic pointers to shared or local memory: no part
// of the footprint.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

// CHECK-LABEL: kernel localArray
// CHECK-NEXT: read exact { [bx] -> arg1[4*tx + 0..3] }
// CHECK: write exact { [bx] -> arg0[4*tx + 0..3] }
__global__ void localArray(float *to, const int *which) {
  float table[8];
  for (int k = 0; k < 8; k++)
    table[k] = k * 0.5f;
  to[threadIdx.x] = table[which[threadIdx.x] & 7];
}

__device__ __noinline__ float sum(const float *p, int n) {
  float s = 0.0f;
  for (int k = 0; k < n; k++)
    s += p[k];
  return s;
}

// CHECK-LABEL: kernel genericShared
// CHECK: read exact { [bx] -> arg1[4*tx + 0..3] }
// CHECK: write exact { [bx] -> arg0[4*tx + 0..3] }
__global__ void genericShared(float *to, const float *from) {
  __shared__ float tile[256];
  tile[threadIdx.x] = from[threadIdx.x];
  __syncthreads();
  to[threadIdx.x] = sum(tile, 256);
}

// CHECK-LABEL: kernel genericLocal
// CHECK-NEXT: write exact { [bx] -> arg0[4*tx + 0..3] }
__global__ void genericLocal(float *to, int n) {
  float mine[4] = {1, 2, 3, 4};
  to[threadIdx.x] = sum(mine, n & 3);
}

// CHECK-LABEL: kernel eitherTile
// CHECK: write exact { [bx] -> arg0[4*tx + 0..3] }
__global__ void eitherTile(float *to, bool second) {
  __shared__ float a[64], b[64];
  float *tile = second ? b : a;
  tile[threadIdx.x & 63] = 1.0f;
  __syncthreads();
  to[threadIdx.x] = tile[63 - (threadIdx.x & 63)];
}
