// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WarpModel.h"

#include "Needs.h"
#include "Traces.h"

#include <algorithm>
#include <bit>
#include <map>
#include <queue>
#include <string>

namespace blockmaestro::sim {

WarpCounts &WarpCounts::operator+=(const WarpCounts &Other) {
  Cycles += Other.Cycles;
  Blocks += Other.Blocks;
  Traced += Other.Traced;
  Executed.Instructions += Other.Executed.Instructions;
  Executed.Lanes += Other.Executed.Lanes;
  Executed.WarpCycles += Other.Executed.WarpCycles;
  IssueCycles += Other.IssueCycles;
  for (unsigned I = 0; I < StallCount; ++I)
    Stalls[I] += Other.Stalls[I];
  L1 += Other.L1;
  L2.Reads += Other.L2.Reads;
  L2.Hits += Other.L2.Hits;
  L2.Writes += Other.L2.Writes;
  L2.Atomics += Other.L2.Atomics;
  Dram.Reads += Other.Dram.Reads;
  Dram.Writes += Other.Dram.Writes;
  Dram.RowHits += Other.Dram.RowHits;
  return *this;
}

namespace {

WarpCounts operator-(const WarpCounts &A, const WarpCounts &B) {
  WarpCounts Minus;
  Minus.Executed = {A.Executed.Instructions - B.Executed.Instructions,
                    A.Executed.Lanes - B.Executed.Lanes,
                    A.Executed.WarpCycles - B.Executed.WarpCycles};
  Minus.IssueCycles = A.IssueCycles - B.IssueCycles;
  for (unsigned I = 0; I < StallCount; ++I)
    Minus.Stalls[I] = A.Stalls[I] - B.Stalls[I];
  Minus.L1 = {A.L1.Reads - B.L1.Reads, A.L1.Hits - B.L1.Hits,
              A.L1.UnderWay - B.L1.UnderWay, A.L1.Writes - B.L1.Writes,
              A.L1.Atomics - B.L1.Atomics};
  Minus.L2 = {A.L2.Reads - B.L2.Reads, A.L2.Hits - B.L2.Hits,
              A.L2.Writes - B.L2.Writes, A.L2.Atomics - B.L2.Atomics};
  Minus.Dram = {A.Dram.Reads - B.Dram.Reads, A.Dram.Writes - B.Dram.Writes,
                A.Dram.RowHits - B.Dram.RowHits};
  return Minus;
}

std::string nameOf(const RecordedLaunch &Of) {
  return "launch " + std::to_string(Of.Id) + " (" + Of.Kernel + ")";
}

Status refused(const std::string &Why) {
  return {StatusCode::InvalidArgument, Why};
}

class WarpModel {
public:
  WarpModel(const Machine &On, WarpPolicy By, std::vector<WarpEnd> *Ends);

  WarpCounts run(const RecordedLaunch &Of, const LaunchTraces &Traces);

private:
  BlockStart startOf(uint64_t Block, const LaunchTraces &Traces);
  void fill(uint32_t Places);
  uint64_t runAll();
  WarpCounts counts() const;

  const Machine &On;
  Memory Behind;
  std::vector<Sm> Sms;
  std::map<const WarpCode *, std::unique_ptr<Program>> Programs;
  const LaunchTraces *Running = nullptr;
  uint64_t NextBlock = 0;
  uint64_t Blocks = 0;
  uint64_t Now = 0;
};

WarpModel::WarpModel(const Machine &On, WarpPolicy By,
                     std::vector<WarpEnd> *Ends)
    : On(On), Behind(On) {
  Sms.reserve(On.Sms);
  for (uint32_t I = 0; I < On.Sms; ++I) {
    Sm &Next = Sms.emplace_back(On, By, I, Behind);
    Next.Ends = Ends;
    Next.NextBlock = [this](BlockStart &Out) {
      if (NextBlock == Blocks)
        return false;
      Out = startOf(NextBlock++, *Running);
      return true;
    };
  }
}

BlockStart WarpModel::startOf(uint64_t Block, const LaunchTraces &Traces) {
  auto Work = std::make_shared<std::vector<WarpWork>>();
  const BlockTrace &By = Traces.workOf(Block, *Work);
  std::unique_ptr<Program> &Code = Programs[By.Code.get()];
  if (!Code)
    Code = std::make_unique<Program>(By.Code, On);
  BlockStart Out;
  Out.Block = Block;
  for (const WarpWork &Each : *Work)
    Out.Warps.push_back(
        {Code.get(), &Code->route(Each.Path->Route), &Each.sectors()});
  Out.Keeps = std::move(Work);
  return Out;
}

/// The first blocks, round the SMs.
void WarpModel::fill(uint32_t Places) {
  const uint64_t Gap = ceilDiv(On.BlockIssueNs * On.ClockMHz, 1000);
  for (uint32_t Place = 0; Place < Places; ++Place)
    for (Sm &Each : Sms) {
      if (NextBlock == Blocks)
        return;
      Each.give(startOf(NextBlock++, *Running), Place, Now + Place * Gap);
    }
}

/// Until no SM has a block; when that is. The SM that is behind all others goes
/// on until it touches what they share after what another one might.
uint64_t WarpModel::runAll() {
  std::priority_queue<Moment, std::vector<Moment>, std::greater<>> Order;
  for (uint32_t I = 0; I < Sms.size(); ++I)
    Order.push({Now, I});
  constexpr Moment Last = {Sm::Never, ~0u};
  while (!Order.empty()) {
    const uint32_t First = Order.top().Sm;
    Order.pop();
    const uint64_t Next = Sms[First].run(Order.empty() ? Last : Order.top());
    if (Next != Sm::Never)
      Order.push({Next, First});
  }
  uint64_t Out = std::max(Now, Behind.allTaken());
  for (const Sm &Each : Sms)
    Out = std::max(Out, Each.lastEnd());
  return Out;
}

WarpCounts WarpModel::counts() const {
  WarpCounts Out;
  for (const Sm &Each : Sms) {
    Out.Executed.Instructions += Each.counts().Instructions;
    Out.Executed.Lanes += Each.counts().Lanes;
    Out.Executed.WarpCycles += Each.counts().WarpCycles;
    Out.L1 += Each.l1Counts();
    for (const WarpScheduler &S : Each.schedulers()) {
      Out.IssueCycles += S.Issued;
      for (unsigned I = 0; I < StallCount; ++I)
        Out.Stalls[I] += S.Stalls[I];
    }
  }
  Out.L2 = Behind.counts();
  Out.Dram = Behind.dramCounts();
  return Out;
}

WarpCounts WarpModel::run(const RecordedLaunch &Of,
                          const LaunchTraces &Traces) {
  const WarpCounts Before = counts();
  const uint64_t Begin = Now;
  Running = &Traces;
  NextBlock = 0;
  Blocks = Of.Grid.count();
  const uint32_t Places = blocksPerSm(Of, On);
  for (Sm &Each : Sms)
    Each.start(Places, Of.SharedBytes, Now);
  fill(Places);
  Now = runAll();
  for (Sm &Each : Sms)
    Each.finish(Now);
  WarpCounts Out = counts() - Before;
  Out.Cycles = Now - Begin;
  Out.Blocks = Blocks;
  Out.Traced = Traces.traced();
  return Out;
}

/// What keeps a launch from being simulated, or nothing.
std::string faultOf(const RecordedLaunch &Of,
                    const std::vector<const BlockTrace *> &Traces,
                    const Machine &On) {
  if (Traces.empty())
    return nameOf(Of) + " has no block whose warps were traced";
  if (blocksPerSm(Of, On) == 0)
    return nameOf(Of) + ": a block of " + std::to_string(Of.Block.count()) +
           " threads and " + std::to_string(Of.SharedBytes) +
           " shared bytes does not fit an SM";
  const uint64_t Warps = ceilDiv(Of.Block.count(), On.WarpSize);
  for (const BlockTrace *Each : Traces) {
    if (Status Is = checkTrace(*Each); !Is.ok())
      return Is.message();
    if (Each->Block >= Of.Grid.count() || Each->Warps.size() != Warps)
      return "the trace of block " + std::to_string(Each->Block) + " has " +
             std::to_string(Each->Warps.size()) + " warps, and " + nameOf(Of) +
             " has " + std::to_string(Of.Grid.count()) + " blocks of " +
             std::to_string(Warps);
  }
  return {};
}

} // namespace

Status checkWarpMachine(const Machine &On) {
  const WarpNumbers &W = On.Warps;
  const auto Divides = [](uint64_t A, uint64_t B) { return B % A == 0; };
  if (W.Schedulers == 0)
    return refused("'" + On.Name +
                   "' says nothing of warps ('warp_schedulers'), as gtx480, "
                   "titanx-pascal and h200 do");
  for (unsigned I = 0; I < UnitCount; ++I)
    if (const Pipeline *Line = pipelineOf(Unit(I), W);
        Line && Line->Count > W.Schedulers)
      return refused("an SM of " + std::to_string(W.Schedulers) +
                     " schedulers cannot have " + std::to_string(Line->Count) +
                     " pipelines of a kind");
  if (On.WarpSize != 32)
    return refused("'warp_size' must be 32: traces are of warps of 32 lanes");
  if (On.ThreadsPerSm / On.WarpSize > WarpScheduler::Most * W.Schedulers)
    return refused("a scheduler cannot have more than " +
                   std::to_string(WarpScheduler::Most) + " warps");
  if (!Divides(32, W.CacheSectorBytes) ||
      !Divides(W.CacheSectorBytes, W.CacheLineBytes) ||
      W.CacheLineBytes / W.CacheSectorBytes > 8 ||
      !std::has_single_bit(W.CacheLineBytes / W.CacheSectorBytes))
    return refused("'cache_line_bytes' must be one, two, four or eight times "
                   "'cache_sector_bytes', which must be a multiple of 32");
  if (!Divides(W.CacheLineBytes, W.L2SliceBytes) ||
      !Divides(W.CacheSectorBytes, W.DramRowBytes))
    return refused("'l2_slice_bytes' must be whole lines and "
                   "'dram_row_bytes' whole sectors of the caches");
  if (!Divides(W.DramBankGroups, W.DramBanks))
    return refused("'dram_bank_groups' must divide 'dram_banks'");
  return {};
}

Result<WarpReport> simulateWarps(const Recording &Of, const Machine &On,
                                 WarpPolicy By, std::vector<WarpEnd> *Ends) {
  if (Of.Launches.empty())
    return refused("the recording has no launches");
  if (Of.Traces.empty())
    return refused("the recording has no traces of warps: record with "
                   "BLOCKMAESTRO_RECORD=FILE,warps");
  if (Status Is = checkWarpMachine(On); !Is.ok())
    return Is;
  std::vector<std::vector<const BlockTrace *>> OfLaunch(Of.Launches.size());
  for (const BlockTrace &Each : Of.Traces)
    if (Each.Launch < OfLaunch.size())
      OfLaunch[Each.Launch].push_back(&Each);
  for (size_t I = 0; I < OfLaunch.size(); ++I)
    if (std::string Fault = faultOf(Of.Launches[I], OfLaunch[I], On);
        !Fault.empty())
      return refused(Fault);
  WarpModel Model(On, By, Ends);
  WarpReport Out;
  Out.WarpsOneIn = std::max(1u, Of.WarpsOneIn);
  for (size_t I = 0; I < OfLaunch.size(); ++I) {
    Out.Launches.push_back(
        Model.run(Of.Launches[I], LaunchTraces(std::move(OfLaunch[I]))));
    Out.All += Out.Launches.back();
  }
  return Out;
}

} // namespace blockmaestro::sim
