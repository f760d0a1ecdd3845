// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Simulator.h"

#include "Dependencies.h"
#include "EventQueue.h"
#include "Host.h"
#include "LaunchWindow.h"
#include "Reorder.h"
#include "RunningBlocks.h"
#include "Sms.h"
#include "Statistics.h"

#include <algorithm>
#include <cassert>
#include <tuple>
#include <utility>

namespace blockmaestro::sim {

namespace {

class Simulation {
public:
  Simulation(const Workload &What, const Machine &On, const Scheduler &By,
             const SimulationOptions &Options)
      : What(What), On(On), By(By), Options(Options),
        Costs(launchCosts(By, On)), Asker(What, Costs), Window(What, On, By),
        Units(On), BuffersStall(On.FullBuffersStall && !By.BoundsUpdates),
        State(What, On, By, Window), Running(What, On, Events), Stalls(What) {
    Report.Scheduler = By.Name;
    Report.KernelsInFlight = Window.mostInFlight();
    Report.Launches.resize(What.Launches.size());
  }

  SimulationReport run();

private:
  void happen(const SimEvent &Which);
  bool mayIssue() const;
  void issueLaunches();
  void waitForHost();
  void issue();
  void launch(uint32_t Launch);
  void placeCopies();
  void placeBlocks();
  uint32_t preferred(uint32_t Number) const;
  void placeReady();
  /// What became of a launch's next ready block.
  enum class Placing : uint8_t { NoneReady, Placed, Held, NoRoom };
  Placing placeReadyOf(uint32_t Launch, bool One);
  Placing placeNext(uint32_t Launch);
  bool isHeld(uint32_t Launch);
  bool forceFirst();
  void place(uint32_t Launch, uint32_t Sm);
  void placeCopy(uint32_t Launch, uint32_t Block);
  void begin(uint32_t Launch, uint32_t Block, uint32_t Sm, uint64_t Start);
  void endBlock(const RunningBlock &Which);
  void freePlace(const RunningBlock &Which, uint64_t Start);
  void leave(uint32_t Launch);
  void complete(uint32_t Launch);
  void noteRequests();
  void finishReport();

  const Workload &What;
  const Machine &On;
  const Scheduler &By;
  const SimulationOptions &Options;
  const LaunchCosts Costs;
  Host Asker;
  uint32_t Expected = ~uint32_t(0); ///< The launch that the host asks for next.
  LaunchWindow Window;
  Sms Units;
  const bool BuffersStall;
  uint64_t CopyFree[CopyQueues] = {}; ///< When each queue has no copy.
  EventQueue Events;
  Dependencies State;
  RunningBlocks Running;
  StallCollector Stalls;
  SimulationReport Report;
  /// Something happened since that lets launches be issued.
  bool LaunchesMoved = false;
  double BlockNs = 0; ///< Of all blocks that have ended.
  uint64_t Now = 0;
};

} // namespace

SimulationReport Simulation::run() {
  issueLaunches();
  while (Events.advance(Now)) {
    for (SimEvent Which; Events.take(Which);) {
      happen(Which);
      if (LaunchesMoved)
        issueLaunches();
    }
    placeCopies();
    placeBlocks();
    if (Options.Timeline)
      noteRequests();
  }
  assert(Window.first() == What.Launches.size() && "a launch waits for itself");
  finishReport();
  return std::move(Report);
}

void Simulation::noteRequests() {
  const uint64_t Count = State.traffic().requests();
  const uint64_t Known =
      Report.Requests.empty() ? 0 : Report.Requests.back().Count;
  if (Count != Known)
    Report.Requests.push_back({Now, Count});
}

void Simulation::happen(const SimEvent &Which) {
  LaunchesMoved |= Which.kind() <= SimEvent::What::LaunchLeaves;
  switch (Which.kind()) {
  case SimEvent::What::HostAsks:
    break;
  case SimEvent::What::CheckEnds:
    issue();
    break;
  case SimEvent::What::LaunchEnds:
    Window.endLaunch();
    Report.Launches[Which.launch()].Launched = Now;
    State.openGate(Which.launch());
    break;
  case SimEvent::What::LaunchLeaves:
    leave(Which.launch());
    break;
  case SimEvent::What::BlockBegins:
  case SimEvent::What::TimePasses:
  case SimEvent::What::RateWakes:
    Running.happen(Which, Now,
                   [&](const RunningBlock &Ended) { endBlock(Ended); });
    break;
  }
}

bool Simulation::mayIssue() const {
  return Window.mayIssue() && Asker.asked(Window.next()) <= Now;
}

/// Checks or issues what may be, and launches what is ready to be.
void Simulation::issueLaunches() {
  LaunchesMoved = false;
  while (mayIssue()) {
    if (Costs.Check == 0) {
      issue();
      continue;
    }
    Window.beginCheck();
    Events.push(Now + Costs.Check, {SimEvent::What::CheckEnds, Window.next()});
  }
  waitForHost();
  for (uint32_t Launch = 0; Window.takeReady(Launch);)
    launch(Launch);
}

/// Where nothing keeps the next launch but that it has not been asked for.
void Simulation::waitForHost() {
  if (!Window.mayIssue() || Expected == Window.next() ||
      Asker.asked(Window.next()) == Host::NotKnown)
    return;
  Expected = Window.next();
  Events.push(Asker.asked(Expected), {SimEvent::What::HostAsks, Expected});
}

void Simulation::issue() {
  const uint32_t Launch = Window.issue();
  State.issue(Launch);
  Report.Launches[Launch].Issued = Now;
  Report.Launches[Launch].FirstStart = ~uint64_t(0);
  if (!Window.launchesWhenReady())
    launch(Launch);
  else if (State[Launch].Gates == 1)
    Window.ready(Launch);
}

void Simulation::launch(uint32_t Launch) {
  const bool Submitted = What.Launches[Launch].takesTime();
  const uint64_t Overhead = Submitted ? Costs.Overhead : 0;
  Window.beginLaunch();
  Events.push(Now + Overhead, {SimEvent::What::LaunchEnds, Launch});
}

/// Copies that are ready begin, or wait for their path, in the order issued.
void Simulation::placeCopies() {
  for (uint32_t Launch = Window.first(); Launch < Window.next(); ++Launch) {
    LaunchState &S = State[Launch];
    if (What.Launches[Launch].IsCopy && S.hasReady())
      placeCopy(Launch, S.Ready[S.NextReady++]);
  }
}

/// Where nothing runs that could make room in the buffers, and nothing has
/// room, one block starts without, so that there is always progress.
void Simulation::placeBlocks() {
  placeReady();
  if (BuffersStall && Units.areIdle() && forceFirst())
    placeReady();
}

/// Of the launches in flight, in the order in which their blocks are placed.
uint32_t Simulation::preferred(uint32_t Number) const {
  return By.First == Priority::Producer ? Window.first() + Number
                                        : Window.next() - 1 - Number;
}

/// Places ready blocks, each time the first of the preferred launch that has
/// one. One that finds no SM holds back all after it, so that nothing starves;
/// one that finds no room in the buffers lets other launches pass, which may
/// make some.
void Simulation::placeReady() {
  const uint32_t InFlight = Window.next() - Window.first();
  bool IsHeld = false; // One of a launch before I.
  for (uint32_t I = 0; I < InFlight;) {
    const Placing Done = placeReadyOf(preferred(I), /*One=*/IsHeld);
    if (Done == Placing::NoRoom)
      return;
    I = Done == Placing::Placed ? 0 : I + 1;
    IsHeld = I > 0 && (IsHeld || Done == Placing::Held);
  }
}

/// All of the launch, or one.
Simulation::Placing Simulation::placeReadyOf(uint32_t Launch, bool One) {
  const LaunchState &S = State[Launch];
  while (S.hasReady()) {
    const Placing Done = placeNext(Launch);
    if (Done != Placing::Placed || One)
      return Done;
  }
  return Placing::NoneReady;
}

Simulation::Placing Simulation::placeNext(uint32_t Launch) {
  if (!State.hasUpdateRoom(Launch))
    return Placing::NoRoom;
  if (BuffersStall && isHeld(Launch))
    return Placing::Held;
  const uint32_t Sm = Units.take(What.Launches[Launch]);
  if (Sm == Sms::None)
    return Placing::NoRoom;
  place(Launch, Sm);
  return Placing::Placed;
}

/// Whether the next ready block waits for room in the buffers.
bool Simulation::isHeld(uint32_t Launch) {
  LaunchState &S = State[Launch];
  const uint32_t Block = S.Ready[S.NextReady];
  if (State.hasBufferRoom(Launch, Block))
    return false;
  Report.Buffers.Held += std::exchange(S.LastHeld, Block) != Block;
  return true;
}

/// The first ready block starts, though the buffers have no room; false where
/// none is ready.
bool Simulation::forceFirst() {
  const uint32_t InFlight = Window.next() - Window.first();
  for (uint32_t I = 0; I < InFlight; ++I)
    if (const uint32_t Launch = preferred(I); State[Launch].hasReady()) {
      ++Report.Buffers.Forced;
      place(Launch, Units.take(What.Launches[Launch]));
      return true;
    }
  return false;
}

void Simulation::place(uint32_t Launch, uint32_t Sm) {
  LaunchState &S = State[Launch];
  begin(Launch, S.Ready[S.NextReady++], Sm,
        Units.startOn(Sm, What.Launches[Launch], Now));
}

/// Copies to the device follow each other, and so do those to the host.
void Simulation::placeCopy(uint32_t Launch, uint32_t Block) {
  const WorkLaunch &L = What.Launches[Launch];
  uint64_t Start = Now;
  if (L.queues()) {
    uint64_t &Free = CopyFree[size_t(L.Path)];
    Start = std::max(Now, Free);
    Free = Start + L.DurationNs[0];
  }
  begin(Launch, Block, Sms::None, Start);
}

void Simulation::begin(uint32_t Launch, uint32_t Block, uint32_t Sm,
                       uint64_t Start) {
  State[Launch].Start[Block] = Start;
  LaunchTimes &Times = Report.Launches[Launch];
  Times.FirstStart = std::min(Times.FirstStart, Start);
  const uint32_t Entries = State.start(Launch, Block);
  Running.begin({Launch, Block, Sm, Entries, Window.next()}, Start);
}

void Simulation::endBlock(const RunningBlock &Which) {
  LaunchState &S = State[Which.Launch];
  freePlace(Which, S.Start[Which.Block]);
  S.End[Which.Block] = Now;
  S.Done[Which.Block] = 1;
  State.end(Which);
  if (--S.Left > 0)
    return;
  Report.Launches[Which.Launch].LastEnd = Now;
  if (Costs.Leaving == 0)
    leave(Which.Launch);
  else
    Events.push(Now + Costs.Leaving,
                {SimEvent::What::LaunchLeaves, Which.Launch});
}

/// The block leaves its place.
void Simulation::freePlace(const RunningBlock &Which, uint64_t Start) {
  const WorkLaunch &L = What.Launches[Which.Launch];
  if (!L.IsCopy) {
    Units.give(Which.Sm, L, Now);
    ++Report.Blocks;
    BlockNs += double(Now - Start);
  }
  const uint32_t Row = L.IsCopy ? On.Sms + uint32_t(L.Path) : Which.Sm;
  const BlockTimes Times = {Which.Launch, Which.Block, Row, Start, Now};
  if (Options.Timeline)
    Report.Timeline.push_back(Times);
  if (Options.Ran)
    Options.Ran(Times);
}

void Simulation::leave(uint32_t Launch) {
  LaunchesMoved = true;
  Window.leave(Launch);
  if (Window.leavesInAnyOrder())
    State.openConsumers(Launch);
  for (uint32_t Next = 0; Window.complete(Next);)
    complete(Next);
  Asker.completed(Window.first(), Now);
}

/// In order: every earlier launch has completed.
void Simulation::complete(uint32_t Launch) {
  Report.Launches[Launch].Completed = Now;
  Stalls.completed(Launch, State[Launch].Start, State[Launch].End, Now);
  State.complete(Launch);
}

void Simulation::finishReport() {
  Report.Stall = Stalls.distribution();
  Report.Traffic = State.traffic();
  Report.Decoded = State.decodedLists();
  Report.KernelLevelRelations = State.kernelLevelRelations();
  for (size_t I = 0; I < Report.Launches.size(); ++I)
    if (What.Launches[I].takesTime())
      Report.MakespanNs =
          std::max(Report.MakespanNs, Report.Launches[I].LastEnd);
  if (Report.MakespanNs == 0)
    return;
  Report.Concurrency = BlockNs / double(Report.MakespanNs);
  Report.SmUtilisation =
      double(Units.busyNs()) / (double(On.Sms) * double(Report.MakespanNs));
}

static void sortTimeline(std::vector<BlockTimes> &Timeline) {
  std::sort(Timeline.begin(), Timeline.end(),
            [](const BlockTimes &A, const BlockTimes &B) {
              return std::tie(A.Start, A.Launch, A.Block) <
                     std::tie(B.Start, B.Launch, B.Block);
            });
}

/// Those who are told of blocks know their launches as they were issued.
static SimulationOptions inIssueOrder(const SimulationOptions &Options,
                                      const std::vector<uint32_t> &Issued) {
  SimulationOptions Out = Options;
  if (Options.Ran)
    Out.Ran = [&](BlockTimes Each) {
      Each.Launch = Issued[Each.Launch];
      Options.Ran(Each);
    };
  return Out;
}

SimulationReport simulate(const Workload &What, const Machine &On,
                          const Scheduler &By,
                          const SimulationOptions &Options) {
  SimulationReport Report;
  if (By.Reorders) {
    const Reordered Work = reorder(What);
    const SimulationOptions Told = inIssueOrder(Options, Work.Issued);
    Report = Simulation(Work.Queue, On, By, Told).run();
    restoreOrder(Work.Issued, Report);
  } else {
    Report = Simulation(What, On, By, Options).run();
  }
  sortTimeline(Report.Timeline);
  return Report;
}

} // namespace blockmaestro::sim
