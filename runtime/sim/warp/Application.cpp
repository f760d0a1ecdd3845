// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Application.h"

#include "Needs.h"
#include "Program.h"
#include "WarpScheduler.h"

#include <bit>
#include <string>

namespace blockmaestro::sim {
namespace {

std::string nameOf(const RecordedLaunch &Of) {
  return "launch " + std::to_string(Of.Id) + " (" + Of.Kernel + ")";
}

Status refused(const std::string &Why) {
  return {StatusCode::InvalidArgument, Why};
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
                   "titanx-pascal, h100 and h200 do");
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
  if (!Divides(W.L2Halves, W.L2Slices))
    return refused("'l2_halves' must divide 'l2_slices'");
  if (!Divides(W.DramBankGroups, W.DramBanks))
    return refused("'dram_bank_groups' must divide 'dram_banks'");
  return {};
}

Result<Application> applicationOf(const Recording &Of, const Machine &On) {
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
  Application Out;
  Out.Of = &Of;
  for (size_t I = 0; I < OfLaunch.size(); ++I) {
    if (std::string Fault = faultOf(Of.Launches[I], OfLaunch[I], On);
        !Fault.empty())
      return refused(Fault);
    Out.Traces.emplace_back(std::move(OfLaunch[I]));
  }
  return Out;
}

} // namespace blockmaestro::sim
