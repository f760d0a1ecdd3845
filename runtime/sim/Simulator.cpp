// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Simulator.h"

#include "EventQueue.h"
#include "Host.h"
#include "LaunchWindow.h"
#include "Reorder.h"
#include "SharedRate.h"
#include "Sms.h"
#include "Statistics.h"
#include "Traffic.h"

#include <algorithm>
#include <cassert>
#include <tuple>

namespace blockmaestro::sim {

namespace {

/// A block, or copy, from its place to its end.
struct RunningBlock {
  uint32_t Launch;
  uint32_t Block;
  uint32_t Sm;
  uint32_t ListEntries; ///< Held in the list buffer until the block ends.
  uint32_t KnownUpTo;   ///< Launches issued when the block was placed.
  uint32_t Open;        ///< Its own time, and rates, that it still needs.
};

/// One launch from its issue to its completion; the starts live on for the
/// stalls of its consumers.
struct InFlight {
  std::vector<uint16_t> Pending; ///< Parents that have not ended, per block.
  /// Whether some parents of a block have ended, and others not.
  std::vector<uint8_t> Updated;
  std::vector<uint8_t> Done;
  std::vector<uint64_t> Start, End;
  std::vector<uint32_t> Ready; ///< In the order they became ready.
  size_t NextReady = 0;
  uint32_t Left = 0;
  uint32_t Gates = 0;   ///< Its overhead and the launches it waits for whole.
  bool Tracked = false; ///< Some block waits by a parent counter.

  /// Whatever it has been before.
  void begin(uint32_t Blocks) {
    Pending.assign(Blocks, 0);
    Done.assign(Blocks, 0);
    Start.assign(Blocks, 0);
    End.assign(Blocks, 0);
    Ready.clear();
    Ready.reserve(Blocks);
    NextReady = 0;
    Left = Blocks;
    Gates = 1;
    Tracked = false;
  }
};

class Simulation {
public:
  Simulation(const Workload &What, const Machine &On, const Scheduler &By,
             const SimulationOptions &Options)
      : What(What), On(On), By(By), Options(Options), Asker(What),
        Window(What, On, By), Costs(launchCosts(By, On)), Units(On),
        Hardware(On, What.Launches.size()), State(What.Launches.size()),
        Rates(On.Sms + 1), Woken(On.Sms + 1, SharedRate::Never), Stalls(What) {
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
  void waitFor(InFlight &Consumer, const WorkRelation &Relation);
  void findUpdates(uint32_t Launch);
  void update(InFlight &Consumer, uint32_t Block, bool IsPartly);
  void openGate(uint32_t Launch);
  void placeCopies();
  void placeBlocks();
  bool placeReady(uint32_t Launch);
  void placeCopy(uint32_t Launch, uint32_t Block);
  void place(uint32_t Launch, uint32_t Block, uint32_t Sm);
  void begin(uint32_t Launch, uint32_t Block, uint32_t Sm, uint64_t Start);
  uint32_t newSlot(const RunningBlock &For);
  void share(const SimEvent &Which);
  void need(uint32_t Rate, double Ns, uint32_t Slot);
  void wakeFor(uint32_t Rate);
  void wake(uint32_t Rate);
  void close(uint32_t Slot);
  void endBlock(const RunningBlock &Which);
  void tellChildren(const RunningBlock &Which);
  void leave(uint32_t Launch);
  void openConsumers(uint32_t Launch);
  void complete(uint32_t Launch);
  void noteRequests();
  void finishReport();

  /// Whether the consumer waits for the whole producer.
  bool waitsWhole(const WorkRelation &R) const {
    return By.Waits == Granularity::Kernel || R.KernelLevel;
  }
  bool independent(const WorkRelation &R) const {
    return What.Expansions[R.Expanded].independent();
  }
  /// Whether blocks of the launch may start as far as updates go.
  bool hasUpdateRoom(uint32_t Launch) const {
    return !By.BoundsUpdates || Launch == Window.first() ||
           PartlyUpdated < On.PendingUpdateEntries;
  }

  /// Calls Each(relation, expansion) for what waits block by block for this
  /// launch and is in flight already; consumers below From are left out.
  template <typename Function>
  void forEachTracked(uint32_t Producer, uint32_t From, Function Each) const {
    for (uint32_t Index : What.Launches[Producer].Out) {
      const WorkRelation &R = What.Relations[Index];
      if (R.Consumer >= Window.next())
        break;
      if (R.Consumer >= From && !waitsWhole(R))
        Each(R, What.Expansions[R.Expanded]);
    }
  }

  const Workload &What;
  const Machine &On;
  const Scheduler &By;
  const SimulationOptions &Options;
  Host Asker;
  uint32_t Expected = ~uint32_t(0); ///< The launch that the host asks for next.
  LaunchWindow Window;
  const LaunchCosts Costs;
  Sms Units;
  uint64_t CopyFree[CopyQueues] = {}; ///< When each queue has no copy.
  Buffers Hardware;
  EventQueue Events;
  std::vector<InFlight> State;
  std::vector<InFlight> Spare;       ///< Of launches that have completed.
  std::vector<RunningBlock> Running; ///< Slots, used again.
  std::vector<uint32_t> FreeSlots;
  std::vector<SharedRate> Rates; ///< Of each SM, and of memory.
  std::vector<uint64_t> Woken;   ///< When each wakes.
  StallCollector Stalls;
  SimulationReport Report;
  uint32_t PartlyUpdated = 0; ///< Blocks in flight, where updates are bounded.
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
  const uint64_t Count = Hardware.traffic().requests();
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
    openGate(Which.launch());
    break;
  case SimEvent::What::LaunchLeaves:
    leave(Which.launch());
    break;
  case SimEvent::What::BlockBegins:
    share(Which);
    break;
  case SimEvent::What::TimePasses:
    close(Which.slot());
    break;
  case SimEvent::What::RateWakes:
    wake(Which.launch());
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
  const WorkLaunch &L = What.Launches[Launch];
  InFlight &S = State[Launch];
  if (!Spare.empty()) {
    S = std::move(Spare.back());
    Spare.pop_back();
  }
  S.begin(L.Blocks);
  for (uint32_t Index : L.In)
    if (!Window.isOver(What.Relations[Index].Producer))
      waitFor(S, What.Relations[Index]);
  if (S.Tracked)
    Hardware.open(Launch, L.Blocks);
  if (By.BoundsUpdates)
    findUpdates(Launch);
  Report.Launches[Launch].Issued = Now;
  Report.Launches[Launch].FirstStart = ~uint64_t(0);
  if (!Window.launchesWhenReady())
    launch(Launch);
  else if (S.Gates == 1)
    Window.ready(Launch);
}

void Simulation::launch(uint32_t Launch) {
  const bool Submitted = What.Launches[Launch].takesTime();
  const uint64_t Overhead = Submitted ? Costs.Overhead : 0;
  Window.beginLaunch();
  Events.push(Now + Overhead, {SimEvent::What::LaunchEnds, Launch});
}

/// Adds what Consumer still has to wait for because of one relation.
void Simulation::waitFor(InFlight &Consumer, const WorkRelation &Relation) {
  if (independent(Relation))
    return;
  if (waitsWhole(Relation)) {
    ++Consumer.Gates;
    ++Report.KernelLevelRelations;
    return;
  }
  Consumer.Tracked = true;
  const Expansion &E = What.Expansions[Relation.Expanded];
  const std::vector<uint8_t> &Done = State[Relation.Producer].Done;
  for (uint32_t Child = 0; Child < Consumer.Pending.size(); ++Child)
    Consumer.Pending[Child] += E.Parents[Child];
  for (uint32_t Parent = 0; Parent < Done.size(); ++Parent)
    if (Done[Parent])
      for (const uint32_t *C = E.begin(Parent); C != E.end(Parent); ++C)
        --Consumer.Pending[*C];
}

/// Of a launch that is issued: parents that have ended before.
void Simulation::findUpdates(uint32_t Launch) {
  InFlight &S = State[Launch];
  std::vector<uint32_t> Parents(S.Pending.size(), 0);
  for (uint32_t Index : What.Launches[Launch].In) {
    const WorkRelation &R = What.Relations[Index];
    if (independent(R) || waitsWhole(R))
      continue;
    const Expansion &E = What.Expansions[R.Expanded];
    for (size_t Child = 0; Child < Parents.size(); ++Child)
      Parents[Child] += E.Parents[Child];
  }
  S.Updated.assign(S.Pending.size(), 0);
  for (uint32_t Child = 0; Child < Parents.size(); ++Child)
    update(S, Child, S.Pending[Child] > 0 && S.Pending[Child] < Parents[Child]);
}

void Simulation::update(InFlight &Consumer, uint32_t Block, bool IsPartly) {
  PartlyUpdated += uint32_t(IsPartly) - Consumer.Updated[Block];
  Consumer.Updated[Block] = IsPartly;
}

void Simulation::openGate(uint32_t Launch) {
  InFlight &S = State[Launch];
  if (--S.Gates == 1 && Window.launchesWhenReady())
    Window.ready(Launch);
  if (S.Gates > 0)
    return;
  for (uint32_t Block = 0; Block < S.Pending.size(); ++Block)
    if (S.Pending[Block] == 0)
      S.Ready.push_back(Block);
}

/// Copies that are ready begin, or wait for their path, in the order issued.
void Simulation::placeCopies() {
  for (uint32_t Launch = Window.first(); Launch < Window.next(); ++Launch) {
    InFlight &S = State[Launch];
    if (What.Launches[Launch].IsCopy && S.NextReady < S.Ready.size())
      placeCopy(Launch, S.Ready[S.NextReady++]);
  }
}

/// Places ready blocks, the preferred launch's first. One that does not fit
/// holds back all after it, so that nothing starves.
void Simulation::placeBlocks() {
  const uint32_t First = Window.first(), Next = Window.next();
  for (uint32_t I = 0; I < Next - First; ++I)
    if (!placeReady(By.First == Priority::Producer ? First + I : Next - 1 - I))
      return;
}

/// False when a block found no room, or its updates have none.
bool Simulation::placeReady(uint32_t Launch) {
  InFlight &S = State[Launch];
  while (S.NextReady < S.Ready.size()) {
    if (!hasUpdateRoom(Launch))
      return false;
    uint32_t Sm = Units.take(What.Launches[Launch]);
    if (Sm == Sms::None)
      return false;
    place(Launch, S.Ready[S.NextReady++], Sm);
  }
  return true;
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

void Simulation::place(uint32_t Launch, uint32_t Block, uint32_t Sm) {
  begin(Launch, Block, Sm, Units.startOn(Sm, Now));
}

void Simulation::begin(uint32_t Launch, uint32_t Block, uint32_t Sm,
                       uint64_t Start) {
  InFlight &S = State[Launch];
  const WorkLaunch &L = What.Launches[Launch];
  S.Start[Block] = Start;
  LaunchTimes &Times = Report.Launches[Launch];
  Times.FirstStart = std::min(Times.FirstStart, Start);
  if (S.Tracked)
    Hardware.drop(Launch, Block);
  uint32_t Entries = 0;
  forEachTracked(Launch, 0, [&](const WorkRelation &R, const Expansion &E) {
    Entries += Hardware.fetchList(uint64_t(E.end(Block) - E.begin(Block)));
    for (const uint32_t *C = E.begin(Block); C != E.end(Block); ++C)
      Hardware.touch(R.Consumer, *C);
  });
  const uint32_t Slot =
      newSlot({Launch, Block, Sm, Entries, Window.next(), /*Open=*/1});
  Events.push(Start + L.DurationNs[Block],
              {SimEvent::What::TimePasses, Launch, Block, Slot});
  if (L.IssueNs.empty())
    return;
  ++Running[Slot].Open;
  Events.push(Start, {SimEvent::What::BlockBegins, Launch, Block, Slot});
}

/// The block has started: it takes part in what is shared.
void Simulation::share(const SimEvent &Which) {
  const WorkLaunch &L = What.Launches[Which.launch()];
  need(Running[Which.slot()].Sm, L.IssueNs[Which.block()], Which.slot());
  need(On.Sms, L.MemoryNs[Which.block()], Which.slot());
  close(Which.slot());
}

uint32_t Simulation::newSlot(const RunningBlock &For) {
  if (FreeSlots.empty()) {
    Running.push_back(For);
    return uint32_t(Running.size() - 1);
  }
  const uint32_t Slot = FreeSlots.back();
  FreeSlots.pop_back();
  Running[Slot] = For;
  return Slot;
}

/// The block also needs so much of a rate.
void Simulation::need(uint32_t Rate, double Ns, uint32_t Slot) {
  if (Ns <= 0)
    return;
  ++Running[Slot].Open;
  Rates[Rate].join(Now, Ns, Slot);
  wakeFor(Rate);
}

/// Where others come meanwhile it is too early, and wakes once more.
void Simulation::wakeFor(uint32_t Rate) {
  const uint64_t Next = Rates[Rate].next();
  if (Next >= Woken[Rate])
    return;
  Woken[Rate] = Next;
  Events.push(Next, {SimEvent::What::RateWakes, Rate});
}

void Simulation::wake(uint32_t Rate) {
  if (Woken[Rate] != Now)
    return;
  Woken[Rate] = SharedRate::Never;
  for (uint32_t Slot = 0; Rates[Rate].leave(Now, Slot);)
    close(Slot);
  wakeFor(Rate);
}

/// The block has one more of what it needs.
void Simulation::close(uint32_t Slot) {
  if (--Running[Slot].Open > 0)
    return;
  const RunningBlock Ended = Running[Slot];
  FreeSlots.push_back(Slot);
  endBlock(Ended);
}

void Simulation::endBlock(const RunningBlock &Which) {
  InFlight &S = State[Which.Launch];
  const WorkLaunch &L = What.Launches[Which.Launch];
  const uint64_t Start = S.Start[Which.Block];
  if (!L.IsCopy) {
    Units.give(Which.Sm, L, Now);
    ++Report.Blocks;
    BlockNs += double(Now - Start);
  }
  if (Options.Timeline) {
    const uint32_t Row = L.IsCopy ? On.Sms + uint32_t(L.Path) : Which.Sm;
    Report.Timeline.push_back({Which.Launch, Which.Block, Row, Start, Now});
  }
  S.End[Which.Block] = Now;
  S.Done[Which.Block] = 1;
  tellChildren(Which);
  if (--S.Left > 0)
    return;
  Report.Launches[Which.Launch].LastEnd = Now;
  if (Costs.Leaving == 0)
    leave(Which.Launch);
  else
    Events.push(Now + Costs.Leaving,
                {SimEvent::What::LaunchLeaves, Which.Launch});
}

/// Counts down the counters of a block's children. Lists of consumers issued
/// since the block was placed are fetched only now.
void Simulation::tellChildren(const RunningBlock &Which) {
  forEachTracked(Which.Launch, Which.KnownUpTo,
                 [&](const WorkRelation &, const Expansion &E) {
                   Hardware.releaseList(Hardware.fetchList(
                       uint64_t(E.end(Which.Block) - E.begin(Which.Block))));
                 });
  forEachTracked(Which.Launch, 0,
                 [&](const WorkRelation &R, const Expansion &E) {
                   InFlight &Consumer = State[R.Consumer];
                   for (const uint32_t *C = E.begin(Which.Block);
                        C != E.end(Which.Block); ++C) {
                     Hardware.touch(R.Consumer, *C);
                     if (--Consumer.Pending[*C] == 0 && Consumer.Gates == 0)
                       Consumer.Ready.push_back(*C);
                     if (By.BoundsUpdates)
                       update(Consumer, *C, Consumer.Pending[*C] > 0);
                   }
                 });
  Hardware.releaseList(Which.ListEntries);
}

void Simulation::leave(uint32_t Launch) {
  LaunchesMoved = true;
  Window.leave(Launch);
  if (Window.leavesInAnyOrder())
    openConsumers(Launch);
  for (uint32_t Next = 0; Window.complete(Next);)
    complete(Next);
  Asker.completed(Window.first(), Now);
}

/// Nothing waits for the whole launch any more.
void Simulation::openConsumers(uint32_t Launch) {
  for (uint32_t Index : What.Launches[Launch].Out) {
    const WorkRelation &R = What.Relations[Index];
    if (R.Consumer >= Window.next())
      break;
    if (waitsWhole(R) && !independent(R))
      openGate(R.Consumer);
  }
}

/// In order: every earlier launch has completed.
void Simulation::complete(uint32_t Launch) {
  Report.Launches[Launch].Completed = Now;
  Stalls.completed(Launch, State[Launch].Start, State[Launch].End, Now);
  if (!Window.leavesInAnyOrder())
    openConsumers(Launch);
  Hardware.close(Launch);
  Spare.push_back(std::move(State[Launch]));
}

void Simulation::finishReport() {
  Report.Stall = Stalls.distribution();
  Report.Traffic = Hardware.traffic();
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

SimulationReport simulate(const Workload &What, const Machine &On,
                          const Scheduler &By,
                          const SimulationOptions &Options) {
  SimulationReport Report;
  if (By.Reorders) {
    const Reordered Work = reorder(What);
    Report = Simulation(Work.Queue, On, By, Options).run();
    restoreOrder(Work.Issued, Report);
  } else {
    Report = Simulation(What, On, By, Options).run();
  }
  sortTimeline(Report.Timeline);
  return Report;
}

} // namespace blockmaestro::sim
