// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: one access of a launch over its indices, blockIdx among them, and
// the walk over its points in one block: exact whatever the access's shape is.
// On the data's way: made by Evaluate for accesses that no coordinates say
// exactly, walked by BlockBytes.
// Invariants: the ranges found are precisely the bytes of the block. The work
// has a bound. Ownership: values. Threads: no state.

#ifndef BLOCKMAESTRO_RUNTIME_LAUNCH_POINTS_H
#define BLOCKMAESTRO_RUNTIME_LAUNCH_POINTS_H

#include "Affine.h"

#include "blockmaestro/Launch.h"

#include <vector>

namespace blockmaestro {

/// Bytes Offset .. Offset + ElementBytes - 1 of the allocation for every point
/// of Box that meets the conditions. Each condition, and the offset, is
/// usable from zero over Box.
struct AccessForm {
  Affine Offset;
  uint32_t ElementBytes = 0;
  Guards Conditions;
  IndexBox Box{};
  bool Exact = true; ///< Else the access may leave out some of these.
};

/// First and last byte, from the allocation's base.
struct OffsetRange {
  int64_t First = 0;
  int64_t Last = 0;
};

/// Appends what Block touches, in no order; some of it may be said twice. Takes
/// a step from Left for each row walked and each range; false, with part of the
/// ranges missing, when there are not enough.
bool walkPoints(const AccessForm &Of, Dim3 Block, uint64_t &Left,
                std::vector<OffsetRange> &Out);

} // namespace blockmaestro

#endif
