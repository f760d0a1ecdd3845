// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what the emulated device says it is: the limits of compute
// capability 9.0, and a memory that fits the machines programs are tried on.
// Threads: constants.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_MACHINE_H
#define BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_MACHINE_H

#include <cuda_runtime_api.h>

#include <cstddef>

namespace blockmaestro {

inline constexpr size_t EmulatedMemoryBytes = size_t(8) << 30;

const cudaDeviceProp &emulatedProperties();

/// False for an attribute the emulated device does not know.
bool emulatedAttribute(cudaDeviceAttr Which, int &Out);

/// How many blocks of this shape one multiprocessor holds at a time.
int emulatedOccupancy(int BlockSize, size_t SharedBytes);

/// Whether a launch of this shape is within the limits.
bool emulatedShapeFits(dim3 Grid, dim3 Block);

} // namespace blockmaestro

#endif
