// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Chained.h"

#include "GpuSerial.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace blockmaestro {
namespace {

/// What is remembered: kernels in a row, and nodes of graphs.
constexpr size_t MostSequences = 1024;
constexpr size_t MostNodes = 16384;

/// What things cost the host, as measured by benchmarks/micro/Issue.cu on an
/// H200, in fifths of a microsecond: a launch, that of a chain, and to set
/// arguments and sizes of a node.
constexpr unsigned LaunchCost = 15;
constexpr unsigned ChainCost = 10;
constexpr unsigned ArgumentCost = 2;
constexpr unsigned SizeCost = 10;

} // namespace

void Chained::release(const Sequence &Gone) {
  for (const Chain &Each : Gone.Chains) {
    Port.releaseChain(Each.Graph);
    Nodes -= Each.Set.size();
  }
}

/// What is held then could not be submitted any more.
void Chained::forgetKernels() {
  Count = 0;
  for (const auto &[Key, Each] : Sequences)
    release(Each);
  Sequences.clear();
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
    if (std::memcmp(Arguments[Number], Other.Arguments[Number], Each.Bytes))
      return ArgumentCost;
    ++Number;
  }
  return 0;
}

/// Whether what is held has come to where it began: chains of a program that
/// repeats itself then have the same kernels again.
bool Chained::comesAround(const GpuLaunch &Next) const {
  return Count >= Steady && Launches.front().What.Kernel == Next.Kernel &&
         Launches[Count - 1].What.Kernel == Before;
}

/// Whether a launch that has been counted is not held.
bool Chained::goesAtOnce() const {
  constexpr unsigned Habit = 3;
  return SinceFence <= (ShortRuns >= Habit ? FirstChain : 1);
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
  if (goesAtOnce())
    return false;
  Launches[Count++].copy(What);
  if (Count < Limit || (Limit == Steady && Count < Launches.size()))
    return true;
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
  Limit = FirstChain;
  Status Submitted = flush();
  Before = nullptr;
  return Submitted;
}

/// Null where there is no memory for it.
Chained::Chain *Chained::make(Sequence &For, std::span<Held> Of) {
  std::vector<GpuLaunch> Wanted;
  for (const Held &Each : Of)
    Wanted.push_back(Each.What);
  For.Missed = 0;
  Result<void *> Made = Port.makeChain(Wanted);
  if (!Made.ok())
    return nullptr;
  Chain &Out = For.Chains.emplace_back();
  Out.Graph = *Made;
  Out.Set = std::vector<Held>(Of.size());
  for (size_t I = 0; I < Of.size(); ++I)
    Out.Set[I].copy(Of[I].What);
  Nodes += Of.size();
  return &Out;
}

/// The chain that these launches cost least by, or one that is made of them
/// now; null where they cost less one by one. Of equals the one that was used
/// longest ago: the device may still be reading the other.
Chained::Chain *Chained::chainFor(std::span<Held> Of) {
  Kernels Names;
  for (const Held &Each : Of)
    Names.push_back(Each.What.Kernel);
  Sequence &For = Sequences[{Of.front().What.Stream, std::move(Names)}];
  Chain *Best = nullptr;
  size_t Least = 0;
  for (Chain &Each : For.Chains) {
    size_t Cost = ChainCost;
    for (size_t I = 0; I < Of.size(); ++I)
      Cost += Of[I].costAfter(Each.Set[I]);
    if (!Best || Cost < Least || (Cost == Least && Each.UsedAt < Best->UsedAt))
      Best = &Each, Least = Cost;
  }
  if (Best && Least == ChainCost)
    return Best;
  if (std::exchange(For.MissedAt, Flushes) != Flushes)
    ++For.Missed;
  const bool Room = For.Chains.size() < MostAlike;
  if (Room && For.Missed >= Often << (2 * For.Chains.size()))
    if (Chain *Made = make(For, Of))
      return Made;
  return Best && Least < LaunchCost * Of.size() ? Best : nullptr;
}

Status Chained::submitAs(Chain &Known, std::span<Held> Of) {
  void *const Stream = Of.front().What.Stream;
  Known.UsedAt = Flushes;
  for (size_t I = 0; I < Of.size(); ++I) {
    if (Of[I].costAfter(Known.Set[I]) == 0)
      continue;
    if (Status Set = Port.setLaunch(Known.Graph, I, Of[I].What); !Set.ok())
      return Set;
    std::swap(Known.Set[I], Of[I]);
  }
  return Port.launchChain(Known.Graph, Stream);
}

/// As one chain, or as those of its halves; one by one what no chain has.
Status Chained::submitAll(std::span<Held> Of) {
  if (Of.size() == 1)
    return Port.launch(Of.front().What);
  if (Chain *Known = chainFor(Of))
    return submitAs(*Known, Of);
  const size_t Half = Of.size() / 2;
  Status First = submitAll(Of.first(Half));
  return First.ok() ? submitAll(Of.subspan(Half)) : First;
}

Status Chained::flush() {
  if (Count == 0)
    return {};
  std::span<Held> All = std::span(Launches).first(Count);
  if (Sequences.size() > MostSequences || Nodes > MostNodes)
    forgetKernels();
  Count = 0;
  ++Flushes;
  Before = All.back().What.Kernel;
  return submitAll(All);
}

} // namespace blockmaestro
