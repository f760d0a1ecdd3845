// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what a launch waits for, in the form the device code reads: the
// pieces of its relations with the done-words of their producers, and the
// launches it waits for as a whole.
// On the data's way: from a Task's dependences to Gate.h's structures; used by
// the prelaunch and the persistent executor.
// Invariants: nothing is dropped but what the caller says has completed; what
// does not fit becomes a wait for the whole launch.
// Threads: functions on values.

#ifndef BLOCKMAESTRO_RUNTIME_EXEC_WAITS_H
#define BLOCKMAESTRO_RUNTIME_EXEC_WAITS_H

#include "Executor.h"
#include "Gate.h"

#include <vector>

namespace blockmaestro {

/// Where a launch that may still be running publishes what it has done.
struct Published {
  uint64_t Launch = 0;
  const uint32_t *Done = nullptr;
  const uint64_t *Counter = nullptr;
  uint64_t Target = 0; ///< Of the counter, once all blocks are done.
  uint32_t Epoch = 0;
};

struct Waits {
  std::vector<GatePiece> Pieces;
  std::vector<GateCount> Counts;
};

/// Whether the device may compute Piece's rows with 32-bit integers for every
/// consumer in its box.
bool fitsNarrow(const EncodedPiece &Piece);

/// Whether blocks wait for the whole producer, where there is room for so many
/// pieces.
bool waitsForAll(const Dependence &Need, size_t Room);

/// The waits of a task on those of its producers that are in Running (issue
/// order); all others have completed. At most MaxPieces pieces, given to the
/// latest launches first.
Waits waitsFor(const std::vector<Dependence> &Needs,
               const std::vector<Published> &Running, size_t MaxPieces);

} // namespace blockmaestro

#endif
