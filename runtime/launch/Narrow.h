// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the guards of an access put to use: they make the box of its
// indices smaller, and what they say of indices that do not move the address
// is said of the others.
// On the data's way: inside Evaluate, between IndexSpace and Coordinates.
// Invariants: the addresses of the points that meet the guards stay the same,
// unless it says that something was left out; then they are a superset.
// Cost: bounded by the number of guards and indices. Threads: no state.

#ifndef BLOCKMAESTRO_RUNTIME_LAUNCH_NARROW_H
#define BLOCKMAESTRO_RUNTIME_LAUNCH_NARROW_H

#include "Affine.h"

namespace blockmaestro {

/// Narrows the box by the guards and drops those that then always hold. False
/// when no point meets them. Every guard is usable from zero over Box.
/// Bounded work: the box may stay larger than it could be made.
bool narrow(Guards &Conditions, IndexBox &Box);

/// Whether there is anything for projectOut() to do.
bool projects(const Affine &Offset, const IndexBox &Box,
              const Guards &Conditions);

struct Projected {
  bool Exact = true; ///< Nothing had to be left out.
  bool Any = false;  ///< The guards are others than before.
};

/// Removes the indices that Offset does not mention, blocks aside, from the
/// guards: those left speak of the points for which such indices exist.
Projected projectOut(const Affine &Offset, const IndexBox &Box,
                     Guards &Conditions);

} // namespace blockmaestro

#endif
