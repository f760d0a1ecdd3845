// Cooperative groups inside a block: exact, groups and their reductions touch no
// memory of the program.
// RUN: %footprints -isystem %cuda/include/cccl -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -isystem %cuda/include/cccl -O3 %s | FileCheck %s

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

// CHECK-LABEL: kernel tileSum
// CHECK-DAG: barrier
// CHECK-DAG: read exact { [bx] -> arg1[4*tx + 4*bx*Dx + 0..3] : tx + bx*Dx < arg2 }
// CHECK-DAG: atomic exact { [bx] -> arg0[4*bx + 0..3] : tx + ty*Dx + tz*Dx*Dy = 32*floor((tx + ty*Dx + tz*Dx*Dy)/32) }
// CHECK-NOT: unknown
__global__ void tileSum(int *sums, const int *in, int n) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = i < n ? in[i] : 0;
  block.sync();
  for (int delta = tile.size() / 2; delta > 0; delta /= 2)
    value += tile.shfl_down(value, delta);
  if (tile.thread_rank() == 0)
    atomicAdd(&sums[blockIdx.x], value);
}

// CHECK-LABEL: kernel reduced
// CHECK-DAG: read exact { [bx] -> arg1[4*tx + 0..3] }
// CHECK-DAG: write exact { [bx] -> arg0[4*tx + 0..3] }
// CHECK-NOT: unknown
__global__ void reduced(int *to, const int *in) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  to[threadIdx.x] = cg::reduce(tile, in[threadIdx.x], cg::plus<int>());
}
