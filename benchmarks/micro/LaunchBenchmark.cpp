// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What one launch costs on the host, step by step: evaluation of the footprint,
// relation to the launch before, its encoding, and admission to the window with
// no memo. The programs are those of the unit tests; the argument is the number
// of blocks, upon which nothing here should depend. What a launch costs as a
// whole is in GoalBenchmark.cpp.

#include "Encode.h"
#include "Evaluate.h"
#include "Graph.h"
#include "Programs.h"
#include "Window.h"

#include <benchmark/benchmark.h>

using namespace blockmaestro;
using namespace blockmaestro::test;

namespace {

/// Two launches of a program, the second after the first.
struct Pair {
  Case First, Second;
};

/// Over Blocks blocks of 256 threads each.
using MakePair = Pair (*)(int32_t Blocks);

Pair vectors(int32_t Blocks) {
  return {vectorMap(MemoryA, MemoryB, Blocks * 256, 256),
          vectorMap(MemoryB, MemoryC, Blocks * 256, 256)};
}

Pair stencils(int32_t Blocks) {
  const int32_t Columns = 16, Width = Columns * 32,
                Height = Blocks / Columns * 8;
  return {stencil(MemoryA, MemoryB, Width, Height, {32, 8, 1}),
          stencil(MemoryB, MemoryA, Width, Height, {32, 8, 1})};
}

Pair transposes(int32_t Blocks) {
  const int32_t Width = 16 * 32, Height = Blocks / 16 * 32;
  return {transpose(MemoryA, MemoryB, Width, Height, 32, 8),
          transpose(MemoryB, MemoryC, Height, Width, 32, 8)};
}

/// A pair ready to launch.
struct Launches {
  explicit Launches(MakePair Make, const benchmark::State &State)
      : Cases(Make(static_cast<int32_t>(State.range(0)))),
        Kernels{Cases.First.kernel(), Cases.Second.kernel()},
        First(Cases.First.launch(Kernels[0], 0)),
        Second(Cases.Second.launch(Kernels[1], 1)) {}

  Pair Cases;
  KernelRecord Kernels[2];
  Launch First, Second;
  AllocationMap Known = memory(uint64_t(1) << 30);
};

void evaluation(benchmark::State &State, MakePair Make) {
  Launches L(Make, State);
  for (auto _ : State)
    benchmark::DoNotOptimize(evaluate(L.First, L.Known));
}

void relation(benchmark::State &State, MakePair Make) {
  Launches L(Make, State);
  LaunchAccesses First = evaluate(L.First, L.Known),
                 Second = evaluate(L.Second, L.Known);
  for (auto _ : State)
    benchmark::DoNotOptimize(relate(First, Second));
}

void encoding(benchmark::State &State, MakePair Make) {
  Launches L(Make, State);
  Relation What =
      relate(evaluate(L.First, L.Known), evaluate(L.Second, L.Known));
  for (auto _ : State)
    benchmark::DoNotOptimize(encode(What));
  State.counters["bytes"] = static_cast<double>(encode(What).bytes());
}

/// The two launches in turn, each worked out anew and related to eight.
void admission(benchmark::State &State, MakePair Make) {
  Launches L(Make, State);
  Window InFlight(8, 0);
  uint64_t Id = 0;
  for (auto _ : State) {
    Launch &Next = Id % 2 ? L.Second : L.First;
    Next.Id = Id++;
    benchmark::DoNotOptimize(InFlight.admit(Next, L.Known));
  }
}

using Step = void (*)(benchmark::State &, MakePair);

const std::pair<const char *, Step> Steps[] = {
    {"evaluate", evaluation},
    {"relate", relation},
    {"encode", encoding},
    {"admit/anew", admission},
};

const std::pair<const char *, MakePair> Programs[] = {
    {"vector", vectors}, {"stencil", stencils}, {"transpose", transposes}};

/// Every step over every program, registered before main.
const bool LaunchesRegistered = [] {
  for (const auto &[StepName, Run] : Steps)
    for (const auto &[Program, Make] : Programs)
      benchmark::RegisterBenchmark(
          (std::string(StepName) + "/" + Program).c_str(), Run, Make)
          ->ArgName("blocks")
          ->Arg(256)
          ->Arg(4096);
  return true;
}();

} // namespace
