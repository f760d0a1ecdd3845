// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Traces made at random: codes of a few steps, routes through them on which
// lanes part and meet, every class of instruction. The same seed gives the same
// ones.

#ifndef BLOCKMAESTRO_TEST_UNIT_SIM_WARP_RANDOMTRACES_H
#define BLOCKMAESTRO_TEST_UNIT_SIM_WARP_RANDOMTRACES_H

#include "Machine.h"
#include "blockmaestro/Recording.h"

#include <algorithm>
#include <random>
#include <set>

namespace blockmaestro::sim {

class RandomTraces {
public:
  explicit RandomTraces(uint32_t Seed) : Random(Seed) {}

  uint32_t upTo(uint32_t Most) { return Random() % (Most + 1); }
  bool oneIn(uint32_t Sides) { return upTo(Sides - 1) == 0; }

  Recording recording() {
    Recording Out;
    Out.WarpsOneIn = 1;
    const uint32_t Launches = 1 + upTo(1);
    for (uint32_t I = 0; I < Launches; ++I)
      addLaunch(Out);
    return Out;
  }

  Machine machine();

private:
  uint32_t anyRegister(const WarpCode &Of) { return upTo(Of.Registers - 1); }

  WarpCode code() {
    WarpCode Out;
    Out.Registers = 1 + upTo(8);
    Out.Steps.resize(1 + upTo(4));
    for (WarpStep &Step : Out.Steps) {
      for (uint32_t I = upTo(3); I > 0; --I)
        Step.Moves.push_back({upTo(uint32_t(Out.Steps.size()) - 1),
                              anyRegister(Out),
                              oneIn(4) ? NoRegister : anyRegister(Out)});
      for (uint32_t I = upTo(6); I > 0; --I) {
        WarpInstruction Next;
        Next.Class = WarpClass(upTo(uint32_t(std::size(WarpClassNames)) - 1));
        if (Next.Class == WarpClass::Barrier && !oneIn(3))
          Next.Class = WarpClass::Read;
        if (!oneIn(3))
          Next.Result = anyRegister(Out);
        for (uint32_t Operand = upTo(3); Operand > 0; --Operand)
          Next.Operands.push_back(anyRegister(Out));
        Step.Instructions.push_back(Next);
      }
    }
    return Out;
  }

  std::shared_ptr<WarpPath> path(const WarpCode &Of) {
    auto Route = std::make_shared<WarpRoute>();
    auto Out = std::make_shared<WarpPath>();
    for (uint32_t I = upTo(8); I > 0; --I) {
      const uint32_t Step = upTo(uint32_t(Of.Steps.size()) - 1);
      const uint32_t Lanes = oneIn(2) ? ~0u : uint32_t(Random()) | 1;
      Route->Visits.push_back({Step, Lanes});
      for (const WarpInstruction &Each : Of.Steps[Step].Instructions)
        if (isAccess(Each.Class))
          addAccess(*Route, *Out);
    }
    Out->Route = Route;
    return Out;
  }

  void addAccess(WarpRoute &Route, WarpPath &Path) {
    if (oneIn(3)) {
      Route.Accesses.push_back({true, 1 + upTo(4)});
      return;
    }
    std::set<uint64_t> Sectors;
    for (uint32_t I = upTo(6); I > 0; --I)
      Sectors.insert(oneIn(3) ? upTo(100000) : upTo(64));
    const bool Meet = oneIn(2);
    Route.Accesses.push_back(
        {false, uint32_t(Sectors.size()), Meet ? 1 + upTo(31) : 1});
    Path.Sectors.insert(Path.Sectors.end(), Sectors.begin(), Sectors.end());
  }

  void addLaunch(Recording &To) {
    RecordedLaunch Launch;
    Launch.Id = To.Launches.size();
    Launch.Kernel = "random";
    const uint32_t Warps = 1 + upTo(3);
    Launch.Block = {32 * Warps, 1, 1};
    Launch.Grid = {1 + upTo(7), 1, 1};
    Launch.SharedBytes = upTo(3) * 1000;
    const auto Code = std::make_shared<WarpCode>(code());
    for (uint32_t Block = 0; Block < Launch.Grid.X; ++Block) {
      BlockTrace Trace;
      Trace.Launch = Launch.Id;
      Trace.Block = Block;
      Trace.Code = Code;
      while (Trace.Warps.size() < Warps)
        Trace.Warps.push_back(!Trace.Warps.empty() && oneIn(3)
                                  ? Trace.Warps.back()
                                  : path(*Code));
      To.Traces.push_back(Trace);
    }
    To.Launches.push_back(Launch);
  }

  std::mt19937 Random;
};

inline Machine RandomTraces::machine() {
  Machine M;
  M.Sms = 1 + upTo(2);
  M.BlocksPerSm = 1 + upTo(3);
  M.ThreadsPerSm = 256;
  M.SharedBytesPerSm = 8000;
  M.BlockIssueNs = upTo(3);
  M.BlockTurnaroundNs = upTo(9);
  M.Warps.SmStartNs = upTo(5);
  Latencies &C = M.Cycles;
  for (uint32_t *Each : {&C.Arithmetic, &C.Shared, &C.Barrier, &C.Other,
                         &C.Double, &C.Special, &C.Conversion, &C.Exchange})
    *Each = upTo(12);
  C.BarrierWarp = upTo(2);
  C.Arguments = upTo(40);
  C.L1 = 1 + upTo(20);
  C.L2 = C.L1 + upTo(40);
  C.Atomic = upTo(80);
  M.L1BytesPerSm = upTo(3) * 8192;
  M.L2Bytes = 1u << 14;
  M.L1BytesPerCycle = upTo(4) * 32;
  M.SmBytesPerCycle = upTo(3) * 24;
  WarpNumbers &W = M.Warps;
  W.Schedulers = 1 + upTo(3);
  W.IssuesPerScheduler = 1 + upTo(1);
  for (Pipeline *Each : {&W.Integer, &W.Single, &W.Double, &W.Special,
                         &W.Conversion, &W.Matrix, &W.Memory})
    *Each = {1 + upTo(W.Schedulers - 1), 1 + upTo(5)};
  if (oneIn(2))
    W.Product = {1 + upTo(W.Schedulers - 1), 1 + upTo(5)};
  if (oneIn(3))
    W.Conversion.Count = 0;
  W.CyclesBranch = 1 + upTo(8);
  for (uint32_t *Each :
       {&W.CyclesSingle, &W.CyclesPredicate, &W.CyclesProduct,
        &W.CyclesApproximation, &W.CyclesL1Access, &W.CyclesSharedAccess})
    *Each = upTo(9);
  W.AtomicWordCycles = upTo(64);
  W.MemoryIssueInterval = 1 + upTo(4);
  W.WritePortSms = 1 + upTo(2);
  W.WritePortBytes = upTo(2) * 24;
  W.AtomicBytes = 1 + upTo(64);
  W.AtomicInterval = 1 + upTo(3);
  W.CacheSectorBytes = oneIn(4) ? 128 : 32;
  W.L1Ways = 1 + upTo(3);
  W.L1Misses = 1 + upTo(20);
  W.L1WriteBack = upTo(1);
  W.L1Banked = upTo(1);
  W.L1BypassBlocks = upTo(1);
  W.L2Slices = 1 + upTo(4);
  W.L2Window = upTo(3);
  W.L2Ways = 1 + upTo(3);
  W.L2Interval = 1 + upTo(3);
  W.L2Halves = W.L2Slices % 2 ? 1 : 1 + upTo(1);
  W.CyclesL2Far = upTo(9);
  W.L2ClockMHz = upTo(1) * (500 + upTo(2000));
  W.DramChannels = 1 + upTo(2);
  W.DramClockMHz = 500 + upTo(2000);
  W.DramQueue = 1 + upTo(8);
  W.DramWrites = 1 + upTo(4);
  W.Dram = {2, 3, 6, 12, 28, 12, 40, 12, 4, 5, 12, 2};
  return M;
}

} // namespace blockmaestro::sim

#endif
