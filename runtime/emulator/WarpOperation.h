// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the operations of the lanes of a warp.
// On the data's way: recognised by LaneOperations, carried out by
// WarpOperations for threads with stacks and by LaneCode for whole warps.
// Threads: values.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_WARPOPERATION_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_WARPOPERATION_H

#include <cstdint>

namespace blockmaestro {

/// What the lanes of a warp do together.
enum class WarpOperation : uint8_t {
  Sync,
  ShuffleUp,
  ShuffleDown,
  ShuffleButterfly,
  ShuffleIndex,
  VoteAll,
  VoteAny,
  VoteUniform,
  Ballot,
  MatchAny,
  MatchAll,
  Elect,
  Add,
  And,
  Or,
  Xor,
  Minimum,
  Maximum,
  UnsignedMinimum,
  UnsignedMaximum,
  FloatMinimum,
  FloatMinimumAbsolute,
  FloatMinimumNaN,
  FloatMinimumAbsoluteNaN,
  FloatMaximum,
  FloatMaximumAbsolute,
  FloatMaximumNaN,
  FloatMaximumAbsoluteNaN,
  Multiply, ///< Matrices; the value is an address, see MultiplyMarker.
  Collect,  ///< Words; the value is an address, see CollectMarker.
  Active,   ///< Which lanes are there; of whole warps only.
};

} // namespace blockmaestro

#endif
