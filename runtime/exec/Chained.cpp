// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Chained.h"

#include "GpuSerial.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace blockmaestro {
namespace {

/// The first chain after a launch that was not held.
constexpr unsigned FirstChain = 4;

} // namespace

Chained::~Chained() {
  for (void *Each : Chains)
    if (Each)
      Port.releaseChain(Each);
}

void Chained::Held::copy(const GpuLaunch &From) {
  What = From;
  Arguments.clear();
  for (const Parameter &Each : From.Kernel->Parameters) {
    void *To = Bytes.data() + Each.Offset;
    std::memcpy(To, From.Arguments[Arguments.size()], Each.Bytes);
    Arguments.push_back(To);
  }
  What.Arguments = Arguments.data();
}

Result<bool> Chained::gather(const GpuLaunch &What) {
  const bool Fits = What.Kernel->ArgumentBytes <= sizeof(Held::Bytes);
  if (Count != 0 && (!Fits || Launches.front().What.Stream != What.Stream))
    if (Status Flushed = drain(); !Flushed.ok())
      return Flushed;
  if (!Fits || Limit == 1) {
    Limit = std::max(Limit, FirstChain);
    return false;
  }
  ++Taken;
  Launches[Count++].copy(What);
  if (Count < Limit)
    return true;
  Limit = std::min(2 * Limit, Longest);
  Status Flushed = flush();
  return Flushed.ok() ? Result<bool>(true) : Result<bool>(Flushed);
}

Status Chained::submit(Task Next) {
  std::vector<void *> Arguments = argumentPointers(*Next.What);
  GpuLaunch Out = launchOf(Next, KernelVariant::Pdl, Arguments);
  Out.Programmatic = true;
  Result<bool> Held = gather(Out);
  if (!Held.ok())
    return Held.status();
  return *Held ? Status() : Port.launch(Out);
}

Status Chained::drain() {
  Limit = 1;
  return flush();
}

Result<void *> Chained::chainOf(unsigned Length, const GpuLaunch &Any) {
  const size_t Power = std::countr_zero(Length);
  if (Chains.size() <= Power)
    Chains.resize(Power + 1);
  if (!Chains[Power]) {
    Result<void *> Made = Port.makeChain(Length, Any);
    if (!Made.ok())
      return Made;
    Chains[Power] = *Made;
  }
  return Chains[Power];
}

/// Where there is no memory for a graph.
Status Chained::submitSingly(std::span<Held> Of) {
  Status Done;
  for (Held &Each : Of)
    if (Done.ok())
      Done = Port.launch(Each.What);
  return Done;
}

Status Chained::submitChain(std::span<Held> Of) {
  if (Of.size() == 1)
    return Port.launch(Of.front().What);
  Result<void *> Chain = chainOf(Of.size(), Of.front().What);
  if (!Chain.ok())
    return submitSingly(Of);
  for (size_t I = 0; I < Of.size(); ++I)
    if (Status Set = Port.setLaunch(*Chain, I, Of[I].What); !Set.ok())
      return Set;
  return Port.launchChain(*Chain, Of.front().What.Stream);
}

/// Longest chains first, so that the device has work soonest and longest.
Status Chained::flush() {
  std::span<Held> Left = std::span(Launches).first(Count);
  Count = 0;
  while (!Left.empty()) {
    const size_t Length = std::bit_floor(Left.size());
    if (Status Done = submitChain(Left.first(Length)); !Done.ok())
      return Done;
    Left = Left.subspan(Length);
  }
  return {};
}

} // namespace blockmaestro
