// The barrier of a cluster orders what its threads touch, in shared and in global memory, and that of blocks of other clusters not.
// RUN: %bmclangxx -fblockmaestro -g %s -o %t
// RUN: env BLOCKMAESTRO_CHECK=memory,race %t right 2>&1 | FileCheck %s --check-prefix=RIGHT
// RUN: env BLOCKMAESTRO_CHECK=memory,race %t others 2>&1 | FileCheck %s --check-prefix=OTHERS

// RIGHT-NOT: race
// RIGHT: done 12
// RIGHT-NOT: {{race|invalid}}
// OTHERS: race: {{.*}} of kernel 'exchange(int*, int)' at {{.*}} and nothing orders the blocks
// OTHERS: done

#include <cooperative_groups.h>
#include <cstdio>
#include <cstring>
namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2) exchange(int *a, int distance) {
  __shared__ int s[32];
  cg::cluster_group c = cg::this_cluster();
  s[threadIdx.x] = threadIdx.x;
  if (threadIdx.x == 0)
    a[blockIdx.x] = 3;
  c.sync();
  int other = s[31 - threadIdx.x];
  int *there = c.map_shared_rank(s, c.block_rank() ^ 1);
  c.sync();
  there[threadIdx.x] = other;
  int value = a[(blockIdx.x + distance) % gridDim.x];
  c.sync();
  if (threadIdx.x == 0)
    a[blockIdx.x + gridDim.x] = value + s[0] - 31;
}

int main(int, char **argv) {
  setvbuf(stdout, nullptr, _IONBF, 0);
  int *a, sum = 0, got[4];
  cudaMalloc(&a, 8 * sizeof(int));
  // The neighbour in pairs is in the cluster where there is one cluster only.
  bool right = !std::strcmp(argv[1], "right");
  int blocks = right ? 2 : 4;
  exchange<<<blocks, 32>>>(a, 1);
  if (right)
    exchange<<<blocks, 32>>>(a + 4, 1);
  cudaMemcpy(got, a + blocks, 2 * sizeof(int), cudaMemcpyDeviceToHost);
  sum = got[0] + got[1];
  if (right) {
    cudaMemcpy(got, a + 6, 2 * sizeof(int), cudaMemcpyDeviceToHost);
    sum += got[0] + got[1];
  }
  cudaFree(a);
  std::printf("done %d\n", sum);
}
