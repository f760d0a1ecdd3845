// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Output.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

#include <algorithm>

using namespace llvm;
using namespace blockmaestro::sim;

namespace blockmaestro {

/// Where closed forms gave lists of children: how many requests that saved.
static void printDecoded(const SimulationReport &Of, raw_ostream &Out) {
  if (Of.Decoded.empty())
    return;
  uint64_t All = 0;
  for (const DecodedLists &Each : Of.Decoded)
    All += Each.Requests;
  Out << Of.Scheduler << " saves " << All << " requests by closed forms";
  const char *Separator = ": ";
  for (const DecodedLists &Each : Of.Decoded) {
    Out << Separator << Each.Requests << ' ' << Each.Pattern;
    Separator = ", ";
  }
  Out << '\n';
}

void printTable(const Outcome &Of, raw_ostream &Out) {
  Out << Of.File << " on " << Of.On.Name << ": " << launchCount(Of.Work)
      << " launches, ";
  if (Of.Work.Copies)
    Out << Of.Work.Copies << " copies, ";
  Out << blockCount(Of.Work) << " blocks, " << Of.Work.Relations.size()
      << " relations";
  if (Of.Work.HostTakesTime)
    Out << format(", host %.3f us", hostUs(Of.Work));
  if (Of.What.Truncated)
    Out << "; the recording is cut off, its last " << Of.Work.LaunchesLeftOut
        << " launches are left out";
  size_t Width = 10;
  for (const SimulationReport &R : Of.Reports)
    Width = std::max(Width, R.Scheduler.size());
  Out << "\n\n"
      << left_justify("scheduler", Width)
      << "     time us  speed-up  at once SMs busy  "
         "stall: q1  median      q3  requests\n";
  for (const SimulationReport &R : Of.Reports)
    Out << left_justify(R.Scheduler, Width)
        << format(" %11.3f %9.3f %7.1f %8.1f%%  %9.2f %7.2f %7.2f %9llu\n",
                  double(R.MakespanNs) / 1000, speedup(Of, R), R.Concurrency,
                  R.SmUtilisation * 100, R.Stall.FirstQuartile, R.Stall.Median,
                  R.Stall.ThirdQuartile,
                  static_cast<unsigned long long>(R.Traffic.requests()));
  Out << format("\nno scheduler is faster than %.3f us: critical path %.3f us, "
                "area %.3f us\n",
                double(Of.Least.Ns) / 1000,
                double(Of.Least.CriticalPathNs) / 1000,
                double(Of.Least.AreaNs) / 1000);
  for (const SimulationReport &R : Of.Reports)
    printDecoded(R, Out);
  if (Of.Work.WithoutRegisters)
    Out << "registers do not limit " << Of.Work.WithoutRegisters
        << " launches: how many a thread has is not known\n";
}

void printCsv(const Outcome &Of, raw_ostream &Out) {
  Out << "scheduler,kernels_in_flight,time_us,speedup,of_bound,concurrency,"
         "sm_utilisation,stall_q1,stall_median,stall_q3,requests,"
         "relative_requests,kernel_level_relations\n";
  for (const SimulationReport &R : Of.Reports)
    Out << R.Scheduler << ',' << R.KernelsInFlight
        << format(",%.3f,%.4f,%.4f,%.2f,%.4f", double(R.MakespanNs) / 1000,
                  speedup(Of, R), ofBound(Of, R), R.Concurrency,
                  R.SmUtilisation)
        << format(",%.3f,%.3f,%.3f", R.Stall.FirstQuartile, R.Stall.Median,
                  R.Stall.ThirdQuartile)
        << ',' << R.Traffic.requests()
        << format(",%.6f,", relativeRequests(Of, R)) << R.KernelLevelRelations
        << '\n';
}

static json::Value toJson(const StallDistribution &S) {
  return json::Object{{"blocks", S.Blocks},
                      {"least", rounded(S.Least)},
                      {"q1", rounded(S.FirstQuartile)},
                      {"median", rounded(S.Median)},
                      {"q3", rounded(S.ThirdQuartile)},
                      {"most", rounded(S.Most)}};
}

static json::Value toJson(const std::vector<DecodedLists> &Decoded) {
  json::Object Out;
  for (const DecodedLists &Each : Decoded)
    Out[Each.Pattern] = Each.Requests;
  return Out;
}

static json::Value toJson(const Outcome &Of, const SimulationReport &R) {
  json::Array Launches, Copies;
  for (size_t I = 0; I < R.Launches.size(); ++I) {
    const LaunchTimes &L = R.Launches[I];
    (Of.Work.Launches[I].IsCopy ? Copies : Launches)
        .push_back(json::Object{{"issued_ns", L.Issued},
                                {"launched_ns", L.Launched},
                                {"first_start_ns", L.FirstStart},
                                {"last_end_ns", L.LastEnd},
                                {"completed_ns", L.Completed}});
  }
  return json::Object{
      {"name", R.Scheduler},
      {"kernels_in_flight", R.KernelsInFlight},
      {"time_us", double(R.MakespanNs) / 1000},
      {"speedup", rounded(speedup(Of, R))},
      {"of_bound", rounded(ofBound(Of, R))},
      {"concurrency", rounded(R.Concurrency)},
      {"sm_utilisation", rounded(R.SmUtilisation)},
      {"stall", toJson(R.Stall)},
      {"memory_requests",
       json::Object{{"list_fetches", R.Traffic.ListFetches},
                    {"list_refetches", R.Traffic.ListRefetches},
                    {"counter_fetches", R.Traffic.CounterFetches},
                    {"counter_evictions", R.Traffic.CounterEvictions},
                    {"lists_decoded", toJson(R.Decoded)},
                    {"total", R.Traffic.requests()},
                    {"relative", rounded(relativeRequests(Of, R))}}},
      {"buffer_stalls",
       json::Object{{"held", R.Buffers.Held}, {"forced", R.Buffers.Forced}}},
      {"kernel_level_relations", R.KernelLevelRelations},
      {"launches", std::move(Launches)},
      {"copies", std::move(Copies)}};
}

/// Of every launch, in the order issued.
static json::Array kernelsOf(const Outcome &Of) {
  json::Array Out;
  for (size_t I = 0; I < launchCount(Of.Work); ++I) {
    const RecordedLaunch &L = Of.What.Launches[I];
    Out.push_back(
        json::Object{{"id", L.Id},
                     {"kernel", L.Kernel},
                     {"grid", json::Array{L.Grid.X, L.Grid.Y, L.Grid.Z}}});
  }
  return Out;
}

void printJson(const Outcome &Of, raw_ostream &Out) {
  json::Array Schedulers;
  for (const SimulationReport &R : Of.Reports)
    Schedulers.push_back(toJson(Of, R));
  json::Object Top{{"recording", Of.File},
                   {"program", Of.What.Program},
                   {"machine", Of.On.Name},
                   {"launches", launchCount(Of.Work)},
                   {"kernels", kernelsOf(Of)},
                   {"copies", Of.Work.Copies},
                   {"truncated", Of.What.Truncated},
                   {"launches_left_out", Of.Work.LaunchesLeftOut},
                   {"launches_without_registers", Of.Work.WithoutRegisters},
                   {"blocks", blockCount(Of.Work)},
                   {"relations", Of.Work.Relations.size()},
                   {"global_accesses", Of.Work.GlobalAccesses},
                   {"host_us", hostUs(Of.Work)},
                   {"baseline_us", double(Of.BaselineNs) / 1000},
                   {"bound_us", double(Of.Least.Ns) / 1000},
                   {"critical_path_us", double(Of.Least.CriticalPathNs) / 1000},
                   {"area_us", double(Of.Least.AreaNs) / 1000},
                   {"schedulers", std::move(Schedulers)}};
  Out << formatv("{0:2}", json::Value(std::move(Top))) << '\n';
}

} // namespace blockmaestro
