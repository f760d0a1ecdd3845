// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "JoinedStreams.h"

#include <algorithm>
#include <span>

namespace blockmaestro {

void JoinedStreams::join(Clock &To, const Clock &From) {
  for (const auto &[Stream, Count] : From) {
    uint64_t &Mine = To[Stream];
    Mine = std::max(Mine, Count);
  }
}

/// Whether so many things of the stream are in front.
bool JoinedStreams::has(const Clock &In, void *Stream, uint64_t Count) {
  const auto Found = In.find(Stream);
  return Count == 0 || (Found != In.end() && Found->second >= Count);
}

void JoinedStreams::made(void *Stream, uint64_t Kind) {
  forgetStream(Stream);
  Lines[Stream].IsKnown = true;
  Lines[Stream].Kind = Kind;
}

/// What is known of it would be taken for something of the next of its name.
void JoinedStreams::forgetStream(void *Stream) {
  Lines.erase(Stream);
  for (auto &[Other, Its] : Lines)
    Its.Before.erase(Stream);
  std::erase_if(
      Events, [=](const auto &Each) { return Each.second.count(Stream) != 0; });
  if (Stream == Home || has(Stream))
    begin(nullptr);
}

/// Home is not behind it.
void JoinedStreams::given(void *Stream) {
  ++Lines[Stream].Given;
  if (Stream != Home && has(Stream))
    begin(Home);
}

void JoinedStreams::strange(void *Stream) {
  Line &Mine = Lines[Stream];
  Mine.Strange = ++Mine.Given;
  if (has(Stream) && !isAlone())
    begin(Home);
}

void JoinedStreams::strangeAnywhere() {
  for (auto &[Stream, Its] : Lines)
    Its.Strange = ++Its.Given;
  Events.clear();
  if (!isAlone())
    begin(Home);
}

/// Of a stream that the program has not made not all is seen that it is given:
/// it may have other names, or be another in each thread.
void JoinedStreams::recorded(void *Event, void *Stream) {
  const Line &Mine = Lines[Stream];
  if (!Mine.IsKnown) {
    Events.erase(Event);
    return;
  }
  Clock &Its = Events[Event];
  Its = Mine.Before;
  Its[Stream] = Mine.Given;
}

void JoinedStreams::waits(void *Stream, void *Event) {
  strange(Stream);
  if (const auto Found = Events.find(Event); Found != Events.end())
    join(Lines[Stream].Before, Found->second);
}

bool JoinedStreams::measures(void *Stream) {
  Line &Mine = Lines[Stream];
  Mine.IsTimed = true;
  const bool IsOther =
      !isAlone() && has(Stream) && (Stream != Home || !isTied());
  if (IsOther)
    Mine.IsKnown = false;
  return IsOther;
}

void JoinedStreams::begin(void *NewHome) {
  Home = NewHome;
  Held = 0;
  Heads.clear();
  Owing.clear();
  Needs.clear();
  OnStream.clear();
}

JoinedStreams::Works JoinedStreams::heads(void *Stream) const {
  if (isAlone())
    return Stream == Home && Held <= ChainOrder::MostWorks ? last() : 0;
  const auto Found = Heads.find(Stream);
  return Found == Heads.end() ? 0 : Found->second;
}

/// Whether home is behind all that a stream like it has been given, and no more
/// works are held than there are bits.
bool JoinedStreams::mayJoin(void *Stream) {
  const Line &Mine = Lines[Stream], &Its = Lines[Home];
  return Held <= ChainOrder::MostWorks && Mine.IsKnown && Its.IsKnown &&
         !Mine.IsTimed && Mine.Kind == Its.Kind &&
         has(Its.Before, Stream, Mine.Given);
}

/// The first that joins home finds a line of works.
void JoinedStreams::add(void *Stream, Works Behind) {
  if (isAlone() && Stream != Home) {
    Heads[Home] = last();
    OnStream.assign(Held, Home);
    Needs.clear();
    for (size_t I = 0; I < Held; ++I)
      Needs.push_back((Works(1) << I) >> 1);
  }
  if (isAlone())
    return;
  Heads[Stream] |= Behind;
  if (Stream != Home)
    Owing.insert(Stream);
}

bool JoinedStreams::joinsBehind(void *Stream, Works Recorded) {
  const bool Joins = has(Stream) || mayJoin(Stream);
  if (Joins)
    add(Stream, Recorded);
  return Joins;
}

bool JoinedStreams::joins(void *Stream, void *Event) {
  const auto Found = Events.find(Event);
  if (Found == Events.end() || !(has(Stream) || mayJoin(Stream)))
    return false;
  const Line &Its = Lines[Home];
  const Clock &Stands = Found->second;
  const bool IsCovered =
      std::all_of(Stands.begin(), Stands.end(), [&](const auto &Each) {
        return Each.first == Home || has(Its.Before, Each.first, Each.second);
      });
  if (!IsCovered || (Stream != Home && !has(Stands, Home, Its.Strange)))
    return false;
  add(Stream, 0);
  return true;
}

void JoinedStreams::hold(void *Stream) {
  ++Held;
  if (isAlone())
    return;
  Works &Mine = Heads[Stream];
  Needs.push_back(Mine);
  OnStream.push_back(Stream);
  Mine = last();
}

bool JoinedStreams::isTied() const {
  if (isAlone())
    return true;
  Works Behind = heads(Home);
  for (size_t I = Needs.size(); I-- > 0;)
    if (Behind >> I & 1)
      Behind |= Needs[I];
  return std::all_of(Heads.begin(), Heads.end(), [=](const auto &Each) {
    return (Each.second & ~Behind) == 0;
  });
}

ChainOrder JoinedStreams::order(size_t Count) const {
  return ChainOrder::among(std::span(Needs).first(Count));
}

std::vector<void *> JoinedStreams::gone(size_t Count) {
  Count = std::min(Count, Held); // Less where something has failed.
  Lines[Home].Given += Count;
  Held -= Count;
  if (isAlone())
    return {};
  std::set<void *> Behind(OnStream.begin(), OnStream.begin() + long(Count));
  Needs.erase(Needs.begin(), Needs.begin() + long(Count));
  OnStream.erase(OnStream.begin(), OnStream.begin() + long(Count));
  for (Works &Each : Needs)
    Each = without(Each, Count);
  for (auto &[Stream, Its] : Heads) {
    Its = without(Its, Count);
    if (Its == 0 && Owing.count(Stream) != 0)
      Behind.insert(Stream);
  }
  Behind.erase(Home);
  return {Behind.begin(), Behind.end()};
}

/// It has been given a wait for home, behind which home is.
void JoinedStreams::behindHome(void *Stream) {
  if (heads(Stream) == 0)
    Owing.erase(Stream);
  Line &Mine = Lines[Stream], &Its = Lines[Home];
  Its.Before[Stream] = ++Mine.Given;
  Mine.Before[Home] = Its.Given;
  join(Mine.Before, Its.Before);
  Mine.Before.erase(Stream);
}

} // namespace blockmaestro
