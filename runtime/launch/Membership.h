// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: whether a block's footprint has given bytes.
// On the data's way: reads BlockAccess; for the check of what kernels really
// touch. Threads: pure functions.

#ifndef BLOCKMAESTRO_RUNTIME_LAUNCH_MEMBERSHIP_H
#define BLOCKMAESTRO_RUNTIME_LAUNCH_MEMBERSHIP_H

#include "blockmaestro/BlockAccess.h"

namespace blockmaestro {

/// Whether \p A has the byte at \p Address for block \p Block.
bool hasByte(const BlockAccess &A, Dim3 Block, uint64_t Address);

/// Whether each of the bytes is in an access of the launch that reads, if
/// \p Reads, and in one that writes, if \p Writes. An atomic does both.
bool mayTouch(const LaunchAccesses &All, Dim3 Block, uint64_t Address,
              uint64_t Bytes, bool Reads, bool Writes);

} // namespace blockmaestro

#endif
