// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: two ways to place dependent launches by hand, for programs whose
// kernels' bodies are device functions that are told where they stand:
//
//   __device__ void heatCell(uint3 Block, uint3 Thread, int N, ...);
//   __global__ void heatStep(int N, ...) {
//     heatCell(blockIdx, threadIdx, N, ...);
//   }
//
// --graph-pdl launches Waiting<heatCell> in the place of heatStep: it may begin
// while the launch in front ends, and waits for it. --cooperative launches one
// grid for all (launchWhole), with syncGrid() between what were launches. Both
// are compiled where BENCH_BY_HAND is defined, as benchmarks/gpu does for a
// binary of their own; the kernels of the other binaries are the plain ones.

#ifndef BLOCKMAESTRO_BENCHMARKS_BYHAND_H
#define BLOCKMAESTRO_BENCHMARKS_BYHAND_H

#include "Device.h"

#include <algorithm>

#ifdef BENCH_BY_HAND
#include <cooperative_groups.h>
#endif

namespace bench {

#ifdef BENCH_BY_HAND
inline constexpr bool HasByHand = true;
#else
inline constexpr bool HasByHand = false;
#endif

/// Runs a kernel's body when all launches in front have completed.
template <auto Body, typename... T> __global__ void waiting(T... Arguments) {
  cudaGridDependencySynchronize();
  Body(blockIdx, threadIdx, Arguments...);
}

/// The kernel with this body that waits.
template <auto Body> struct Waiting;
template <typename... T, void (*Body)(uint3, uint3, T...)>
struct Waiting<Body> {
  /// Launches it on the thread's own stream, as soon as the blocks of the
  /// launch in front have exited.
  static void launch(dim3 Grid, dim3 Block, T... Arguments) {
    launchOn(cudaStreamPerThread, Grid, Block, Arguments...);
  }
  /// The same on \p Stream.
  static void launchOn(cudaStream_t Stream, dim3 Grid, dim3 Block,
                       T... Arguments) {
    if constexpr (HasByHand) {
      cudaLaunchAttribute Early{};
      Early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
      Early.val.programmaticStreamSerializationAllowed = 1;
      cudaLaunchConfig_t Config{};
      Config.gridDim = Grid, Config.blockDim = Block;
      Config.stream = Stream;
      Config.attrs = &Early, Config.numAttrs = 1;
      CUDA_CHECK(
          cudaLaunchKernelEx(&Config, waiting<Body, T...>, Arguments...));
    }
  }
};

/// Waits for all threads of a cooperative grid, and for what they wrote.
__device__ inline void syncGrid() {
#ifdef BENCH_BY_HAND
  cooperative_groups::this_grid().sync();
#endif
}

/// Calls Body(Block) for those blocks of a launch of \p Grid that this block of
/// a cooperative grid takes. All its threads are through with one, and with its
/// shared memory, before the next.
template <typename F> __device__ void forBlocks(dim3 Grid, F Body) {
  unsigned Count = Grid.x * Grid.y * Grid.z;
  for (unsigned I = blockIdx.x; I < Count; I += gridDim.x) {
    if (I != blockIdx.x)
      __syncthreads();
    Body(uint3{I % Grid.x, I / Grid.x % Grid.y, I / (Grid.x * Grid.y)});
  }
}

template <typename F> __global__ void whole(F Work) { Work(); }

/// Calls Work() in every thread of one cooperative grid on \p Stream, of as
/// many blocks as a multiprocessor holds at once and \p Limit at most, on each,
/// and \p Widest at most in all; how many they are.
template <typename F>
unsigned launchWhole(const F &Work, dim3 Widest, dim3 Block, int Limit,
                     cudaStream_t Stream = cudaStreamPerThread) {
  unsigned Blocks = Widest.x * Widest.y * Widest.z;
  if constexpr (HasByHand) {
    static const int Units = [] {
      int Device, Count;
      CUDA_CHECK(cudaGetDevice(&Device));
      CUDA_CHECK(cudaDeviceGetAttribute(&Count, cudaDevAttrMultiProcessorCount,
                                        Device));
      return Count;
    }();
    static const int Held = [&] {
      int Count;
      CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
          &Count, whole<F>, int(Block.x * Block.y * Block.z), 0));
      return Count;
    }();
    Blocks = std::min(Blocks, unsigned(Units * std::min(Held, Limit)));
    void *Arguments[] = {const_cast<F *>(&Work)};
    CUDA_CHECK(cudaLaunchCooperativeKernel(whole<F>, Blocks, Block, Arguments,
                                           0, Stream));
  }
  return Blocks;
}

} // namespace bench

#endif
