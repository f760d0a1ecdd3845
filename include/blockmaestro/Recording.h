// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: one run of a program, as the simulator and the reports see it.
// On the data's way: streamed by runtime/record while the program runs; read
// by bm-sim and bm-dump, which read nothing else.
// Invariants: launches are in issue order, Id equal to their position; a
// relation's Consumer has been recorded before it; every relation between a
// launch and the Window launches before it is there, except independent ones.
// A file cut off at any byte is readable up to its last whole chunk
// (Truncated is then set). The byte format is docs/recording.md.

#ifndef BLOCKMAESTRO_RECORDING_H
#define BLOCKMAESTRO_RECORDING_H

#include "blockmaestro/BlockList.h"
#include "blockmaestro/Encoding.h"
#include "blockmaestro/Event.h"
#include "blockmaestro/Launch.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace blockmaestro {

inline constexpr uint32_t RecordingMagic = 0x31524d42; // "BMR1"
inline constexpr uint32_t RecordingVersion = 1;

struct RecordedLaunch {
  uint64_t Id = 0;
  std::string Kernel; ///< Demangled.
  Dim3 Grid;
  Dim3 Block;
  uint32_t SharedBytes = 0; ///< Static and dynamic.
  std::vector<std::string>
      Degraded; ///< Reasons of accesses that are not exact.
};

struct RecordedRelation {
  uint64_t Producer = 0;
  uint64_t Consumer = 0;
  uint8_t Hazards = 0;
  bool Exact = false;
  bool Implied = false; ///< Others make its consumers wait long enough.
  EncodedRelation Header{};
  std::vector<EncodedPiece> Pieces;
  std::vector<uint8_t> PieceHazards;     ///< One per piece.
  std::shared_ptr<const BlockList> List; ///< Null unless listed.
  std::string Reason;
};

/// A point where the host waited or a copy ran: every earlier launch has
/// completed before any later one starts.
struct RecordedBarrier {
  uint64_t BeforeLaunch = 0; ///< Id of the first launch after it.
  std::string What;          ///< "cudaMemcpy", "cudaDeviceSynchronize", ...
};

struct RecordedCost {
  uint64_t Launch = 0;
  uint64_t Block = 0;
  BlockCost Cost;
};

struct Recording {
  std::string Program;
  std::string Device;
  std::string Executor;
  uint32_t Window = 0;
  std::vector<RecordedLaunch> Launches;
  std::vector<RecordedRelation> Relations;
  std::vector<RecordedBarrier> Barriers;
  std::vector<Event> Events;
  std::vector<RecordedCost> Costs;
  bool Truncated = false;
};

} // namespace blockmaestro

#endif
