// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GateLine.h"

#include <algorithm>

namespace blockmaestro {
namespace {

constexpr uint32_t LastEpoch = 0x7fffffff;
/// In counters: each on a cache line of its own.
constexpr size_t CounterStride = 16;

size_t countersOf(unsigned Window) { return (Window + 1) * CounterStride; }

} // namespace

size_t GateLine::bytesFor(unsigned Window, uint64_t Blocks) {
  return countersOf(Window) * sizeof(uint64_t) +
         (Window + 1) * Blocks * sizeof(uint32_t);
}

GateLine::GateLine(void *Memory, unsigned Window, uint64_t Blocks)
    : Counters(static_cast<uint64_t *>(Memory)), Window(Window),
      Capacity(Blocks), Targets(Window + 1) {
  Done = reinterpret_cast<uint32_t *>(Counters + countersOf(Window));
}

bool GateLine::fits(uint64_t Blocks) const {
  return Blocks <= Capacity && Epoch < LastEpoch;
}

/// Takes the next stretch of done-words, epoch and target.
Published GateLine::publish(const Entering &What) {
  const size_t Slot = Issued++ % (Window + 1);
  Targets[Slot] += What.Blocks;
  return {What.Number, Done + Slot * Capacity, Counters + Slot * CounterStride,
          Targets[Slot], ++Epoch};
}

Gate GateLine::next(const Entering &What,
                    const std::vector<Dependence> &Needs) {
  const Published Own = publish(What);
  const Waits Needed = waitsFor(Needs, Running, Gate::MaxPieces);
  Gate Out{};
  Out.Done = const_cast<uint32_t *>(Own.Done);
  Out.Counter = const_cast<uint64_t *>(Own.Counter);
  Out.Launch = Own.Launch;
  Out.Epoch = Own.Epoch;
  Out.FirstLate = What.FirstLate;
  Out.Stuck = What.Stuck;
  Out.PieceCount = Needed.Pieces.size();
  Out.CountCount = Needed.Counts.size();
  std::copy(Needed.Pieces.begin(), Needed.Pieces.end(), Out.Pieces);
  std::copy(Needed.Counts.begin(), Needed.Counts.end(), Out.Counts);
  if (Running.size() == Window) {
    const Published &Oldest = Running.front();
    Out.Window = {Oldest.Counter, Oldest.Target, Oldest.Launch};
    Running.erase(Running.begin());
  }
  Running.push_back(Own);
  return Out;
}

Result<uint32_t> firstLate(GpuPort &Port, const GpuLaunch &What) {
  constexpr uint64_t Loads = 2;
  Result<uint32_t> Resident =
      Port.residentBlocks(*What.Kernel, KernelVariant::Prelaunch,
                          uint32_t(What.Block.count()), What.SharedBytes);
  if (!Resident.ok())
    return Resident;
  return static_cast<uint32_t>(
      std::min<uint64_t>(Loads * *Resident, 0xffffffff));
}

} // namespace blockmaestro
