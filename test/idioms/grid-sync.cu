// Synchronising the whole grid: the accesses stay exact, the barrier is none, and
// the kernel is marked.
// RUN: %footprints -isystem %cuda/include/cccl -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -isystem %cuda/include/cccl -O3 %s | FileCheck %s

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// CHECK-LABEL: kernel phases{{.*}}
// CHECK-DAG: grid sync
// CHECK-DAG: read exact { [bx] -> arg0[4*tx + 4*bx*Dx + 0..3] }
// CHECK-DAG: write exact { [bx] -> arg1[4*tx + 4*bx*Dx + 0..3] }
__global__ void phases(float *a, float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = a[i] + 1.0f;
  cg::this_grid().sync();
  a[i] = b[i];
}
