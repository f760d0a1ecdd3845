// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: where device variables lie, for the copies.
// Threads: any.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_MEMORY_SYMBOLS_H
#define BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_MEMORY_SYMBOLS_H

#include <cuda_runtime_api.h>

#include <cstddef>

namespace blockmaestro::emulated {

/// Whether Address lies in a device variable that has this many bytes left.
bool inVariable(const void *Address, size_t Bytes);

/// Where a device variable lies, Offset bytes in, if so many bytes follow.
cudaError_t symbolAddress(const void *Symbol, size_t Bytes, size_t Offset,
                          void *&Out);

} // namespace blockmaestro::emulated

#endif
