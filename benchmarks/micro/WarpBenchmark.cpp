// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// How many instructions of warps the warp tier takes a second, on one core, on
// a machine of 28 SMs of four schedulers; 2 million are the goal.
//
//   compute    arithmetic that needs the results before it, in a loop
//   coalesced  a vector addition: two reads and a write of four sectors for ten
//              instructions
//   gather     a read of 32 sectors that lie anywhere for every four
//              instructions

#include "WarpModel.h"

#include <benchmark/benchmark.h>

#include <string>

using namespace blockmaestro;
using namespace blockmaestro::sim;

namespace {

constexpr uint32_t Blocks = 28 * 16;
constexpr uint32_t Warps = 8;
constexpr uint32_t Iterations = 100;

/// What one warp touches in one iteration: a first sector for each access.
struct Touch {
  uint32_t Sectors = 0; ///< Of each access; 0: none.
  bool IsAnywhere = false;
};

Machine machine() {
  Machine M;
  M.Cycles.L1 = 82;
  M.Cycles.L2 = 216;
  M.L1BytesPerCycle = 128;
  M.SmBytesPerCycle = 64;
  WarpNumbers &W = M.Warps;
  W.Schedulers = 4;
  W.Integer = W.Single = {4, 1};
  W.L1Sets = 96;
  W.L2Slices = 24;
  W.L2Sets = 64;
  W.DramChannels = 12;
  W.DramClockMHz = 1250;
  W.Dram = {1, 2, 6, 18, 40, 18, 58, 18, 6, 7, 18, 3};
  return M;
}

/// A loop of so many reads, sums of them, and perhaps a write.
WarpCode loopOf(uint32_t Reads, uint32_t Sums, bool Writes) {
  WarpCode Out;
  Out.Registers = 16;
  WarpStep Loop;
  for (uint32_t I = 0; I < Reads; ++I)
    Loop.Instructions.push_back({WarpClass::Read, 2 + I, {0}});
  for (uint32_t I = 0; I < Sums; ++I)
    Loop.Instructions.push_back({I % 2 ? WarpClass::Single : WarpClass::Integer,
                                 8 + I % 8,
                                 {8 + (I + 5) % 8, Reads ? 2 + I % Reads : 0}});
  if (Writes)
    Loop.Instructions.push_back({WarpClass::Write, NoRegister, {0, 8}});
  Loop.Instructions.push_back({WarpClass::Branch, NoRegister, {0}});
  Out.Steps = {Loop};
  return Out;
}

std::shared_ptr<WarpPath> pathOf(const std::shared_ptr<WarpRoute> &Route,
                                 Touch What, uint64_t Number) {
  auto Out = std::make_shared<WarpPath>();
  Out->Route = Route;
  uint64_t Random = Number * 2654435761u + 1;
  for (size_t I = 0; I < Route->Accesses.size(); ++I) {
    uint64_t Next =
        (Number * Iterations + I / 3) * What.Sectors + I % 3 * 100000000;
    for (uint32_t S = 0; S < What.Sectors; ++S) {
      Random = Random * 6364136223846793005u + 1442695040888963407u;
      Out->Sectors.push_back(What.IsAnywhere ? S * 65536 + (Random >> 48)
                                             : Next + S);
    }
  }
  return Out;
}

Recording recordingOf(const WarpCode &Of, Touch What) {
  const auto Code = std::make_shared<WarpCode>(Of);
  const auto Route = std::make_shared<WarpRoute>();
  for (uint32_t I = 0; I < Iterations; ++I) {
    Route->Visits.push_back({0, ~0u});
    for (const WarpInstruction &Each : Of.Steps[0].Instructions)
      if (isAccess(Each.Class))
        Route->Accesses.push_back({false, What.Sectors});
  }
  Recording Out;
  Out.WarpsOneIn = 1;
  RecordedLaunch Launch;
  Launch.Kernel = "loop";
  Launch.Grid = {Blocks, 1, 1};
  Launch.Block = {32 * Warps, 1, 1};
  Out.Launches.push_back(Launch);
  for (uint64_t Block = 0; Block < Blocks; ++Block) {
    BlockTrace Trace = {0, Block, Code, {}};
    for (uint32_t W = 0; W < Warps; ++W)
      Trace.Warps.push_back(pathOf(Route, What, Block * Warps + W));
    Out.Traces.push_back(Trace);
  }
  return Out;
}

void replay(benchmark::State &State, const WarpCode &Of, Touch What) {
  const Recording Recorded = recordingOf(Of, What);
  const Machine On = machine();
  uint64_t Instructions = 0, Accesses = 0;
  for (auto _ : State) {
    const WarpReport Report =
        *simulateWarps(Recorded, On, WarpPolicy::GreedyThenOldest);
    Instructions += Report.All.Executed.Instructions;
    Accesses +=
        Recorded.Traces[0].Warps[0]->Route->Accesses.size() * Blocks * Warps;
  }
  State.counters["instructions/s"] =
      benchmark::Counter(double(Instructions), benchmark::Counter::kIsRate);
  State.counters["accesses/s"] =
      benchmark::Counter(double(Accesses), benchmark::Counter::kIsRate);
}

void add(const std::string &Name, const WarpCode &Of, Touch What) {
  benchmark::RegisterBenchmark(Name.c_str(), [=](benchmark::State &State) {
    replay(State, Of, What);
  })->Unit(benchmark::kMillisecond);
}

} // namespace

int main(int Count, char **Arguments) {
  add("compute", loopOf(0, 15, false), {});
  add("coalesced", loopOf(2, 6, true), {4, false});
  add("gather", loopOf(1, 2, false), {32, true});
  benchmark::Initialize(&Count, Arguments);
  if (benchmark::ReportUnrecognizedArguments(Count, Arguments))
    return 1;
  benchmark::RunSpecifiedBenchmarks();
}
