// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Durations.h"

#include <algorithm>

namespace blockmaestro::sim {

static uint64_t ceilDiv(uint64_t Value, uint64_t Divisor) {
  return Value / Divisor + (Value % Divisor != 0);
}

uint32_t registersPerBlock(const RecordedLaunch &What, const Machine &On) {
  const uint64_t Warps = ceilDiv(What.Block.count(), On.WarpSize);
  const uint64_t OfWarp =
      ceilDiv(uint64_t(What.Registers) * On.WarpSize, On.RegisterGranularity) *
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

static double inNs(double Cycles, const Machine &On) {
  return Cycles * 1000.0 / On.ClockMHz;
}

BlockNeeds needsOf(const BlockCost &Cost, const RecordedLaunch &What,
                   const Machine &On) {
  const double Warps = double(ceilDiv(What.Block.count(), On.WarpSize));
  const double Latency =
      double(Cost.arithmetic()) * On.Cycles.Arithmetic +
      double(Cost.GlobalReads) * On.Cycles.GlobalRead / On.LoadsInFlight +
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

static uint64_t wholeNs(double Ns) {
  return std::max<uint64_t>(1, uint64_t(Ns + 0.5));
}

uint64_t aloneNs(const BlockCost &Cost, const RecordedLaunch &What,
                 const Machine &On) {
  const uint64_t Sharing = std::max<uint64_t>(
      1, std::min<uint64_t>(blocksPerSm(What, On),
                            ceilDiv(What.Grid.count(), On.Sms)));
  const uint64_t Together = std::min(What.Grid.count(), Sharing * On.Sms);
  const BlockNeeds Needs = needsOf(Cost, What, On);
  return wholeNs(std::max({Needs.Issue * double(Sharing), Needs.Latency,
                           Needs.Memory * double(Together)}));
}

/// A side of which the recording does not say where it is counts as the
/// device's, and so does managed memory.
CopyPath pathOf(const RecordedCopy &What) {
  const auto Moves = [](MemoryPlace Place) {
    return Place != MemoryPlace::None && !isOfHost(Place);
  };
  if (!Moves(What.From) && !Moves(What.To))
    return CopyPath::None;
  return isOfHost(What.From) ? CopyPath::ToDevice
         : isOfHost(What.To) ? CopyPath::ToHost
                             : CopyPath::Within;
}

/// Memory has to read and to write what it copies.
uint64_t copyNs(const RecordedCopy &What, CopyPath By, const Machine &On) {
  const double Bytes = double(What.Bytes);
  double Ns = 0;
  switch (By) {
  case CopyPath::ToDevice:
  case CopyPath::ToHost:
    Ns = Bytes * 1000.0 / On.HostBytesPerUs;
    break;
  case CopyPath::Within: {
    double Moved = 0;
    for (const RecordedRange &Each : What.Ranges)
      Moved += double(Each.Bytes);
    Ns = inNs(Moved / On.MemoryBytesPerCycle, On);
    break;
  }
  case CopyPath::None:
    break;
  }
  return wholeNs(Ns);
}

namespace {

/// What is known of a launch's blocks so far.
struct EachBlock {
  std::vector<uint64_t> Ns;
  std::vector<float> IssueNs, MemoryNs;

  LaunchDurations take() {
    return {std::move(Ns), std::move(IssueNs), std::move(MemoryNs)};
  }
};

} // namespace

static EachBlock unknown(uint64_t Blocks, DurationSource From) {
  EachBlock Out;
  Out.Ns.assign(Blocks, 0);
  if (From == DurationSource::Shared) {
    Out.IssueNs.assign(Blocks, 0);
    Out.MemoryNs.assign(Blocks, 0);
  }
  return Out;
}

static void addCost(EachBlock &To, const RecordedCost &Of,
                    const RecordedLaunch &What, const Machine &On,
                    DurationSource From) {
  if (From == DurationSource::Alone) {
    To.Ns[Of.Block] = aloneNs(Of.Cost, What, On);
    return;
  }
  const BlockNeeds Needs = needsOf(Of.Cost, What, On);
  To.Ns[Of.Block] = wholeNs(Needs.Latency);
  To.IssueNs[Of.Block] = float(Needs.Issue);
  To.MemoryNs[Of.Block] = float(Needs.Memory);
}

/// From -1 to 1, another for each block (SplitMix64's mixing).
static double deviationOf(uint64_t Launch, uint64_t Block) {
  uint64_t Bits = (Launch << 32 | Block) + 0x9e3779b97f4a7c15;
  Bits = (Bits ^ Bits >> 30) * 0xbf58476d1ce4e5b9;
  Bits = (Bits ^ Bits >> 27) * 0x94d049bb133111eb;
  return double(int64_t(Bits ^ Bits >> 31)) * 0x1p-63;
}

/// Lets the blocks of a launch differ at random, on average not at all.
static void spread(EachBlock &To, uint64_t Launch, const Machine &On) {
  for (size_t Block = 0; Block < To.Ns.size(); ++Block) {
    const double Factor =
        1 + deviationOf(Launch, Block) * On.BlockSpreadPercent / 100;
    if (To.Ns[Block])
      To.Ns[Block] = wholeNs(double(To.Ns[Block]) * Factor);
    if (!To.IssueNs.empty()) {
      To.IssueNs[Block] *= float(Factor);
      To.MemoryNs[Block] *= float(Factor);
    }
  }
}

/// As recorded: by launch, all at once, since a recording has them in any
/// order.
static std::vector<EachBlock>
recordedDurations(const Recording &Of, const Machine &On, DurationSource From) {
  std::vector<EachBlock> Out;
  for (const RecordedLaunch &Each : Of.Launches)
    Out.push_back(unknown(Each.Grid.count(), From));
  if (From == DurationSource::Events)
    for (const Event &E : Of.Events)
      Out[E.Launch].Ns[E.Block] = std::max<uint64_t>(1, E.End - E.Start);
  else
    for (const RecordedCost &C : Of.Costs)
      addCost(Out[C.Launch], C, Of.Launches[C.Launch], On, From);
  return Out;
}

std::vector<LaunchDurations> blockDurations(const Recording &Of,
                                            const Machine &On,
                                            const DurationChoice &How) {
  const bool Uniform = How.From == DurationSource::Uniform;
  std::vector<EachBlock> Recorded;
  if (!Uniform)
    Recorded = recordedDurations(Of, On, How.From);
  std::vector<LaunchDurations> Out(Of.Launches.size());
  for (size_t I = 0; I < Out.size(); ++I) {
    if (Uniform && !On.BlockSpreadPercent) {
      Out[I].Ns = {How.UniformNs};
      continue;
    }
    EachBlock Each;
    if (Uniform)
      Each.Ns.assign(Of.Launches[I].Grid.count(), How.UniformNs);
    else
      Each = std::move(Recorded[I]);
    if (On.BlockSpreadPercent)
      spread(Each, Of.Launches[I].Id, On);
    Out[I] = Each.take();
  }
  return Out;
}

} // namespace blockmaestro::sim
