// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: `bm-dump recording`: what a recording holds, summed up by launch.

#include "Commands.h"
#include "RecordJson.h"
#include "RecordingInput.h"

#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace llvm;

namespace blockmaestro {
namespace {

/// Of one launch: what its blocks did, and when.
struct Sum {
  uint64_t Events = 0;
  uint64_t Start = ~uint64_t(0);
  uint64_t End = 0;
  uint64_t BlockNs = 0; ///< Of all blocks.
  uint64_t Costs = 0;
  BlockCost Cost;
};

std::vector<Sum> sumUp(const Recording &What) {
  std::vector<Sum> Sums(What.Launches.size());
  for (const Event &E : What.Events) {
    Sum &S = Sums[E.Launch];
    ++S.Events;
    S.Start = std::min(S.Start, E.Start);
    S.End = std::max(S.End, E.End);
    S.BlockNs += E.End - E.Start;
  }
  for (const RecordedCost &C : What.Costs) {
    Sum &S = Sums[C.Launch];
    ++S.Costs;
    for (const CostField &F : CostFields)
      S.Cost.*F.Value += C.Cost.*F.Value;
  }
  return Sums;
}

uint64_t lengthNs(const Sum &S) { return S.Events ? S.End - S.Start : 0; }

void showText(const Recording &What) {
  outs() << "program " << What.Program << ", device " << What.Device
         << ", executor " << What.Executor << ", window " << What.Window << '\n'
         << What.Launches.size() << " launches, " << What.Relations.size()
         << " relations, " << What.Copies.size() << " copies with "
         << What.CopyRelations.size() << " relations, " << What.Barriers.size()
         << " barriers, " << What.Events.size() << " blocks, "
         << What.Costs.size() << " with costs";
  if (What.WarpsOneIn)
    outs() << ", the warps of " << What.Traces.size() << " traced, one in "
           << What.WarpsOneIn;
  outs() << (What.Truncated ? "; cut off" : "") << '\n';
  std::vector<Sum> Sums = sumUp(What);
  for (const RecordedLaunch &L : What.Launches) {
    const Sum &S = Sums[L.Id];
    outs() << "launch " << L.Id << ": " << S.Events << " of " << L.Grid.count()
           << " blocks, " << lengthNs(S) << " ns, " << S.Cost.instructions()
           << " warp instructions, " << S.Cost.globalAccesses()
           << " global accesses of " << S.Cost.globalSectors() << " sectors, "
           << S.Cost.sharedAccesses() << " shared accesses of "
           << S.Cost.SharedWavefronts << " wavefronts\n";
  }
}

/// Each number under its name.
json::Object toJson(const BlockCost &Cost) {
  json::Object Out;
  for (const CostField &F : CostFields)
    Out[F.Name] = Cost.*F.Value;
  return Out;
}

void showJson(const Recording &What) {
  std::vector<Sum> Sums = sumUp(What);
  json::Array Launches;
  for (const RecordedLaunch &L : What.Launches) {
    const Sum &S = Sums[L.Id];
    Launches.push_back(
        json::Object{{"launch", L.Id},
                     {"kernel", L.Kernel},
                     {"blocks", L.Grid.count()},
                     {"events", S.Events},
                     {"costs", S.Costs},
                     {"ns", lengthNs(S)},
                     {"block_ns", S.BlockNs},
                     {"instructions", S.Cost.instructions()},
                     {"global_accesses", S.Cost.globalAccesses()},
                     {"cost", toJson(S.Cost)}});
  }
  printJson(json::Object{{"program", What.Program},
                         {"device", What.Device},
                         {"executor", What.Executor},
                         {"window", What.Window},
                         {"relations", What.Relations.size()},
                         {"copies", What.Copies.size()},
                         {"copy_relations", What.CopyRelations.size()},
                         {"barriers", What.Barriers.size()},
                         {"observations", What.Observations.size()},
                         {"warps_one_in", What.WarpsOneIn},
                         {"traces", What.Traces.size()},
                         {"truncated", What.Truncated},
                         {"launches", std::move(Launches)}});
}

void show(const Recording &What, const DumpOptions &How) {
  (How.Json ? showJson : showText)(What);
}

} // namespace

int runRecording(const DumpOptions &Given) {
  return showRecording(show, Given);
}

} // namespace blockmaestro
