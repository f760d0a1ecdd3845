// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Timeline.h"

#include "Titles.h"
#include "TracePackets.h"
#include "Tracks.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

using namespace llvm;
using namespace blockmaestro::sim;

namespace blockmaestro {

namespace {

std::vector<Title> titlesOf(const Outcome &Of) {
  std::vector<Title> Out;
  size_t Launch = 0, Copy = 0;
  for (const WorkLaunch &Each : Of.Work.Launches) {
    if (Each.IsCopy) {
      Out.push_back({Each.Kernel, "copy", Of.What.Copies[Copy++].Id, {}});
      continue;
    }
    const RecordedLaunch &L = Of.What.Launches[Launch++];
    Out.push_back({shortName(L.Kernel), "launch", L.Id, L.Grid});
  }
  return Out;
}

/// A time on a track.
struct Slice {
  uint64_t Track;
  uint64_t Begin;
  uint64_t End;
  uint32_t Launch;
  const char *Phase; ///< Of a launch; null: it is all of it, or a block.
};

/// Places in the order shown, behind the counters.
enum Place : uint32_t { InFlight = 1, CopyPaths, FirstSm = CopyPaths + 4 };

std::string placeName(uint32_t At) {
  static constexpr StringLiteral Paths[] = {"to device", "to host", "within",
                                            "memory calls"};
  if (At == InFlight)
    return "in flight";
  if (At < FirstSm)
    return ("copies " + Paths[At - CopyPaths]).str();
  return "SM " + std::to_string(At - FirstSm);
}

/// What is counted while blocks begin and end.
class Gauges {
public:
  Gauges(const SimulationReport &Of, uint32_t Sms, Tracks &Below,
         TraceWriter &Out)
      : Of(Of), Step(Of.MakespanNs / MostValues), OnSm(Sms),
        Blocks(Out, Below.counter("blocks running")),
        Sms(Out, Below.counter("SMs in use")),
        Requests(Out, Below.counter("memory requests")) {}

  void count(uint32_t Sm, bool Begins) {
    Running += Begins ? 1 : -1;
    InUse += Begins ? OnSm[Sm]++ == 0 : -(--OnSm[Sm] == 0);
  }

  /// Everything of this time has happened.
  void print(uint64_t Time) {
    Blocks.print(Time, uint64_t(Running));
    Sms.print(Time, uint64_t(InUse));
    while (Next < Of.Requests.size() && Of.Requests[Next].Time <= Time)
      ++Next;
    if (Time < NextTime && Time < Of.MakespanNs)
      return;
    Requests.print(Time, Next ? Of.Requests[Next - 1].Count : 0);
    NextTime = Time + Step;
  }

private:
  /// Of requests, which change with every block.
  static constexpr uint64_t MostValues = 10000;

  const SimulationReport &Of;
  const uint64_t Step;
  std::vector<uint32_t> OnSm; ///< Blocks.
  Gauge Blocks, Sms, Requests;
  int64_t Running = 0, InUse = 0;
  size_t Next = 0; ///< Requests that have not been made.
  uint64_t NextTime = 0;
};

/// The ends of arrows, by the slice that they are at.
class ArrowEnds {
public:
  void add(uint32_t Slice, uint64_t Flow) { Ends.push_back({Slice, Flow}); }
  void sort() { llvm::sort(Ends); }
  void print(Message &To, unsigned Field, uint32_t Slice) const {
    for (auto At = lower_bound(Ends, std::make_pair(Slice, uint64_t(0)));
         At != Ends.end() && At->first == Slice; ++At)
      To.fixed(Field, At->second);
  }

private:
  std::vector<std::pair<uint32_t, uint64_t>> Ends;
};

/// The process of one scheduler.
class ProcessTimeline {
public:
  ProcessTimeline(const Outcome &Of, const SimulationReport &Report,
                  const std::vector<Title> &Titles, TraceWriter &Out)
      : Of(Of), Report(Report), Titles(Titles), Out(Out),
        Process(Out.newTrack()), Below(Out, Process) {}

  /// Flow is the number of the last arrow in the trace.
  void print(size_t Number, const ArrowChoice &Choice, uint64_t &Flow);

private:
  void addBlocks();
  void addLaunches();
  void addSlice(const Slice &Each);
  void addArrows(const std::vector<Arrow> &Which, uint64_t &Flow);
  void describe(size_t Number, StringRef About);
  void printEvents(Gauges &Counted);
  void printEvent(const SlicePoint &At);
  Message annotation(uint32_t Launch);
  std::string reachOf(const Arrow &Last) const;
  std::string nameOf(uint32_t Slice) const;
  bool isBlock(uint32_t Slice) const { return Slice < Report.Timeline.size(); }
  bool isCopy(const sim::BlockTimes &B) const { return B.Sm >= Of.On.Sms; }

  const Outcome &Of;
  const SimulationReport &Report;
  const std::vector<Title> &Titles;
  TraceWriter &Out;
  const uint64_t Process;
  Tracks Below;
  std::vector<Slice> Slices; ///< The blocks first, as in the report.
  SlicePoints Points;
  ArrowEnds Starts, Heads;
};

} // namespace

void ProcessTimeline::addSlice(const Slice &Each) {
  if (Each.Begin == Each.End)
    return;
  Slices.push_back(Each);
  Points.add(Each.Begin, Each.End);
}

/// On the SMs, and copies on their paths.
void ProcessTimeline::addBlocks() {
  std::map<uint32_t, Slots> Places;
  for (const sim::BlockTimes &B : Report.Timeline) {
    const uint32_t At =
        isCopy(B) ? CopyPaths + (B.Sm - Of.On.Sms) : FirstSm + B.Sm;
    addSlice({Below.of(At, Places[At].take(B.Start, B.End)), B.Start, B.End,
              B.Launch, nullptr});
  }
}

/// Each from its issue until it and all earlier ones have left.
void ProcessTimeline::addLaunches() {
  Slots Queue;
  std::vector<uint32_t> Issued(Report.Launches.size());
  std::iota(Issued.begin(), Issued.end(), 0);
  llvm::sort(Issued, [&](uint32_t A, uint32_t B) {
    return std::make_pair(Report.Launches[A].Issued, A) <
           std::make_pair(Report.Launches[B].Issued, B);
  });
  for (uint32_t I : Issued) {
    const LaunchTimes &L = Report.Launches[I];
    const uint64_t Track =
        Below.of(InFlight, Queue.take(L.Issued, L.Completed));
    addSlice({Track, L.Issued, L.Completed, I, nullptr});
    addSlice({Track, L.Issued, L.Launched, I, "launching"});
    addSlice({Track, L.Launched, L.FirstStart, I, "waiting"});
    addSlice({Track, L.FirstStart, L.LastEnd, I, "running"});
    addSlice({Track, L.LastEnd, L.Completed, I, "leaving"});
  }
}

void ProcessTimeline::addArrows(const std::vector<Arrow> &Which,
                                uint64_t &Flow) {
  for (const Arrow &Each : Which) {
    Starts.add(Each.Parent, ++Flow);
    Heads.add(Each.Child, Flow);
  }
  Starts.sort();
  Heads.sort();
}

void ProcessTimeline::describe(size_t Number, StringRef About) {
  Message Descriptor;
  Descriptor.number(trace::Uuid, Process)
      .message(trace::Process, Message()
                                   .number(trace::Pid, Number)
                                   .bytes(trace::ProcessName, Report.Scheduler))
      .number(trace::ChildOrdering, trace::Explicit);
  if (!About.empty())
    Descriptor.bytes(trace::Description, About);
  Out.describe(Descriptor);
}

std::string ProcessTimeline::reachOf(const Arrow &Last) const {
  const Title &At = Titles[Report.Timeline[Last.Child].Launch];
  return "arrows up to " + At.Key + " " + std::to_string(At.Number);
}

Message ProcessTimeline::annotation(uint32_t Launch) {
  return Message()
      .number(trace::AnnotationNameIid, Out.annotationName(Titles[Launch].Key))
      .number(trace::UintValue, Titles[Launch].Number);
}

std::string ProcessTimeline::nameOf(uint32_t Number) const {
  const Slice &S = Slices[Number];
  if (S.Phase)
    return S.Phase;
  const Title &Of = Titles[S.Launch];
  const bool IsBlock = isBlock(Number) && !isCopy(Report.Timeline[Number]);
  return IsBlock ? Of.ofBlock(Report.Timeline[Number].Block) : Of.Name;
}

void ProcessTimeline::printEvent(const SlicePoint &At) {
  const Slice &S = Slices[At.Slice];
  Message Event;
  Event.number(trace::Type, At.Begins ? trace::SliceBegin : trace::SliceEnd);
  Event.number(trace::TrackUuid, S.Track);
  if (At.Begins) {
    Event.number(trace::NameIid, Out.eventName(nameOf(At.Slice)));
    if (!S.Phase)
      Event.message(trace::DebugAnnotations, annotation(S.Launch));
    Heads.print(Event, trace::TerminatingFlowIds, At.Slice);
  } else {
    Starts.print(Event, trace::FlowIds, At.Slice);
  }
  Out.event(At.Time, Event);
}

void ProcessTimeline::printEvents(Gauges &Counted) {
  const std::vector<SlicePoint> &Order = Points.sorted();
  for (size_t I = 0; I < Order.size(); ++I) {
    const SlicePoint &At = Order[I];
    printEvent(At);
    if (isBlock(At.Slice) && !isCopy(Report.Timeline[At.Slice]))
      Counted.count(Report.Timeline[At.Slice].Sm, At.Begins);
    if (I + 1 == Order.size() || Order[I + 1].Time > At.Time)
      Counted.print(At.Time);
  }
}

void ProcessTimeline::print(size_t Number, const ArrowChoice &Choice,
                            uint64_t &Flow) {
  const std::vector<Arrow> Arrows = arrowsOf(Of.Work, Report.Timeline, Choice);
  const bool IsCut = !Arrows.empty() && Arrows.size() == Choice.Most;
  addBlocks();
  addLaunches();
  addArrows(Arrows, Flow);
  Out.beginSequence();
  describe(Number, IsCut ? reachOf(Arrows.back()) : "");
  Gauges Counted(Report, Of.On.Sms, Below, Out);
  Below.describe(placeName);
  printEvents(Counted);
}

void printTimeline(const Outcome &Of, const ArrowChoice &Arrows,
                   raw_ostream &Out) {
  const std::vector<Title> Titles = titlesOf(Of);
  TraceWriter Trace(Out);
  uint64_t Flow = 0;
  for (size_t I = 0; I < Of.Reports.size(); ++I)
    ProcessTimeline(Of, Of.Reports[I], Titles, Trace)
        .print(I + 1, Arrows, Flow);
}

} // namespace blockmaestro
