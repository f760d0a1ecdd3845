// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a copy, fill or event record that a device has checked, and that
// an executor can run when its turn has come: what it does, the memory it
// touches, and what the call lets the program rely on.
// On the data's way: Device::prepare() -> Runtime -> Window and executor.
// Invariants: Touches has every byte that Run reads or writes, but for what was
// copied aside when the work was prepared.
// Ownership: Run owns what it needs, but for the memory of Touches.
// Threads: plain values; Run is called once, by any thread.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_PREPAREDWORK_H
#define BLOCKMAESTRO_RUNTIME_CUDA_PREPAREDWORK_H

#include "Allocations.h"
#include "Command.h"
#include "TouchedBox.h"
#include "blockmaestro/BlockAccess.h"
#include "blockmaestro/Recording.h"
#include "blockmaestro/Status.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace blockmaestro {

struct PreparedWork {
  std::vector<TouchedBox> Touches;
  std::function<Status()> Run;
  /// The call returns only when the work is done, as far as the host can tell.
  bool HostWaits = false;
  /// Where the bytes of a copy are, also of those that were copied aside.
  MemoryPlace From = MemoryPlace::None;
  MemoryPlace To = MemoryPlace::None;
};

/// What a copy whose places are right writes, and what it reads. Whether the
/// host sees it is left open.
TouchedBox writtenBy(const cudaMemcpy3DParms &Copy);
TouchedBox readBy(const cudaMemcpy3DParms &Copy);
TouchedBox writtenBy(const FillCommand &Fill);

/// The accesses of a node of one block that touches these boxes. Exact, unless
/// rows overlap rows.
LaunchAccesses accessesOf(const std::vector<TouchedBox> &Touches,
                          const AllocationMap &Known);

} // namespace blockmaestro

#endif
