// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Runs.h"

#include "Jobs.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <set>

using namespace llvm;
using namespace blockmaestro::sim;

namespace blockmaestro {

BlockWindow blockWindow(const Recording &Of,
                        std::pair<uint64_t, uint64_t> Range,
                        uint64_t MostBlocks) {
  BlockWindow Out = {size_t(Range.first), 0};
  uint64_t Blocks = 0;
  for (uint64_t I = Range.first; I <= Range.second && I < Of.Launches.size();
       ++I) {
    Blocks += Of.Launches[I].Grid.count();
    if (Blocks > MostBlocks)
      break;
    ++Out.Count;
  }
  return Out;
}

BlockTable::BlockTable(const Recording &Of, BlockWindow Window)
    : Window(Window) {
  size_t Next = 0;
  for (size_t I = 0; I < Window.Count; ++I) {
    From.push_back(Next);
    Next += Of.Launches[Window.First + I].Grid.count();
  }
  Rows.assign(Next, -1);
  Starts.assign(Next, -1);
  Lengths.assign(Next, -1);
}

void BlockTable::set(uint64_t Launch, uint64_t Block, int64_t Row,
                     uint64_t Start, uint64_t End) {
  if (Launch < Window.First || Launch >= Window.First + Window.Count)
    return;
  const size_t At = From[Launch - Window.First] + Block;
  Rows[At] = Row;
  Starts[At] = int64_t(Start);
  Lengths[At] = int64_t(End - Start);
}

const Run *Simulation::find(StringRef Name) const {
  const auto Found =
      find_if(Runs, [&](const Run &Each) { return Each.Name == Name; });
  return Found == Runs.end() ? nullptr : &*Found;
}

/// The numbers of SMs or workers that ran something, ascending.
static Column rowsOf(const Recording &Of) {
  std::set<uint32_t> Found;
  uint32_t Last = 0;
  bool IsFirst = true;
  for (const Event &Each : Of.Events) {
    if (IsFirst || Each.Where != Last)
      Found.insert(Each.Where);
    IsFirst = false;
    Last = Each.Where;
  }
  return Column(Found.begin(), Found.end());
}

static Run emptyRecordedRun(const Recording &Of, Column RowIds,
                            BlockWindow Window) {
  const size_t Rows = RowIds.size();
  return {"recorded",
          "as it ran: device " + Of.Device + ", executor " + Of.Executor,
          true,
          false,
          placeKind(Of),
          0,
          std::move(RowIds),
          {},
          {},
          LoadMap(Rows),
          BlockTable(Of, Window),
          std::nullopt};
}

std::optional<Run> recordedRun(const Recording &Of,
                               const std::vector<LaunchSum> &Sums,
                               BlockWindow Window) {
  if (Of.Events.empty())
    return std::nullopt;
  Run Out = emptyRecordedRun(Of, rowsOf(Of), Window);
  const uint64_t First = firstStart(Sums);
  for (const Event &Each : Of.Events) {
    const auto Row = lower_bound(Out.RowIds, int64_t(Each.Where));
    const auto At = size_t(Row - Out.RowIds.begin());
    Out.Load.add(At, Each.Start - First, Each.End - First);
    Out.Blocks.set(Each.Launch, Each.Block, int64_t(At), Each.Start - First,
                   Each.End - First);
  }
  for (const LaunchSum &Each : Sums) {
    Out.Launches.Start.push_back(Each.Events ? int64_t(Each.Start - First)
                                             : -1);
    Out.Launches.End.push_back(Each.Events ? int64_t(Each.End - First) : -1);
    if (Each.Events)
      Out.Ns = std::max(Out.Ns, Each.End - First);
  }
  return Out;
}

namespace {

/// Of each launch and copy of a workload its number among its kind.
std::vector<uint32_t> numbersOf(const Workload &Work) {
  std::vector<uint32_t> Out;
  uint32_t Next[2] = {};
  for (const WorkLaunch &Each : Work.Launches)
    Out.push_back(Next[Each.IsCopy]++);
  return Out;
}

void addTimes(TimeColumns &To, const LaunchTimes &Of) {
  To.Start.push_back(int64_t(Of.FirstStart));
  To.End.push_back(int64_t(Of.LastEnd));
}

Run simulatedRun(const Recording &Of, const Workload &Work, const Machine &On,
                 const Scheduler &By, BlockWindow Window) {
  Run Out{By.Name,
          By.What,
          false,
          true,
          "SM",
          0,
          {},
          {},
          {},
          LoadMap(On.Sms),
          BlockTable(Of, Window),
          std::nullopt};
  for (uint32_t I = 0; I < On.Sms; ++I)
    Out.RowIds.push_back(I);
  const std::vector<uint32_t> Numbers = numbersOf(Work);
  SimulationOptions How;
  How.Ran = [&](const BlockTimes &Each) {
    if (Each.Sm >= On.Sms)
      return;
    Out.Load.add(Each.Sm, Each.Start, Each.End);
    Out.Blocks.set(Numbers[Each.Launch], Each.Block, Each.Sm, Each.Start,
                   Each.End);
  };
  Out.Report = simulate(Work, On, By, How);
  Out.Ns = Out.Report->MakespanNs;
  for (size_t I = 0; I < Work.Launches.size(); ++I)
    addTimes(Work.Launches[I].IsCopy ? Out.Copies : Out.Launches,
             Out.Report->Launches[I]);
  for (Column *Each : {&Out.Launches.Start, &Out.Launches.End})
    Each->resize(Of.Launches.size(), -1);
  for (Column *Each : {&Out.Copies.Start, &Out.Copies.End})
    Each->resize(Of.Copies.size(), -1);
  return Out;
}

/// In their order, whichever is done first.
std::vector<Run> simulateEach(const Recording &Of, const Workload &Work,
                              const Machine &On, ArrayRef<Scheduler> By,
                              BlockWindow Window) {
  std::vector<std::optional<Run>> Done(By.size());
  inParallel(By.size(), /*Jobs=*/0, [&](size_t I) {
    Done[I] = simulatedRun(Of, Work, On, By[I], Window);
  });
  std::vector<Run> Out;
  for (std::optional<Run> &Each : Done)
    Out.push_back(std::move(*Each));
  return Out;
}

/// As if no launch and no copy waited for another.
void forgetWaits(Workload &Of) {
  Of.Relations.clear();
  Of.Expansions.clear();
  Of.Patterns.clear();
  for (WorkLaunch &Each : Of.Launches) {
    Each.In.clear();
    Each.Out.clear();
    Each.Barrier = Each.Firm = Each.Fence = Each.HostReads = false;
  }
}

/// Costs where there are some; what a GPU ran has only events.
DurationChoice durationsOf(const Recording &Of) {
  const bool Costs = !Of.Costs.empty() || Of.Events.empty();
  return {Costs ? DurationSource::Shared : DurationSource::Events, 0};
}

} // namespace

std::vector<Scheduler> schedulersNeeded(ArrayRef<Scheduler> Of) {
  std::vector<Scheduler> Out;
  addOnce(Out, *findScheduler(KernelLevelRun));
  for (const Scheduler &Each : Of)
    addOnce(Out, Each);
  addOnce(Out, *findScheduler(BlockLevelRun));
  return Out;
}

Expected<Simulation> simulateRuns(const Recording &Of, const Machine &On,
                                  ArrayRef<Scheduler> By, BlockWindow Window) {
  Simulation Out;
  const DurationChoice How = durationsOf(Of);
  Out.Durations = How.From;
  Result<Replay> All = prepareReplay(Of, On, How, HostSource::None);
  if (!All.ok())
    return createStringError(All.status().message());
  if (launchCount(All->Work) == 0)
    return createStringError("no launch is whole in the recording");
  Out.All = std::move(*All);
  Workload &Work = Out.All.Work;
  for (uint32_t I = 0; I < Work.Launches.size(); ++I)
    if (!Work.Launches[I].IsCopy)
      Out.PlaceOf.push_back(I);
  Out.Runs = simulateEach(Of, Work, On, By, Window);
  Out.All.BaselineNs = Out.find(KernelLevelRun)->Ns;
  forgetWaits(Work);
  SimulationReport Free = simulate(Work, On, *findScheduler(BlockLevelRun));
  Out.Free = std::move(Free.Launches);
  Out.FreeNs = Free.MakespanNs;
  return Out;
}

} // namespace blockmaestro
