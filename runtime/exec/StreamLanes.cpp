// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StreamLanes.h"

#include <algorithm>
#include <utility>

namespace blockmaestro {

void LaneClock::add(const LaneClock &Other) {
  for (size_t I = 0; I < MostLanes; ++I)
    Times[I] = std::max(Times[I], Other.Times[I]);
}

bool LaneClock::covers(const LaneClock &Other) const {
  for (size_t I = 0; I < MostLanes; ++I)
    if (Times[I] < Other.Times[I])
      return false;
  return true;
}

StreamLanes::StreamLanes(GpuPort &Port, SideStreams &Sides, void *Own,
                         size_t Most)
    : Port(Port), Sides(Sides), Most(std::min(Most, LaneClock::MostLanes)) {
  Lanes.reserve(this->Most);
  Lanes.emplace_back().Stream = Own;
  raiseFloorToAll();
}

StreamLanes::~StreamLanes() {
  for (Lane &Each : Lanes)
    releaseEvents(Each);
  for (size_t I = 1; I < Lanes.size(); ++I)
    Sides.giveBack(Lanes[I].Stream);
}

void StreamLanes::releaseEvents(Lane &Of) {
  for (Mark &Each : Of.Ring)
    if (void *Event = std::exchange(Each.Event, nullptr))
      Port.releaseEvent(Event);
  if (void *Event = std::exchange(Of.Window.Event, nullptr))
    Port.releaseEvent(Event);
}

/// All that the lane will ever need, so that no launch has to ask for one.
bool StreamLanes::makeEvents(Lane &For) {
  std::vector<Mark *> All = {&For.Window};
  for (Mark &Each : For.Ring)
    All.push_back(&Each);
  for (Mark *Each : All) {
    Result<void *> Made = Port.makeEvent();
    if (!Made.ok()) {
      releaseEvents(For);
      return false;
    }
    Each->Event = *Made;
  }
  return true;
}

bool StreamLanes::canGrow() const { return Lanes.size() < Most; }

/// Where the device has no more streams or events there are as many lanes as
/// there are.
bool StreamLanes::grow() {
  HasEvents = HasEvents || makeEvents(Lanes.front());
  Lane Side;
  if (HasEvents && makeEvents(Side))
    Side.Stream = Sides.take(Lanes.front().Stream);
  if (!Side.Stream) {
    releaseEvents(Side);
    Most = Lanes.size();
    return false;
  }
  Lanes.push_back(std::move(Side));
  return true;
}

StreamLanes::Place StreamLanes::lastOf(size_t Which) const {
  const Lane &Of = Lanes[Which];
  return {Which, Of.Last, Of.Clock, nullptr};
}

bool StreamLanes::isAll(const LaneClock &InFront) const {
  for (size_t I = 0; I < Lanes.size(); ++I)
    if (InFront[I] < Lanes[I].Last)
      return false;
  return true;
}

/// Whether the work comes behind the last one of some lane, and nothing else
/// that the lane is not behind.
bool StreamLanes::isChain(std::span<const Place *const> Needs) const {
  if (Needs.size() != 1)
    return false;
  const Lane &On = Lanes[Needs[0]->Lane];
  const auto IsSeen = [&](const Place &Each) {
    return On.Clock[Each.Lane] >= Each.At;
  };
  return On.Last == Needs[0]->At &&
         std::all_of(Floor.begin(), Floor.end(), IsSeen);
}

/// What it takes to place a work, which has all of InFront in front of it, on
/// the lane. One that has not been made has seen nothing.
StreamLanes::Offer StreamLanes::offer(size_t Which,
                                      std::span<const Place *const> Needs,
                                      const LaneClock &InFront) const {
  LaneClock Seen;
  if (Which < Lanes.size())
    Seen = Lanes[Which].Clock;
  Offer Out{Which, !InFront.covers(Seen), 0};
  const auto Take = [&](const Place &Each) {
    if (Seen[Each.Lane] >= Each.At)
      return;
    ++Out.Waits;
    Seen.add(Each.Behind);
  };
  for (const Place *Each : Needs)
    Take(*Each);
  for (const Place &Each : Floor)
    Take(Each);
  return Out;
}

/// Of lanes that all delay the work, the one that has been left alone longest
/// is best.
bool StreamLanes::isBetter(const Offer &One, const Offer &Other) const {
  if (One.Delays != Other.Delays)
    return Other.Delays;
  return One.Delays ? Lanes[One.Lane].Issued < Lanes[Other.Lane].Issued
                    : One.Waits < Other.Waits;
}

/// The first work behind a fence comes. The event that all wait for that come
/// on other lanes is recorded in front of it, where that was of use before.
Status StreamLanes::begin(Credit &Forks) {
  Fresh = false;
  Floor.front().Wants = &Forks;
  if (Forks == 0 || !HasEvents)
    return {};
  --Forks;
  Result<Mark *> Made = markLast(0);
  if (Made.ok())
    (*Made)->Wants = &Forks;
  return Made.status();
}

StreamLanes::Offer StreamLanes::bestOffer(std::span<const Place *const> Needs,
                                          const LaneClock &InFront) const {
  Offer Best = offer(0, Needs, InFront);
  for (size_t I = 1; I < Lanes.size() + canGrow(); ++I) {
    const Offer Next = offer(I, Needs, InFront);
    if (isBetter(Next, Best))
      Best = Next;
  }
  return Best;
}

Result<size_t> StreamLanes::choose(std::span<const Place *const> Needs,
                                   Credit &Forks) {
  if (Fresh)
    if (Status Begun = begin(Forks); !Begun.ok())
      return Begun;
  if (isChain(Needs))
    return Needs[0]->Lane;
  LaneClock InFront;
  for (const Place *Each : Needs)
    InFront.add(Each->Behind);
  for (const Place &Each : Floor)
    InFront.add(Each.Behind);
  size_t On = bestOffer(Needs, InFront).Lane;
  if (On == Lanes.size() && !grow())
    On = bestOffer(Needs, InFront).Lane;
  Status Waits;
  for (const Place *Each : Needs)
    if (Waits.ok())
      Waits = waitFor(On, *Each, InFront);
  for (const Place &Each : Floor)
    if (Waits.ok())
      Waits = waitFor(On, Each, InFront);
  return Waits.ok() ? Result<size_t>(On) : Result<size_t>(Waits);
}

Status StreamLanes::record(size_t Which, Mark &Into) {
  const Lane &On = Lanes[Which];
  Into.At = On.Last;
  Into.Behind = On.Clock;
  Into.Wants = nullptr;
  return Port.record(Into.Event, On.Stream);
}

Result<StreamLanes::Mark *> StreamLanes::markLast(size_t Which) {
  Lane &On = Lanes[Which];
  Mark &Into = On.Ring[On.Next];
  On.Next = (On.Next + 1) % RingMarks;
  Status Done = record(Which, Into);
  if (!Done.ok())
    return Done;
  return &Into;
}

/// An event behind the place that stands for as little as can be.
Result<StreamLanes::Mark *> StreamLanes::markBehind(const Place &What,
                                                    const LaneClock &InFront) {
  Lane &On = Lanes[What.Lane];
  Mark *Best = nullptr;
  const auto Look = [&](Mark &Each) {
    if (Each.At >= What.At && (!Best || Each.At < Best->At))
      Best = &Each;
  };
  for (Mark &Each : On.Ring)
    Look(Each);
  Look(On.Window);
  if (Best && (Best->At == What.At || InFront.covers(Best->Behind))) {
    if (Best->Wants)
      *Best->Wants = FullCredit;
    return Best;
  }
  if (!InFront.covers(On.Clock)) {
    ++Done.Late;
    if (What.Wants)
      *What.Wants = FullCredit;
    if (Best)
      return Best;
  }
  return markLast(What.Lane);
}

Status StreamLanes::waitFor(size_t Which, const Place &For,
                            const LaneClock &InFront) {
  Lane &On = Lanes[Which];
  if (On.Clock[For.Lane] >= For.At)
    return {};
  Result<Mark *> Behind = markBehind(For, InFront);
  if (!Behind.ok())
    return Behind.status();
  ++Done.Events;
  On.Clock.add((*Behind)->Behind);
  On.Clock[Which] = ++On.Last;
  return Port.comeBehind(On.Stream, (*Behind)->Event);
}

Status StreamLanes::enter(size_t Which, Credit &Wants, Place &Out) {
  Lane &On = Lanes[Which];
  Done.Beside += !isAll(On.Clock);
  On.Clock[Which] = ++On.Last;
  On.Issued = ++Issued;
  Out.Lane = Which;
  Out.At = On.Last;
  Out.Behind = On.Clock;
  Out.Wants = &Wants;
  if (Wants == 0 || !HasEvents)
    return {};
  --Wants;
  Result<Mark *> Made = markLast(Which);
  if (Made.ok())
    (*Made)->Wants = &Wants;
  return Made.status();
}

bool StreamLanes::anyBeside() const { return !isAll(Lanes.front().Clock); }

/// Newest works first: what they are behind needs no event of its own.
Status StreamLanes::join() {
  const uint64_t Before = Done.Events;
  while (anyBeside()) {
    size_t Newest = 0;
    for (size_t I = 1; I < Lanes.size(); ++I)
      if (Lanes.front().Clock[I] < Lanes[I].Last &&
          (Newest == 0 || Lanes[I].Issued > Lanes[Newest].Issued))
        Newest = I;
    const Place Last = lastOf(Newest);
    if (Status Waits = waitFor(0, Last, Last.Behind); !Waits.ok())
      return Waits;
    ++Done.Joins;
  }
  Done.Events = Before;
  return {};
}

Status StreamLanes::fence() {
  if (Fresh)
    return {};
  Status Joined = join();
  if (Joined.ok())
    raiseFloorToAll();
  return Joined;
}

/// Lane 0 is behind all; what it is given now, beside us, is in front of all
/// that comes.
void StreamLanes::raiseFloorToAll() {
  Lane &Own = Lanes.front();
  Own.Clock[0] = ++Own.Last;
  Own.Issued = ++Issued;
  Floor.assign(1, lastOf(0));
  NextFloor.clear();
  for (Lane &Each : Lanes)
    for (Mark &Old : Each.Ring)
      Old.Wants = nullptr;
  Fresh = true;
}

/// The last work of each lane, but for those that others are behind. No two are
/// behind each other, since what a lane waits for is counted with its works.
Status StreamLanes::markWindow() {
  NextFloor.clear();
  for (size_t I = 0; I < Lanes.size(); ++I) {
    const bool IsInFront =
        std::any_of(Lanes.begin(), Lanes.end(), [&](const Lane &Each) {
          return &Each != &Lanes[I] && Each.Clock[I] >= Lanes[I].Last;
        });
    if (Lanes[I].Last == 0 || IsInFront)
      continue;
    NextFloor.push_back(lastOf(I));
    if (HasEvents)
      if (Status Done = record(I, Lanes[I].Window); !Done.ok())
        return Done;
  }
  return {};
}

void StreamLanes::raiseFloor() { Floor = NextFloor; }

} // namespace blockmaestro
