// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the memory of the emulated device.
// On the data's way: changed and asked by the calls about memory.
// Invariants: as of EngineState.h: one in a process, never destroyed.
// Threads: any; each member has a lock of its own.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_MEMORY_MEMORYSTATE_H
#define BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_MEMORY_MEMORYSTATE_H

#include "Arrays.h"
#include "DeviceHeap.h"
#include "Images.h"
#include "ManagedRanges.h"
#include "Pools.h"

namespace blockmaestro {

struct MemoryState {
  /// A heap of the size that the machine has.
  MemoryState();

  DeviceHeap Heap;
  emulated::Pools Pools;
  emulated::ManagedRanges Managed;
  emulated::Arrays Arrays;
  emulated::Images Images;
};

MemoryState &memoryState();

} // namespace blockmaestro

#endif
