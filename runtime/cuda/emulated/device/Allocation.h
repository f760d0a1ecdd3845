// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: how the calls get memory of the heap and give it back.
// On the data's way: Memory.cpp, HostMemory.cpp, Managed.cpp -> here ->
// GraphMemory.h, DeviceHeap.h. Threads: any.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_DEVICE_ALLOCATION_H
#define BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_DEVICE_ALLOCATION_H

#include "DeviceHeap.h"

namespace blockmaestro::emulated {

/// takeMemory() for the calls that must not be made while a stream is captured.
cudaError_t allocateNow(const HeapRequest &What, void **Out);

/// Waits for the device and gives memory back, of a graph's or of the heap.
cudaError_t freeNow(HeapKind Kind, void *Address, const char *Call);

} // namespace blockmaestro::emulated

#endif
