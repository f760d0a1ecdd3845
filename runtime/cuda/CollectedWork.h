// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what a call such as cudaMemcpyAsync asks of a device, taken out
// of the call so that it can become a node of the window: what it does, the
// memory it touches, and what the call lets the program rely on. On the data's
// way: Device::collect() -> Runtime -> Window and executor; for a
// graph: Device::steps() -> Runtime. Invariants: Touches has every
// byte that Run reads or writes, but for what was copied aside when the work
// was collected. Ownership: Run owns what it needs, but for the memory of
// Touches. Threads: plain values; Run is called once, by any thread.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_COLLECTEDWORK_H
#define BLOCKMAESTRO_RUNTIME_CUDA_COLLECTEDWORK_H

#include "Allocations.h"
#include "blockmaestro/BlockAccess.h"
#include "blockmaestro/Launch.h"
#include "blockmaestro/Status.h"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace blockmaestro {

/// Slices of rows of bytes; a pitch counts where there are several.
struct TouchedBox {
  uint64_t Address = 0;
  size_t Width = 0;
  size_t Rows = 1;
  size_t Pitch = 0;
  size_t Slices = 1;
  size_t SlicePitch = 0;
  bool Writes = false;
  bool HostSees = false; ///< The host may touch it without a call.

  /// From the first byte to behind the last.
  size_t span() const {
    return (Slices - 1) * SlicePitch + (Rows - 1) * Pitch + Width;
  }
  size_t bytes() const { return Width * Rows * Slices; }
};

struct CollectedWork {
  cudaStream_t Stream = nullptr;
  std::vector<TouchedBox> Touches;
  std::function<Status()> Run;
  /// The call returns only when the work is done, as far as the host can tell.
  bool HostWaits = false;
};

/// One thing that a graph does: a launch, or a copy or fill.
struct GraphWorkStep {
  const void *Stub = nullptr;         ///< Of the launch's kernel.
  std::shared_ptr<const Launch> What; ///< Null when it is no launch.
  CollectedWork Work;                 ///< Then; without a stream.
  /// Gives the device this work, in the order of the stream.
  std::function<cudaError_t(cudaStream_t)> Enqueue;
};

/// The accesses of a node of one block that touches these boxes. Exact, unless
/// rows overlap rows.
LaunchAccesses accessesOf(const std::vector<TouchedBox> &Touches,
                          const AllocationMap &Known);

} // namespace blockmaestro

#endif
