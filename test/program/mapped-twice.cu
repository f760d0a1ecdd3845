// One memory mapped at two addresses, both registered: launches through one
// address wait for those through the other, and the program is told why.
// RUN: %bmclangxx -O2 -fblockmaestro %s -o %t
// RUN: env BLOCKMAESTRO_EXPLAIN=1 %t > %t.serial 2> %t.log
// RUN: FileCheck --check-prefix=LOG %s < %t.log
// RUN: bash -c 'for seed in {0..11}; do BLOCKMAESTRO_EXECUTOR=shuffle:$seed %t | cmp %t.serial - || exit 1; done'
// LOG: memory is registered at two addresses: launches that touch it are ordered with all others

#include <cstdio>
#include <cuda_runtime.h>
#include <sys/mman.h>
#include <unistd.h>

constexpr int N = 4096;

__global__ void write(int *p, int v) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  p[N - 1 - i] = v + i;
}
__global__ void add(const int *p, int *sum) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  sum[i] = sum[i] * 3 + p[i];
}

int main() {
  int file = memfd_create("ring", 0);
  if (ftruncate(file, N * sizeof(int)))
    return 1;
  int *views[2];
  for (int *&view : views) {
    view = (int *)mmap(nullptr, N * sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    cudaHostRegister(view, N * sizeof(int), cudaHostRegisterMapped);
  }
  int *sum;
  cudaMallocManaged(&sum, N * sizeof(int));
  cudaMemset(sum, 0, N * sizeof(int));
  for (int r = 0; r < 4; ++r) {
    write<<<N / 128, 128>>>(views[r % 2], r * 1000);
    add<<<N / 128, 128>>>(views[1 - r % 2], sum);
  }
  cudaDeviceSynchronize();
  unsigned digest = 0;
  for (int i = 0; i < N; ++i)
    digest = digest * 31 + unsigned(sum[i]);
  std::printf("%08x\n", digest);
}
