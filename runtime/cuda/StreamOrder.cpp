// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StreamOrder.h"

#include <algorithm>

namespace blockmaestro {

static constexpr cudaStream_t Legacy = nullptr;

/// The legacy stream has two handles.
static cudaStream_t named(cudaStream_t Stream) {
  return Stream == cudaStreamLegacy ? Legacy : Stream;
}

void StreamOrder::join(Clock &To, const Clock &From) {
  for (auto [Stream, First] : From) {
    Point &Mine = To[Stream];
    Mine = std::max(Mine, First);
  }
}

void StreamOrder::join(Clock &To, cudaStream_t Stream, const Line &From) {
  join(To, From.Before);
  Point &Mine = To[Stream];
  Mine = std::max(Mine, From.Own);
}

StreamOrder::Line &StreamOrder::lineOf(cudaStream_t Stream) {
  auto [Found, New] = Lines.try_emplace(named(Stream));
  if (New)
    Found->second.Blocking = !NonBlocking.contains(Stream);
  return Found->second;
}

void StreamOrder::made(cudaStream_t Stream, bool Blocking) {
  if (Blocking)
    NonBlocking.erase(Stream);
  else
    NonBlocking.insert(Stream);
}

void StreamOrder::arrive(cudaStream_t Stream) {
  Line &Mine = lineOf(Stream);
  if (isTotal())
    return;
  join(Mine.Before, Host);
  if (!Mine.Blocking)
    return;
  if (named(Stream) != Legacy) {
    if (auto Found = Lines.find(Legacy); Found != Lines.end())
      join(Mine.Before, Legacy, Found->second);
    return;
  }
  for (const auto &[Other, Its] : Lines)
    if (Its.Blocking && Other != Legacy)
      join(Mine.Before, Other, Its);
}

void StreamOrder::issued(uint64_t Node, cudaStream_t Stream, uint64_t Works) {
  lineOf(Stream).Own = {Node + 1, Works};
}

bool StreamOrder::isBefore(uint64_t Node, cudaStream_t On,
                           cudaStream_t Stream) const {
  if (named(On) == named(Stream))
    return true;
  const Clock &Before = Lines.at(named(Stream)).Before;
  auto Found = Before.find(named(On));
  return Found != Before.end() && Node < Found->second.Node;
}

void StreamOrder::recorded(cudaEvent_t Event, cudaStream_t Stream) {
  Clock &Its = Records[Event];
  Its.clear();
  join(Its, named(Stream), lineOf(Stream));
}

void StreamOrder::waits(cudaStream_t Stream, cudaEvent_t Event) {
  if (auto Found = Records.find(Event); Found != Records.end())
    join(lineOf(Stream).Before, Found->second);
}

uint64_t StreamOrder::worksUntil(cudaEvent_t Event) const {
  Point Last;
  if (auto Found = Records.find(Event); Found != Records.end())
    for (auto [Stream, First] : Found->second)
      Last = std::max(Last, First);
  return Last.Works;
}

void StreamOrder::hostWaitedFor(cudaStream_t Stream) {
  join(Host, named(Stream), lineOf(Stream));
}

void StreamOrder::hostWaitedFor(cudaEvent_t Event) {
  if (auto Found = Records.find(Event); Found != Records.end())
    join(Host, Found->second);
}

void StreamOrder::hostWaitedForAll() {
  for (const auto &[Stream, Its] : Lines)
    join(Host, Stream, Its);
}

void StreamOrder::clear() {
  Lines.clear();
  Records.clear();
  Host.clear();
}

} // namespace blockmaestro
