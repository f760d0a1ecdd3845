// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what the machine code of a GPU says of its kernels.
// On the data's way: the code in a fat binary (CodeImages.h) -> the registry,
// for recordings.
// Invariants: reads nothing outside of the bytes, whatever they are. Threads:
// pure functions.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_MACHINECODE_H
#define BLOCKMAESTRO_RUNTIME_CUDA_MACHINECODE_H

#include "CodeImages.h"

#include <cstdint>
#include <string>

namespace blockmaestro {

/// How many 32-bit registers a thread of the kernel has. 0 where Code does not
/// say: it has no such kernel, or is compressed.
uint32_t registersOf(const std::string &Kernel, CodeBytes Code);

} // namespace blockmaestro

#endif
