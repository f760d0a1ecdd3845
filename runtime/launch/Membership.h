// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what BlockAccess.h defines, asked: which bytes a block's access
// has, and whether it has a given one.
// On the data's way: reads BlockAccess; for the graph and for the checks of
// what kernels really touch. Threads: pure functions.

#ifndef BLOCKMAESTRO_RUNTIME_LAUNCH_MEMBERSHIP_H
#define BLOCKMAESTRO_RUNTIME_LAUNCH_MEMBERSHIP_H

#include "Affine.h"

#include "blockmaestro/BlockAccess.h"
#include "blockmaestro/BlockGraph.h"

#include <algorithm>

namespace blockmaestro {

/// The values that coordinate \p C has for a block; none when Low > High.
WideInterval stepsOf(const Coordinate &C, Dim3 Block);

/// Those it has over the blocks of \p In; none when Low > High.
inline WideInterval valuesOf(const Coordinate &C, const Box &In) {
  const WideInterval Moved = dotOver(C.PerBlock, In);
  return {std::max<Wide>(Moved.Low + C.Base, C.ClipLow),
          std::min<Wide>(Moved.High + C.Base + C.Count - 1, C.ClipHigh)};
}

/// The blocks of \p Grid that make the access; none when a Low > its High.
Box boxOf(const BlockAccess &A, Dim3 Grid);

/// Whether \p Block makes the access at all.
bool inBox(const BlockAccess &A, Dim3 Block);

/// Lowest and highest byte any block of the grid touches, from the allocation's
/// base, where \p A has coordinates.
WideInterval hullOf(const BlockAccess &A, Dim3 Grid);

/// Whether \p A has the byte at \p Address for block \p Block.
bool hasByte(const BlockAccess &A, Dim3 Block, uint64_t Address);

/// Whether each of the bytes is in an access of the launch that reads, if
/// \p Reads, and in one that writes, if \p Writes. An atomic does both.
bool mayTouch(const LaunchAccesses &All, Dim3 Block, uint64_t Address,
              uint64_t Bytes, bool Reads, bool Writes);

} // namespace blockmaestro

#endif
