// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the settings of the emulated device that a program can change:
// limits, preferences, flags.
// On the data's way: changed by the calls of the same names; the limits are
// asked for by what they limit.
// Threads: any; each setting is an atomic of its own.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_DEVICE_LIMITS_H
#define BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_DEVICE_LIMITS_H

#include <cuda_runtime_api.h>

#include <cstddef>

namespace blockmaestro {

/// The value of a limit that the device has.
size_t emulatedLimit(cudaLimit Which);

/// Everything as at the start of the program; cudaDeviceReset.
void resetDeviceSettings();

} // namespace blockmaestro

#endif
