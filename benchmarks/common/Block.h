// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what the threads of a block compute together.

#ifndef BLOCKMAESTRO_BENCHMARKS_BLOCK_H
#define BLOCKMAESTRO_BENCHMARKS_BLOCK_H

namespace bench {

/// The sum of one number of each of the block's \p Threads threads, a power of
/// two, for all of them. There must be a barrier between two calls.
template <int Threads> __device__ float blockSum(float Own) {
  __shared__ float Shared[Threads];
  int I = threadIdx.x;
  Shared[I] = Own;
  __syncthreads();
  for (int Half = Threads / 2; Half > 0; Half /= 2) {
    if (I < Half)
      Shared[I] += Shared[I + Half];
    __syncthreads();
  }
  return Shared[0];
}

} // namespace bench

#endif
