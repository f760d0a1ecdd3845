// Of a program that was recorded the page has the numbers of bm-dump and bm-sim, and
// the footprints of its kernels.
// RUN: %bmclangxx -O1 -gline-tables-only -fblockmaestro %s -o %t
// RUN: env BLOCKMAESTRO_RECORD=%t.bmrec %t && %S/Inputs/agrees %build %t.bmrec --program %t | FileCheck %s

// CHECK: 9 launches, 36 relations, 7 runs, 1008 blocks, 6 accesses agree

#include <cuda_runtime.h>

__global__ void smooth(const float *From, float *To, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I > 0 && I < N)
    To[I] = From[I - 1] + From[I];
}

__global__ void gather(const float *From, const int *Index, float *To) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  To[I] = From[Index[I]];
}

int main() {
  constexpr int N = 2048;
  float *A, *B;
  int *Index;
  cudaMalloc(&A, N * sizeof(float));
  cudaMalloc(&B, N * sizeof(float));
  cudaMalloc(&Index, N * sizeof(int));
  cudaMemset(Index, 0, N * sizeof(int));
  for (int Step = 0; Step < 4; ++Step) {
    smooth<<<N / 128, 128>>>(A, B, N);
    smooth<<<N / 128, 128>>>(B, A, N);
  }
  gather<<<N / 128, 128>>>(A, Index, B);
  return cudaDeviceSynchronize();
}
