// Feature: clusters: Kernels that are declared with their cluster, templates too, in plain launches, in launches that ask for the same, and in a cooperative grid.
// Emulated-only: clang alone emits nothing for __cluster_dims__.

#include <cooperative_groups.h>

#include "Inputs/suite.h"

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 2, 1) square(int *Out) {
  __shared__ int Mine;
  cg::cluster_group Cluster = cg::this_cluster();
  if (threadIdx.x == 0)
    Mine = int(blockIdx.y * gridDim.x + blockIdx.x);
  Cluster.sync();
  unsigned Other = Cluster.block_rank() ^ 3;
  int Got = *Cluster.map_shared_rank(&Mine, Other);
  Cluster.sync();
  Out[(blockIdx.y * gridDim.x + blockIdx.x) * 32 + threadIdx.x] = Got;
}

template <unsigned Count>
__global__ void __cluster_dims__(Count) count(unsigned *Out) {
  if (threadIdx.x == 0)
    Out[blockIdx.x] = cg::this_cluster().num_blocks() * 10 +
                      cg::this_cluster().block_rank();
}

__global__ void __cluster_dims__(2) together(int *Out, int Rounds) {
  __shared__ int Sum;
  cg::cluster_group Cluster = cg::this_cluster();
  for (int Round = 0; Round < Rounds; ++Round) {
    if (threadIdx.x == 0)
      Sum = Out[(blockIdx.x + 1) % gridDim.x];
    Cluster.sync();
    int Both = *Cluster.map_shared_rank(&Sum, 0) +
               *Cluster.map_shared_rank(&Sum, 1);
    cg::this_grid().sync();
    if (threadIdx.x == 0)
      Out[blockIdx.x] = Both;
    cg::this_grid().sync();
  }
}

int main() {
  suite::Array<int> Out(24 * 32);
  square<<<dim3(6, 4), 32>>>(Out);
  std::vector<int> Right;
  for (int B = 0; B < 24; ++B)
    Right.insert(Right.end(), 32, (B / 6 ^ 1) * 6 + (B % 6 ^ 1));
  same(Out.host(), Right);

  suite::Array<unsigned> Counts(12);
  count<4><<<12, 64>>>(Counts);
  std::vector<unsigned> Four, Three;
  for (unsigned B = 0; B < 12; ++B) {
    Four.push_back(40 + B % 4);
    Three.push_back(30 + B % 3);
  }
  same(Counts.host(), Four);
  count<3><<<12, 64>>>(Counts);
  same(Counts.host(), Three);

  // A grid that the cluster does not divide; another cluster than declared.
  count<4><<<6, 64>>>(Counts);
  expect(cudaGetLastError() == cudaErrorInvalidClusterSize);
  cudaLaunchAttribute Attribute = {};
  Attribute.id = cudaLaunchAttributeClusterDimension;
  Attribute.val.clusterDim = {2, 1, 1};
  cudaLaunchConfig_t Config = {};
  Config.gridDim = 12;
  Config.blockDim = 32;
  Config.attrs = &Attribute;
  Config.numAttrs = 1;
  expect(cudaLaunchKernelEx(&Config, count<4>, Counts.get()) ==
         cudaErrorInvalidClusterSize);
  cudaGetLastError();
  Attribute.val.clusterDim = {4, 1, 1};
  check(cudaLaunchKernelEx(&Config, count<4>, Counts.get()));
  same(Counts.host(), Four);
  cudaFuncAttributes Of;
  check(cudaFuncGetAttributes(&Of, count<4>));
  expect(Of.clusterDimMustBeSet == 1 && Of.requiredClusterWidth == 4 &&
         Of.requiredClusterHeight == 1);

  std::vector<int> Start = {1, 2, 3, 4}, Now = Start;
  suite::Array<int> Sums(Start);
  int *Pointer = Sums, Rounds = 3;
  void *Arguments[] = {&Pointer, &Rounds};
  check(cudaLaunchCooperativeKernel((void *)together, 4, 32, Arguments));
  for (int Round = 0; Round < Rounds; ++Round) {
    std::vector<int> Next;
    for (int B = 0; B < 4; ++B)
      Next.push_back(Now[(B / 2 * 2 + 1) % 4] + Now[(B / 2 * 2 + 2) % 4]);
    Now = Next;
  }
  same(Sums.host(), Now);
  return suite::finish();
}
