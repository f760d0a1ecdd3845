// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: where device variables lie, for the copies.
// Threads: any.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_SYMBOLS_H
#define BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_SYMBOLS_H

#include <cstddef>

namespace blockmaestro::emulated {

/// Whether Address lies in a device variable that has this many bytes left.
bool inVariable(const void *Address, size_t Bytes);

} // namespace blockmaestro::emulated

#endif
