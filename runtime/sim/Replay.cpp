// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Replay.h"

#include "Jobs.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace blockmaestro::sim {

Result<Replay> prepareReplay(const Recording &Of, const Machine &On,
                             const DurationChoice &How, HostSource Host) {
  Result<Workload> Work = makeWorkload(Of, On, How, Host);
  if (!Work.ok())
    return Work.status();
  if (Work->Launches.empty())
    return Status(StatusCode::InvalidArgument, "the recording has no launches");
  const Bound Least = lowerBound(*Work, On);
  return Replay{std::move(*Work), Least, 0, {}};
}

void simulateAll(Replay &Of, const Machine &On, std::vector<Scheduler> By,
                 const SimulationOptions &How, unsigned Jobs) {
  const size_t Count = By.size();
  const Scheduler Baseline = *findScheduler("baseline");
  const auto Found =
      std::find_if(By.begin(), By.end(), [&](const Scheduler &Each) {
        return Each.Name == Baseline.Name;
      });
  const size_t At = size_t(Found - By.begin());
  if (Found == By.end())
    By.push_back(Baseline);
  Of.Reports.resize(By.size());
  inParallel(By.size(), Jobs, [&](size_t I) {
    Of.Reports[I] = simulate(Of.Work, On, By[I], How);
  });
  Of.BaselineNs = Of.Reports[At].MakespanNs;
  Of.Reports.resize(Count);
}

double speedup(const Replay &Of, const SimulationReport &R) {
  return R.MakespanNs ? double(Of.BaselineNs) / double(R.MakespanNs) : 1.0;
}

double ofBound(const Replay &Of, const SimulationReport &R) {
  return R.MakespanNs ? double(Of.Least.Ns) / double(R.MakespanNs) : 1.0;
}

double relativeRequests(const Replay &Of, const SimulationReport &R) {
  return Of.Work.GlobalAccesses
             ? double(R.Traffic.requests()) / double(Of.Work.GlobalAccesses)
             : 0;
}

double rounded(double Ratio) { return std::round(Ratio * 1e6) / 1e6; }

size_t launchCount(const Workload &Of) {
  return Of.Launches.size() - Of.Copies;
}

uint64_t blockCount(const Workload &Of) {
  uint64_t Blocks = 0;
  for (const WorkLaunch &L : Of.Launches)
    Blocks += L.IsCopy ? 0 : L.Blocks;
  return Blocks;
}

double hostUs(const Workload &Of) {
  uint64_t Ns = 0;
  for (const HostCall &Each : Of.HostCalls)
    Ns += Each.Ns;
  return double(Ns) / 1000;
}

} // namespace blockmaestro::sim
