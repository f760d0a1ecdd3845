// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: one run of a program, as the simulator and the reports see it.
// On the data's way: streamed by runtime/record while the program runs; read
// by bm-sim and bm-dump, which read nothing else.
// Invariants: launches are in issue order, Id equal to their position, and so
// are copies; a relation's Consumer has been recorded before it; every relation
// between a launch and the Window launches before it is there, except
// independent ones.
// A file cut off at any byte is readable up to its last whole chunk
// (Truncated is then set). The byte format is docs/recording.md.

#ifndef BLOCKMAESTRO_RECORDING_H
#define BLOCKMAESTRO_RECORDING_H

#include "blockmaestro/BlockList.h"
#include "blockmaestro/Encoding.h"
#include "blockmaestro/Event.h"
#include "blockmaestro/Launch.h"
#include "blockmaestro/PackedBlocks.h"
#include "blockmaestro/WarpTrace.h"

#include <array>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

namespace blockmaestro {

inline constexpr uint32_t RecordingMagic = 0x31524d42; // "BMR1"
/// A damaged bit makes no version of another: there are no versions 7, 9
/// and 10.
inline constexpr uint32_t RecordingVersion = 11;
/// Files of this version and of those since are read.
inline constexpr uint32_t OldestRecordingVersion = 5;

/// When the program asked for something: how long the thread that did had
/// computed by then outside of all CUDA calls, since the end of its first one.
struct HostTime {
  uint32_t Thread = 0; ///< In the order of their first entries.
  uint64_t Ns = 0;     ///< Never less than in an earlier entry of the thread.
};

struct RecordedLaunch {
  uint64_t Id = 0;
  std::string Kernel; ///< Demangled.
  Dim3 Grid;
  Dim3 Block;
  uint32_t SharedBytes = 0; ///< Static and dynamic.
  uint32_t Registers = 0;   ///< Of a thread, each of 32 bits; 0: not known.
  /// Of a thread of the form that the launch took; 0: not known.
  uint32_t RegistersAsRun = 0;
  std::vector<std::string>
      Degraded; ///< Reasons of accesses that are not exact.
  HostTime Asked = {};
};

/// Where the bytes are that a copy reads, or writes.
enum class MemoryPlace : uint8_t {
  Unknown,
  None,     ///< There are no such bytes: what a fill reads.
  Device,   ///< This one's own memory.
  Pinned,   ///< The host's, for the device to see: allocated, or registered.
  Pageable, ///< All other memory of the host.
  Managed,
};

inline bool isOfHost(MemoryPlace Place) {
  return Place == MemoryPlace::Pinned || Place == MemoryPlace::Pageable;
}

/// What a place is called in dumps, in the order of the enumeration.
inline constexpr const char *MemoryPlaceNames[] = {
    "unknown", "none", "device", "pinned", "pageable", "managed"};

/// Bytes that a copy reads or writes.
struct RecordedRange {
  uint64_t Address = 0;
  uint64_t Bytes = 0;
  bool Writes = false;
};

/// A copy, a fill, a release of memory or an access of the host; for relations
/// it is a grid of one block.
struct RecordedCopy {
  uint64_t Id = 0;        ///< Among the copies, from 0 in issue order.
  uint64_t Before = 0;    ///< Id of the first launch issued after it.
  std::string Call;       ///< "cudaMemcpyAsync", "cudaMemset", ...
  uint64_t Bytes = 0;     ///< Read or written, the larger.
  bool HostWaits = false; ///< The call returned only when it was done.
  MemoryPlace From = MemoryPlace::Unknown;
  MemoryPlace To = MemoryPlace::Unknown;
  std::vector<RecordedRange> Ranges; ///< None where it is not known.
  HostTime Asked = {};
};

/// What a relation takes in the file, before its chunk is compressed.
struct StoredRelation {
  uint32_t Bytes = 0;    ///< References, and what none before it had.
  uint32_t Form = 0;     ///< What it refers to, by itself.
  bool IsShared = false; ///< One before it has the form.
};

/// Which blocks of Consumer wait for which of Producer. Both are launches,
/// unless it says that they are copies.
struct RecordedRelation {
  uint64_t Producer = 0;
  uint64_t Consumer = 0;
  bool ProducerIsCopy = false;
  bool ConsumerIsCopy = false;
  uint8_t Hazards = 0;
  bool Exact = false;
  bool Implied = false; ///< Others make its consumers wait long enough.
  EncodedRelation Header{};
  std::vector<EncodedPiece> Pieces;
  std::vector<uint8_t> PieceHazards;     ///< One per piece.
  std::shared_ptr<const BlockList> List; ///< Null unless listed.
  std::string Reason;
  StoredRelation Stored; ///< Set by the reader.
};

/// Everything earlier has completed before anything later starts.
struct RecordedBarrier {
  uint64_t BeforeLaunch = 0; ///< Id of the first launch after it.
  std::string What;          ///< "cudaMemcpy", "cudaDeviceSynchronize", ...
  uint64_t BeforeCopy = 0;   ///< Id of the first copy after it.
  bool HostWaits = true;     ///< For all that; else the device keeps the order.
  HostTime Asked = {};       ///< Before it waited.
};

/// The host waited for some of what is earlier, through an event; the device
/// did not.
struct RecordedWait {
  uint64_t BeforeLaunch = 0; ///< Id of the first launch after it.
  uint64_t BeforeCopy = 0;   ///< Id of the first copy after it.
  std::string What;          ///< "cudaEventSynchronize", ...
  /// Of launches and copies together, in the order issued, so many.
  uint64_t Until = 0;
  HostTime Asked = {};
};

/// What a check of the accesses saw: how many pairs of blocks of two launches
/// truly depend on each other, and for how many of them nothing waits.
struct RecordedObservation {
  uint64_t Producer = 0;
  uint64_t Consumer = 0;
  uint64_t TrueEdges = 0;
  uint64_t Missing = 0;
};

struct RecordedCost {
  uint64_t Launch = 0;
  uint64_t Block = 0;
  BlockCost Cost;
};

template <> struct NumbersOf<Event> {
  static constexpr size_t Count = 5;
  using Row = std::array<uint64_t, Count>;

  static Row of(const Event &E) {
    return {E.Launch, E.Block, E.Start, E.End, E.Where};
  }
  static void set(Event &E, const Row &To) {
    E = {To[0], To[1], To[2], To[3], uint32_t(To[4])};
  }
};

template <> struct NumbersOf<RecordedCost> {
  static constexpr size_t Count = 2 + std::size(CostFields);
  using Row = std::array<uint64_t, Count>;

  static Row of(const RecordedCost &C) {
    Row Out = {C.Launch, C.Block};
    for (size_t I = 0; I < std::size(CostFields); ++I)
      Out[2 + I] = C.Cost.*CostFields[I].Value;
    return Out;
  }
  static void set(RecordedCost &C, const Row &To) {
    C.Launch = To[0];
    C.Block = To[1];
    for (size_t I = 0; I < std::size(CostFields); ++I)
      C.Cost.*CostFields[I].Value = To[2 + I];
  }
};

struct Recording {
  std::string Program;
  std::string Device;
  std::string Executor;
  uint32_t Window = 0;
  std::vector<RecordedLaunch> Launches;
  std::vector<RecordedRelation> Relations; ///< Between launches.
  std::vector<RecordedCopy> Copies;
  std::vector<RecordedRelation> CopyRelations; ///< From or to a copy.
  std::vector<RecordedBarrier> Barriers;
  std::vector<RecordedWait> Waits;
  PackedBlocks<Event> Events;
  PackedBlocks<RecordedCost> Costs;
  std::vector<RecordedObservation> Observations;
  /// Of each launch every so many blocks, from the first, were to be traced;
  /// 0: none.
  uint32_t WarpsOneIn = 0;
  std::vector<BlockTrace> Traces; ///< As they ended.
  bool Truncated = false;
};

} // namespace blockmaestro

#endif
