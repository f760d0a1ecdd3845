// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the bytes one access of one launch touches, as a set of
// coordinates that are affine in blockIdx: the concrete form of an Access.
// On the data's way: made by runtime/launch/Evaluate, read by the graph
// builder; shown by `bm-dump launches`.
// The set, for block b with BlockLow <= b <= BlockHigh, and nothing for other
// blocks:
//   { Where.Base + sum_k Stride_k * u_k + j :
//       u_k in interval_k(b), ByteLow <= j <= ByteHigh }
//   interval_k(b) = [ max(ClipLow_k,  PerBlock_k . b + Base_k),
//                     min(ClipHigh_k, PerBlock_k . b + Base_k + Count_k - 1) ]
// Invariants:
//  - Coordinates are sorted by ascending Stride, all strides positive; for
//    every block in the box the lower coordinates and the bytes stay inside
//    one step of the next stride, so that an address has one set of
//    coordinates ("no wrap").
//  - A dense access (stride == element size), and one of a single element per
//    block, is in bytes: its lowest coordinate has Stride 1, and ByteLow ==
//    ByteHigh == 0, so that float and float4 walks of one array agree.
//  - Example: float a[row*W + col], 32x8 blocks, row = by*8+ty, col = bx*32+tx:
//    {Stride 1, PerBlock (128,0,0), Count 128}, {Stride 4W, PerBlock (0,8,0),
//    Count 8}; the guard col < W-1 becomes ClipHigh 4*(W-1)-1 of the first.
//  - Exact means: precisely the bytes the program touches.
// Ownership and threads: plain values.

#ifndef BLOCKMAESTRO_BLOCKACCESS_H
#define BLOCKMAESTRO_BLOCKACCESS_H

#include "blockmaestro/Footprint.h"
#include "blockmaestro/Launch.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace blockmaestro {

struct Coordinate {
  int64_t Stride = 1;
  int64_t PerBlock[3] = {0, 0, 0};
  int64_t Base = 0;
  int64_t Count = 1;
  int64_t ClipLow = std::numeric_limits<int64_t>::min() / 4;
  int64_t ClipHigh = std::numeric_limits<int64_t>::max() / 4;
};

enum class Reach : uint8_t {
  Coordinates, ///< The set above.
  Range,       ///< Every block may touch all of Where.
  Everything,  ///< Every block may touch any memory.
};

struct BlockAccess {
  AccessKind Kind = AccessKind::Read;
  Reach How = Reach::Everything;
  bool Exact = false;
  Allocation Where; ///< The allocation the root points into.
  std::vector<Coordinate> Coordinates;
  int64_t ByteLow = 0;
  int64_t ByteHigh = 0;
  /// The blocks that make the access at all; High is inclusive and may lie
  /// beyond the grid.
  int64_t BlockLow[3] = {0, 0, 0};
  int64_t BlockHigh[3] = {UINT32_MAX, UINT32_MAX, UINT32_MAX};
  std::string Reason; ///< Why not exact; empty when exact.
  /// Not 0: not exact, but only for the shape of the blocks together, so that
  /// of a single block more may be said; one more than the access's place in
  /// LaunchInputs::Which.
  uint32_t Narrows = 0;
};

struct LaunchInputs;

/// All accesses of one launch.
struct LaunchAccesses {
  Dim3 Grid;
  std::vector<BlockAccess> Accesses;
  /// To evaluate single blocks with; null when no access narrows.
  std::shared_ptr<const LaunchInputs> Inputs = nullptr;
};

} // namespace blockmaestro

#endif
