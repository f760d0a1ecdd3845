// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Prelaunch.h"

#include "GpuSerial.h"

#include <algorithm>
#include <utility>

namespace blockmaestro {
namespace {

constexpr uint32_t LastEpoch = 0x7fffffff;
constexpr uint64_t LeastCapacity = 4096;
/// In counters: each on a cache line of its own.
constexpr size_t CounterStride = 16;

} // namespace

Prelaunch::Prelaunch(GpuPort &Port, unsigned Window,
                     std::chrono::nanoseconds Patience,
                     std::unique_ptr<BlockTimes> Times)
    : Port(Port), Window(std::clamp(Window, 1u, MaxWindow)),
      Stuck(Port, Patience), Times(std::move(Times)) {
  (void)Stuck.place();
}

Prelaunch::~Prelaunch() {
  for (auto &[Handle, On] : Streams) {
    Port.release(On.Done);
    Port.release(On.Counters);
  }
}

Status Prelaunch::drain() {
  for (auto &[Handle, On] : Streams)
    On.Chain.clear();
  return Stuck.read();
}

void Prelaunch::forgetStream(void *Handle) {
  auto Found = Streams.find(Handle);
  if (Found == Streams.end())
    return;
  Port.retire(Found->second.Done, Handle);
  Port.retire(Found->second.Counters, Handle);
  Streams.erase(Found);
}

/// Sees to it that one more launch of Blocks blocks has words and an epoch;
/// where something has to be made anew, a chain begins with it.
Status Prelaunch::makeRoom(Stream &On, void *Handle, uint64_t Blocks) {
  if (Blocks <= On.Capacity && On.Epoch < LastEpoch)
    return {};
  size_t Slots = Window + 1;
  uint64_t Capacity = std::max({LeastCapacity, Blocks, On.Capacity});
  Port.retire(On.Done, Handle);
  Port.retire(On.Counters, Handle);
  On = Stream();
  Result<void *> Done =
      Port.allocate(Slots * Capacity * sizeof(uint32_t), Handle);
  if (!Done.ok())
    return Done.status();
  On.Done = static_cast<uint32_t *>(*Done);
  Result<void *> Counters =
      Port.allocate(Slots * CounterStride * sizeof(uint64_t), Handle);
  if (!Counters.ok())
    return Counters.status();
  On.Counters = static_cast<uint64_t *>(*Counters);
  On.Targets.assign(Slots, 0);
  On.Capacity = Capacity;
  return {};
}

/// Takes the next stretch of done-words, epoch and target.
Published Prelaunch::nextPublished(Stream &On, const Launch &What) {
  size_t Slot = On.Issued++ % (Window + 1);
  On.Targets[Slot] += What.Grid.count();
  return {What.Id, On.Done + Slot * On.Capacity,
          On.Counters + Slot * CounterStride, On.Targets[Slot], ++On.Epoch};
}

/// The number of the first block that is started only after two full loads of
/// the machine.
static Result<uint32_t> firstLate(GpuPort &Port, const Launch &What) {
  constexpr uint64_t Loads = 2;
  Result<uint32_t> Resident =
      Port.residentBlocks(*What.Kernel, KernelVariant::Prelaunch,
                          What.Block.count(), What.DynamicSharedBytes);
  if (!Resident.ok())
    return Resident;
  return static_cast<uint32_t>(
      std::min<uint64_t>(Loads * *Resident, 0xffffffff));
}

Result<Gate> Prelaunch::gateFor(Stream &On, const Task &Next,
                                const Published &Own) {
  Waits Needed = waitsFor(Next.Needs, On.Chain, Gate::MaxPieces);
  Gate Out{};
  Out.Done = const_cast<uint32_t *>(Own.Done);
  Out.Counter = const_cast<uint64_t *>(Own.Counter);
  Out.Launch = Own.Launch;
  Out.Epoch = Own.Epoch;
  if (On.Chain.size() == Window) {
    const Published &Oldest = On.Chain.front();
    Out.Window = {Oldest.Counter, Oldest.Target, Oldest.Launch};
  }
  Result<uint32_t> Late = firstLate(Port, *Next.What);
  Result<StuckReport *> Report = Stuck.place();
  if (!Late.ok() || !Report.ok())
    return Late.ok() ? Report.status() : Late.status();
  Out.FirstLate = *Late;
  Out.Stuck = *Report;
  Out.PieceCount = Needed.Pieces.size();
  Out.CountCount = Needed.Counts.size();
  std::copy(Needed.Pieces.begin(), Needed.Pieces.end(), Out.Pieces);
  std::copy(Needed.Counts.begin(), Needed.Counts.end(), Out.Counts);
  return Out;
}

Status Prelaunch::submit(Task Next) {
  const Launch &What = *Next.What;
  Stream &On = Streams[Next.Stream];
  Status Room = makeRoom(On, Next.Stream, What.Grid.count());
  if (!Room.ok())
    return Room;
  Published Own = nextPublished(On, What);
  Result<Gate> Parameter = gateFor(On, Next, Own);
  if (!Parameter.ok())
    return Parameter.status();
  if (Times)
    Parameter->Times = Times->place({{What.Id, What.Grid.count()}});
  std::vector<void *> Arguments = argumentPointers(What);
  Arguments.push_back(&*Parameter);

  GpuLaunch Out = launchOf(Next, KernelVariant::Prelaunch, Arguments);
  Out.Programmatic = !On.Chain.empty();
  if (On.Chain.size() == Window)
    On.Chain.erase(On.Chain.begin());
  On.Chain.push_back(Own);
  Status Launched = Port.launch(Out);
  if (Times && !Launched.ok())
    Times->withdraw();
  return Launched;
}

} // namespace blockmaestro
