// Division of an index: exact, a quotient of the numbers it is made of.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

// CHECK-LABEL: kernel pairs
// CHECK-NEXT: write exact { [bx] -> arg0[4*floor(tx/2) + 0..3] }
__global__ void pairs(float *a) { a[threadIdx.x / 2] = 0.0f; }

// CHECK-LABEL: kernel thirds
// CHECK-NEXT: write exact { [bx] -> arg0[4*floor((tx + bx*Dx)/3) + 0..3] }
__global__ void thirds(float *a) {
  a[(blockIdx.x * blockDim.x + threadIdx.x) / 3] = 0.0f;
}

// CHECK-LABEL: kernel byArgument
// CHECK-NEXT: write exact { [bx] -> arg0[4*floor(tx/arg1) + 0..3] }
__global__ void byArgument(float *a, int w) { a[threadIdx.x / w] = 0.0f; }

// CHECK-LABEL: kernel half
// CHECK-DAG: read exact { [bx] -> arg1[4*tx + 4*floor(arg2/2) + 0..3] }
// CHECK-DAG: write exact { [bx] -> arg0[4*tx + 0..3] }
__global__ void half(float *to, const float *from, int n) {
  to[threadIdx.x] = from[n / 2 + threadIdx.x];
}

// CHECK-LABEL: kernel perWarp
// CHECK-NEXT: write exact { [bx] -> arg0[128*bx + 4*floor(tx/32) + 0..3] : tx = 32*floor(tx/32) }
__global__ void perWarp(float *a) {
  if (threadIdx.x % warpSize == 0)
    a[blockIdx.x * 32 + threadIdx.x / warpSize] = 0.0f;
}
