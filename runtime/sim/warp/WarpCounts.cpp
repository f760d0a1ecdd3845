// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WarpCounts.h"

namespace blockmaestro::sim {

WarpCounts &WarpCounts::operator+=(const WarpCounts &Other) {
  Cycles += Other.Cycles;
  BlockCycles += Other.BlockCycles;
  Blocks += Other.Blocks;
  Traced += Other.Traced;
  Executed += Other.Executed;
  IssueCycles += Other.IssueCycles;
  for (unsigned I = 0; I < StallCount; ++I)
    Stalls[I] += Other.Stalls[I];
  L1 += Other.L1;
  L2.Reads += Other.L2.Reads;
  L2.Hits += Other.L2.Hits;
  L2.Writes += Other.L2.Writes;
  L2.Atomics += Other.L2.Atomics;
  Dram.Reads += Other.Dram.Reads;
  Dram.Writes += Other.Dram.Writes;
  Dram.RowHits += Other.Dram.RowHits;
  return *this;
}

static SmCounts operator-(const SmCounts &A, const SmCounts &B) {
  SmCounts Out;
  Out.Instructions = A.Instructions - B.Instructions;
  Out.Lanes = A.Lanes - B.Lanes;
  Out.WarpCycles = A.WarpCycles - B.WarpCycles;
  Out.Wavefronts = A.Wavefronts - B.Wavefronts;
  for (unsigned I = 0; I < UnitCount; ++I) {
    Out.Kept[I] = A.Kept[I] - B.Kept[I];
    Out.LanesOn[I] = A.LanesOn[I] - B.LanesOn[I];
  }
  return Out;
}

WarpCounts operator-(const WarpCounts &A, const WarpCounts &B) {
  WarpCounts Out;
  Out.Executed = A.Executed - B.Executed;
  Out.IssueCycles = A.IssueCycles - B.IssueCycles;
  for (unsigned I = 0; I < StallCount; ++I)
    Out.Stalls[I] = A.Stalls[I] - B.Stalls[I];
  Out.L1 = {A.L1.Reads - B.L1.Reads, A.L1.Hits - B.L1.Hits,
            A.L1.UnderWay - B.L1.UnderWay, A.L1.Writes - B.L1.Writes,
            A.L1.Atomics - B.L1.Atomics};
  Out.L2 = {A.L2.Reads - B.L2.Reads, A.L2.Hits - B.L2.Hits,
            A.L2.Writes - B.L2.Writes, A.L2.Atomics - B.L2.Atomics};
  Out.Dram = {A.Dram.Reads - B.Dram.Reads, A.Dram.Writes - B.Dram.Writes,
              A.Dram.RowHits - B.Dram.RowHits};
  return Out;
}

} // namespace blockmaestro::sim
