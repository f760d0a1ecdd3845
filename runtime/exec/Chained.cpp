// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Chained.h"

#include "GpuSerial.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <iterator>
#include <tuple>

namespace blockmaestro {
namespace {

/// What is remembered: kernels in a row, and nodes of graphs.
constexpr size_t MostSequences = 1024;
constexpr size_t MostNodes = 16384;

/// What things cost host and device together, as measured on an H200, in fifths
/// of a microsecond: a launch, that of a chain, and to set arguments and sizes
/// of a node.
constexpr unsigned LaunchCost = 15;
constexpr unsigned ChainCost = 16;
constexpr unsigned ArgumentCost = 3;
constexpr unsigned SizeCost = 12;

} // namespace

bool Chained::Sequence::awaits() const {
  return std::any_of(Chains.begin(), Chains.end(),
                     [](const Chain &Each) { return Each.Coming.valid(); });
}

/// Whether the chain can be launched.
bool Chained::isThere(Chain &Known) {
  constexpr std::chrono::seconds Now{0};
  if (Known.Coming.valid() &&
      Known.Coming.wait_for(Now) == std::future_status::ready)
    if (Result<void *> Made = Known.Coming.get(); Made.ok())
      Known.Graph = *Made;
  return Known.Graph;
}

void Chained::release(Sequence &Gone) {
  for (Chain &Each : Gone.Chains) {
    if (Each.Coming.valid())
      Each.Coming.wait();
    if (isThere(Each))
      Port.releaseChain(Each.Graph);
    Nodes -= Each.Set.size();
  }
}

void Chained::forgetSequences() {
  for (auto &[Key, Each] : Sequences)
    release(Each);
  Sequences.clear();
}

/// What is held then could not be submitted any more.
void Chained::forgetKernels() {
  Count = 0;
  End = {};
  forgetSequences();
}

/// Where too much is remembered: what never came often, or else everything.
void Chained::forgetSome() {
  if (Sequences.size() <= MostSequences && Nodes <= MostNodes)
    return;
  std::erase_if(Sequences,
                [](const auto &Each) { return Each.second.Chains.empty(); });
  if (Sequences.size() > MostSequences / 2 || Nodes > MostNodes)
    forgetSequences();
}

/// Another stream may get its name, and must not wait for a chain of this one.
void Chained::forgetStream(void *Stream) {
  for (auto At = Sequences.begin(); At != Sequences.end();) {
    const bool Gone = At->first.first == Stream;
    if (Gone)
      release(At->second);
    At = Gone ? Sequences.erase(At) : std::next(At);
  }
}

void Chained::Held::copy(const GpuLaunch &From) {
  What = From;
  Bytes.resize(From.Kernel->ArgumentBytes);
  Arguments.clear();
  for (const Parameter &Each : From.Kernel->Parameters) {
    void *To = Bytes.data() + Each.Offset;
    std::memcpy(To, From.Arguments[Arguments.size()], Each.Bytes);
    Arguments.push_back(To);
  }
  What.Arguments = Arguments.data();
}

/// What it costs to set a node to this, from a launch of the same kernel.
unsigned Chained::Held::costAfter(const Held &Other) const {
  if (!(What.Grid == Other.What.Grid && What.Block == Other.What.Block &&
        What.SharedBytes == Other.What.SharedBytes))
    return SizeCost;
  size_t Number = 0;
  for (const Parameter &Each : What.Kernel->Parameters) {
    if (std::memcmp(Arguments[Number], Other.Arguments[Number], Each.Bytes) !=
        0)
      return ArgumentCost;
    ++Number;
  }
  return 0;
}

/// Whether what is held has come to where long chains end. The first time that
/// is where it began: a program that repeats itself then has the same kernels
/// again.
bool Chained::comesAround(const GpuLaunch &Next) {
  if (Count < Steady)
    return false;
  const Seam Here = {Launches[Count - 1].What.Kernel, Next.Kernel};
  if (End == Seam() && Here == Seam{Before, Launches.front().What.Kernel})
    End = Here;
  return Here == End;
}

/// Whether the host could have launched one by one in the time that it has
/// waited, and a quarter more.
bool Chained::isSpare(std::chrono::nanoseconds Idle) const {
  return 4 * Idle > (5 * ByChain + (SinceWait - ByChain)) * LaunchTime;
}

/// Who finds that there was no time for it after all needs more to be told so
/// again. Another thread may have launched meanwhile: what is held goes first.
void Chained::waited(std::chrono::nanoseconds Idle) {
  if (SinceWait == 0 || Count != 0)
    return;
  const bool Now = isSpare(Idle);
  SinceWait = ByChain = 0;
  SpareWaits = Now && !Spare ? SpareWaits + 1 : 0;
  if (Spare && !Now)
    WaitsForSpare = std::min(2 * WaitsForSpare, MostWaits);
  Spare = Now && (Spare || SpareWaits >= WaitsForSpare);
}

/// Whether a launch that has been counted is not held.
bool Chained::goesAtOnce() const {
  constexpr unsigned Habit = 3;
  return Spare || SinceFence <= (ShortRuns >= Habit ? FirstChain : 1);
}

Result<bool> Chained::gather(const GpuLaunch &What) {
  Status Submitted;
  if (Count != 0 && Launches.front().What.Stream != What.Stream)
    Submitted = drain();
  else if (comesAround(What))
    Submitted = flush();
  if (!Submitted.ok())
    return Submitted;
  ++SinceFence;
  ++SinceWait;
  if (goesAtOnce())
    return false;
  Launches[Count++].copy(What);
  if (Count < Limit || (Limit == Steady && Count < Launches.size()))
    return true;
  if (Count == Launches.size())
    End = {};
  Limit = std::min(2 * Limit, Steady);
  Submitted = flush();
  return Submitted.ok() ? Result<bool>(true) : Result<bool>(Submitted);
}

Status Chained::submit(Task Next) {
  std::vector<void *> Arguments = argumentPointers(*Next.What);
  GpuLaunch Out = launchOf(Next, KernelVariant::Pdl, Arguments);
  Out.Programmatic = true;
  Status Submitted;
  if (MayHold()) {
    Result<bool> Taken = gather(Out);
    if (!Taken.ok() || *Taken)
      return Taken.status();
  } else {
    Submitted = drain();
  }
  return Submitted.ok() ? Port.launch(Out) : Submitted;
}

Status Chained::drain() {
  if (SinceFence != 0)
    ShortRuns = SinceFence <= FirstChain ? ShortRuns + 1 : 0;
  SinceFence = 0;
  Status Submitted = submitHeld();
  Before = nullptr;
  End = {};
  return Submitted;
}

/// The device may have nothing to do by now.
Status Chained::submitHeld() {
  Limit = FirstChain;
  return flush();
}

/// Has a chain made of these launches.
void Chained::begin(Sequence &For, std::span<const Held> Of) {
  Chain &Out = For.Chains.emplace_back();
  Out.Set = std::vector<Held>(Of.size());
  std::vector<GpuLaunch> Wanted;
  for (size_t I = 0; I < Of.size(); ++I) {
    Out.Set[I].copy(Of[I].What);
    Wanted.push_back(Out.Set[I].What);
  }
  For.Missed = 0;
  ++Made;
  Nodes += Of.size();
  if (Result<GpuPort::ChainWork> Work = Port.chainOf(Wanted); Work.ok())
    Out.Coming = Maker.begin(*std::move(Work));
}

/// The chain that these launches cost least by, with that cost; null: there is
/// none. Of equals the one that was used longest ago: the device may still be
/// reading the other.
std::pair<Chained::Chain *, size_t>
Chained::cheapest(Sequence &Among, std::span<const Held> For) {
  Chain *Best = nullptr;
  size_t Least = 0;
  for (Chain &Each : Among.Chains) {
    if (!isThere(Each))
      continue;
    size_t Cost = ChainCost;
    for (size_t I = 0; I < For.size(); ++I)
      Cost += For[I].costAfter(Each.Set[I]);
    if (!Best || Cost < Least || (Cost == Least && Each.UsedAt < Best->UsedAt))
      Best = &Each, Least = Cost;
  }
  return {Best, Least};
}

/// The chain by which these launches go; null where they cost less one by one.
/// Where that is not as it should be and has been so often, one more is made.
Chained::Chain *Chained::chainFor(Sequence &Among, std::span<Held> Of,
                                  bool Learns) {
  auto [Best, Least] = cheapest(Among, Of);
  if (Best && Least == ChainCost)
    return Best;
  Learns = Learns && !Among.awaits();
  if (Learns && std::exchange(Among.MissedAt, Flushes) != Flushes)
    ++Among.Missed;
  if (Learns && Among.Chains.size() < MostAlike &&
      Among.Missed >= Often << (2 * Among.Chains.size()) &&
      Made < Advance + Used / UsesForOne) {
    begin(Among, Of);
    std::tie(Best, Least) = cheapest(Among, Of);
  }
  return Best && Least < LaunchCost * Of.size() ? Best : nullptr;
}

Status Chained::submitAs(Chain &Known, std::span<Held> Of) {
  void *const Stream = Of.front().What.Stream;
  Known.UsedAt = Flushes;
  ++Used;
  ByChain += Of.size();
  for (size_t I = 0; I < Of.size(); ++I) {
    if (Of[I].costAfter(Known.Set[I]) == 0)
      continue;
    if (Status Set = Port.setLaunch(Known.Graph, I, Of[I].What); !Set.ok())
      return Set;
    std::swap(Known.Set[I], Of[I]);
  }
  return Port.launchChain(Known.Graph, Stream);
}

/// As one chain, or as those of its halves; one by one what no chain has. While
/// a chain is made for the whole, none is wanted for the halves.
Status Chained::submitAll(std::span<Held> Of, bool Learns) {
  if (Of.size() >= Shortest) {
    Kernels Names;
    for (const Held &Each : Of)
      Names.push_back(Each.What.Kernel);
    Sequence &Same = Sequences[{Of.front().What.Stream, std::move(Names)}];
    if (Chain *Known = chainFor(Same, Of, Learns))
      return submitAs(*Known, Of);
    Learns = Learns && !Same.awaits();
  }
  const size_t Half = Of.size() / 2;
  if (Half >= Shortest) {
    Status First = submitAll(Of.first(Half), Learns);
    return First.ok() ? submitAll(Of.subspan(Half), Learns) : First;
  }
  for (const Held &Each : Of)
    if (Status Launched = Port.launch(Each.What); !Launched.ok())
      return Launched;
  return {};
}

Status Chained::flush() {
  if (Count == 0)
    return {};
  std::span<Held> All = std::span(Launches).first(Count);
  forgetSome();
  Count = 0;
  ++Flushes;
  Before = All.back().What.Kernel;
  return submitAll(All, /*Learns=*/true);
}

} // namespace blockmaestro
