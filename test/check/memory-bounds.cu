// BLOCKMAESTRO_CHECK=memory names the access, the thread, the line and the
// nearest allocation, and the launch fails as on a GPU. Without it nothing is
// said, and a program that is right is not changed.
// RUN: %bmclangxx -fblockmaestro -g %s -o %t
// RUN: env BLOCKMAESTRO_CHECK=memory %t 100 2>&1 | FileCheck %s --check-prefix=PAST
// RUN: env BLOCKMAESTRO_CHECK=memory %t 128 2>&1 | FileCheck %s --check-prefix=RIGHT

// PAST: BlockMaestro: invalid write of 4 bytes at 0x{{[0-9a-f]+}} by block (1,0,0), thread (36,0,0) of kernel 'fill(float*)' at {{.*}}memory-bounds.cu:[[@LINE+5]]: 1 byte after the end of the 400 bytes at 0x{{[0-9a-f]+}} from cudaMalloc
// PAST: cudaErrorIllegalAddress
// RIGHT: cudaSuccess
// RIGHT-NOT: BlockMaestro
__global__ void fill(float *a) {
  a[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

#include <cstdio>
#include <cstdlib>
int main(int, char **argv) {
  setvbuf(stdout, nullptr, _IONBF, 0);
  float *a;
  cudaMalloc(&a, atoi(argv[1]) * sizeof(float));
  fill<<<2, 64>>>(a);
  std::puts(cudaGetErrorName(cudaDeviceSynchronize()));
  cudaFree(a);
}
