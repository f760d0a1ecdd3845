// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WholeBlocks.h"

#include "Faults.h"

#include <algorithm>
#include <cstring>

namespace blockmaestro {

namespace {

/// Consecutive blocks of a kernel that runs whole blocks.
struct BlockRange {
  BlockFunctionType Run;
  BlockContext *Context;
  FrameArena *Frames;
  uint64_t Count;
  uint8_t *Reserved;     ///< See clear(); may be null.
  uint32_t StripThreads; ///< See KernelFacts.
};

void clear(uint8_t *Reserved) {
  constexpr size_t ReservedBytes = 1024;
  if (Reserved)
    std::memset(Reserved, 0, ReservedBytes);
}

uint8_t *reservedOf(const BlockContext &C, const CompiledKernel &K) {
  return K.ReservedShared == ~0u ? nullptr : C.Shared + K.ReservedShared;
}

/// Sets the context to the block after its own.
void nextBlock(BlockContext &C) {
  C.LinearBlock += C.StripBlocks;
  C.Index[0] += C.StripBlocks - 1;
  for (unsigned D = 0; D < 3; ++D) {
    if (++C.Index[D] < C.Grid[D])
      return;
    C.Index[D] = 0;
  }
}

/// How many of \p Left blocks from that of \p C on the kernel runs at once.
uint32_t stripLength(const BlockContext &C, uint64_t Left, uint32_t Threads) {
  uint64_t Most = std::min<uint64_t>(Left, C.Grid[0] - C.Index[0]);
  return std::clamp<uint64_t>(Threads / C.Block[0], 1, Most);
}

BM_SWITCHES void runBlocks(void *Given) {
  auto &Range = *static_cast<BlockRange *>(Given);
  BlockContext &C = *Range.Context;
  for (uint64_t Left = Range.Count; Left > 0; Left -= C.StripBlocks) {
    C.StripBlocks = stripLength(C, Left, Range.StripThreads);
    Range.Frames->reset();
    clear(Range.Reserved);
    Range.Run(Range.Context);
    nextBlock(C);
  }
}

Status runGuarded(BlockRange &Range, const CompiledKernel &K) {
  Fault Died;
  RunningCode Code(Died, nullptr);
  if (bm_guarded_call(&Code.Below, runBlocks, &Range))
    return Status();
  const BlockContext &C = *Range.Context;
  return faultOfBlock(Died, *C.What, C.LinearBlock, K);
}

} // namespace

void clearReserved(const BlockContext &C, const CompiledKernel &K) {
  clear(reservedOf(C, K));
}

Status runWhole(WorkerState &W, BlockContext &C, const CompiledKernel &K,
                uint64_t Count) {
  C.Arena = &W.Frames;
  BlockRange Range{K.Run,         &C, &W.Frames, Count, reservedOf(C, K),
                   K.StripThreads};
  Status Ran = runGuarded(Range, K);
  if (Ran.ok() || C.StripBlocks == 1)
    return Ran;
  Range.Count = C.StripBlocks;
  Range.StripThreads = 0;
  Status Alone = runGuarded(Range, K);
  return Alone.ok() ? Ran : Alone;
}

} // namespace blockmaestro
