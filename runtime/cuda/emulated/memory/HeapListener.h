// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: who is told of all memory that the device may touch.
// On the data's way: DeviceHeap -> here; BLOCKMAESTRO_CHECK=memory listens.
// Invariants: called without any lock of the heap, before the call that made
// the change returns. Threads: any.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_MEMORY_HEAPLISTENER_H
#define BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_MEMORY_HEAPLISTENER_H

#include <cstdint>

namespace blockmaestro {

class HeapListener {
public:
  virtual ~HeapListener() = default;
  /// Call is the name of the call: "cudaMalloc".
  virtual void allocated(uint64_t Base, uint64_t Bytes, const char *Call) = 0;
  /// True: the memory is kept until DeviceHeap::reclaim().
  virtual bool released(uint64_t Base, const char *Call) = 0;
  /// The program releases what is no allocation.
  virtual void badRelease(uint64_t Address, const char *Call) = 0;
};

} // namespace blockmaestro

#endif
