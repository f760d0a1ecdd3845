// Feature: refused: Copies by tensor maps (cp.async.bulk.tensor).
// Emulated-only: works on a GPU.
// Environment: BLOCKMAESTRO_EXPLAIN=1
// Expect-stderr: 'cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes' (a copy by a tensor map (TMA))

#include "Inputs/suite.h"

__global__ void copy(const void *Map, int *Out) {
  __shared__ __align__(128) int Data[32];
  __shared__ unsigned long long Bar;
  asm volatile("cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::"
               "complete_tx::bytes [%0], [%1, {%2}], [%3];" ::"r"(
                   unsigned(__cvta_generic_to_shared(Data))),
               "l"(Map), "r"(0), "r"(unsigned(__cvta_generic_to_shared(&Bar)))
               : "memory");
  Out[threadIdx.x] = Data[threadIdx.x];
}

int main() {
  suite::Array<int> Out(32);
  copy<<<1, 32>>>(nullptr, Out);
  expect(cudaGetLastError() == cudaErrorNotSupported);
  return suite::finish();
}
