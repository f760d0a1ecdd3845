// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Chained.h"

#include "GpuSerial.h"

#include <algorithm>
#include <string>
#include <utility>

namespace blockmaestro {

std::span<const HeldWork> Chained::held() const {
  return Works.all().subspan(Sent);
}

/// Whether a work may wait for what another stream is given behind an event,
/// which must not stand for that work then.
static bool mayWait(const GpuWork &What) {
  const auto *Launch = std::get_if<GpuLaunch>(&What);
  if (!Launch)
    return false;
  for (const Feature Each :
       {Feature::BlockWait, Feature::Volatile, Feature::GridSync,
        Feature::InlineAssembly, Feature::IndirectCalls,
        Feature::DynamicParallelism})
    if (Launch->Kernel->has(Each))
      return true;
  return false;
}

/// What is held then could not be submitted any more.
void Chained::forgetKernels() {
  forgetWorks();
  Works.forgetKernels();
  IsWholeRun = false;
  Expected.forget();
  Choices.forget();
  SinceFence = 0;
  ShortRuns.clear();
  End = {};
  Chains.forgetAll();
}

void Chained::forgetStream(void *Stream) {
  Expected.forget();
  Joined.forgetStream(Stream);
  Staged.forgetStream(Stream);
  Chains.forgetStream(Stream);
}

/// Whether what is held, or else the run, has come to where long chains end.
/// The first time that is where it began: a program that repeats itself then
/// has the same kernels again.
bool Chained::comesAround(const GpuWork &Next) {
  const std::span<const HeldWork> Now = holds() ? held() : Works.all();
  if (Now.size() < Steady || !Joined.isTied())
    return false;
  const Seam Here = {kindOf(Now.back().work()), kindOf(Next)};
  if (End == Seam() && Here == Seam{Before, kindOf(Now.front().work())})
    End = Here;
  return Here == End;
}

/// Whether the host could have launched one by one in the time that it has
/// waited, and a quarter more.
bool Chained::isSpare(std::chrono::nanoseconds Idle) const {
  return 4 * Idle > (5 * ByChain + (SinceWait - ByChain)) * LaunchTime;
}

/// Whether a run is held though the host has time.
bool Chained::holdsAnyway() {
  if (Chains.formsMatter())
    return true;
  const bool Tries = SinceWait > FirstChain && WaitsToTry > 0;
  WaitsToTry -= Tries;
  return Tries;
}

/// The first work behind a wait comes.
void Chained::beginStretch(const GpuWork &First) {
  Straight = Choices.begin(kindOf(First));
  StretchBegan = std::chrono::steady_clock::now();
  SubmittedBefore = Chains.counts().Submitted;
  CostBefore = Chains.counts().Cost;
  UnsureBefore = FromHost + ByJoined;
}

/// Counts a work of a stretch in which nothing is held. False: it has become so
/// long that works are held from here on, in what is no whole run.
bool Chained::goesStraight() {
  Straight = Choices.goesOn(SinceWait);
  IsWholeRun = false;
  SinceWait += Straight;
  All += Straight;
  return Straight;
}

/// What holding has gained since the stretch began. What copies from the host
/// and joined streams gain in a graph is for times to say.
HoldGain Chained::gain() const {
  const size_t Works = Chains.counts().Submitted - SubmittedBefore;
  const size_t Cost = Chains.counts().Cost - CostBefore;
  if (Works == 0)
    return HoldGain::None;
  if (FromHost + ByJoined != UnsureBefore)
    return HoldGain::Little;
  return 5 * Cost <= 3 * LaunchCost * Works ? HoldGain::Much : HoldGain::Little;
}

/// The host has waited for all of it.
void Chained::endStretch() {
  Choices.ended(std::chrono::steady_clock::now() - StretchBegan, SinceWait,
                gain());
  Straight = false;
}

/// Who finds that there was no time for it after all needs more to be told so
/// again. Another thread may have launched meanwhile: what is held goes first.
void Chained::waited(std::chrono::nanoseconds Idle) {
  if (SinceWait == 0 || gathers())
    return;
  endStretch();
  Chains.worksTake(Idle / SinceWait);
  const bool Now = isSpare(Idle) && (Spare || !holdsAnyway());
  SinceWait = ByChain = 0;
  SpareWaits = Now && !Spare ? SpareWaits + 1 : 0;
  if (Spare && !Now)
    WaitsForSpare = std::min(2 * WaitsForSpare, MostWaits);
  Spare = Now && (Spare || SpareWaits >= WaitsForSpare);
}

static const GpuCopy *hostCopy(const GpuWork &What) {
  const auto *Copy = std::get_if<GpuCopy>(&What);
  return Copy && Copy->Source != CopySource::Device ? Copy : nullptr;
}

/// Whether the work goes with those before it.
bool Chained::goesOn(const GpuWork &Next) const {
  if (Joined.isAlone())
    return Joined.has(streamOf(Next));
  const bool IsHome = streamOf(Next) == Joined.home();
  return Joined.has(streamOf(Next)) && !Spare && !mayWait(Next) &&
         (IsHome || !hostCopy(Next));
}

/// Another stream's work comes. To hold a few of each in turn would only delay
/// them.
Status Chained::changeStream(void *To) {
  const bool IsLong = SinceChange >= ChainMemory::Shortest;
  SinceChange = 0;
  Status Done = IsLong ? flushRun() : drain();
  if (Done.ok())
    Joined.begin(To);
  return Done;
}

/// Submits what must not be held with this work.
Status Chained::goOn(const GpuWork &Next) {
  if (!goesOn(Next))
    return changeStream(streamOf(Next));
  if (comesAround(Next) || (!holds() && Works.size() == 2 * Steady))
    return flushRun();
  return {};
}

/// The first work behind a fence comes. What is remembered of too many kinds is
/// forgotten.
void Chained::beginRun(const GpuWork &First) {
  constexpr size_t MostKinds = 256;
  if (ShortRuns.size() >= MostKinds)
    ShortRuns.clear();
  ShortBefore = &ShortRuns[kindOf(First)];
}

void Chained::endRun() {
  if (SinceFence != 0)
    *ShortBefore = SinceFence <= ShortRun ? *ShortBefore + 1 : 0;
  SinceFence = 0;
}

/// Whether a work that has been counted is not held, where none is.
bool Chained::goesAtOnce() const {
  constexpr unsigned Habit = 3;
  return Spare || SinceFence <= (*ShortBefore >= Habit ? ShortRun : 1);
}

/// Takes the bytes of the last work aside, where the program may change them.
/// False: there is no room.
bool Chained::takeAside() {
  const GpuCopy *Copy = hostCopy(Works.back().work());
  if (!Copy)
    return true;
  if (Copy->Source == CopySource::Passing) {
    const void *Kept = Staged.keep(Copy->From, Copy->Bytes, Copy->Stream);
    if (!Kept)
      return false;
    Works.back().readFrom(Kept);
  }
  ++FromHost;
  return true;
}

/// The last work is made by the caller, behind what is held.
Status Chained::letGo() {
  Works.pop();
  IsWholeRun = false;
  Status Done = flush();
  Joined.given(Joined.home());
  return Done;
}

/// The last work is made by the caller at once, and is one of the run. A chain
/// of the run reads what it copies where that would be if it were held.
void Chained::noteGone() {
  Sent = Works.size();
  Joined.given(Joined.home());
  const GpuCopy *Copy = hostCopy(Works.back().work());
  if (!Copy || Copy->Source != CopySource::Passing)
    return;
  Works.back().readFrom(Staged.likelyPlace());
  IsWholeRun &= Staged.likelyPlace() != nullptr;
}

/// Whether what is held has to go.
bool Chained::isFull(bool AsExpected) const {
  const size_t Count = held().size();
  if (AsExpected)
    return Expected.isComplete();
  if (!Joined.isTied())
    return Count == 2 * Steady;
  return Count >= Limit && (Limit < Steady || Count == 2 * Steady);
}

/// Holds the work, or is about to.
void Chained::add(const GpuWork &What) {
  if (SinceFence == 0)
    beginRun(What);
  ++SinceFence;
  ++SinceChange;
  ++SinceWait;
  ++All;
  if (IsWholeRun && (Works.size() < FirstChain || Works.size() % Glance == 0))
    LastCame = std::chrono::steady_clock::now();
  if (Works.empty())
    RunBegan = LastCame;
  Works.push(What);
  Works.back().moveTo(Joined.home());
  IsWholeRun &= Joined.isAlone();
}

Result<bool> Chained::gather(const GpuWork &What) {
  void *Stream = streamOf(What);
  if (SinceWait == 0 && !gathers())
    beginStretch(What);
  if (Straight && goesStraight()) {
    Joined.given(Stream);
    return false;
  }
  Status Submitted = goOn(What);
  const bool AsExpected = Expected.goesOn(What) && IsWholeRun && Sent == 0;
  const bool EndsHere = !Recorded.empty() && mayWait(What);
  if (Submitted.ok() && ((Spare && !AsExpected) || EndsHere))
    Submitted = flush();
  if (!Submitted.ok())
    return Submitted;
  add(What);
  const bool IsFirst = held().size() == 1 && Stream == Joined.home();
  if (!AsExpected && IsFirst && goesAtOnce()) {
    noteGone();
    return false;
  }
  if (!takeAside()) {
    Submitted = letGo();
    return Submitted.ok() ? Result<bool>(false) : Result<bool>(Submitted);
  }
  Joined.hold(Stream);
  if (!isFull(AsExpected))
    return true;
  if (held().size() == 2 * Steady)
    End = {};
  Limit = std::min(4 * Limit, Steady);
  Submitted = AsExpected ? flushRun() : flush();
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
    Joined.strange(Out.Stream);
  }
  return Submitted.ok() ? Port.launch(Out) : Submitted;
}

Status Chained::drain() {
  endRun();
  Limit = FirstChain;
  Status Submitted = flushRun();
  Before = {};
  End = {};
  return Submitted.ok() ? Chains.failure() : Submitted;
}

/// The device may have nothing to do by now.
Status Chained::submitHeld() {
  Limit = FirstChain;
  return flush();
}

/// Whether the host did little between the works of the run: what is held then
/// does not keep the device waiting.
bool Chained::cameWithoutPause() const {
  return LastCame - RunBegan <= Works.size() * LaunchTime;
}

/// A run has come to its end, and another begins.
Status Chained::flushRun() {
  Status Submitted = flush();
  if (!Works.empty())
    Before = kindOf(Works.back().work());
  if (IsWholeRun && !Works.empty())
    Expected.ended(Works.all(),
                   Chains.goesAsWhole(Works.all()) && cameWithoutPause());
  forgetWorks();
  IsWholeRun = true;
  Expected.begin();
  return Submitted;
}

/// Nothing is held.
void Chained::forgetWorks() {
  Works.clear();
  Recorded.clear();
  Sent = 0;
}

/// As a part of a sentence; empty where no other form was tried or chosen.
std::string Chained::accountOfForms() const {
  const ChainMemory::Counts &Done = Chains.counts();
  std::string Out;
  if (Done.ByBlock != 0)
    Out = ", " + std::to_string(Done.ByBlock) + " where blocks wait for blocks";
  if (Done.Tried == 0)
    return Out;
  Out += "; this was tried in " + std::to_string(Done.Tried) + " graphs";
  if (Done.Won == 0)
    return Out + " and was not faster";
  const auto Mean = [&](std::chrono::nanoseconds Sum) {
    const auto Tenths = Sum.count() / static_cast<long>(Done.Won) / 100;
    return std::to_string(Tenths / 10) + "." + std::to_string(Tenths % 10);
  };
  return Out + " and faster in " + std::to_string(Done.Won) + ", " +
         Mean(Done.Since) + " us a launch instead of " + Mean(Done.Before);
}

/// What else was held, as a part of a sentence; empty where nothing was.
std::string Chained::accountOfOthers() const {
  if (FromHost + Records == 0)
    return "";
  return "; held with them were " + std::to_string(FromHost) +
         " copies from the host, " + std::to_string(Records) + " records and " +
         std::to_string(Waits) + " waits of events, and " +
         std::to_string(ByJoined) + " works in chains of joined streams";
}

/// By what things cost on an H200 (HeldWork.h).
static std::string accountOfCost(const ChainMemory::Counts &Done) {
  constexpr size_t Fifths = 5;
  if (Done.Submitted == 0)
    return "";
  return "; what was held cost about " + std::to_string(Done.Cost / Fifths) +
         " us where one by one it had been " +
         std::to_string(LaunchCost * Done.Submitted / Fifths);
}

std::string Chained::account() const {
  if (All == 0)
    return "";
  const ChainMemory::Counts Done = Chains.counts();
  return "of " + std::to_string(All) + " launches and copies " +
         std::to_string(Done.Works) + " went in " +
         std::to_string(Done.Launched) + " launches of " +
         std::to_string(Done.Made) + " graphs, " + std::to_string(Done.Beside) +
         " of them where some run beside others" + accountOfForms() +
         accountOfOthers() + accountOfCost(Done);
}

/// Submits the first works that are held; those of joined streams as one chain,
/// or one after the other.
Status Chained::submitHeld(std::span<const HeldWork> These) {
  Before = kindOf(These.back().work());
  if (Joined.isAlone()) {
    const Result<size_t> Gone = Chains.submit(These, IsWholeRun && Sent == 0);
    ByChain += Gone.ok() ? *Gone : 0;
    return Gone.status();
  }
  Loose = Joined.isTied() ? 0 : Loose + 1;
  const Result<size_t> Gone =
      Chains.submitJoined(These, Joined.order(These.size()));
  if (!Gone.ok())
    return Gone.status();
  ByChain += *Gone;
  ByJoined += *Gone;
  Alone = *Gone != 0 ? Alone - std::min(Alone, *Gone) : Alone + These.size();
  return {};
}

/// Submits what is held up to so many of Works, and records the events behind
/// them.
Status Chained::flushTo(size_t End) {
  if (!gathers())
    return {};
  const size_t Count = End - Sent;
  LastEvent = nullptr;
  Status Done = Count == 0 ? Status() : submitHeld(held().first(Count));
  Sent = End;
  const std::vector<void *> Behind = Joined.gone(Count);
  for (Mark &Each : Recorded)
    Each.Behind = JoinedStreams::without(Each.Behind, Count);
  if (Done.ok())
    Done = record();
  if (const Status Put = putBehind(Behind); Done.ok())
    Done = Put;
  const bool IsAll = !holds();
  if (Done.ok() && IsAll)
    Done = Staged.given(Joined.home());
  if (IsAll && Works.size() > Steady) {
    forgetWorks();
    IsWholeRun = false;
  }
  return Done;
}

} // namespace blockmaestro
