// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: writes an affine byte offset as strided coordinates.
// On the data's way: inside Evaluate, its last step.
// Invariants: those of BlockAccess.h. Threads: no state.

#ifndef BLOCKMAESTRO_RUNTIME_LAUNCH_COORDINATES_H
#define BLOCKMAESTRO_RUNTIME_LAUNCH_COORDINATES_H

#include "Affine.h"

#include "blockmaestro/BlockAccess.h"

namespace blockmaestro {

/// Fills Out.Coordinates and the byte range with the bytes Offset + [0,
/// ElementBytes) for all indices in Box that meet the guards. Sets Out.Exact to
/// false, with a reason, when the set had to grow. False when it is empty.
bool makeCoordinates(const Affine &Offset, uint32_t ElementBytes,
                     const IndexBox &Box, const Guards &Conditions,
                     BlockAccess &Out);

/// Clears Out.Exact, and gives the reason if it was set.
void notExact(BlockAccess &Out, const char *Why);

} // namespace blockmaestro

#endif
