// Programs with per-thread default streams call the second forms: a copy waits for the thread's own stream, not for a non-blocking one of others.
// RUN: %bmclangxx -fblockmaestro --cuda-gpu-arch=sm_90 -DCUDA_API_PER_THREAD_DEFAULT_STREAM %s -o %t
// RUN: llvm-nm -u %t | FileCheck --check-prefix=NAMES %s
// RUN: %t | FileCheck %s

#include <cstdio>

// NAMES-DAG: cudaMemcpy_ptds
// NAMES-DAG: cudaMemcpyAsync_ptsz
// NAMES-DAG: cudaMemcpyToSymbol_ptds
// NAMES-DAG: cudaMemset2D_ptds

__device__ int Factor;

__global__ void multiply(int *Of) { Of[threadIdx.x] *= Factor; }

// CHECK: 0 0 0 0 0
// CHECK: 12 12
int main() {
  int Three = 3, Back[2] = {0, 0}, *Data = nullptr;
  cudaMalloc(&Data, 8);
  int A = cudaMemset2D(Data, 4, 0, 4, 2);
  int Fours[2] = {4, 4};
  int B = cudaMemcpyToSymbol(Factor, &Three, 4);
  int C = cudaMemcpyAsync(Data, Fours, 8, cudaMemcpyHostToDevice, 0);
  multiply<<<1, 2>>>(Data);
  int D = cudaMemcpy(Back, Data, 8, cudaMemcpyDeviceToHost);
  std::printf("%d %d %d %d %d\n%d %d\n", A, B, C, D, cudaGetLastError(),
              Back[0], Back[1]);
}
