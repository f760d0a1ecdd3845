// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: which stream a handle stands for in a call: the one that every
// thread has of its own has the same handle in all of them.
// On the data's way: values of whoever remembers streams from call to call.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_LANE_H
#define BLOCKMAESTRO_RUNTIME_CUDA_LANE_H

#include <cuda_runtime_api.h>

#include <atomic>
#include <cstdint>

namespace blockmaestro {

struct Lane {
  cudaStream_t Stream = nullptr;
  uint64_t Thread = 0; ///< 0 for streams that all threads share.
  bool operator==(const Lane &) const = default;
};

/// A number of the calling thread that no other ever has.
inline uint64_t threadNumber() {
  static std::atomic<uint64_t> Last{0};
  thread_local const uint64_t Mine = ++Last;
  return Mine;
}

inline Lane laneOf(cudaStream_t Stream) {
  return {Stream, Stream == cudaStreamPerThread ? threadNumber() : 0};
}

} // namespace blockmaestro

#endif
