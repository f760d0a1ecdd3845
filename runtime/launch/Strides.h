// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: writes two accesses of one allocation over the same strides, so
// that they can be compared coordinate by coordinate.
// On the data's way: inside Graph, before BlockOverlap compares intervals.
// Invariants: each result covers its access; Exact says it is equal.
// Threads: no state.

#ifndef BLOCKMAESTRO_RUNTIME_LAUNCH_STRIDES_H
#define BLOCKMAESTRO_RUNTIME_LAUNCH_STRIDES_H

#include "blockmaestro/BlockAccess.h"

#include <vector>

namespace blockmaestro {

/// The set of one access, in the terms of BlockAccess.h.
struct StridedSet {
  std::vector<Coordinate> Coordinates;
  int64_t ByteLow = 0;
  int64_t ByteHigh = 0;
  bool Exact = true;
};

bool sameStrides(const std::vector<Coordinate> &A,
                 const std::vector<Coordinate> &B);

/// Makes A and B over one list of strides: theirs when they agree, the two
/// lists together when both can be written so, else one range of bytes per
/// block each.
void unifyStrides(const BlockAccess &InA, const BlockAccess &InB, StridedSet &A,
                  StridedSet &B);

} // namespace blockmaestro

#endif
