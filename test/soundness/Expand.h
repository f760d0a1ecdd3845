// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the bytes of a BlockAccess in one block, read off its definition
// in BlockAccess.h.
// On the data's way: tests only. Threads: no state.

#ifndef BLOCKMAESTRO_TEST_SOUNDNESS_EXPAND_H
#define BLOCKMAESTRO_TEST_SOUNDNESS_EXPAND_H

#include "Bytes.h"

#include "blockmaestro/BlockAccess.h"

#include <optional>

namespace blockmaestro::soundness {

/// Offsets count from A.Where.Base. None when there are more than Most points.
std::optional<Bytes> expand(const BlockAccess &A, Dim3 Block, uint64_t Most);

/// Whether the set has Offset, found without going through the set.
bool contains(const BlockAccess &A, Dim3 Block, int64_t Offset);

} // namespace blockmaestro::soundness

#endif
