// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Needs.h"

#include <algorithm>
#include <cmath>

namespace blockmaestro::sim {

uint64_t ceilDiv(uint64_t Value, uint64_t Divisor) {
  return Value / Divisor + (Value % Divisor != 0);
}

uint32_t registersPerThread(const RecordedLaunch &What) {
  return What.RegistersAsRun ? What.RegistersAsRun : What.Registers;
}

uint32_t registersPerBlock(const RecordedLaunch &What, const Machine &On) {
  const uint64_t Warps = ceilDiv(What.Block.count(), On.WarpSize);
  const uint32_t Known = registersPerThread(What);
  const uint64_t Each = Known ? std::max(Known, On.RegistersLeast) : 0;
  const uint64_t OfWarp =
      ceilDiv(uint64_t(Each) * On.WarpSize, On.RegisterGranularity) *
      On.RegisterGranularity;
  return uint32_t(std::min<uint64_t>(On.RegistersPerSm, Warps * OfWarp));
}

uint32_t blocksPerSm(const RecordedLaunch &What, const Machine &On) {
  uint64_t Fit =
      std::min<uint64_t>(On.BlocksPerSm, On.ThreadsPerSm / What.Block.count());
  if (What.SharedBytes)
    Fit = std::min<uint64_t>(Fit, On.SharedBytesPerSm / What.SharedBytes);
  if (const uint32_t Registers = registersPerBlock(What, On))
    Fit = std::min<uint64_t>(Fit, On.RegistersPerSm / Registers);
  return uint32_t(Fit);
}

double inNs(double Cycles, const Machine &On) {
  return Cycles * 1000.0 / On.ClockMHz;
}

uint64_t blocksTogether(const RecordedLaunch &What, const Machine &On) {
  return std::max<uint64_t>(
      1, std::min<uint64_t>(blocksPerSm(What, On),
                            ceilDiv(What.Grid.count(), On.Sms)));
}

static double over(double Amount, double Rate) {
  return Rate > 0 ? Amount / Rate : 0;
}

namespace {

/// Where the sectors come from that a block touches.
struct CacheUse {
  double L1Reads = 0;       ///< The part of the reads that L1 gives.
  double L2Sectors = 0;     ///< Read from L2 and written to it.
  double MemoryPart = 0;    ///< Of the sectors read, those that L2 has not.
  double MemorySectors = 0; ///< Each moved once, read or written back.
  double FarPart = 0;       ///< Those that the other half of L2 has.
};

} // namespace

/// L1 gives again what a block has read before, as far as it holds what the
/// blocks of an SM read; shared memory is taken from it.
static double sectorsFromL1(const BlockCost &Cost, const RecordedLaunch &What,
                            const Machine &On) {
  const double Together = double(blocksTogether(What, On));
  const double Held =
      double(On.L1BytesPerSm) - Together * double(What.SharedBytes);
  const double Wanted =
      Together * double(Cost.FirstReadSectors) * On.BytesPerSector;
  const double Again = double(Cost.GlobalReadSectors - Cost.FirstReadSectors);
  return Held <= 0 ? 0 : Again * std::min(1.0, over(Held, Wanted));
}

/// A read waits for the last of its sectors: L1 gives those of which it has
/// all.
static double readsFromL1(const BlockCost &Cost, double Sectors) {
  const double Again = double(Cost.GlobalReadSectors - Cost.FirstReadSectors);
  return over(double(Cost.GlobalReads - Cost.FirstReads) * over(Sectors, Again),
              double(Cost.GlobalReads));
}

/// Of the sectors that a block touches, those that a cache of so many bytes has
/// no more, or not yet. It has all where it holds all that the program touches,
/// since a program runs what it runs again.
static double missed(const BlockCost &Cost, uint32_t Bytes,
                     uint64_t ProgramBytes) {
  if (ProgramBytes <= Bytes)
    return 0;
  const double Holds = double(Bytes) / (1 << 20);
  const auto MissedWithin = [Holds](uint64_t Sectors, double From, double To) {
    return double(Sectors) * std::clamp((To - Holds) / (To - From), 0.0, 1.0);
  };
  return MissedWithin(Cost.Within16, 0, 16) +
         MissedWithin(Cost.Within32, 16, 32) +
         MissedWithin(Cost.Within64, 32, 64) + double(Cost.Beyond64) +
         double(Cost.NewSectors);
}

/// Of the sectors that a block reads first, the part that a cache of so many
/// bytes has not. Which of those that it touches are missed is not known: what
/// is written and not read comes first, since results are new.
static double missedReads(const BlockCost &Cost, uint32_t Bytes,
                          uint64_t ProgramBytes) {
  const auto Read = double(Cost.FirstReadSectors);
  const double Written = double(Cost.touchedSectors()) - Read;
  return over(std::max(0.0, missed(Cost, Bytes, ProgramBytes) - Written), Read);
}

static CacheUse cacheUse(const BlockCost &Cost, const RecordedLaunch &What,
                         const Machine &On, uint64_t ProgramBytes) {
  const double FromL1 = sectorsFromL1(Cost, What, On);
  CacheUse Out;
  Out.L1Reads = readsFromL1(Cost, FromL1);
  Out.L2Sectors = double(Cost.globalSectors()) - FromL1;
  Out.MemorySectors = missed(Cost, On.L2Bytes, ProgramBytes);
  Out.MemoryPart = missedReads(Cost, On.L2Bytes, ProgramBytes);
  if (On.L2NearBytes)
    Out.FarPart =
        missedReads(Cost, On.L2NearBytes, ProgramBytes) - Out.MemoryPart;
  return Out;
}

/// A number of the warp tier, or what stands for it where that is 0.
static double cyclesOr(uint32_t OfWarpTier, uint32_t Else) {
  return OfWarpTier ? OfWarpTier : Else;
}

/// Cycles of a read of a chain. Those that are issued with it, as far as the
/// count of all reads says how many these are, are waited for together: for the
/// last of them.
static double readCycles(const BlockCost &Cost, double Warps,
                         const CacheUse &Use, const Latencies &Of) {
  const double Together = std::max(
      1.0, over(double(Cost.GlobalReads), Warps * double(Cost.ChainReads)));
  const double AllFromL1 = std::pow(Use.L1Reads, Together);
  const double Past = std::max(1.0, Together * (1 - Use.L1Reads));
  const double FromMemory = 1 - std::pow(1 - Use.MemoryPart, Past);
  const double FromFar =
      1 - std::pow(1 - Use.MemoryPart - Use.FarPart, Past) - FromMemory;
  const double FromL2 = Of.L2 +
                        FromMemory * (double(Of.GlobalRead) - double(Of.L2)) +
                        FromFar * (double(Of.PastL2Near) - double(Of.L2));
  return AllFromL1 * Of.L1 + (1 - AllFromL1) * FromL2;
}

/// Cycles of the slowest warp by itself: of its chains, and at least one for
/// each instruction.
static double chainCycles(const BlockCost &Cost, double Warps,
                          const CacheUse &Use, const Machine &On) {
  const Latencies &Of = On.Cycles;
  const double Read = readCycles(Cost, Warps, Use, Of);
  const double Chain =
      double(Cost.ChainArithmetic) * Of.Arithmetic +
      double(Cost.ChainSingle) *
          cyclesOr(On.Warps.CyclesSingle, Of.Arithmetic) +
      double(Cost.ChainDouble) * Of.Double +
      double(Cost.ChainSpecial) * Of.Special +
      double(Cost.ChainApproximations) *
          cyclesOr(On.Warps.CyclesApproximation, Of.Special) +
      double(Cost.ChainConversions) * Of.Conversion +
      double(Cost.ChainExchanges) * Of.Exchange +
      double(Cost.ChainBarriers) * (Of.Barrier + Warps * Of.BarrierWarp) +
      double(Cost.ChainShared) * Of.Shared + double(Cost.ChainReads) * Read +
      double(Cost.ChainAtomics) * Of.Atomic +
      double(Cost.ChainPrivate) * Of.L1 +
      double(Cost.ChainBranches) * On.Warps.CyclesBranch +
      double(Cost.ChainOther) * Of.Other;
  return std::max(Chain, double(Cost.ChainInstructions));
}

/// Cycles until a block has its arguments. No cache near an SM has those of a
/// new launch: the blocks that it starts with wait for them, which counts as a
/// part of that for each block.
static double argumentCycles(const RecordedLaunch &What, const Machine &On) {
  const double AtOnce = double(blocksTogether(What, On)) * On.Sms;
  return On.Cycles.Arguments *
         std::min(1.0, over(AtOnce, double(What.Grid.count())));
}

/// For which so many instructions keep the instances of an SM; 0 where the
/// machine says nothing of these.
static double pipelineCycles(uint64_t Instructions, const Pipeline &Of,
                             const Machine &On) {
  return On.Warps.Schedulers
             ? over(double(Instructions) * Of.Interval, Of.Count)
             : 0;
}

/// Cycles of an SM that does nothing else: of whatever it has least of.
static double smCycles(const BlockCost &Cost, const CacheUse &Use,
                       const Machine &On) {
  const uint64_t Functions =
      Cost.Special - Cost.Approximations - Cost.Conversions;
  const bool Own = On.Warps.Conversion.Count > 0;
  const double Bytes = double(Cost.globalSectors()) * On.BytesPerSector;
  return std::max(
      {double(Cost.instructions()) / On.IssueWidth,
       over(double(Cost.Double), On.DoublesPerCycle),
       double(Functions) * On.SpecialCycles +
           pipelineCycles(Cost.Approximations + (Own ? 0 : Cost.Conversions),
                          On.Warps.Special, On),
       pipelineCycles(Cost.Conversions, On.Warps.Conversion, On),
       pipelineCycles(Cost.Products, On.Warps.Product, On),
       double(Cost.SharedWavefronts + Cost.Exchanges) +
           over(Bytes, On.L1BytesPerCycle),
       over(Use.L2Sectors * On.BytesPerSector, On.SmBytesPerCycle)});
}

static BlockNeeds needsByChains(const BlockCost &Cost,
                                const RecordedLaunch &What, const Machine &On,
                                uint64_t ProgramBytes) {
  const double Warps = double(ceilDiv(What.Block.count(), On.WarpSize));
  const CacheUse Use = cacheUse(Cost, What, On, ProgramBytes);
  BlockNeeds Out;
  Out.SharesLast = true;
  Out.Latency =
      inNs(chainCycles(Cost, Warps, Use, On) + argumentCycles(What, On), On);
  Out.Issue = inNs(smCycles(Cost, Use, On), On);
  Out.Memory = inNs(On.BytesPerSector *
                        std::max(over(Use.L2Sectors, On.L2BytesPerCycle),
                                 Use.MemorySectors / On.MemoryBytesPerCycle),
                    On);
  return Out;
}

static BlockNeeds needsByCounts(const BlockCost &Cost,
                                const RecordedLaunch &What, const Machine &On) {
  const double Warps = double(ceilDiv(What.Block.count(), On.WarpSize));
  const double Latency =
      double(Cost.arithmetic()) * On.Cycles.Arithmetic +
      double(Cost.GlobalReads) * On.Cycles.GlobalRead /
          (On.LoadsInFlight ? On.LoadsInFlight : Machine().LoadsInFlight) +
      double(Cost.GlobalWrites + Cost.GlobalAtomics) * On.Cycles.GlobalWrite +
      double(Cost.sharedAccesses()) * On.Cycles.Shared +
      double(Cost.Barriers) * On.Cycles.Barrier +
      double(Cost.Branches + Cost.Private + Cost.Other) * On.Cycles.Other;
  BlockNeeds Out;
  Out.Latency = inNs(Latency / Warps, On);
  Out.Issue = inNs(double(Cost.instructions()) / On.IssueWidth, On);
  Out.Memory = inNs(double(Cost.globalSectors()) * On.BytesPerSector /
                        On.MemoryBytesPerCycle,
                    On);
  return Out;
}

BlockNeeds needsOf(const BlockCost &Cost, const RecordedLaunch &What,
                   const Machine &On, uint64_t ProgramBytes) {
  const bool HasChains = Cost.ChainInstructions > 0 && On.LoadsInFlight == 0;
  return HasChains ? needsByChains(Cost, What, On, ProgramBytes)
                   : needsByCounts(Cost, What, On);
}

} // namespace blockmaestro::sim
