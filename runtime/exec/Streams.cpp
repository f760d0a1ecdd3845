// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Streams.h"

#include "GpuSerial.h"

#include <algorithm>

namespace blockmaestro {

Streams::ProgramStream *Streams::find(void *Stream) {
  if (auto Found = ByStream.find(Stream); Found != ByStream.end())
    return Found->second.get();
  if (ByStream.size() >= MostStreams)
    return nullptr;
  return ByStream
      .emplace(Stream, std::make_unique<ProgramStream>(*this, Stream))
      .first->second.get();
}

/// The default stream and the others that the program has made wait for each
/// other.
Status Streams::goTo(void *Stream) {
  const bool Waits = Stream != Last && (!Stream || !Last);
  Last = Stream;
  return Waits ? drain() : Status();
}

Status Streams::give(GpuWork What, void *Stream) {
  struct {
    GpuPort &Port;
    Status operator()(const GpuLaunch &Launch) { return Port.launch(Launch); }
    Status operator()(const GpuCopy &Copy) { return Port.copy(Copy); }
    Status operator()(const GpuFill &Fill) { return Port.fill(Fill); }
  } To{Port};
  std::visit([&](auto &Each) { Each.Stream = Stream; }, What);
  return std::visit(To, What);
}

/// In the order of its stream: behind a fence, and whatever comes next on
/// another stream waits for an event that is recorded then.
Status Streams::runAlone(const GpuWork &What) {
  void *Stream = blockmaestro::streamOf(What);
  ProgramStream *On = find(Stream);
  Status Fenced = On ? fenceStream(*On) : Status();
  return Fenced.ok() ? give(What, Stream) : Fenced;
}

/// Those in flight that meet the work, newest first, without those that others
/// of them are behind.
void Streams::findNeeds(KnownWork &Mine, ProgramStream &On) {
  Needs.clear();
  LaneClock InFront;
  for (size_t I = On.InFlight.size(); I-- > 0;) {
    const WorkInFlight &Each = On.InFlight[I];
    const StreamLanes::Place &Where = Each.Where;
    if (InFront[Where.Lane] >= Where.At ||
        !Works.meet(*Each.What, Mine, *Relations))
      continue;
    Needs.push_back(&Where);
    InFront.add(Where.Behind);
    if (On.Lanes.isAll(InFront))
      return;
  }
}

/// What is in front of all that comes is moved on where a window is full, so
/// that there are events at its end.
Status Streams::moveWindow(ProgramStream &On) {
  if (On.InFlight.size() == 2 * Window) {
    On.Lanes.raiseFloor();
    On.InFlight.erase(On.InFlight.begin(),
                      On.InFlight.begin() + std::ptrdiff_t(Window));
  }
  return On.InFlight.size() == Window ? On.Lanes.markWindow() : Status();
}

/// The last work may run beside those that it is not behind.
void Streams::noteUse(ProgramStream &On) {
  const WorkInFlight &Mine = On.InFlight.back();
  const LaneClock &InFront = Mine.Where.Behind;
  if (On.Lanes.isAll(InFront))
    return;
  KnownWorks::wasOfUse(*Mine.What);
  for (const WorkInFlight &Each : On.InFlight)
    if (InFront[Each.Where.Lane] < Each.Where.At)
      KnownWorks::wasOfUse(*Each.What);
}

Status Streams::spread(const GpuWork &What, KnownWork &Mine,
                       ProgramStream &On) {
  findNeeds(Mine, On);
  Result<size_t> Lane = On.Lanes.choose(Needs, Mine.Forks);
  if (!Lane.ok())
    return Lane.status();
  Status Given = give(What, On.Lanes.streamOf(*Lane));
  if (!Given.ok())
    return Given;
  WorkInFlight &Kept = On.InFlight.emplace_back();
  Kept.What = &Mine;
  Status Entered = On.Lanes.enter(*Lane, Mine.Marks, Kept.Where);
  noteUse(On);
  return Entered.ok() ? moveWindow(On) : Entered;
}

Status Streams::run(const GpuWork &What) {
  ++All;
  void *Stream = blockmaestro::streamOf(What);
  if (Status Gone = goTo(Stream); !Gone.ok())
    return Gone;
  if (SinceWait++ == 0)
    beginStretch(What);
  ProgramStream *On = find(Stream);
  InOrder += !Spreads;
  if (!Relations || MostLanes < 2 || !Spreads || !On)
    return runAlone(What);
  if (Works.isFull()) {
    if (Status Fenced = drain(); !Fenced.ok())
      return Fenced;
    Works.forget();
  }
  KnownWork *Mine = Works.find(What, *Relations);
  return Mine && Mine->Touches ? spread(What, *Mine, *On) : runAlone(What);
}

Status Streams::submit(Task Next) {
  std::vector<void *> Arguments = argumentPointers(*Next.What);
  const GpuWork What = launchOf(Next, KernelVariant::Plain, Arguments);
  if (MaySpread(Next.Stream))
    return run(What);
  ++All;
  Status Gone = drain();
  return Gone.ok() ? runAlone(What) : Gone;
}

Status Streams::fenceStream(ProgramStream &On) {
  Joined += On.Lanes.anyBeside();
  On.InFlight.clear();
  return On.Lanes.fence();
}

Status Streams::drain() {
  Status First;
  for (const auto &[Stream, On] : ByStream)
    if (Status Done = fenceStream(*On); First.ok())
      First = Done;
  return First;
}

Status Streams::submitHeld() {
  Status First;
  for (const auto &[Stream, On] : ByStream)
    if (Status Done = On->Lanes.join(); First.ok())
      First = Done;
  return First;
}

bool Streams::gathers() const {
  return std::any_of(ByStream.begin(), ByStream.end(), [](const auto &Each) {
    return Each.second->Lanes.anyBeside();
  });
}

bool Streams::mindsFences() const {
  return std::any_of(ByStream.begin(), ByStream.end(), [](const auto &Each) {
    return Each.second->Lanes.anySinceFence();
  });
}

void Streams::add(StreamLanes::Counts &To, const StreamLanes::Counts &More) {
  To.Beside += More.Beside;
  To.Events += More.Events;
  To.Joins += More.Joins;
  To.Late += More.Late;
}

StreamLanes::Counts Streams::counts() const {
  StreamLanes::Counts Sum = Gone;
  for (const auto &[Stream, On] : ByStream)
    add(Sum, On->Lanes.counts());
  return Sum;
}

void Streams::beginStretch(const GpuWork &First) {
  Spreads = Choices.begin(kindOf(First)) || When == Policy::Always;
  BesideBefore = counts().Beside;
  StretchBegan = std::chrono::steady_clock::now();
}

/// For all that was given, as far as is known.
void Streams::waited(std::chrono::nanoseconds) {
  if (SinceWait == 0)
    return;
  Choices.ended(std::chrono::steady_clock::now() - StretchBegan, SinceWait,
                counts().Beside - BesideBefore);
  SinceWait = 0;
}

/// Its lanes have been joined into it.
void Streams::forgetStream(void *Stream) {
  auto Found = ByStream.find(Stream);
  if (Found == ByStream.end())
    return;
  add(Gone, Found->second->Lanes.counts());
  MostSeen = std::max(MostSeen, Found->second->Lanes.lanes());
  ByStream.erase(Found);
}

/// Nothing is launched that was kept for them.
void Streams::forgetKernels() {
  for (const auto &[Stream, On] : ByStream)
    (void)fenceStream(*On);
  Works.forgetKernels();
  Choices.forget();
  if (Relations)
    Relations->forgetKernels();
}

std::string Streams::account() const {
  if (All == 0)
    return "";
  const StreamLanes::Counts Sum = counts();
  size_t Most = MostSeen;
  for (const auto &[Stream, On] : ByStream)
    Most = std::max(Most, On->Lanes.lanes());
  return "of " + std::to_string(All) + " launches and copies " +
         std::to_string(Sum.Beside) + " went beside others, on up to " +
         std::to_string(Most) + " streams; they waited for " +
         std::to_string(Sum.Events) + " events, " + std::to_string(Sum.Late) +
         " of which stood for more than was needed, and were joined " +
         std::to_string(Joined) + " times by " + std::to_string(Sum.Joins) +
         " events; " + std::to_string(InOrder) +
         " kept their order where to spread them was not faster";
}

} // namespace blockmaestro
