// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what the host tells the device code of a block variant: what the
// blocks of one launch wait for, where they say that they are done, and where
// they note when they ran.
// On the data's way: filled by runtime/exec, read by runtime/device/*.cu; the
// notes of when blocks ran go the other way.
// Invariants:
//  - Plain old data with the same layout on host and device.
//  - A block's done-word holds the epoch of the last launch that finished the
//    block; epochs only grow, so nothing is reset and "at least this epoch"
//    means done. A launch's counter grows by one for each finished block.
//  - What a wait names has already been started or is started before the
//    waiting block: an earlier launch, never a later one.
// Ownership and threads: the pointers are device memory of the executor.

#ifndef BLOCKMAESTRO_RUNTIME_DEVICE_GATE_H
#define BLOCKMAESTRO_RUNTIME_DEVICE_GATE_H

#include "blockmaestro/Encoding.h"

#include <cstdint>

namespace blockmaestro {

inline constexpr uint32_t WarpSize = 32;

/// How long a block may wait, and where the first one that waited longer says
/// for what. Written once, right before the kernel traps.
struct StuckReport {
  uint32_t Taken; ///< 0: nothing written, 1: being written, 2: complete.
  uint32_t Block; ///< Linear number of the waiting block.
  uint64_t Launch;
  uint64_t Producer;      ///< Launch it waited for.
  uint32_t ProducerBlock; ///< AllBlocks: for the whole launch.
  uint64_t Patience;      ///< In nanoseconds; 0 is for ever.
};
inline constexpr uint32_t AllBlocks = 0xffffffffu;

/// One piece of a relation with the done-words of its producer.
struct GatePiece {
  EncodedPiece Piece;
  const uint32_t *Done;
  uint64_t Producer; ///< Launch id, for the report.
  uint32_t Epoch;
  uint32_t GridX; ///< Of the producer.
  uint32_t GridXY;
};

/// All blocks of a launch.
struct GateCount {
  const uint64_t *Counter;
  uint64_t Target;
  uint64_t Producer; ///< Launch id, for the report.
};

/// When and where one block ran. Each word is zero before, never after, and is
/// written once, in any order: a note is whole when none is zero.
struct BlockTime {
  uint64_t Start; ///< Nanoseconds of the GPU's clock, waits for producers over.
  uint64_t End;   ///< All threads have left the kernel's own code.
  uint32_t Where; ///< 1 + the number of the SM.
};

/// The last kernel parameter of a prelaunch variant. Kernel parameters may
/// take 4 KB in all; needs beyond these limits become waits for whole launches.
struct Gate {
  static constexpr unsigned MaxPieces = 12;
  static constexpr unsigned MaxCounts = 4;

  /// This launch's done-words, one per block. Null: a launch in the order of
  /// its stream, which lets nobody in early and publishes nothing; FirstLate is
  /// 0 and there are no needs.
  uint32_t *Done;
  uint64_t *Counter; ///< This launch's count of finished blocks.
  StuckReport *Stuck;
  BlockTime *Times; ///< One per block; null: nobody asks when they run.
  uint64_t Launch;
  /// What must be complete before the next launch may be admitted; Counter is
  /// null when nothing.
  GateCount Window;
  uint32_t Epoch;
  /// Blocks from this one on start so late that the launch in front has very
  /// likely completed; they wait for it as a whole, which is cheaper.
  uint32_t FirstLate;
  uint32_t PieceCount;
  uint32_t CountCount;
  GateCount Counts[MaxCounts];
  GatePiece Pieces[MaxPieces];
};
static_assert(sizeof(Gate) <= 3072, "kernel parameters end at 4 KB");

/// One launch in a persistent batch: the head of its record. The record goes on
/// with its arguments, its counts and its pieces; records follow one another
/// without gaps.
struct alignas(16) BatchLaunch {
  uint64_t Launch;      ///< Id, for the report.
  uint64_t *Counter;    ///< Null where nobody waits for the whole launch.
  uint32_t *Done;       ///< Of its blocks; null where no other worker waits.
  uint32_t Offset;      ///< Of the record, from Batch::Records.
  uint32_t Bytes;       ///< Of the record, a multiple of 16.
  uint32_t NextBytes;   ///< Of the next launch's record; 0 after the last.
  uint32_t FirstTicket; ///< Blocks of the batch's launches before it.
  uint32_t Blocks;
  uint32_t Threads;
  uint32_t Case; ///< Of the module's dispatch.
  uint32_t Grid[3];
  uint32_t Block[3];
  uint32_t Reciprocal[2]; ///< Of Block[0] and Block[1], see reciprocalOf().
  uint32_t CountsAt;      ///< From the start of the record.
  uint32_t PiecesAt;
  uint32_t CountCount;
  uint32_t PieceCount;
};

/// quotient(N, reciprocalOf(D)) is N / D for N < 1024 and 0 < D <= 1024.
constexpr uint32_t reciprocalOf(uint32_t Divisor) {
  return ((1u << 21) + Divisor - 1) / Divisor;
}
constexpr uint32_t quotient(uint32_t Value, uint32_t Reciprocal) {
  return Value * Reciprocal >> 21;
}

/// As much of a record a worker keeps in shared memory; it holds two.
inline constexpr uint32_t StagedBytes = 1024;

enum class Placement : uint32_t {
  Tickets, ///< Workers take blocks in order from one counter.
  Owners,  ///< Block b of every launch is run by worker b.
};

/// The one parameter of a module's persistent entry. A batch has no window: the
/// relations of its launches reach back to its first.
struct Batch {
  const unsigned char *Records;
  uint64_t *Ticket; ///< Grows over batches.
  StuckReport *Stuck;
  BlockTime *Times;          ///< One per block of the batch; null: nobody asks.
  uint64_t FirstTicketValue; ///< Of Ticket, at the batch's start.
  uint32_t FirstBytes;       ///< Of the first record.
  uint32_t Epoch;
  uint32_t LaunchCount;
  uint32_t Tickets; ///< Blocks in all.
  uint32_t Mode;    ///< Placement
};

/// What a block body reads in place of the hardware's index registers.
struct BlockIds {
  uint32_t Thread[3];
  uint32_t BlockSize[3];
  uint32_t Block[3];
  uint32_t GridSize[3];
};

} // namespace blockmaestro

#endif
