// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Events among works that are held, and the streams that they join.

#include "Chained.h"

#include <algorithm>

namespace blockmaestro {

Chained::~Chained() {
  if (OwnEvent)
    Port.releaseEvent(OwnEvent);
}

Chained::Marks::iterator Chained::markOf(void *Event) {
  return std::find_if(Recorded.begin(), Recorded.end(),
                      [=](const Mark &Each) { return Each.Event == Event; });
}

bool Chained::holdRecord(void *Event, void *Stream) {
  if (!holds() || !Joined.has(Stream))
    return false;
  forgetEvent(Event);
  Recorded.push_back({Event, Works.size(), Stream, Joined.heads(Stream)});
  ++Records;
  return true;
}

/// A stream joins where the others will be joined again, and chains come of it,
/// as far as has been seen.
bool Chained::holdWait(void *Stream, void *Event) {
  const auto Mark = markOf(Event);
  const bool IsHeld = Mark != Recorded.end();
  const bool IsOwn = IsHeld && Mark->Stream == Stream;
  const bool MayAdd =
      MayJoin && !Spare && Loose < MostLoose && Alone < MostAlone;
  if (!IsOwn && (!MayJoin || Straight || !(Joined.has(Stream) || MayAdd)))
    return false;
  const bool Is = IsOwn || (IsHeld ? Joined.joinsBehind(Stream, Mark->Behind)
                                   : Joined.joins(Stream, Event));
  IsWholeRun &= Joined.isAlone();
  Waits += Is;
  return Is;
}

Status Chained::submitFor(void *Event) {
  const auto Found = markOf(Event);
  return Found == Recorded.end() ? Status() : flushTo(Found->Works);
}

Status Chained::submitForTime(void *Stream) {
  if (!Joined.measures(Stream))
    return {};
  Status Done = drain();
  if (Done.ok())
    Joined.begin(Joined.home());
  return Done;
}

void Chained::forgetEvent(void *Event) {
  if (const auto Found = markOf(Event); Found != Recorded.end())
    Recorded.erase(Found);
  Joined.forgetEvent(Event);
}

/// Records the events behind works that have all gone.
Status Chained::record() {
  Status Done;
  while (!Recorded.empty() && Recorded.front().Works <= Sent && Done.ok()) {
    void *Event = Recorded.front().Event;
    Done = Port.record(Event, Joined.home());
    LastEvent = Done.ok() ? Event : LastEvent;
    Joined.recorded(Event, Joined.home());
    Recorded.erase(Recorded.begin());
  }
  return Done;
}

/// Lets these streams wait for all that home has been given; the host where
/// they cannot.
Status Chained::putBehind(const std::vector<void *> &Streams) {
  if (Streams.empty())
    return {};
  Status Done = LastEvent ? Status() : recordOwn();
  for (void *Each : Streams) {
    if (Done.ok())
      Done = Port.comeBehind(Each, LastEvent);
    Joined.behindHome(Each);
  }
  return Done.ok() ? Done : Port.synchronize(Joined.home());
}

Status Chained::recordOwn() {
  if (!OwnEvent) {
    const Result<void *> Made = Port.makeEvent();
    if (!Made.ok())
      return Made.status();
    OwnEvent = *Made;
  }
  LastEvent = OwnEvent;
  return Port.record(OwnEvent, Joined.home());
}

/// The default stream, which has no name, and others may wait for each other.
Status Chained::submitBefore(void *Stream) {
  const bool IsApart = Joined.home() && Stream && !Joined.has(Stream);
  return IsApart ? Status() : flushRun();
}

} // namespace blockmaestro
