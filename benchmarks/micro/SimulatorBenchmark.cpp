// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// How many blocks the simulator takes a second, and how much memory, on a chain
// of stencils of 64x64 blocks: test/program/Inputs/stencil.cu without the time
// that reading its recording takes.
//
//   paper/...           500 launches under the schedulers of the paper, with
//                       what is made of the recording before; the goal
//   scheduler/NAME/...  the same launches under one
//   long/...            2,500 to 25,000 launches under producer
//
// Durations are uniform, or shared by what a block of that stencil needs. The
// peak of memory is the process's: one long case at a time tells its own.

#include "Bound.h"
#include "Simulator.h"

#include <benchmark/benchmark.h>

#include <sys/resource.h>

#include <string>
#include <type_traits>
#include <utility>

using namespace blockmaestro;
using namespace blockmaestro::sim;

namespace {

constexpr uint32_t Side = 64;

/// Of 32x8 threads.
constexpr BlockCost StencilCost = {.Integer = 200,
                                   .Single = 48,
                                   .Branches = 16,
                                   .GlobalReads = 40,
                                   .GlobalWrites = 8,
                                   .GlobalReadSectors = 170,
                                   .GlobalWriteSectors = 32};

/// Block (x, y) needs what is up to X and Y away.
EncodedPiece neighbours(int32_t X, int32_t Y) {
  EncodedPiece Out{};
  for (int Axis : {0, 1})
    Out.ConsumerHigh[Axis] = Out.ProducerHigh[Axis] = Side - 1;
  Out.Rows[0] = {{1, 0, 0}, 1, -X, X};
  Out.Rows[1] = {{0, 1, 0}, 1, -Y, Y};
  Out.Rows[2] = {{0, 0, 0}, 1, 0, 0};
  return Out;
}

Recording stencilChain(size_t Launches) {
  Recording Out;
  Out.Window = 8;
  for (size_t I = 0; I < Launches; ++I) {
    RecordedLaunch Launch;
    Launch.Id = I;
    Launch.Kernel = "stencil";
    Launch.Grid = {Side, Side, 1};
    Launch.Block = {32, 8, 1};
    Launch.Registers = 16;
    Out.Launches.push_back(Launch);
  }
  RecordedRelation Next;
  Next.Header = {uint32_t(RelationKind::Closed), 2, {Side, Side, 1}};
  Next.Pieces = {neighbours(1, 0), neighbours(0, 1)};
  for (Next.Consumer = 1; Next.Consumer < Launches; ++Next.Consumer) {
    Next.Producer = Next.Consumer - 1;
    Out.Relations.push_back(Next);
  }
  return Out;
}

Workload workOf(const Recording &Of, const Machine &On, DurationSource From) {
  Workload Out =
      std::move(*makeWorkload(Of, On, {DurationSource::Uniform, 1000}));
  if (From == DurationSource::Uniform)
    return Out;
  const BlockNeeds Needs = needsOf(StencilCost, Of.Launches[0], On);
  for (WorkLaunch &Each : Out.Launches) {
    Each.DurationNs = {uint64_t(Needs.Latency)};
    Each.IssueNs = {float(Needs.Issue)};
    Each.MemoryNs = {float(Needs.Memory)};
  }
  return Out;
}

void report(benchmark::State &State, uint64_t Blocks) {
  rusage Used{};
  getrusage(RUSAGE_SELF, &Used);
  State.counters["blocks/s"] =
      benchmark::Counter(double(Blocks), benchmark::Counter::kIsRate);
  State.counters["peak_MiB"] = double(Used.ru_maxrss) / 1024;
}

void simulatePaper(benchmark::State &State, DurationSource From) {
  const Recording Chain = stencilChain(500);
  const Machine On;
  uint64_t Blocks = 0;
  for (auto _ : State) {
    const Workload Work = workOf(Chain, On, From);
    benchmark::DoNotOptimize(lowerBound(Work, On));
    for (const Scheduler &By : paperSchedulers())
      Blocks += simulate(Work, On, By).Blocks;
  }
  report(State, Blocks);
}

void simulateChain(benchmark::State &State, Scheduler By, DurationSource From,
                   size_t Launches) {
  const Machine On;
  const Workload Work = workOf(stencilChain(Launches), On, From);
  uint64_t Blocks = 0;
  for (auto _ : State)
    Blocks += simulate(Work, On, By).Blocks;
  report(State, Blocks);
}

template <typename... Ts>
void add(const std::string &Name, void (*Which)(benchmark::State &, Ts...),
         std::type_identity_t<Ts>... Arguments) {
  benchmark::RegisterBenchmark(Name.c_str(), [=](benchmark::State &State) {
    Which(State, Arguments...);
  })->Unit(benchmark::kMillisecond);
}

void addAll(const std::string &Durations, DurationSource From) {
  add("paper/" + Durations, simulatePaper, From);
  for (const Scheduler &By : schedulers())
    add("scheduler/" + By.Name + "/" + Durations, simulateChain, By, From, 500);
  for (size_t Launches : {2500, 7500, 25000})
    add("long/" + Durations + "/launches:" + std::to_string(Launches),
        simulateChain, *findScheduler("producer"), From, Launches);
}

} // namespace

int main(int Count, char **Arguments) {
  addAll("uniform", DurationSource::Uniform);
  addAll("shared", DurationSource::Shared);
  benchmark::Initialize(&Count, Arguments);
  if (benchmark::ReportUnrecognizedArguments(Count, Arguments))
    return 1;
  benchmark::RunSpecifiedBenchmarks();
}
