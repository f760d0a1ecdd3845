// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: how the work of one call is taken out of it. While a collector is
// alive on a thread, what its calls would give the engine is kept here instead.
// On the data's way: EmulatedDevice::collect() -> a copy or fill of Calls.h ->
// enqueue() -> here.
// Invariants: with a collector nothing reaches the engine and no capture
// changes. What is collected was accepted by all the checks of the call.
// Threads: each thread has its own.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_COLLECTOR_H
#define BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_COLLECTOR_H

#include "CollectedWork.h"
#include "Operation.h"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace blockmaestro {

/// What is known of a copy or fill besides how to do it.
struct WorkShape {
  std::vector<TouchedBox> Touches;
  /// Copies what it reads aside, and gives the work that reads that. Null where
  /// what it reads may change before it is its turn.
  std::function<std::function<Status()>()> Stage;
  size_t Staged = 0; ///< Which of Touches it then does not read.
};

namespace emulated {

class Collector {
public:
  /// Stages: what the host may change once the call has returned is copied
  /// aside where that is possible.
  explicit Collector(bool Stages);
  ~Collector();
  Collector(const Collector &) = delete;
  Collector &operator=(const Collector &) = delete;

  /// Of this thread, or null.
  static Collector *current();
  /// Whether the work for this stream is not for a collector to take: the call
  /// has to be left at once.
  static bool declines(cudaStream_t Stream);

  /// In place of giving the engine \p What. Waits: the call would wait for it.
  cudaError_t take(cudaStream_t Stream, Work What, bool Waits);

  /// Null when there was anything but one piece of work of known shape.
  std::unique_ptr<CollectedWork> taken() {
    return Declined ? nullptr : std::move(Kept);
  }

private:
  const bool Stages;
  std::unique_ptr<CollectedWork> Kept;
  bool Declined = false;
};

} // namespace emulated
} // namespace blockmaestro

#endif
