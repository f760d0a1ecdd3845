// What the source reads is read when the graph is checked, also where nothing
// needs the result: relations that such reads make are not called too large.
// RUN: %bmclangxx -O3 -fblockmaestro %s -o %t
// RUN: env BLOCKMAESTRO_CHECK=graph %t > %t.out 2> %t.said
// RUN: count 0 < %t.said
// RUN: FileCheck %s < %t.out
// CHECK: 7
#include <cstdio>

__device__ __noinline__ int at(const int *in, int i, int /*unused*/) {
  return in[i];
}

__global__ void fill(int *all, int v) {
  if (threadIdx.x == 0)
    all[blockIdx.x] = v;
}

__global__ void collect(int *out, const int *all, const int *in, int which) {
  int unused = all[which], also = all[which + 1];
  out[blockIdx.x] = at(in, blockIdx.x, unused);
  all += also - also;
}

// Stores back what it has read.
__global__ void refresh(int *all) { all[blockIdx.x] = all[blockIdx.x]; }

int main() {
  const int n = 64;
  int *all, *in, *out, host = 0;
  cudaMalloc(&all, n * sizeof(int));
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  fill<<<n, 32>>>(in, 7);
  fill<<<n, 32>>>(all, 1);
  collect<<<4, 1>>>(out, all, in, 5);
  refresh<<<n, 1>>>(all);
  refresh<<<n / 2, 1>>>(all);
  cudaMemcpy(&host, out + 3, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d\n", host);
  for (int *p : {all, in, out})
    cudaFree(p);
}
