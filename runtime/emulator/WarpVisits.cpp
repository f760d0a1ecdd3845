// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WarpVisits.h"

#include "BlockContext.h"
#include "Fiber.h"

#include <algorithm>

namespace blockmaestro {

uint32_t *WarpVisits::begin(uint64_t OfThreads, size_t OfPlaces) {
  Threads = OfThreads;
  Places = OfPlaces;
  const uint64_t Warps = (Threads + WarpSize - 1) / WarpSize;
  Visits.assign(Threads * Places, 0);
  Passed.assign(Threads, 0);
  Barrier.assign(Warps, 0);
  Most.assign(Warps * Places, 0);
  Sums.assign(Warps * Places, 0);
  return Visits.data();
}

void WarpVisits::gather(uint64_t Thread) {
  uint32_t *Own = Visits.data() + Thread * Places;
  uint32_t *To = Most.data() + Thread / WarpSize * Places;
  for (size_t I = 0; I < Places; ++I) {
    To[I] = std::max(To[I], Own[I]);
    Own[I] = 0;
  }
}

void WarpVisits::close(uint64_t Warp) {
  uint32_t *From = Most.data() + Warp * Places;
  uint64_t *To = Sums.data() + Warp * Places;
  for (size_t I = 0; I < Places; ++I) {
    To[I] += From[I];
    From[I] = 0;
  }
}

/// No lane comes to the next barrier before all that come to this one have.
void WarpVisits::meet(uint64_t Thread) {
  const uint64_t Warp = Thread / WarpSize;
  if (Passed[Thread] != Barrier[Warp]) {
    close(Warp);
    Barrier[Warp] = Passed[Thread];
  }
  ++Passed[Thread];
  gather(Thread);
}

std::span<const uint64_t> WarpVisits::end() {
  for (uint64_t Warp = 0; Warp * WarpSize < Threads; ++Warp) {
    close(Warp);
    const uint64_t End = std::min(Threads, (Warp + 1) * WarpSize);
    for (uint64_t Thread = Warp * WarpSize; Thread < End; ++Thread)
      gather(Thread);
    close(Warp);
  }
  return Sums;
}

} // namespace blockmaestro

BM_SWITCHES void bm_barrier_ahead(blockmaestro::BlockContext *Context,
                                  uint32_t Thread) {
  Context->Visited->meet(Thread);
}
