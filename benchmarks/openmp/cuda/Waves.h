// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: how the CUDA baselines issue waves of blocks: what a person has
// who knows which tiles may be computed together. A program's work is
//
//   struct Work {
//     static constexpr int Kinds = ...;   // of tiles
//     enum : int { Threads = ... };       // of a block
//     __host__ __device__ int waves() const, kind(int Wave) const,
//         blocks(int Wave) const;
//     template <int Kind> __device__ void tile(int Wave, int Block) const;
//   };
//
// and --way is barriers: a launch for each wave, and the host waits for each
// (the paper's global barriers); stream: the same without waiting; graph: all
// launches captured once and replayed; cooperative: one grid, with a barrier of
// the grid behind each wave.
// Threads: one.

#ifndef BLOCKMAESTRO_BENCHMARKS_OPENMP_CUDA_WAVES_H
#define BLOCKMAESTRO_BENCHMARKS_OPENMP_CUDA_WAVES_H

#include "../../common/Device.h"
#include "../Run.h"
#include "../problems/Tiled.h"

#include <algorithm>
#include <cooperative_groups.h>
#include <utility>

namespace tasks {

inline std::vector<std::string> waysOfWaves() {
  return {"barriers", "stream", "graph", "cooperative"};
}

template <typename W, int Kind> __global__ void runWave(W Work, int Wave) {
  Work.template tile<Kind>(Wave, int(blockIdx.x));
}

template <typename W, int... Kind>
__device__ void runTile(const W &Work, int Wave, int Block,
                        std::integer_sequence<int, Kind...>) {
  int Own = Work.kind(Wave);
  ((Own == Kind ? Work.template tile<Kind>(Wave, Block) : void()), ...);
}

template <typename W> __global__ void runWaves(W Work) {
  for (int Wave = 0; Wave < Work.waves(); ++Wave) {
    for (int Block = int(blockIdx.x); Block < Work.blocks(Wave);
         Block += int(gridDim.x)) {
      __syncthreads(); // The tile before is through with shared memory.
      runTile(Work, Wave, Block, std::make_integer_sequence<int, W::Kinds>());
    }
    cooperative_groups::this_grid().sync();
  }
}

/// Issues the waves of a work. Owns the graph.
template <typename W> class Issue {
public:
  Issue(const std::string &Way, const W &Work) : Way(Way), Work(Work) {
    CUDA_CHECK(cudaStreamCreate(&Stream));
    if (Way == "graph")
      capture();
    if (Way == "cooperative")
      Blocks = held();
  }
  Issue(const Issue &) = delete;
  Issue &operator=(const Issue &) = delete;
  ~Issue() {
    if (Ready)
      cudaGraphExecDestroy(Ready);
    cudaStreamDestroy(Stream);
  }

  /// Returns when all waves are done.
  void operator()() {
    if (Way == "graph")
      CUDA_CHECK(cudaGraphLaunch(Ready, Stream));
    else if (Way == "cooperative")
      launchWhole();
    else
      launchAll(Way == "barriers");
    CUDA_CHECK(cudaDeviceSynchronize());
  }

private:
  using Kernel = void (*)(W, int);

  template <int... Kind>
  static Kernel kernel(int Which, std::integer_sequence<int, Kind...>) {
    static const Kernel All[] = {runWave<W, Kind>...};
    return All[Which];
  }

  void launchAll(bool Waiting) {
    for (int Wave = 0; Wave < Work.waves(); ++Wave) {
      if (Work.blocks(Wave) == 0)
        continue;
      kernel(
          Work.kind(Wave),
          std::make_integer_sequence<
              int, W::Kinds>())<<<Work.blocks(Wave), W::Threads, 0, Stream>>>(
          Work, Wave);
      if (Waiting)
        CUDA_CHECK(cudaDeviceSynchronize());
    }
    CUDA_CHECK(cudaGetLastError());
  }

  void capture() {
    cudaGraph_t Made;
    CUDA_CHECK(
        cudaStreamBeginCapture(Stream, cudaStreamCaptureModeThreadLocal));
    launchAll(false);
    CUDA_CHECK(cudaStreamEndCapture(Stream, &Made));
    CUDA_CHECK(cudaGraphInstantiate(&Ready, Made, 0));
    CUDA_CHECK(cudaGraphDestroy(Made));
  }

  /// As many blocks as the device holds at once, and the widest wave has.
  int held() const {
    int Device, Units, Each, Widest = 1;
    CUDA_CHECK(cudaGetDevice(&Device));
    CUDA_CHECK(
        cudaDeviceGetAttribute(&Units, cudaDevAttrMultiProcessorCount, Device));
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&Each, runWaves<W>,
                                                             W::Threads, 0));
    for (int Wave = 0; Wave < Work.waves(); ++Wave)
      Widest = std::max(Widest, Work.blocks(Wave));
    return std::min(Widest, Units * Each);
  }

  void launchWhole() {
    void *Arguments[] = {&Work};
    CUDA_CHECK(cudaLaunchCooperativeKernel(
        runWaves<W>, dim3(Blocks), dim3(W::Threads), Arguments, 0, Stream));
  }

  std::string Way;
  W Work;
  cudaStream_t Stream = nullptr;
  cudaGraphExec_t Ready = nullptr;
  int Blocks = 0;
};

/// Runs a work as often as it is asked for, each time on Data as Start has it,
/// and returns what Data has then.
template <typename W, typename T>
std::vector<T> measure(Run &Run, const W &Work, const std::vector<T> &Start,
                       bench::Array<T> &Data) {
  Issue<W> Issue(Run.way(), Work);
  long long Blocks = 0;
  for (int Wave = 0; Wave < Work.waves(); ++Wave)
    Blocks += Work.blocks(Wave);
  Run.has(Blocks, W::Threads);
  Run.begin();
  while (Run.again()) {
    Data.upload(Start);
    CUDA_CHECK(cudaDeviceSynchronize());
    Run.start();
    Issue();
    Run.stop();
    if (Run.keeps())
      Run.keep(Data.download());
  }
  std::vector<T> Result = Data.download();
  Run.end();
  return Result;
}

/// Waves of tiles along the anti-diagonals of a square, of one kind.
struct DiagonalWaves {
  static constexpr int Kinds = 1;
  int Tiles;

  __host__ __device__ int waves() const { return 2 * Tiles - 1; }
  __host__ __device__ int kind(int) const { return 0; }
  __host__ __device__ int blocks(int Wave) const {
    return antiDiagonal(Tiles, Wave).Count;
  }
  __device__ int row(int Wave, int Block) const {
    return antiDiagonal(Tiles, Wave).Row + Block;
  }
};

} // namespace tasks

#endif
