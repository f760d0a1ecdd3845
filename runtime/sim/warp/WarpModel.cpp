// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WarpModel.h"

#include "Needs.h"

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <queue>

namespace blockmaestro::sim {
namespace {

/// How far an application is.
struct Progress {
  const Application *Of = nullptr;
  size_t Launches = 0;      ///< Up to the last that has begun.
  uint64_t NextBlock = 0;   ///< Blocks of the launch that SMs have got.
  uint64_t Outstanding = 0; ///< Blocks that SMs have.
  uint64_t EndsAt = Sm::Never;
  uint64_t LastBlockEnd = 0;
  WarpCounts Before; ///< What had happened when the launch began.
  ApplicationReport Report;

  size_t index() const { return Launches - 1; }
  const RecordedLaunch &launch() const { return Of->Of->Launches[index()]; }
  const LaunchTraces &traces() const { return Of->Traces[index()]; }
};

class WarpModel {
public:
  WarpModel(std::span<const Application> Of, const Machine &On, BlockPolicy &By,
            const RunOptions &How);

  RunReport run();

private:
  static constexpr uint32_t Nobody = ~0u;

  BlockStart nextBlockOf(uint32_t A, bool Bypasses, uint32_t Which);
  uint64_t laterOn(uint32_t Which) const;
  void startLaunch(uint32_t A, uint64_t Now);
  void beginLaunch(uint32_t A, uint64_t Now);
  std::vector<uint32_t> beginOverlapping(const std::vector<uint32_t> &Over,
                                         uint64_t Now);
  void noteReady();
  bool hasEarlier(uint32_t A) const;
  void endLaunch(uint32_t A, uint64_t Now);
  void endLaunches(uint64_t Now);
  void give(uint32_t A, uint32_t Which, uint64_t At);
  bool giveNext(uint32_t Which, uint64_t At);
  void fillAll(uint64_t At, bool Starts = false);
  void fill(uint32_t Which, uint64_t At);
  void fillEmptiest(uint64_t At, bool Starts = false);
  uint64_t warpsOn(uint32_t Which) const;
  void freed(uint32_t Which, uint32_t Place, uint64_t Now);
  void runSm(uint32_t Which);
  void come(const Moment &Then);
  uint64_t sharedBytes() const;
  bool areSeveral() const;
  bool isCut(uint32_t A) const;
  WarpCounts counts(uint32_t A) const;
  SmSample sample(uint32_t Which);
  RunReport report() const;
  ApplicationReport reportOverlapping() const;

  const Machine &On;
  BlockPolicy &By;
  const uint64_t Instructions;
  const std::atomic<uint64_t> *const GivenUpAfter;
  Overlap *const Between;
  const uint32_t Count;      ///< Applications, or launches in flight.
  const uint64_t Gap;        ///< Between block starts on an SM.
  const uint64_t Spread;     ///< From the first SM to the last one.
  const uint64_t Turnaround; ///< From the end of a block to the next.
  Memory Behind;
  std::vector<Sm> Sms;
  std::vector<Progress> Apps;
  std::map<const WarpCode *, std::unique_ptr<Program>> Programs;
  RunState State;
  std::vector<std::vector<bool>> Placed; ///< Of each SM's places.

  std::priority_queue<Moment, std::vector<Moment>, std::greater<>> Order;
  std::vector<uint64_t> Wanted; ///< When each SM is to go on.
  Moment Until;                 ///< How far the one that runs may go.
  uint32_t Current = Nobody;
  uint64_t Now = 0;
  uint64_t Early = 0; ///< Blocks beside those of an earlier launch.
};

WarpModel::WarpModel(std::span<const Application> Of, const Machine &On,
                     BlockPolicy &By, const RunOptions &How)
    : On(On), By(By), Instructions(How.Instructions),
      GivenUpAfter(How.GivenUpAfter), Between(How.Between),
      Count(Between ? Between->slots() : uint32_t(Of.size())),
      Gap(ceilDiv(On.BlockIssueNs * On.ClockMHz, 1000)),
      Spread(ceilDiv(uint64_t(On.Warps.SmStartNs) * On.ClockMHz, 1000)),
      Turnaround(std::max<uint64_t>(
          1, ceilDiv(On.BlockTurnaroundNs * On.ClockMHz, 1000))),
      Behind(On, Count, Between != nullptr), Apps(Count),
      Placed(On.Sms, std::vector<bool>(On.BlocksPerSm)),
      Wanted(On.Sms, Sm::Never) {
  for (size_t I = 0; I < Count; ++I)
    Apps[I].Of = &Of[Between ? 0 : I];
  State.On = &On;
  State.Applications.resize(Count);
  State.Sms.resize(On.Sms);
  State.Sample = [this](uint32_t Which) { return sample(Which); };
  Sms.reserve(On.Sms);
  for (uint32_t I = 0; I < On.Sms; ++I) {
    State.Sms[I].Of.resize(Count);
    Sm &Next = Sms.emplace_back(On, How.WarpsBy, I, Behind);
    Next.Ends = How.Ends;
    Next.Freed = [this, I](uint32_t Place, uint64_t Time) {
      freed(I, Place, Time);
    };
  }
}

/// How much later than on the first SM a launch starts on another one.
uint64_t WarpModel::laterOn(uint32_t Which) const {
  return Which * Spread / Sms.size();
}

BlockStart WarpModel::nextBlockOf(uint32_t A, bool Bypasses, uint32_t Which) {
  Progress &P = Apps[A];
  auto Work = std::make_shared<std::vector<WarpWork>>();
  const uint64_t Block = Between ? Between->take(P.index()) : P.NextBlock;
  ++P.NextBlock;
  const BlockTrace &Trace = P.traces().workOf(Block, *Work);
  std::unique_ptr<Program> &Code = Programs[Trace.Code.get()];
  if (!Code)
    Code = std::make_unique<Program>(Trace.Code, On);
  BlockStart Out;
  Out.Block = Block;
  Out.Application = A;
  Out.Bypasses = Bypasses;
  Out.Arguments =
      State.Applications[A].Since + laterOn(Which) + On.Cycles.Arguments;
  for (const WarpWork &Each : *Work)
    Out.Warps.push_back(
        {Code.get(), &Code->route(Each.Path->Route), &Each.sectors()});
  Out.Keeps = std::move(Work);
  return Out;
}

/// Of L1, what blocks of the launches that run may take at most.
uint64_t WarpModel::sharedBytes() const {
  uint64_t Out = 0;
  for (const ApplicationState &Each : State.Applications)
    if (Each.Launch)
      Out += Each.Launch->SharedBytes * blocksPerSm(*Each.Launch, On);
  return std::min<uint64_t>(Out, On.SharedBytesPerSm);
}

bool WarpModel::areSeveral() const {
  return std::count_if(State.Applications.begin(), State.Applications.end(),
                       [](const auto &A) { return !A.hasEnded(); }) > 1;
}

/// Whether an application has issued all that it is to.
bool WarpModel::isCut(uint32_t A) const {
  if (Instructions == 0)
    return false;
  uint64_t Issued = 0;
  for (const Sm &Each : Sms)
    Issued += Each.counts(A).Instructions;
  return Issued >= Instructions;
}

/// The launch of an application that has its turn begins.
void WarpModel::startLaunch(uint32_t A, uint64_t Time) {
  Progress &P = Apps[A];
  P.NextBlock = 0;
  const RecordedLaunch &Next = P.launch();
  const uint64_t Blocks = Next.Grid.count();
  State.Applications[A] = {&Next, blockSizeOf(Next, On), Time, Blocks, Blocks};
  for (Sm &Each : Sms)
    Each.settle(Time);
  P.Before = counts(A);
}

/// The next launch of an application, or its end.
void WarpModel::beginLaunch(uint32_t A, uint64_t Time) {
  Progress &P = Apps[A];
  ApplicationState &S = State.Applications[A];
  if (P.Launches == P.Of->Of->Launches.size() || isCut(A)) {
    S = {};
    P.Report.All.Cycles = Time;
    return;
  }
  ++P.Launches;
  startLaunch(A, Time);
}

/// Of launches that overlap, those that may begin when some are over.
std::vector<uint32_t>
WarpModel::beginOverlapping(const std::vector<uint32_t> &Over, uint64_t Time) {
  for (uint32_t A : Over) {
    State.Applications[A] = {};
    if (Apps[A].Launches > 0)
      Between->ended(Apps[A].index());
  }
  std::vector<uint32_t> Begun;
  while (const std::optional<size_t> Next = Between->next()) {
    const uint32_t A = Between->slotOf(*Next);
    Between->begin();
    Apps[A].Launches = *Next + 1;
    startLaunch(A, Time);
    Begun.push_back(A);
  }
  noteReady();
  return Begun;
}

void WarpModel::noteReady() {
  for (uint32_t A = 0; A < Count; ++A)
    if (State.Applications[A].Launch)
      State.Applications[A].Ready = Between->ready(Apps[A].index());
}

/// Whether blocks of an earlier launch than that of A have not ended.
bool WarpModel::hasEarlier(uint32_t A) const {
  for (uint32_t B = 0; B < Count; ++B)
    if (Apps[B].Launches < Apps[A].Launches &&
        State.Applications[B].Left + Apps[B].Outstanding > 0)
      return true;
  return false;
}

void WarpModel::endLaunch(uint32_t A, uint64_t Time) {
  Progress &P = Apps[A];
  for (Sm &Each : Sms)
    Each.finish(A, Time);
  WarpCounts Out = counts(A) - P.Before;
  P.EndsAt = Sm::Never;
  Out.Cycles = Time - State.Applications[A].Since;
  Out.BlockCycles = P.LastBlockEnd - State.Applications[A].Since;
  Out.Blocks = P.NextBlock;
  Out.Traced = std::min<uint64_t>(P.traces().traced(), P.NextBlock);
  P.Report.Launches.push_back(Out);
  P.Report.All += Out;
}

/// Of all applications whose launch ends now the next one begins; all of them
/// begin at first.
void WarpModel::endLaunches(uint64_t Time) {
  Now = Time;
  std::vector<uint32_t> Changed;
  for (uint32_t A = 0; A < Count; ++A) {
    if (Apps[A].Launches > 0 && Apps[A].EndsAt != Time)
      continue;
    if (Apps[A].Launches > 0)
      endLaunch(A, Time);
    Changed.push_back(A);
  }
  if (Between)
    Changed = beginOverlapping(Changed, Time);
  else
    for (uint32_t A : Changed)
      beginLaunch(A, Time);
  const uint64_t Shared = sharedBytes();
  for (uint32_t A : Changed)
    if (State.Applications[A].Launch)
      for (Sm &Each : Sms)
        Each.start(A, Shared, Time);
  By.launchesChanged(State);
  if (Between && areSeveral())
    fillEmptiest(Time, true);
  else
    fillAll(Time, true);
}

/// Something is to happen, perhaps before that to which the current SM runs.
void WarpModel::come(const Moment &Then) {
  Order.push(Then);
  Until = std::min(Until, Then);
}

void WarpModel::give(uint32_t A, uint32_t Which, uint64_t At) {
  ApplicationState &S = State.Applications[A];
  SmState &On = State.Sms[Which];
  std::vector<bool> &Taken = Placed[Which];
  const auto Place =
      uint32_t(std::find(Taken.begin(), Taken.end(), false) - Taken.begin());
  const bool Bypasses = By.bypasses(State, A, Which);
  Taken[Place] = true;
  --S.Left;
  --S.Ready;
  Early += Between && hasEarlier(A);
  ++Apps[A].Outstanding;
  On.Taken.add(S.Block);
  ++On.Of[A].Blocks;
  On.Of[A].Bypassing += Bypasses;
  Sms[Which].give(nextBlockOf(A, Bypasses, Which), Place, At);
  By.blockGiven(State, {Which, Place, A});
  if (Which != Current && At < Wanted[Which]) {
    Wanted[Which] = At;
    come({At, Moment::of(Which)});
  }
}

bool WarpModel::giveNext(uint32_t Which, uint64_t At) {
  const std::optional<uint32_t> A = By.next(State, Which);
  if (A)
    give(*A, Which, At);
  return A.has_value();
}

/// Round the SMs, one after the other where a launch starts, until none gets a
/// block.
void WarpModel::fillAll(uint64_t At, bool Starts) {
  for (bool Any = true; Any; At += Gap) {
    Any = false;
    for (uint32_t I = 0; I < Sms.size(); ++I)
      Any |= giveNext(I, At + (Starts ? laterOn(I) : 0));
  }
}

void WarpModel::fill(uint32_t Which, uint64_t At) {
  while (giveNext(Which, At))
    At += Gap;
}

uint64_t WarpModel::warpsOn(uint32_t Which) const {
  uint64_t Out = 0;
  for (uint32_t A = 0; A < Count; ++A)
    Out += State.Sms[Which].Of[A].Blocks * State.Applications[A].Block.Warps;
  return Out;
}

/// One block after the other to the SM with the fewest warps that gets one: few
/// may start at a time, and round the SMs they would all go to the first.
void WarpModel::fillEmptiest(uint64_t At, bool Starts) {
  std::vector<uint64_t> Start(Sms.size(), At);
  std::vector<uint32_t> Order(Sms.size());
  std::iota(Order.begin(), Order.end(), 0);
  for (uint32_t I = 0; Starts && I < Sms.size(); ++I)
    Start[I] += laterOn(I);
  const auto Gets = [&](uint32_t I) {
    if (!giveNext(I, Start[I]))
      return false;
    Start[I] += Gap;
    return true;
  };
  do
    std::sort(Order.begin(), Order.end(), [&](uint32_t A, uint32_t B) {
      return std::pair(warpsOn(A), A) < std::pair(warpsOn(B), B);
    });
  while (std::any_of(Order.begin(), Order.end(), Gets));
}

/// The place of a block is free. Where its application has no more to give,
/// other SMs may have room for others.
void WarpModel::freed(uint32_t Which, uint32_t Place, uint64_t Time) {
  Now = Time;
  const BlockStart &Block = Sms[Which].blockAt(Place);
  const uint32_t A = Block.Application;
  ApplicationState &S = State.Applications[A];
  SmState &Here = State.Sms[Which];
  Here.Taken.remove(S.Block);
  --Here.Of[A].Blocks;
  Here.Of[A].Bypassing -= Block.Bypasses;
  Placed[Which][Place] = false;
  --Apps[A].Outstanding;
  By.blockEnded(State, {Which, Place, A});
  const bool Had = S.Left > 0;
  if (Had && isCut(A))
    S.Left = S.Ready = 0;
  const bool More =
      Between && Between->blockEnded(Apps[A].index(), Block.Block);
  if (More) {
    noteReady();
    fillEmptiest(Time + Turnaround);
  } else {
    fill(Which, Time + Turnaround);
  }
  const bool Several = areSeveral();
  if (Several && Had && S.Left == 0)
    fillAll(Time + Turnaround);
  if (S.Left > 0 || Apps[A].Outstanding > 0)
    return;
  Apps[A].LastBlockEnd = Time;
  Apps[A].EndsAt = std::max(Several ? Time + 1 : Time, Behind.allTaken(A));
  come({Apps[A].EndsAt, Moment::Launches});
}

/// An SM goes on until it touches what all share after what another one might,
/// and no further than any other where blocks may come to it from what happens
/// elsewhere.
void WarpModel::runSm(uint32_t Which) {
  constexpr Moment Last = {Sm::Never, ~0u};
  Until = Order.empty() ? Last : Order.top();
  Current = Which;
  Wanted[Which] = Sms[Which].run(Until, areSeveral());
  Current = Nobody;
  if (Wanted[Which] != Sm::Never)
    Order.push({Wanted[Which], Moment::of(Which)});
}

RunReport WarpModel::run() {
  endLaunches(0);
  while (!Order.empty()) {
    const Moment First = Order.top();
    Order.pop();
    if (GivenUpAfter && First.Time > *GivenUpAfter)
      return {};
    if (First.Who != Moment::Launches) {
      if (Wanted[First.Who - 1] == First.Time)
        runSm(First.Who - 1);
    } else if (std::any_of(Apps.begin(), Apps.end(), [&](const Progress &P) {
                 return P.EndsAt == First.Time;
               }))
      endLaunches(First.Time);
  }
  return report();
}

WarpCounts WarpModel::counts(uint32_t A) const {
  WarpCounts Out;
  for (const Sm &Each : Sms) {
    Out.Executed += Each.counts(A);
    Out.L1 += Each.l1Counts(A);
    for (const WarpScheduler &S : Each.schedulers()) {
      Out.IssueCycles += S.Counted[A].Issued;
      for (unsigned I = 0; I < StallCount; ++I)
        Out.Stalls[I] += S.Counted[A].Stalls[I];
    }
  }
  Out.L2 = Behind.counts(A);
  Out.Dram = Behind.dramCounts(A);
  return Out;
}

SmSample WarpModel::sample(uint32_t Which) {
  Sm &Of = Sms[Which];
  Of.settle(Now);
  SmSample Out;
  Out.Time = Now;
  for (uint32_t A = 0; A < Apps.size(); ++A)
    Out.Of.push_back(Of.counts(A));
  for (const WarpScheduler &S : Of.schedulers())
    for (const WarpScheduler::Cycles &Each : S.Counted)
      for (unsigned I = 0; I < StallCount; ++I)
        Out.Stalls[I] += Each.Stalls[I];
  return Out;
}

/// Those of all slots as one application's, in the order issued.
ApplicationReport WarpModel::reportOverlapping() const {
  ApplicationReport Out;
  for (size_t I = 0; I < Apps[0].Of->Of->Launches.size(); ++I)
    Out.Launches.push_back(Apps[I % Count].Report.Launches[I / Count]);
  for (const Progress &Each : Apps)
    Out.All += Each.Report.All;
  Out.All.Cycles = Now;
  return Out;
}

RunReport WarpModel::report() const {
  RunReport Out;
  Out.Early = Early;
  if (Between)
    Out.Applications.push_back(reportOverlapping());
  else
    for (const Progress &Each : Apps)
      Out.Applications.push_back(Each.Report);
  uint64_t Cycles = 0;
  for (const ApplicationReport &Each : Out.Applications) {
    Cycles = std::max(Cycles, Each.All.Cycles);
    Out.All += Each.All;
  }
  Out.All.Cycles = Cycles;
  for (const Sm &Each : Sms)
    for (const WarpScheduler &S : Each.schedulers())
      Out.All.Stalls[size_t(Stall::NoWarp)] += S.NoWarp;
  return Out;
}

/// Blocks as they come, as many as fit.
class InOrder final : public BlockPolicy {
public:
  std::optional<uint32_t> next(const RunState &Of, uint32_t Which) override {
    return Of.canGive(0, Which) ? std::optional<uint32_t>(0) : std::nullopt;
  }
};

} // namespace

RunReport simulateTogether(std::span<const Application> Of, const Machine &On,
                           BlockPolicy &By, const RunOptions &How) {
  return WarpModel(Of, On, By, How).run();
}

Result<WarpReport> simulateWarps(const Recording &Of, const Machine &On,
                                 WarpPolicy By, std::vector<WarpEnd> *Ends) {
  Result<Application> Only = applicationOf(Of, On);
  if (!Only.ok())
    return Only.status();
  InOrder Blocks;
  RunReport Run = simulateTogether({&*Only, 1}, On, Blocks, {By, 0, Ends});
  ApplicationReport &Report = Run.Applications[0];
  return WarpReport{std::move(Report.Launches), Report.All,
                    std::max(1u, Of.WarpsOneIn)};
}

} // namespace blockmaestro::sim
