// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a file of Perfetto's trace packets, written as they come.
// On the data's way: from the timelines of bm-sim and bm-dump to a file that
// ui.perfetto.dev and Perfetto's trace processor open. The numbers of fields
// are those of Perfetto's .proto files: trace_packet, track_descriptor,
// track_event, interned_data, clock_snapshot. Invariants: the packets of a
// sequence have rising times, each written as the difference to the one before,
// in nanoseconds; a name is written once in a sequence, before or with the
// first event that has it. Packets are deflated in groups (compressed_packets).
// Ownership: the stream outlives the writer, which writes what is left when it
// goes. Threads: none.

#ifndef BLOCKMAESTRO_TOOLS_TRACE_TRACEPACKETS_H
#define BLOCKMAESTRO_TOOLS_TRACE_TRACEPACKETS_H

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <string>

namespace blockmaestro {

/// A protobuf message in its wire format.
class Message {
public:
  Message &number(unsigned Field, uint64_t Value);
  Message &fixed(unsigned Field, uint64_t Value); ///< Of 64 bits.
  Message &bytes(unsigned Field, llvm::StringRef Value);
  Message &message(unsigned Field, const Message &Value) {
    return bytes(Field, Value.Bytes);
  }
  bool empty() const { return Bytes.empty(); }
  llvm::StringRef str() const { return Bytes; }

private:
  llvm::SmallString<64> Bytes;
};

namespace trace {

enum TrackDescriptor : unsigned {
  Uuid = 1,
  Name = 2,
  Process = 3,
  ParentUuid = 5,
  Counter = 8,
  ChildOrdering = 11,
  SiblingOrderRank = 12,
  Description = 14,
};
enum ChildTracksOrdering : unsigned { Explicit = 3 };
enum ProcessDescriptor : unsigned { Pid = 1, ProcessName = 6 };
enum CounterDescriptor : unsigned { Unit = 3 };
enum CounterUnit : unsigned { Count = 2 };

enum TrackEvent : unsigned {
  DebugAnnotations = 4,
  Type = 9,
  NameIid = 10,
  TrackUuid = 11,
  CounterValue = 30,
  FlowIds = 47,
  TerminatingFlowIds = 48,
};
enum EventType : unsigned {
  SliceBegin = 1,
  SliceEnd = 2,
  Instant = 3,
  CounterSet = 4,
};
enum DebugAnnotation : unsigned { AnnotationNameIid = 1, UintValue = 3 };

} // namespace trace

class TraceWriter {
public:
  explicit TraceWriter(llvm::raw_ostream &Out) : Out(Out) {}
  TraceWriter(const TraceWriter &) = delete;
  TraceWriter &operator=(const TraceWriter &) = delete;
  ~TraceWriter() { flush(); }

  /// What is written from now on has times and names of its own.
  void beginSequence();
  uint64_t newTrack() { return ++Tracks; }
  void describe(const Message &TrackDescriptor);
  /// The number of a name in this sequence, for the next event.
  uint64_t eventName(llvm::StringRef Name) { return intern(EventNames, Name); }
  uint64_t annotationName(llvm::StringRef Name) {
    return intern(AnnotationNames, Name);
  }
  void event(uint64_t Time, const Message &TrackEvent);

private:
  /// The numbers of names, and those that have not been written.
  struct Interned {
    unsigned Field = 0; ///< Of InternedData.
    llvm::StringMap<uint64_t> Numbers = {};
  };
  uint64_t intern(Interned &Among, llvm::StringRef Name);
  Message newPacket(unsigned Flags) const;
  void add(const Message &Packet);
  void flush();

  llvm::raw_ostream &Out;
  Interned EventNames, AnnotationNames;
  Message NewNames;    ///< InternedData that has not been written.
  std::string Waiting; ///< Packets that have not been written.
  uint64_t Tracks = 0;
  uint64_t Sequence = 0;
  uint64_t LastTime = 0;
};

} // namespace blockmaestro

#endif
