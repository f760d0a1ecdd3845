// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: how the calls get memory of the heap and give it back.
// On the data's way: Memory.cpp, HostMemory.cpp, Managed.cpp and Pools.cpp ->
// here -> DeviceHeap.h. Threads: any.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_ALLOCATION_H
#define BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_ALLOCATION_H

#include "DeviceHeap.h"

namespace blockmaestro::emulated {

/// Memory of the heap. Where none is left, waits for the memory whose release
/// is under way in the order of streams, and tries once more.
cudaError_t takeMemory(const HeapRequest &What, void **Out);

/// The same for the calls that must not be made while a stream is captured.
cudaError_t allocateNow(const HeapRequest &What, void **Out);

/// Waits for the device and gives memory back, of a graph's or of the heap.
cudaError_t freeNow(HeapKind Kind, void *Address, const char *Call);

} // namespace blockmaestro::emulated

#endif
