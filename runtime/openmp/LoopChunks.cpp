// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LoopChunks.h"

#include <algorithm>

namespace blockmaestro::openmp {

/// clang's code comes here only with a loop that has iterations, or with one of
/// step 1 whose upper bound is one less than the lower one.
uint64_t tripCount(uint64_t Lower, uint64_t Upper, int64_t Step) {
  if (Step == 0)
    return 0;
  if (Step > 0)
    return Step == 1 ? Upper - Lower + 1 : (Upper - Lower) / uint64_t(Step) + 1;
  return (Lower - Upper) / (0 - uint64_t(Step)) + 1;
}

LoopChunks chunksOf(uint64_t Trip, LoopSchedule Schedule, uint64_t Size,
                    uint64_t Usual) {
  if (Trip == 0)
    return {};
  if (Schedule == LoopSchedule::StrictGrainSize) {
    const uint64_t Each = std::clamp<uint64_t>(Size, 1, Trip);
    const uint64_t Rest = Trip % Each;
    return {Trip / Each + (Rest != 0), Each, 0, Rest ? Each - Rest : 0};
  }
  uint64_t Count = Usual;
  if (Schedule == LoopSchedule::GrainSize)
    Count = Trip / std::max<uint64_t>(Size, 1);
  else if (Schedule == LoopSchedule::TaskCount)
    Count = Size;
  Count = std::clamp<uint64_t>(Count, 1, Trip);
  return {Count, Trip / Count, Trip % Count, 0};
}

} // namespace blockmaestro::openmp
