// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the rows of a timeline: which of them a slice is in, in which
// order they stand, counters, and in which order slices begin and end.
// On the data's way: between what ran when, of a simulation or a recording, and
// TraceWriter.
// Invariants: slices of one slot do not overlap; a slice lies in those of its
// track that were added before it and end no earlier.
// Ownership: the writer outlives them. Threads: none.

#ifndef BLOCKMAESTRO_TOOLS_TRACE_TRACKS_H
#define BLOCKMAESTRO_TOOLS_TRACE_TRACKS_H

#include "TracePackets.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace blockmaestro {

/// Where slices of one place go that run at the same time: as many tracks as
/// there are at once. They come in the order of their begins.
class Slots {
public:
  size_t take(uint64_t Begin, uint64_t End);

private:
  std::vector<uint64_t> Ends;
};

/// The tracks below one process, in the order in which they are shown: by
/// place, by slot.
class Tracks {
public:
  Tracks(TraceWriter &Out, uint64_t Process) : Out(Out), Process(Process) {}

  uint64_t of(uint32_t Place, size_t Slot);
  /// Writes all of them, each with the name of its place and its slot.
  void describe(llvm::function_ref<std::string(uint32_t)> NameOf) const;
  uint64_t counter(llvm::StringRef Name);

private:
  Message child(uint64_t Track, uint32_t Rank) const;

  TraceWriter &Out;
  uint64_t Process;
  std::map<std::pair<uint32_t, size_t>, uint64_t> Known;
};

/// A number that changes with time: written where it is another than before.
class Gauge {
public:
  Gauge(TraceWriter &Out, uint64_t Track) : Out(Out), Track(Track) {}

  void print(uint64_t Time, uint64_t Value);

private:
  TraceWriter &Out;
  const uint64_t Track;
  uint64_t Written = ~uint64_t(0);
};

/// A begin or an end of a slice, which users know by a number.
struct SlicePoint {
  uint64_t Time;
  bool Begins;
  uint32_t Slice;
};

/// In the order in which they are written: what ends at a time goes before
/// what begins; of several, what was added first goes first where they begin
/// and last where they end.
class SlicePoints {
public:
  /// Slices are numbered from 0 as they are added. One that ends where it
  /// begins has no end of its own.
  void add(uint64_t Begin, uint64_t End);
  /// Nothing is added behind that.
  const std::vector<SlicePoint> &sorted();

private:
  std::vector<SlicePoint> Points;
  uint32_t Count = 0;
};

} // namespace blockmaestro

#endif
