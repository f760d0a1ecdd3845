// Feature: refused: Products of warpgroups (wgmma) and of sparse matrices (mma.sp).
// Emulated-only: works on a GPU.
// Flags: --offload-arch=sm_90a
// Environment: BLOCKMAESTRO_EXPLAIN=1
// Expect-stderr: 'mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32' (a tensor core operation)
// Expect-stderr: 'wgmma.fence.sync.aligned' (a tensor core operation)

#include "Inputs/suite.h"

__global__ void sparse(unsigned A, float *Out) {
  float D[4] = {};
  asm volatile("mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
               "{%0,%1,%2,%3}, {%4,%4}, {%4,%4}, {%0,%1,%2,%3}, %4, 0x0;"
               : "+f"(D[0]), "+f"(D[1]), "+f"(D[2]), "+f"(D[3])
               : "r"(A));
  Out[threadIdx.x] = D[0];
}

__global__ void warpgroup() { asm volatile("wgmma.fence.sync.aligned;"); }

int main() {
  suite::Array<float> Out(32);
  sparse<<<1, 32>>>(0, Out);
  expect(cudaGetLastError() == cudaErrorNotSupported);
  warpgroup<<<1, 128>>>();
  expect(cudaGetLastError() == cudaErrorNotSupported);
  return suite::finish();
}
