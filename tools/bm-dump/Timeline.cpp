// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Timeline.h"

#include "HostWaits.h"
#include "Titles.h"
#include "TracePackets.h"
#include "Tracks.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

using namespace llvm;

namespace blockmaestro {
namespace {

/// Places in the order shown, behind the counters; threads of the host and then
/// workers or SMs follow.
enum Place : uint32_t { InFlight = 1, FirstThread };

/// A time on a track: of a block, of a launch, or of a call of the host.
struct Slice {
  uint64_t Track;
  uint64_t Begin;
  uint64_t End;
  const Title *Launch;     ///< Null: a call.
  const std::string *Call; ///< Null: a block, or all of a launch.
  const Event *Block;      ///< Null: a call, or all of a launch.
};

/// How many blocks run, and on how many places.
class BlockGauges {
public:
  BlockGauges(StringRef Places, Tracks &Below, TraceWriter &Out)
      : Blocks(Out, Below.counter("blocks running")),
        InUse(Out, Below.counter((Places + "s in use").str())) {}

  void count(uint32_t Where, bool Begins) {
    uint32_t &Here = On[Where];
    Running += Begins ? 1 : -1;
    Used += Begins ? Here == 0 : -(Here == 1);
    Here += Begins ? 1 : -1;
  }
  void print(uint64_t Time) {
    Blocks.print(Time, uint64_t(Running));
    InUse.print(Time, uint64_t(Used));
  }

private:
  Gauge Blocks, InUse;
  std::map<uint32_t, uint32_t> On;
  int64_t Running = 0, Used = 0;
};

class RunTimeline {
public:
  RunTimeline(const DumpView &Of, TraceWriter &Out)
      : Of(Of), Out(Out), Ran(launchTimes(Of.In)), Waits(hostWaits(Of, Ran)),
        Process(Out.newTrack()), Below(Out, Process) {}

  void print();

private:
  void readEvents();
  void addLaunches();
  void addWaits();
  void addBlocks();
  void add(uint32_t Place, Slots &Among, Slice Each);
  void describe();
  std::string placeName(uint32_t At) const;
  std::string nameOf(const Slice &S) const;
  void printPoint(const SlicePoint &At);

  const DumpView &Of;
  TraceWriter &Out;
  const std::vector<LaunchSum> Ran;
  const std::vector<HostWait> Waits;
  const uint64_t Process;
  Tracks Below;
  std::vector<Event> Events; ///< Those shown, by their starts.
  std::vector<Title> Titles; ///< By launch.
  uint64_t Origin = 0;       ///< The first start of the recording.
  uint32_t Threads = 0;
  std::vector<Slice> Slices;
  SlicePoints Points;
};

} // namespace

void RunTimeline::readEvents() {
  Origin = ~uint64_t(0);
  for (const Event &E : Of.In.Events) {
    Origin = std::min(Origin, E.Start);
    if (Of.Launches.has(E.Launch))
      Events.push_back(E);
  }
  llvm::sort(Events, [](const Event &A, const Event &B) {
    return std::tie(A.Start, A.Launch, A.Block, A.Where, A.End) <
           std::tie(B.Start, B.Launch, B.Block, B.Where, B.End);
  });
  for (const RecordedLaunch &L : Of.In.Launches)
    Titles.push_back({shortName(L.Kernel), "launch", L.Id, L.Grid});
  for (const HostWait &W : Waits)
    Threads = std::max(Threads, W.Thread + 1);
}

void RunTimeline::add(uint32_t Place, Slots &Among, Slice Each) {
  Each.Track = Below.of(Place, Among.take(Each.Begin, Each.End));
  Points.add(Each.Begin - Origin, Each.End - Origin);
  Slices.push_back(Each);
}

/// Each from its first start to its last end.
void RunTimeline::addLaunches() {
  Slots Queue;
  std::vector<uint64_t> Order(Ran.size());
  std::iota(Order.begin(), Order.end(), 0);
  llvm::sort(Order, [&](uint64_t A, uint64_t B) {
    return std::make_pair(Ran[A].Start, A) < std::make_pair(Ran[B].Start, B);
  });
  for (uint64_t L : Order)
    if (Ran[L].hasRun() && Of.Launches.has(L))
      add(InFlight, Queue,
          {0, Ran[L].Start, Ran[L].End, &Titles[L], nullptr, nullptr});
}

void RunTimeline::addWaits() {
  std::map<uint32_t, Slots> Among;
  for (const HostWait &W : Waits)
    add(FirstThread + W.Thread, Among[W.Thread],
        {0, W.Begin, W.End, nullptr, W.What, nullptr});
}

void RunTimeline::addBlocks() {
  std::map<uint32_t, Slots> Among;
  for (const Event &E : Events)
    add(FirstThread + Threads + E.Where, Among[E.Where],
        {0, E.Start, E.End, &Titles[E.Launch], nullptr, &E});
}

std::string RunTimeline::placeName(uint32_t At) const {
  if (At == InFlight)
    return "in flight";
  if (At < FirstThread + Threads)
    return "host " + std::to_string(At - FirstThread);
  return (Twine(placeKind(Of.In)) + " " + Twine(At - FirstThread - Threads))
      .str();
}

std::string RunTimeline::nameOf(const Slice &S) const {
  return S.Call    ? *S.Call
         : S.Block ? S.Launch->ofBlock(S.Block->Block)
                   : S.Launch->Name;
}

void RunTimeline::describe() {
  Out.describe(Message()
                   .number(trace::Uuid, Process)
                   .message(trace::Process,
                            Message()
                                .number(trace::Pid, 1)
                                .bytes(trace::ProcessName, Of.In.Program))
                   .number(trace::ChildOrdering, trace::Explicit)
                   .bytes(trace::Description, "recorded on " + Of.In.Device +
                                                  ", executor " +
                                                  Of.In.Executor));
}

void RunTimeline::printPoint(const SlicePoint &At) {
  const Slice &S = Slices[At.Slice];
  const bool IsInstant = S.Begin == S.End;
  Message Event;
  Event.number(trace::Type, IsInstant   ? trace::Instant
                            : At.Begins ? trace::SliceBegin
                                        : trace::SliceEnd);
  Event.number(trace::TrackUuid, S.Track);
  if (At.Begins)
    Event.number(trace::NameIid, Out.eventName(nameOf(S)));
  if (At.Begins && S.Launch)
    Event.message(
        trace::DebugAnnotations,
        Message()
            .number(trace::AnnotationNameIid, Out.annotationName(S.Launch->Key))
            .number(trace::UintValue, S.Launch->Number));
  Out.event(At.Time, Event);
}

void RunTimeline::print() {
  readEvents();
  addLaunches();
  addWaits();
  addBlocks();
  Out.beginSequence();
  describe();
  BlockGauges Counted(placeKind(Of.In), Below, Out);
  Below.describe([&](uint32_t At) { return placeName(At); });
  const std::vector<SlicePoint> &Order = Points.sorted();
  for (size_t I = 0; I < Order.size(); ++I) {
    const Slice &S = Slices[Order[I].Slice];
    printPoint(Order[I]);
    if (S.Block && S.Begin < S.End)
      Counted.count(S.Block->Where, Order[I].Begins);
    if (I + 1 == Order.size() || Order[I + 1].Time > Order[I].Time)
      Counted.print(Order[I].Time);
  }
}

void printTimeline(const DumpView &Of, raw_ostream &Out) {
  TraceWriter Trace(Out);
  RunTimeline(Of, Trace).print();
}

} // namespace blockmaestro
