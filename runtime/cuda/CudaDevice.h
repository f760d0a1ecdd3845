// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a CUDA GPU behind Device.h; every call goes to the real CUDA
// runtime, which is found when the program starts.
// On the data's way: one of the two devices behind Device.h.
// Ownership: one in a process. Threads: see Device.h.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_CUDADEVICE_H
#define BLOCKMAESTRO_RUNTIME_CUDA_CUDADEVICE_H

#include "CudaLibrary.h"
#include "Device.h"
#include "Options.h"

#include <memory>

namespace blockmaestro {

/// GPU Number of those that the library offers.
std::unique_ptr<Device> makeCudaDevice(const CudaLibrary &Library, int Number,
                                       const Options &Asked);

/// Finds the CUDA driver, a GPU and libcudart; says what is missing.
Result<std::unique_ptr<Device>> openCudaDevice(const Options &Asked);

} // namespace blockmaestro

#endif
