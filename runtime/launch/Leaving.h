// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: takes an access apart by blocks, into those that stay in its
// allocation and those that leave it, which may touch anything.
// On the data's way: the last step of Evaluate, where a program has an error.
// Invariants: see splitLeaving. Threads: no state.

#ifndef BLOCKMAESTRO_RUNTIME_LAUNCH_LEAVING_H
#define BLOCKMAESTRO_RUNTIME_LAUNCH_LEAVING_H

#include "blockmaestro/BlockAccess.h"

#include <vector>

namespace blockmaestro {

/// Appends Part, which has coordinates: for the blocks all of whose bytes are
/// in Part.Where as it is, and for the others as an access to everything. At
/// most seven accesses, so that more blocks than leave may be among those.
void splitLeaving(const BlockAccess &Part, Dim3 Grid,
                  std::vector<BlockAccess> &Out);

} // namespace blockmaestro

#endif
