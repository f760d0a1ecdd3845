// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Durations.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <system_error>

namespace blockmaestro::sim {

/// A decimal number from 1 on, and nothing behind it.
static std::optional<uint64_t> positiveIn(std::string_view Text) {
  uint64_t Number = 0;
  const char *End = Text.data() + Text.size();
  const auto Read = std::from_chars(Text.data(), End, Number);
  if (Read.ec != std::errc() || Read.ptr != End || Number == 0)
    return std::nullopt;
  return Number;
}

Result<DurationChoice> parseDurations(std::string_view Text) {
  constexpr std::string_view Uniform = "uniform:";
  constexpr uint64_t MostNs = 1000000000;
  if (Text == "shared")
    return DurationChoice{DurationSource::Shared, 0};
  if (Text == "model")
    return DurationChoice{DurationSource::Alone, 0};
  if (Text == "events")
    return DurationChoice{DurationSource::Events, 0};
  if (Text.starts_with(Uniform))
    if (const auto Ns = positiveIn(Text.substr(Uniform.size()));
        Ns && *Ns <= MostNs)
      return DurationChoice{DurationSource::Uniform, *Ns};
  return Status(StatusCode::InvalidArgument,
                "durations must be shared, model, events or uniform:NS "
                "with NS from 1 to 1000000000, not '" +
                    std::string(Text) + "'");
}

static uint64_t wholeNs(double Ns) {
  return std::max<uint64_t>(1, uint64_t(Ns + 0.5));
}

uint64_t aloneNs(const BlockCost &Cost, const RecordedLaunch &What,
                 const Machine &On, uint64_t ProgramBytes) {
  const uint64_t Sharing = blocksTogether(What, On);
  const uint64_t Together = std::min(What.Grid.count(), Sharing * On.Sms);
  const BlockNeeds Needs = needsOf(Cost, What, On, ProgramBytes);
  const double Shared =
      std::max(Needs.Issue * double(Sharing), Needs.Memory * double(Together));
  return wholeNs(Needs.SharesLast ? Needs.Latency + Shared
                                  : std::max(Needs.Latency, Shared));
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
  bool SharesLast = false;

  LaunchDurations take() {
    return {std::move(Ns), std::move(IssueNs), std::move(MemoryNs), SharesLast};
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
                    DurationSource From, uint64_t ProgramBytes) {
  if (From == DurationSource::Alone) {
    To.Ns[Of.Block] = aloneNs(Of.Cost, What, On, ProgramBytes);
    return;
  }
  const BlockNeeds Needs = needsOf(Of.Cost, What, On, ProgramBytes);
  To.Ns[Of.Block] = wholeNs(Needs.Latency);
  To.SharesLast = Needs.SharesLast;
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

/// All that blocks touch.
static uint64_t touchedBytes(const Recording &Of, const Machine &On) {
  uint64_t Sectors = 0;
  for (const RecordedCost &C : Of.Costs)
    Sectors += C.Cost.NewSectors;
  return Sectors * On.BytesPerSector;
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
  else {
    const uint64_t ProgramBytes = touchedBytes(Of, On);
    for (const RecordedCost &C : Of.Costs)
      addCost(Out[C.Launch], C, Of.Launches[C.Launch], On, From, ProgramBytes);
  }
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
