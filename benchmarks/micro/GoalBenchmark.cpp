// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What one launch costs on the host from the call to the task an executor gets,
// each case beside what a person would write for that case alone:
//
//   goal/remembered   a loop of launches, window 8: the same pair of buffers in
//                     turn, and another pair of 64 every time
//   goal/new          launches not seen before: a stencil and the stencil that
//                     reads what it wrote; one step of a blocked LU; their
//                     kernels as the compiler left them in programs
//                     (--kernels=FILE)
//   goal/check        launches whose memory is given as ranges, each new,
//                     against a window of 16 or 32 with 6 or 10 ranges each
//   reference/...     the list of pairs of blocks by loops over the blocks;
//                     every range against every range of the window, as ACS
//                     does

#include "GoalBenchmark.h"

#include "Executor.h"
#include "Programs.h"
#include "Window.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <random>
#include <string_view>

using namespace blockmaestro;
using namespace blockmaestro::test;

namespace {

constexpr uint64_t Buffer = uint64_t(1) << 28;

/// Adjacent allocations of Buffer bytes.
AllocationMap buffers(uint64_t Count) {
  AllocationMap Known;
  for (uint64_t I = 0; I < Count; ++I)
    Known.add({MemoryA + I * Buffer, Buffer});
  return Known;
}

/// What Runtime::submit makes of an admission.
Task taskOf(const Admission &Entry) {
  Task Next;
  Next.Needs.reserve(Entry.Needs.size());
  for (const Need &Each : Entry.Needs)
    Next.Needs.push_back({Each.Producer, Each.How->Form.Header,
                          Each.How->Form.Pieces, Each.How->Form.List});
  return Next;
}

Case stencilOf(uint64_t In, uint64_t Out, int32_t Height) {
  return stencil(MemoryA + In * Buffer, MemoryA + Out * Buffer, 16 * 32, Height,
                 {32, 8, 1});
}

constexpr int32_t Height4096 = 4096 / 16 * 8;

/// Stencils over Count buffers, each reading what the one before wrote.
void remembered(benchmark::State &State, uint64_t Count) {
  const AllocationMap Known = buffers(Count);
  const KernelRecord Kernel = stencilOf(0, 1, Height4096).kernel();
  std::vector<Launch> Loop;
  for (uint64_t I = 0; I < Count; ++I)
    Loop.push_back(stencilOf(I, (I + 1) % Count, Height4096).launch(Kernel, I));
  Window InFlight;
  uint64_t Id = 0;
  for (auto _ : State) {
    Launch &Next = Loop[Id % Count];
    Next.Id = Id++;
    benchmark::DoNotOptimize(
        taskOf(InFlight.admit(Next, Known, {.WithImplied = false})));
  }
}

void pingPong(benchmark::State &State) { remembered(State, 2); }
void cycle(benchmark::State &State) { remembered(State, 64); }

/// The pairs of two stencils on 64 x 64 blocks, written down one by one.
void listStencil(benchmark::State &State) {
  constexpr int Columns = 16, Rows = 256;
  for (auto _ : State) {
    std::vector<std::pair<uint32_t, uint32_t>> Pairs;
    for (int Y = 0; Y < Rows; ++Y)
      for (int X = 0; X < Columns; ++X)
        for (auto [DX, DY] :
             {std::pair(0, 0), {-1, 0}, {1, 0}, {0, -1}, {0, 1}})
          if (X + DX >= 0 && X + DX < Columns && Y + DY >= 0 && Y + DY < Rows)
            Pairs.push_back({Y * Columns + X, (Y + DY) * Columns + X + DX});
    benchmark::DoNotOptimize(Pairs.data());
  }
}

/// One range of addresses a launch touches.
struct Range {
  uint64_t Begin, End;
};
struct Ranges {
  std::vector<Range> Reads, Writes;
};

/// Launches of Count ranges each, a third of them written, over buffers enough
/// that few launches of a window meet.
std::vector<Ranges> rangeLaunches(size_t Count) {
  std::mt19937_64 Engine(7);
  std::vector<Ranges> Out(4096);
  for (Ranges &Each : Out)
    for (size_t I = 0; I < Count; ++I) {
      const uint64_t Base = MemoryA + Engine() % 65536 * 4096;
      (I % 3 == 0 ? Each.Writes : Each.Reads).push_back({Base, Base + 4096});
    }
  return Out;
}

LaunchAccesses accessesOf(const Ranges &Of) {
  LaunchAccesses Out;
  for (const auto *Each : {&Of.Reads, &Of.Writes})
    for (const Range &R : *Each) {
      BlockAccess &A = Out.Accesses.emplace_back();
      A.Kind = Each == &Of.Writes ? AccessKind::Write : AccessKind::Read;
      A.How = Reach::Range;
      A.Where = {R.Begin, R.End - R.Begin};
    }
  return Out;
}

void check(benchmark::State &State) {
  const auto Launches = rangeLaunches(static_cast<size_t>(State.range(1)));
  std::vector<LaunchAccesses> Touched;
  for (const Ranges &Each : Launches)
    Touched.push_back(accessesOf(Each));
  Window InFlight(static_cast<unsigned>(State.range(0)));
  uint64_t Id = 0, Found = 0;
  for (auto _ : State) {
    const LaunchAccesses &Next = Touched[Id % Touched.size()];
    Found += InFlight.admit(Id++, Next, {.WithImplied = false}).Needs.size();
  }
  State.counters["needs"] =
      benchmark::Counter(double(Found), benchmark::Counter::kAvgIterations);
}

bool meet(const std::vector<Range> &A, const std::vector<Range> &B) {
  for (const Range &X : A)
    for (const Range &Y : B)
      if (X.Begin < Y.End && Y.Begin < X.End)
        return true;
  return false;
}

/// Whom each launch has to wait for, range by range.
void checkByLoops(benchmark::State &State) {
  const auto Launches = rangeLaunches(static_cast<size_t>(State.range(1)));
  const auto Depth = static_cast<size_t>(State.range(0));
  std::deque<Ranges> InFlight;
  uint64_t Id = 0, Found = 0;
  for (auto _ : State) {
    const Ranges &Next = Launches[Id++ % Launches.size()];
    for (const Ranges &Earlier : InFlight)
      Found += meet(Next.Writes, Earlier.Writes) ||
               meet(Next.Writes, Earlier.Reads) ||
               meet(Next.Reads, Earlier.Writes);
    InFlight.push_back(Next);
    if (InFlight.size() > Depth)
      InFlight.pop_front();
  }
  State.counters["needs"] =
      benchmark::Counter(double(Found), benchmark::Counter::kAvgIterations);
}

/// The first kernel with this in its name; null when no program has it.
const KernelRecord *findKernel(const std::vector<ModuleRecord> &In,
                               std::string_view Name) {
  for (const ModuleRecord &Module : In)
    for (const KernelRecord &K : Module.Kernels)
      if (K.Name.find(Name) != std::string::npos)
        return &K;
  return nullptr;
}

template <typename T> void setArgument(Launch &L, unsigned Number, T Value) {
  std::memcpy(&L.Arguments[L.Kernel->Parameters[Number].Offset], &Value,
              sizeof(Value));
}

/// Two stencils of a size not seen before, or so long ago that it is forgotten.
void newStencils(benchmark::State &State, const KernelRecord &Kernel) {
  const AllocationMap Known = buffers(2);
  std::vector<Launch> Sizes;
  for (int32_t Less = 0; Less < 2000; ++Less)
    for (uint64_t From : {0, 1}) {
      Launch &L = Sizes.emplace_back();
      L.Kernel = &Kernel;
      L.Grid = {16, 256, 1};
      L.Block = {32, 8, 1};
      L.Arguments.resize(Kernel.ArgumentBytes);
      setArgument(L, 0, MemoryA + From * Buffer);
      setArgument(L, 1, MemoryA + (1 - From) * Buffer);
      setArgument(L, 2, int32_t(L.Grid.X * L.Block.X));
      setArgument(L, 3, Height4096 - Less);
    }
  Window InFlight;
  size_t I = 0;
  for (auto _ : State) {
    InFlight.clear();
    for (size_t End = I + 2; I < End; ++I)
      benchmark::DoNotOptimize(
          taskOf(InFlight.admit(Sizes[I], Known, {.WithImplied = false})));
    I %= Sizes.size();
  }
}

/// The kernels of benchmarks/lu and what it launches in the step at K0.
class BlockedLU {
public:
  static constexpr int Tile = 32;

  explicit BlockedLU(const std::vector<ModuleRecord> &From) {
    const char *Names[] = {"factorDiagonal", "solveRight", "solveBelow",
                           "updateRest"};
    for (size_t I = 0; I < Steps.size(); ++I)
      Steps[I].Kernel = findKernel(From, Names[I]);
  }

  bool complete() const {
    return std::all_of(Steps.begin(), Steps.end(),
                       [](const Launch &L) { return L.Kernel; });
  }

  /// Sets the four launches of an N x N matrix at MemoryA.
  void at(int32_t N, int32_t K0) {
    const auto Rest = uint32_t((N - K0 - 1) / Tile);
    const uint64_t Matrix = MemoryA;
    for (size_t I = 0; I < Steps.size(); ++I) {
      Launch &L = Steps[I];
      L.Grid = {I == 0 ? 1 : Rest, I == 3 ? Rest : 1, 1};
      L.Block = {Tile, I == 3 ? 8u : Tile, 1};
      L.Arguments.resize(L.Kernel->ArgumentBytes);
      setArgument(L, 0, N);
      setArgument(L, 1, K0);
      setArgument(L, 2, Matrix);
    }
  }

  std::array<Launch, 4> Steps;
};

/// The steps of one decomposition after another, each of another size; nothing
/// of the one before is in flight when the next begins.
void newLU(benchmark::State &State, BlockedLU Program) {
  const AllocationMap Known = memory(uint64_t(1) << 32);
  std::vector<Launch> Launches;
  std::vector<bool> Begins;
  for (int32_t N = 2048; N < 2064; ++N)
    for (int32_t K0 = 0; K0 + BlockedLU::Tile < N; K0 += BlockedLU::Tile) {
      Program.at(N, K0);
      Begins.push_back(K0 == 0);
      Launches.insert(Launches.end(), Program.Steps.begin(),
                      Program.Steps.end());
    }
  Window InFlight;
  uint64_t Id = 0;
  for (auto _ : State) {
    if (Begins[Id / Program.Steps.size() % Begins.size()])
      InFlight.clear();
    for (size_t Step = 0; Step < Program.Steps.size(); ++Step) {
      Launch &Next = Launches[Id % Launches.size()];
      Next.Id = Id++;
      benchmark::DoNotOptimize(
          taskOf(InFlight.admit(Next, Known, {.WithImplied = false})));
    }
  }
}

/// The pairs between the last update of 64 x 64 tiles and the four launches of
/// the step that follows it, and among those, written down one by one.
void listLU(benchmark::State &State) {
  constexpr uint32_t Rest = 63;
  for (auto _ : State) {
    std::vector<std::pair<uint32_t, uint32_t>> Pairs;
    auto Updated = [](uint32_t X, uint32_t Y) { return Y * (Rest + 1) + X; };
    Pairs.push_back({0, Updated(0, 0)});
    for (uint32_t I = 0; I < Rest; ++I) {
      Pairs.push_back({I, 0});
      Pairs.push_back({I, Updated(I + 1, 0)});
      Pairs.push_back({I, 0});
      Pairs.push_back({I, Updated(0, I + 1)});
    }
    for (uint32_t Y = 0; Y < Rest; ++Y)
      for (uint32_t X = 0; X < Rest; ++X) {
        Pairs.push_back({Y * Rest + X, Updated(X + 1, Y + 1)});
        Pairs.push_back({Y * Rest + X, X});
        Pairs.push_back({Y * Rest + X, Y});
      }
    benchmark::DoNotOptimize(Pairs.data());
  }
}

const bool GoalsRegistered = [] {
  using benchmark::RegisterBenchmark;
  RegisterBenchmark("goal/remembered/pingpong", pingPong);
  RegisterBenchmark("goal/remembered/moving", cycle);
  RegisterBenchmark("reference/new/stencil", listStencil);
  RegisterBenchmark("reference/new/lu", listLU);
  const std::pair<const char *, void (*)(benchmark::State &)> Checks[] = {
      {"goal/check", check}, {"reference/check", checkByLoops}};
  for (const auto &[Name, Run] : Checks)
    RegisterBenchmark(Name, Run)
        ->ArgNames({"window", "ranges"})
        ->ArgsProduct({{16, 32}, {6, 10}});
  return true;
}();

} // namespace

bool blockmaestro::registerCompiled(const std::vector<ModuleRecord> &From) {
  using benchmark::RegisterBenchmark;
  const KernelRecord *Stencil = findKernel(From, "stencil");
  const BlockedLU LU(From);
  if (Stencil)
    RegisterBenchmark("goal/new/stencil", [Stencil](benchmark::State &State) {
      newStencils(State, *Stencil);
    });
  if (LU.complete())
    RegisterBenchmark("goal/new/lu",
                      [LU](benchmark::State &State) { newLU(State, LU); });
  return Stencil || LU.complete();
}
