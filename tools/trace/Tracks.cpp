// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Tracks.h"

#include <tuple>

using namespace llvm;

namespace blockmaestro {

size_t Slots::take(uint64_t Begin, uint64_t End) {
  auto Free = find_if(Ends, [&](uint64_t Each) { return Each <= Begin; });
  if (Free == Ends.end())
    Free = Ends.insert(Free, 0);
  *Free = End;
  return size_t(Free - Ends.begin());
}

uint64_t Tracks::of(uint32_t Place, size_t Slot) {
  uint64_t &Track = Known[{Place, Slot}];
  if (Track == 0)
    Track = Out.newTrack();
  return Track;
}

void Tracks::describe(function_ref<std::string(uint32_t)> NameOf) const {
  uint32_t Rank = 0;
  for (const auto &[At, Track] : Known)
    Out.describe(child(Track, ++Rank)
                     .bytes(trace::Name, NameOf(At.first) + ", " +
                                             std::to_string(At.second)));
}

uint64_t Tracks::counter(StringRef Name) {
  const uint64_t Track = Out.newTrack();
  Out.describe(child(Track, 0)
                   .bytes(trace::Name, Name)
                   .message(trace::Counter,
                            Message().number(trace::Unit, trace::Count)));
  return Track;
}

Message Tracks::child(uint64_t Track, uint32_t Rank) const {
  return Message()
      .number(trace::Uuid, Track)
      .number(trace::ParentUuid, Process)
      .number(trace::SiblingOrderRank, Rank);
}

void Gauge::print(uint64_t Time, uint64_t Value) {
  if (std::exchange(Written, Value) == Value)
    return;
  Out.event(Time, Message()
                      .number(trace::Type, trace::CounterSet)
                      .number(trace::TrackUuid, Track)
                      .number(trace::CounterValue, Value));
}

void SlicePoints::add(uint64_t Begin, uint64_t End) {
  Points.push_back({Begin, true, Count});
  if (Begin < End)
    Points.push_back({End, false, Count});
  ++Count;
}

const std::vector<SlicePoint> &SlicePoints::sorted() {
  llvm::sort(Points, [](const SlicePoint &A, const SlicePoint &B) {
    if (std::tie(A.Time, A.Begins) != std::tie(B.Time, B.Begins))
      return std::tie(A.Time, A.Begins) < std::tie(B.Time, B.Begins);
    return A.Begins ? A.Slice < B.Slice : A.Slice > B.Slice;
  });
  return Points;
}

} // namespace blockmaestro
