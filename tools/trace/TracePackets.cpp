// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TracePackets.h"

#include "llvm/Support/Endian.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/LEB128.h"

#include <cassert>
#include <utility>
#include <zlib.h>

using namespace llvm;

namespace blockmaestro {

namespace {

enum class Wire : unsigned { Varint = 0, Fixed64 = 1, Bytes = 2 };

enum Trace : unsigned { Packets = 1 };
enum TracePacket : unsigned {
  ClockSnapshot = 6,
  Timestamp = 8,
  SequenceId = 10,
  TrackEvent = 11,
  InternedData = 12,
  SequenceFlags = 13,
  CompressedPackets = 50,
  Defaults = 59,
  TrackDescriptor = 60,
};
enum Flags : unsigned { StateCleared = 1, NeedsState = 2 };
enum Snapshot : unsigned { Clocks = 1 };
enum Clock : unsigned { ClockId = 1, ClockTime = 2, IsIncremental = 3, UnitNs };
enum PacketDefaults : unsigned { TimestampClockId = 58 };
enum Names : unsigned { EventNamesField = 2, AnnotationNamesField = 3 };
enum InternedName : unsigned { Iid = 1, Text = 2 };

/// The clock that Perfetto shows, and one of the sequence's own.
constexpr uint64_t BootTime = 6, SequenceClock = 64;

/// So many bytes of packets are deflated together.
constexpr size_t GroupBytes = size_t(1) << 20;

void key(raw_ostream &Out, unsigned Field, Wire Type) {
  encodeULEB128(uint64_t(Field) << 3 | unsigned(Type), Out);
}

} // namespace

Message &Message::number(unsigned Field, uint64_t Value) {
  raw_svector_ostream Out(Bytes);
  key(Out, Field, Wire::Varint);
  encodeULEB128(Value, Out);
  return *this;
}

Message &Message::fixed(unsigned Field, uint64_t Value) {
  raw_svector_ostream Out(Bytes);
  key(Out, Field, Wire::Fixed64);
  char Eight[8];
  support::endian::write64le(Eight, Value);
  Out.write(Eight, sizeof(Eight));
  return *this;
}

Message &Message::bytes(unsigned Field, StringRef Value) {
  raw_svector_ostream Out(Bytes);
  key(Out, Field, Wire::Bytes);
  encodeULEB128(Value.size(), Out);
  Out << Value;
  return *this;
}

Message TraceWriter::newPacket(unsigned Flags) const {
  Message Out;
  Out.number(SequenceId, Sequence);
  Out.number(SequenceFlags, Flags);
  return Out;
}

/// Both clocks begin at 0; times of the second are differences.
void TraceWriter::beginSequence() {
  ++Sequence;
  LastTime = 0;
  EventNames = {EventNamesField};
  AnnotationNames = {AnnotationNamesField};
  Message Shown, Own, Both;
  Shown.number(ClockId, BootTime).number(ClockTime, 0);
  Own.number(ClockId, SequenceClock).number(ClockTime, 0);
  Own.number(IsIncremental, 1).number(UnitNs, 1);
  Both.message(Clocks, Shown).message(Clocks, Own);
  add(newPacket(StateCleared)
          .message(ClockSnapshot, Both)
          .message(Defaults,
                   Message().number(TimestampClockId, SequenceClock)));
}

void TraceWriter::describe(const Message &Descriptor) {
  add(newPacket(NeedsState).message(TrackDescriptor, Descriptor));
}

uint64_t TraceWriter::intern(Interned &Among, StringRef Name) {
  auto [Where, New] = Among.Numbers.try_emplace(Name, Among.Numbers.size() + 1);
  if (New)
    NewNames.message(Among.Field,
                     Message().number(Iid, Where->second).bytes(Text, Name));
  return Where->second;
}

void TraceWriter::event(uint64_t Time, const Message &Event) {
  assert(Time >= LastTime && "time goes back in a sequence");
  Message Packet = newPacket(NeedsState);
  if (!NewNames.empty())
    Packet.message(InternedData, std::exchange(NewNames, {}));
  Packet.number(Timestamp, Time - LastTime).message(TrackEvent, Event);
  LastTime = Time;
  add(Packet);
}

void TraceWriter::add(const Message &Each) {
  Waiting += Message().message(Packets, Each).str();
  if (Waiting.size() >= GroupBytes)
    flush();
}

void TraceWriter::flush() {
  if (Waiting.empty())
    return;
  uLongf Bytes = compressBound(Waiting.size());
  std::string Packed(Bytes, 0);
  const int Outcome =
      compress2(reinterpret_cast<Bytef *>(Packed.data()), &Bytes,
                reinterpret_cast<const Bytef *>(Waiting.data()), Waiting.size(),
                Z_DEFAULT_COMPRESSION);
  if (Outcome != Z_OK)
    report_bad_alloc_error("no memory for a timeline");
  Packed.resize(Bytes);
  Waiting.clear();
  Out << Message()
             .message(Packets, Message().bytes(CompressedPackets, Packed))
             .str();
}

} // namespace blockmaestro
