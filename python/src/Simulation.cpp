// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Simulation.h"

#include "Columns.h"
#include "Error.h"
#include "Excerpt.h"
#include "MachineNumbers.h"
#include "Replay.h"

#include <nanobind/stl/string.h>

#include <algorithm>

namespace nb = nanobind;

namespace blockmaestro::python {

using namespace sim;

namespace {

Machine machineOf(const SimulationRequest &How) {
  Machine Out;
  Out.Name = How.MachineName;
  for (const auto &[Name, Value] : How.MachineNumbers)
    throwIfWrong(setMachineNumber(Out, Name, Value));
  return Out;
}

/// Each name once.
std::vector<Scheduler> schedulersOf(const SimulationRequest &How) {
  std::vector<Scheduler> Out;
  for (const std::string &Name : How.Schedulers) {
    const std::vector<Scheduler> Found = schedulersNamed(Name);
    if (Found.empty())
      throw Error("unknown scheduler '" + Name + "'");
    for (const Scheduler &Each : Found)
      addOnce(Out, How.InFlight ? withInFlight(Each, How.InFlight) : Each);
  }
  return Out;
}

nb::dict toPython(const StallDistribution &S) {
  nb::dict Out;
  Out["blocks"] = S.Blocks;
  Out["least"] = rounded(S.Least);
  Out["q1"] = rounded(S.FirstQuartile);
  Out["median"] = rounded(S.Median);
  Out["q3"] = rounded(S.ThirdQuartile);
  Out["most"] = rounded(S.Most);
  return Out;
}

nb::dict requestsOf(const Replay &Of, const SimulationReport &R) {
  nb::dict Decoded;
  for (const DecodedLists &Each : R.Decoded)
    Decoded[Each.Pattern.c_str()] = Each.Requests;
  nb::dict Out;
  Out["list_fetches"] = R.Traffic.ListFetches;
  Out["list_refetches"] = R.Traffic.ListRefetches;
  Out["counter_fetches"] = R.Traffic.CounterFetches;
  Out["counter_evictions"] = R.Traffic.CounterEvictions;
  Out["lists_decoded"] = Decoded;
  Out["total"] = R.Traffic.requests();
  Out["relative"] = rounded(relativeRequests(Of, R));
  return Out;
}

nb::dict toPython(const LaunchTimes &L) {
  nb::dict Out;
  Out["issued_ns"] = L.Issued;
  Out["launched_ns"] = L.Launched;
  Out["first_start_ns"] = L.FirstStart;
  Out["last_end_ns"] = L.LastEnd;
  Out["completed_ns"] = L.Completed;
  return Out;
}

void addLaunches(nb::dict &To, const Replay &Of, const SimulationReport &R) {
  nb::list Launches, Copies;
  for (size_t I = 0; I < R.Launches.size(); ++I)
    (Of.Work.Launches[I].IsCopy ? Copies : Launches)
        .append(toPython(R.Launches[I]));
  To["launches"] = Launches;
  To["copies"] = Copies;
}

nb::dict toPython(const Replay &Of, const SimulationReport &R,
                  bool HasLaunches) {
  nb::dict Stalls;
  Stalls["held"] = R.Buffers.Held;
  Stalls["forced"] = R.Buffers.Forced;
  nb::dict Out;
  Out["name"] = R.Scheduler;
  Out["kernels_in_flight"] = R.KernelsInFlight;
  Out["time_us"] = double(R.MakespanNs) / 1000;
  Out["speedup"] = rounded(speedup(Of, R));
  Out["of_bound"] = rounded(ofBound(Of, R));
  Out["concurrency"] = rounded(R.Concurrency);
  Out["sm_utilisation"] = rounded(R.SmUtilisation);
  Out["stall"] = toPython(R.Stall);
  Out["memory_requests"] = requestsOf(Of, R);
  Out["buffer_stalls"] = Stalls;
  Out["kernel_level_relations"] = R.KernelLevelRelations;
  if (HasLaunches)
    addLaunches(Out, Of, R);
  return Out;
}

nb::list kernelsOf(const Recording &What, const Replay &Of) {
  nb::list Out;
  for (size_t I = 0; I < launchCount(Of.Work); ++I) {
    const RecordedLaunch &L = What.Launches[I];
    nb::list Grid;
    for (unsigned J = 0; J < 3; ++J)
      Grid.append(L.Grid[J]);
    nb::dict One;
    One["id"] = L.Id;
    One["kernel"] = L.Kernel;
    One["grid"] = Grid;
    Out.append(One);
  }
  return Out;
}

nb::list timelineOf(const Replay &Of, const SimulationReport &R) {
  const auto Number = [&](auto Get) {
    return collected<uint64_t>(R.Timeline, Get);
  };
  Table Out;
  addWords(Out, "scheduler", R.Timeline,
           [&](const BlockTimes &) { return R.Scheduler; });
  Out.add("node", Number([](const BlockTimes &B) { return B.Launch; }));
  Out.addBools("is_copy",
               collected<uint8_t>(R.Timeline, [&](const BlockTimes &B) {
                 return Of.Work.Launches[B.Launch].IsCopy;
               }));
  addWords(Out, "kernel", R.Timeline, [&](const BlockTimes &B) {
    return Of.Work.Launches[B.Launch].Kernel;
  });
  Out.add("block", Number([](const BlockTimes &B) { return B.Block; }));
  Out.add("sm", Number([](const BlockTimes &B) { return B.Sm; }));
  Out.add("start_ns", Number([](const BlockTimes &B) { return B.Start; }));
  Out.add("end_ns", Number([](const BlockTimes &B) { return B.End; }));
  return std::move(Out).toPython();
}

/// Of the replay as a whole.
nb::dict summaryOf(const Recording &What, const Replay &Of,
                   const SimulationRequest &How) {
  nb::dict Out;
  Out["recording"] = How.File;
  Out["program"] = What.Program;
  Out["machine"] = How.MachineName;
  Out["launches"] = launchCount(Of.Work);
  Out["copies"] = Of.Work.Copies;
  Out["truncated"] = What.Truncated;
  Out["launches_left_out"] = Of.Work.LaunchesLeftOut;
  Out["launches_without_registers"] = Of.Work.WithoutRegisters;
  Out["blocks"] = blockCount(Of.Work);
  Out["relations"] = Of.Work.Relations.size();
  Out["global_accesses"] = Of.Work.GlobalAccesses;
  Out["host_us"] = hostUs(Of.Work);
  Out["baseline_us"] = double(Of.BaselineNs) / 1000;
  Out["bound_us"] = double(Of.Least.Ns) / 1000;
  Out["critical_path_us"] = double(Of.Least.CriticalPathNs) / 1000;
  Out["area_us"] = double(Of.Least.AreaNs) / 1000;
  return Out;
}

/// Everything that needs nothing of Python.
Replay replayOf(const Recording &What, const SimulationRequest &How,
                const Machine &On, std::vector<Scheduler> By) {
  nb::gil_scoped_release Running;
  const Result<DurationChoice> Durations = parseDurations(How.Durations);
  throwIfWrong(Durations.status());
  Result<Replay> Out = prepareReplay(What, On, *Durations,
                                     How.HostIsRecorded ? HostSource::Recorded
                                                        : HostSource::None);
  if (!Out.ok())
    throw Error(How.File + ": " + Out.status().message());
  SimulationOptions Options;
  Options.Timeline = How.HasTimeline;
  simulateAll(*Out, On, std::move(By), Options, How.Jobs);
  return std::move(*Out);
}

} // namespace

nb::dict simulate(const Recording &Whole, const SimulationRequest &How) {
  const Machine On = machineOf(How);
  std::vector<Scheduler> By = schedulersOf(How);
  std::optional<Recording> Excerpt;
  if (How.Launches)
    Excerpt = excerptOf(Whole, How.Launches->first, How.Launches->second);
  const Recording &What = Excerpt ? *Excerpt : Whole;
  const Replay Of = replayOf(What, How, On, std::move(By));
  nb::dict Out = summaryOf(What, Of, How);
  nb::list Schedulers, Timelines;
  for (const SimulationReport &R : Of.Reports) {
    Schedulers.append(toPython(Of, R, How.HasLaunches));
    if (How.HasTimeline)
      Timelines.append(timelineOf(Of, R));
  }
  if (How.HasLaunches)
    Out["kernels"] = kernelsOf(What, Of);
  Out["schedulers"] = Schedulers;
  if (How.HasTimeline)
    Out["timeline"] = Timelines;
  return Out;
}

void check(const SimulationRequest &How) {
  machineOf(How);
  schedulersOf(How);
  throwIfWrong(parseDurations(How.Durations).status());
}

nb::dict schedulerNames() {
  nb::dict Out;
  for (const Scheduler &Each : schedulerFamilies())
    Out[Each.Name.c_str()] = Each.What;
  return Out;
}

nb::dict machineDefaults() {
  nb::dict Out;
  for (const MachineNumber &Each : machineNumbers(Machine()))
    Out[Each.Name.c_str()] = nb::make_tuple(Each.Value, Each.Least, Each.Most);
  return Out;
}

} // namespace blockmaestro::python
