// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What fuzzing starts from: kernels whose footprints have something of
// everything, small ones, so that changes hit what matters.

__device__ float table[64];

struct Matrix {
  int rows, columns;
  float *data;
};

__global__ void add(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = a[i] + table[threadIdx.x % 64];
}

__global__ void rows(Matrix m, short first) {
  for (int r = first; r < m.rows; ++r)
    for (int c = threadIdx.x; c <= r; c += blockDim.x)
      m.data[r * m.columns + c] *= 2;
}

__global__ void divided(int *a, int width, unsigned shift) {
  int x = threadIdx.x % width, y = threadIdx.x / width;
  a[(y * width + x) >> 1] = a[blockIdx.x & 7] + a[x >> shift];
}

__global__ void indirect(int *a, const int *where, int n) {
  atomicAdd(&a[where[threadIdx.x] & 255], 1);
  a[where[min(where[0], n - 1)]] = 0;
  __syncthreads();
}

__global__ void pointers(int **a) { *a[threadIdx.x] = 1; }
