// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a launch of CUDA's arguments as a Launch of ours.
// Threads: any.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_PACKLAUNCH_H
#define BLOCKMAESTRO_RUNTIME_CUDA_PACKLAUNCH_H

#include "blockmaestro/Launch.h"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>

namespace blockmaestro {

inline Dim3 sizeOf(dim3 Size) { return {Size.x, Size.y, Size.z}; }

/// The launch with its arguments laid out as the kernel wants them. Args has a
/// pointer for each parameter of the kernel.
std::shared_ptr<Launch> packLaunch(const KernelRecord &Kernel, dim3 Grid,
                                   dim3 Block, void **Args, size_t SharedBytes);

} // namespace blockmaestro

#endif
