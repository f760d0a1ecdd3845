// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Share.h"

#include <algorithm>

namespace blockmaestro {
namespace {

constexpr size_t TicketsAt = Share::Slots * Share::SlotBytes;

/// Mixes a number into another (the finaliser of MurmurHash3).
uint64_t mixed(uint64_t Of, uint64_t With) {
  uint64_t Value = Of * 31 + With;
  Value = (Value ^ (Value >> 33)) * 0xff51afd7ed558ccd;
  Value = (Value ^ (Value >> 33)) * 0xc4ceb9fe1a85ec53;
  return Value ^ (Value >> 33);
}

uint64_t nameOf(const GpuLaunch &What) {
  uint64_t Name = reinterpret_cast<uintptr_t>(What.Kernel);
  for (const Dim3 &Each : {What.Grid, What.Block})
    for (uint32_t Extent : {Each.X, Each.Y, Each.Z})
      Name = mixed(Name, Extent);
  return Name;
}

Launch launchWith(const GpuLaunch &What) {
  Launch Out;
  Out.Kernel = What.Kernel;
  Out.Grid = What.Grid;
  Out.Block = What.Block;
  Out.DynamicSharedBytes = What.SharedBytes;
  return Out;
}

} // namespace

/// What streams that are gone still do, CUDA waits for before it frees memory.
Share::~Share() {
  for (const Lane &Each : Now.Lanes)
    if (Each.Stream)
      (void)Port.synchronize(*Each.Stream);
  endRun();
  if (Records)
    Port.releaseBeside(Records);
  if (Staging)
    Port.releaseStaging(Staging);
}

Share::Shape Share::shapeOf(const GpuLaunch &What) {
  return {What.Kernel, What.Grid.count(), What.Block.count(), What.SharedBytes};
}

const Share::Form &Share::formOf(const GpuLaunch &What) {
  auto [Found, New] = Forms.try_emplace(shapeOf(What));
  Form &Out = Found->second;
  if (!New)
    return Out;
  Status Taken = Takes(launchWith(What), KernelVariant::Persistent);
  if (!Taken.ok()) {
    Out.WhyNone = Taken.message();
    return Out;
  }
  const uint32_t Threads =
      uint32_t(What.Block.count() + WarpSize - 1) / WarpSize * WarpSize;
  Result<uint32_t> Resident = Port.residentBlocks(
      *What.Kernel, KernelVariant::Persistent, Threads, What.SharedBytes);
  const uint32_t Machine = Port.multiprocessors();
  if (Resident.ok() && Machine != 0)
    Out.PerMultiprocessor = *Resident / Machine;
  if (Out.PerMultiprocessor == 0)
    Out.WhyNone = "its workers do not fit a multiprocessor";
  return Out;
}

size_t Share::laneOf(void *Stream) {
  for (size_t I = 0; I < Now.Lanes.size(); ++I)
    if (Now.Lanes[I].Stream == Stream)
      return I;
  Now.Lanes.push_back({Stream, nullptr});
  return Now.Lanes.size() - 1;
}

Status Share::begin(const GpuLaunch &What, uint64_t Name) {
  Result<void *> Begin = Port.mark(What.Stream);
  if (!Begin.ok())
    return Begin.status();
  Now.Begin = *Begin;
  Now.First = Name;
  if (auto Known = Expected.find(Name); Known != Expected.end())
    if (auto Choice = Choices.find(Known->second); Choice != Choices.end())
      Now.Division = Choice->second.next();
  return {};
}

/// A run of one stream, or one that could not be divided as it should have
/// been, says nothing about divisions.
void Share::remember(std::chrono::nanoseconds Span) {
  if (Expected.size() == MostRuns && !Expected.count(Now.First)) {
    Expected.clear();
    Choices.clear();
  }
  Expected[Now.First] = Now.Contents;
  if (Now.Lanes.size() != 2 || !Now.Whole)
    return;
  if (Choices.size() == MostRuns && !Choices.count(Now.Contents))
    Choices.clear();
  Choices[Now.Contents].saw(Now.Division, Span);
}

void Share::endIfIdle() {
  if (!Now.Begin)
    return;
  std::chrono::nanoseconds Span{0};
  for (const Lane &Each : Now.Lanes) {
    const auto Took = Port.between(Now.Begin, Each.Last);
    if (!Took)
      return;
    Span = std::max(Span, *Took);
  }
  remember(Span);
  endRun();
}

void Share::endRun() {
  for (const Lane &Each : Now.Lanes)
    Port.releaseMark(Each.Last);
  if (Now.Begin)
    Port.releaseMark(Now.Begin);
  Now = Run();
}

/// On each multiprocessor; 0: the launch goes as it is.
uint32_t Share::workersFor(const GpuLaunch &What, size_t Lane) {
  const Division &By = ShareChoice::All[Now.Division];
  const bool Asks = ByHand ? Lane < 2 && ByHand->Each[Lane] != 0
                           : By.Quarters != 0 && Lane < (By.Both ? 2u : 1u);
  if (!Asks)
    return 0;
  const uint32_t Most = formOf(What).PerMultiprocessor;
  if (Most == 0 || Now.Records == Slots) {
    Now.Whole = false;
    return 0;
  }
  if (ByHand)
    return std::min(ByHand->Each[Lane], Most);
  const uint32_t Quarters = Lane == 0 ? By.Quarters : 4 - By.Quarters;
  return std::max(1u, Most * Quarters / 4);
}

Status Share::makeSlots() {
  if (Records)
    return {};
  Result<void *> OnHost = Port.allocateStaging(TicketsAt);
  if (!OnHost.ok())
    return OnHost.status();
  Staging = static_cast<unsigned char *>(*OnHost);
  Result<void *> OnDevice =
      Port.allocateBeside(TicketsAt + Slots * sizeof(uint64_t));
  if (!OnDevice.ok()) {
    Port.releaseStaging(Staging);
    Staging = nullptr;
    return OnDevice.status();
  }
  Records = static_cast<unsigned char *>(*OnDevice);
  return {};
}

Status Share::launchWorkers(const GpuLaunch &What, uint32_t PerMultiprocessor) {
  BatchImage Image;
  Task Only;
  auto Described = std::make_shared<Launch>(launchWith(What));
  Described->Id = Launches;
  Described->Arguments = packedArguments(*What.Kernel, What.Arguments);
  Only.What = std::move(Described);
  Image.add(Only);
  Status Ready = Image.bytes() <= SlotBytes ? makeSlots() : Status();
  if (!Ready.ok() || Image.bytes() > SlotBytes) {
    Now.Whole = false;
    return Port.launch(What);
  }
  const size_t Slot = Now.Records++;
  unsigned char *From = Staging + Slot * SlotBytes;
  unsigned char *To = Records + Slot * SlotBytes;
  Batch Parameter{};
  std::vector<uint64_t> NoTargets;
  const size_t Bytes =
      Image.write(From, {To, nullptr, nullptr, 1, Placement::Tickets},
                  NoTargets, Parameter);
  GpuLaunch Out = What;
  Out.Form = KernelVariant::Persistent;
  Out.Block = {(Image.threads() + WarpSize - 1) / WarpSize * WarpSize, 1, 1};
  Out.Grid = {uint32_t(std::min<uint64_t>(uint64_t(PerMultiprocessor) *
                                              Port.multiprocessors(),
                                          Image.blocks())),
              1, 1};
  Parameter.Ticket = reinterpret_cast<uint64_t *>(Records + TicketsAt) + Slot;
  Parameter.FirstTicketValue = TicketValues[Slot];
  void *Arguments[] = {&Parameter};
  Out.Arguments = Arguments;
  Status Done = Port.copyIn(To, From, Bytes, What.Stream);
  if (Done.ok())
    Done = Port.launch(Out);
  if (Done.ok())
    TicketValues[Slot] += Image.blocks() + Out.Grid.count();
  ++AsWorkers;
  return Done;
}

Status Share::run(const GpuLaunch &What) {
  ++Launches;
  StreamsSeen.insert(What.Stream);
  if (StreamsSeen.size() < 2 && !ByHand)
    return Port.launch(What);
  endIfIdle();
  const uint64_t Name = nameOf(What);
  if (!Now.Begin)
    if (Status Begun = begin(What, Name); !Begun.ok())
      return Begun;
  const size_t Lane = laneOf(What.Stream);
  Now.Contents += mixed(Name, Lane);
  const uint32_t Workers = workersFor(What, Lane);
  Status Done = Workers ? launchWorkers(What, Workers) : Port.launch(What);
  Result<void *> Mark = Port.mark(What.Stream);
  if (!Mark.ok())
    return Done.ok() ? Mark.status() : Done;
  if (void *Old = std::exchange(Now.Lanes[Lane].Last, *Mark))
    Port.releaseMark(Old);
  return Done;
}

Status Share::submit(Task Next) {
  std::vector<void *> Arguments = argumentPointers(*Next.What);
  return run(launchOf(Next, KernelVariant::Plain, Arguments));
}

/// Nothing is known of a stream that gets its name. What it has been given may
/// go on for long: the run lasts until that has ended, and says nothing.
void Share::forgetStream(void *Stream) {
  StreamsSeen.erase(Stream);
  for (Lane &Each : Now.Lanes)
    if (Each.Stream == Stream) {
      Each.Stream.reset();
      Now.Whole = false;
    }
}

void Share::forgetKernels() {
  Forms.clear();
  Expected.clear();
  Choices.clear();
}

std::string Share::account() const {
  if (StreamsSeen.size() < 2 && !ByHand)
    return "nothing was shared: launches that can be divided were on one "
           "stream";
  std::string Out = "of " + std::to_string(Launches) + " launches " +
                    std::to_string(AsWorkers) +
                    " went as workers beside another stream's";
  size_t Divided = 0, Settled = 0;
  for (const auto &[Contents, Choice] : Choices) {
    Settled += Choice.settled();
    Divided += Choice.settled() && Choice.next() != 0;
  }
  if (!ByHand)
    Out += "; of " + std::to_string(Choices.size()) +
           " runs of two streams that came again all divisions were timed in " +
           std::to_string(Settled) + ", and one was faster in " +
           std::to_string(Divided);
  for (const auto &[Of, How] : Forms)
    if (!How.WhyNone.empty())
      Out += "; " + std::get<0>(Of)->Name + " has no workers: " + How.WhyNone;
  return Out;
}

} // namespace blockmaestro
