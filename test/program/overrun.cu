// A kernel that writes beyond its allocation meets memory of the device, not
// the program's heap: the program goes on, as on a GPU.
// RUN: %bmclangxx -O2 -fblockmaestro %s -o %t
// RUN: %t | FileCheck %s
// CHECK: no error
// CHECK-NEXT: went on

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void overrun(double *p, int n) {
  for (int i = 0; i < 64; ++i)
    p[n + i] = 7;
}

int main() {
  double *p, *q;
  cudaMalloc(&p, 32 * sizeof(double));
  cudaMalloc(&q, 32 * sizeof(double));
  overrun<<<1, 1>>>(p, 32);
  std::puts(cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(p);
  cudaFree(q);
  for (int i = 0; i < 100; ++i)
    std::free(std::malloc(100 * i));
  std::puts("went on");
}
