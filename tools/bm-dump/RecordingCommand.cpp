// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: `bm-dump recording`: what a recording holds, summed up by launch.

#include "Commands.h"
#include "Csv.h"
#include "RecordJson.h"
#include "RecordingInput.h"
#include "RecordingSums.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace blockmaestro {
namespace {

/// Calls Call for each launch that is asked for.
void forEachLaunch(
    const RecordingSums &Of, LaunchSpan Asked,
    function_ref<void(const RecordedLaunch &, const LaunchSum &)> Call) {
  for (const RecordedLaunch &L : Of.What.Launches)
    if (Asked.has(L.Id))
      Call(L, Of.Launches[L.Id]);
}

void showSumsText(const RecordingSums &Of, LaunchSpan Asked) {
  const Recording &What = Of.What;
  outs() << "program " << What.Program << ", device " << What.Device
         << ", executor " << What.Executor << ", window " << What.Window << '\n'
         << What.Launches.size() << " launches, " << Of.Relations
         << " relations, " << Of.Copies << " copies with " << Of.CopyRelations
         << " relations, " << Of.Barriers << " barriers, " << Of.Events
         << " blocks, " << Of.Costs << " with costs";
  if (What.WarpsOneIn)
    outs() << ", the warps of " << Of.Traces << " traced, one in "
           << What.WarpsOneIn;
  outs() << (What.Truncated ? "; cut off" : "") << '\n';
  forEachLaunch(Of, Asked, [](const RecordedLaunch &L, const LaunchSum &S) {
    outs() << "launch " << L.Id << ": " << S.Events << " of " << L.Grid.count()
           << " blocks, " << S.ns() << " ns, " << S.Cost.instructions()
           << " warp instructions, " << S.Cost.globalAccesses()
           << " global accesses of " << S.Cost.globalSectors() << " sectors, "
           << S.Cost.sharedAccesses() << " shared accesses of "
           << S.Cost.SharedWavefronts << " wavefronts\n";
  });
}

/// Each number under its name.
json::Object toJson(const BlockCost &Cost) {
  json::Object Out;
  for (const CostField &F : CostFields)
    Out[F.Name] = Cost.*F.Value;
  return Out;
}

json::Object toJson(const RecordedLaunch &L, const LaunchSum &S) {
  return json::Object{{"launch", L.Id},
                      {"kernel", L.Kernel},
                      {"blocks", L.Grid.count()},
                      {"events", S.Events},
                      {"costs", S.Costs},
                      {"ns", S.ns()},
                      {"block_ns", S.BlockNs},
                      {"instructions", S.Cost.instructions()},
                      {"global_accesses", S.Cost.globalAccesses()},
                      {"cost", toJson(S.Cost)}};
}

void showSumsJson(const RecordingSums &Of, LaunchSpan Asked) {
  const Recording &What = Of.What;
  json::Array Launches;
  forEachLaunch(Of, Asked, [&](const RecordedLaunch &L, const LaunchSum &S) {
    Launches.push_back(toJson(L, S));
  });
  printJson(json::Object{{"program", What.Program},
                         {"device", What.Device},
                         {"executor", What.Executor},
                         {"window", What.Window},
                         {"relations", Of.Relations},
                         {"copies", Of.Copies},
                         {"copy_relations", Of.CopyRelations},
                         {"barriers", Of.Barriers},
                         {"observations", Of.Observations},
                         {"warps_one_in", What.WarpsOneIn},
                         {"traces", Of.Traces},
                         {"truncated", What.Truncated},
                         {"launches", std::move(Launches)}});
}

void showSumsCsv(const RecordingSums &Of, LaunchSpan Asked) {
  CsvTable Table(outs());
  for (const char *Name : {"launch", "kernel", "blocks", "events", "costs",
                           "ns", "block_ns", "instructions", "global_accesses"})
    Table.add(Name);
  for (const CostField &F : CostFields)
    Table.add(F.Name);
  Table.end();
  forEachLaunch(Of, Asked, [&](const RecordedLaunch &L, const LaunchSum &S) {
    Table.add(L.Id);
    Table.add(L.Kernel);
    for (uint64_t Number :
         {L.Grid.count(), S.Events, S.Costs, S.ns(), S.BlockNs,
          S.Cost.instructions(), S.Cost.globalAccesses()})
      Table.add(Number);
    for (const CostField &F : CostFields)
      Table.add(S.Cost.*F.Value);
    Table.end();
  });
}

} // namespace

int runRecording(const DumpOptions &Given) {
  Result<RecordingSums> Of = sumUp(Given.File);
  if (!Of.ok())
    return fail(Of.status().message());
  Expected<LaunchSpan> Asked = spanOf(Given.Launches, Of->What.Launches.size());
  if (!Asked)
    return fail(Given.File + ": " + toString(Asked.takeError()));
  (Given.Csv    ? showSumsCsv
   : Given.Json ? showSumsJson
                : showSumsText)(*Of, *Asked);
  return 0;
}

} // namespace blockmaestro
