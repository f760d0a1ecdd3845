// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Persistent.h"

#include <algorithm>
#include <utility>

namespace blockmaestro {
namespace {

constexpr uint32_t LastBatchEpoch = 0x7fffffff;
constexpr size_t LeastBytes = 64 * 1024;
/// So many that the number of a thread in the grid is no negative int: what the
/// compiler relies on where it calls signed quotients numbers of warps.
constexpr uint64_t MostBlocksOfRows = (1u << 31) / 1024;

Status refuse(std::string Why) {
  return {StatusCode::Unsupported, std::move(Why)};
}

} // namespace

Persistent::Persistent(GpuPort &Port, unsigned Window,
                       std::chrono::nanoseconds Patience,
                       std::unique_ptr<BlockTimes> Times)
    : Port(Port), LargestBatch(std::min(size_t(Window) + 1, MostLaunches)),
      Stuck(Port, Patience), Times(std::move(Times)),
      BatchLimit(std::min(FirstLaunches, LargestBatch)) {
  (void)Stuck.place();
}

Persistent::~Persistent() {
  for (auto &[Handle, On] : Streams) {
    Port.release(On.Done.Memory);
    Port.release(On.Image.Memory);
    Port.release(On.Counters);
    for (Buffer &Each : On.Staging)
      Port.releaseStaging(Each.Memory);
  }
  for (void *Each : OldStaging)
    Port.releaseStaging(Each);
}

Status Persistent::drain() {
  Status Flushed = flush();
  BatchLimit = std::min(FirstLaunches, LargestBatch);
  return Flushed.ok() ? Stuck.read() : Flushed;
}

Status Persistent::accepts(const Launch &What) {
  if (What.Block.count() % WarpSize != 0)
    return refuse("its blocks are not whole warps");
  if (!What.Kernel->has(Feature::WarpRows))
    return {};
  if (What.Block.X % WarpSize != 0)
    return refuse("its warps meet, and block rows are not whole warps");
  if (What.Grid.count() > MostBlocksOfRows)
    return refuse("its warps meet, and numbers of threads may be negative");
  return {};
}

/// The most blocks of several launches in a batch.
uint64_t Persistent::batchBlocks() const {
  return Times ? std::min(MostBlocks, Times->mostBlocks()) : MostBlocks;
}

Status Persistent::submit(Task Next) {
  NotReported.clear();
  const KernelRecord &Kernel = *Next.What->Kernel;
  bool Fits = Gathered.empty() ||
              (GatheredStream == Next.Stream &&
               Port.moduleOf(*Gathered.kernel()) == Port.moduleOf(Kernel) &&
               Gathered.blocks() + Next.What->Grid.count() <= batchBlocks());
  if (!Fits) {
    Status Flushed = flush();
    if (!Flushed.ok())
      return Flushed;
  }
  GatheredStream = Next.Stream;
  Gathered.add(Next);
  if (Gathered.launches() < BatchLimit)
    return {};
  BatchLimit = std::min(2 * BatchLimit, LargestBatch);
  return flush();
}

void Persistent::forgetStream(void *Handle) {
  auto Found = Streams.find(Handle);
  if (Found == Streams.end())
    return;
  Stream &Gone = Found->second;
  for (void *Each : {Gone.Done.Memory, Gone.Image.Memory,
                     static_cast<void *>(Gone.Counters)})
    Port.retire(Each, Handle);
  for (const Buffer &Each : Gone.Staging)
    OldStaging.push_back(Each.Memory);
  Streams.erase(Found);
}

Status Persistent::growDevice(Buffer &What, size_t Bytes, void *Handle) {
  if (Bytes <= What.Bytes)
    return {};
  Port.retire(What.Memory, Handle);
  What = Buffer();
  Result<void *> Made = Port.allocate(std::max(2 * Bytes, LeastBytes), Handle);
  if (!Made.ok())
    return Made.status();
  What = {*Made, std::max(2 * Bytes, LeastBytes)};
  return {};
}

Status Persistent::growStaging(Buffer &What, size_t Bytes) {
  if (Bytes <= What.Bytes)
    return {};
  Port.releaseStaging(What.Memory);
  What = Buffer();
  Result<void *> Made = Port.allocateStaging(std::max(2 * Bytes, LeastBytes));
  if (!Made.ok())
    return Made.status();
  What = {*Made, std::max(2 * Bytes, LeastBytes)};
  return {};
}

Status Persistent::startStream(Stream &On, void *Handle) {
  if (On.Counters)
    return {};
  Result<void *> Made =
      Port.allocate((MostLaunches + 1) * sizeof(uint64_t), Handle);
  if (!Made.ok())
    return Made.status();
  On.Counters = static_cast<uint64_t *>(*Made);
  On.Targets.assign(MostLaunches, 0);
  return {};
}

/// Memory for the gathered batch, and an epoch no done-word holds yet.
Status Persistent::makeRoom(Stream &On, void *Handle, size_t ImageBytes,
                            uint64_t Blocks) {
  Status Done = startStream(On, Handle);
  if (Done.ok() && On.Epoch == LastBatchEpoch) {
    Done = Port.fill({On.Done.Memory, 0, On.Done.Bytes, Handle});
    On.Epoch = 0;
  }
  if (Done.ok())
    Done = growDevice(On.Done, Blocks * sizeof(uint32_t), Handle);
  if (Done.ok())
    Done = growDevice(On.Image, ImageBytes, Handle);
  // The copy from this buffer, StagingBuffers batches ago, must be over.
  if (Done.ok() && On.Batches >= StagingBuffers &&
      On.Batches % StagingBuffers == 0)
    Done = Port.synchronize(Handle);
  if (Done.ok())
    Done = growStaging(On.Staging[On.Batches % StagingBuffers], ImageBytes);
  return Done;
}

/// How the batch is run: with as many blocks resident as its largest launch
/// has, each worker keeps its blocks; otherwise blocks are taken in order.
Result<GpuLaunch> Persistent::planLaunch() const {
  GpuLaunch Out;
  Out.Kernel = Gathered.kernel();
  Out.Form = KernelVariant::Persistent;
  Out.Block.X = (Gathered.threads() + WarpSize - 1) / WarpSize * WarpSize;
  Out.SharedBytes = Gathered.sharedBytes();
  Out.Stream = GatheredStream;
  Result<uint32_t> Resident =
      Port.residentBlocks(*Out.Kernel, Out.Form, Out.Block.X, Out.SharedBytes);
  if (!Resident.ok())
    return Resident.status();
  if (*Resident == 0)
    return Status(StatusCode::Device, "the persistent entry of " +
                                          Out.Kernel->Name +
                                          "'s file does not fit the GPU");
  bool Owned = Gathered.mostBlocks() <= *Resident;
  Out.Cooperative = Owned;
  Out.Grid.X = Owned ? Gathered.mostBlocks()
                     : std::min<uint64_t>(*Resident, Gathered.blocks());
  return Out;
}

Status Persistent::flush() {
  if (Gathered.empty())
    return {};
  Stream &On = Streams[GatheredStream];
  Status Room =
      makeRoom(On, GatheredStream, Gathered.bytes(), Gathered.blocks());
  if (!Room.ok())
    return Room;
  Result<StuckReport *> Report = Stuck.place();
  if (!Report.ok())
    return Report.status();
  Result<GpuLaunch> Out = planLaunch();
  if (!Out.ok())
    return Out.status();

  Buffer &Staging = On.Staging[On.Batches++ % StagingBuffers];
  BatchImage::Place Where = {
      static_cast<unsigned char *>(On.Image.Memory),
      static_cast<uint32_t *>(On.Done.Memory), On.Counters, ++On.Epoch,
      Out->Cooperative ? Placement::Owners : Placement::Tickets};
  Batch Parameter{};
  size_t Bytes = Gathered.write(static_cast<unsigned char *>(Staging.Memory),
                                Where, On.Targets, Parameter);
  Parameter.Stuck = *Report;
  if (Times) {
    Parameter.Times = Times->place(Gathered.contents());
    NotReported = Times->whyNone();
  }
  Parameter.Ticket = On.Counters + MostLaunches;
  Parameter.FirstTicketValue = On.TicketValue;
  if (Where.Mode == Placement::Tickets)
    On.TicketValue += Gathered.blocks() + Out->Grid.count();
  Status Copied =
      Port.copyIn(On.Image.Memory, Staging.Memory, Bytes, GatheredStream);
  Gathered.clear();
  void *Arguments[] = {&Parameter};
  Out->Arguments = Arguments;
  Status Launched = Copied.ok() ? Port.launch(*Out) : Copied;
  if (Times && !Launched.ok())
    Times->withdraw();
  return Launched;
}

} // namespace blockmaestro
