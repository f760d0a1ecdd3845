// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ChainForms.h"

#include "GateLine.h"
#include "Waits.h"

#include <algorithm>
#include <utility>

namespace blockmaestro {
namespace {

/// Relations are asked for so often, where memory comes and goes.
constexpr unsigned MostAsked = 16;

/// Whether so many works do not wait for all of the work in front that they may
/// gain by it.
bool mayGain(const WorkRelations::Needs &Behind) {
  size_t Free = 0;
  for (size_t I = 1; I < Behind.size(); ++I)
    Free += std::none_of(
        Behind[I].begin(), Behind[I].end(), [=](const Dependence &Each) {
          return Each.Producer + 1 == I && waitsForAll(Each, Gate::MaxPieces);
        });
  return !Behind.empty() && 4 * Free >= Behind.size();
}

} // namespace

void ChainForms::Member::set(const HeldWork &To) {
  Kept.copy(To.work());
  Work = Kept.work();
  auto *Launch = std::get_if<GpuLaunch>(&Work);
  if (!Launch)
    return;
  const size_t Count = Launch->Kernel->Parameters.size();
  Arguments.assign(Launch->Arguments, Launch->Arguments + Count);
  Arguments.push_back(&Parameter);
  Launch->Arguments = Arguments.data();
  Launch->Form = KernelVariant::Prelaunch;
}

uint64_t ChainForms::mostBlocks() const {
  uint64_t Most = 0;
  for (const Member &Each : Members)
    if (const GpuLaunch *Launch = Each.launch())
      Most = std::max(Most, Launch->Grid.count());
  return Most;
}

/// Keeps these works as what goes by block. False where they cannot: every
/// launch needs a prelaunch variant that the device can hold.
bool ChainForms::keep(std::span<const HeldWork> Works, const Tools &With) {
  Members.resize(Works.size());
  for (size_t I = 0; I < Works.size(); ++I) {
    Members[I].set(Works[I]);
    const GpuLaunch *Launch = Members[I].launch();
    if (!Launch)
      continue;
    const Result<uint32_t> Late = firstLate(With.Port, *Launch);
    if (!Late.ok() || *Late == 0 || Launch->Grid.count() > MostBlocks)
      return false;
    Members[I].FirstLate = *Late;
  }
  return true;
}

/// Whether works that come for the first time or with other arguments than
/// before should go by block from now on; and nothing is under way for others.
bool ChainForms::isWanted(uint64_t Now, const Tools &With) const {
  if (Now == Hash || Repeats < With.Often || MaterialsComing.valid() ||
      Coming.valid())
    return false;
  return Hash == 0 ? Choice.asks() || With.IsLikely
                   : Graph && Asked < MostAsked;
}

/// Asks for what the form by block of these works is made of.
void ChainForms::ask(std::span<const HeldWork> Works, uint64_t Now,
                     const Tools &With) {
  const bool IsFirst = Hash == 0;
  Hash = Now;
  Made.Behind.clear();
  Fits = keep(Works, With) && reserve(With);
  if (Fits)
    askMaterials(With);
  else if (IsFirst)
    Choice.made(false);
}

/// What Made.Memory has, or is to have.
size_t ChainForms::bytes() const {
  return Capacity == 0 ? 0 : GateLine::bytesFor(GateLine::MaxWindow, Capacity);
}

/// The first time as much as these works need; false where that is not enough,
/// or not to be had.
bool ChainForms::reserve(const Tools &With) {
  const uint64_t Blocks = mostBlocks();
  if (Capacity != 0)
    return Blocks <= Capacity;
  Capacity = Blocks;
  if (With.Taken + bytes() > MostBytes)
    Capacity = 0;
  With.Taken += bytes();
  return Capacity != 0;
}

/// The first time also for memory.
void ChainForms::askMaterials(const Tools &With) {
  std::vector<GpuWork> All;
  for (const Member &Each : Members)
    All.push_back(Each.Kept.work());
  Version = With.Relations->version();
  ++Asked;
  MaterialsComing = With.Maker.find<Materials>(
      [Finder = With.Relations->needsOf(All), &Port = With.Port,
       &Stuck = With.Stuck, Bytes = bytes(),
       Out = Materials{{}, Made.Memory, Made.Stuck}]() mutable {
        Out.Behind = Finder();
        if (!mayGain(Out.Behind))
          Out.Behind.clear();
        if (Out.Behind.empty() || Out.Memory)
          return std::move(Out);
        const Result<StuckReport *> Report = Stuck.place();
        const Result<void *> Memory = Port.allocateBeside(Bytes);
        if (Memory.ok())
          Out.Memory = *Memory;
        if (Report.ok())
          Out.Stuck = *Report;
        return std::move(Out);
      });
}

/// What blocks of each launch wait for. The first launch, and one behind a copy
/// or fill, wait for nothing that is not over.
void ChainForms::setGates() {
  GateLine Line(Made.Memory, GateLine::MaxWindow, Capacity);
  for (size_t I = 0; I < Members.size(); ++I) {
    Member &Each = Members[I];
    if (const GpuLaunch *Launch = Each.launch())
      Each.Parameter =
          Line.next({I, Launch->Grid.count(), Each.FirstLate, Made.Stuck},
                    Made.Behind[I]);
    else
      Line.end();
  }
}

void ChainForms::make(const Tools &With) {
  GpuFill Clears;
  Clears.To = Made.Memory;
  Clears.Bytes = bytes();
  std::vector<GpuWork> All = {Clears};
  for (const Member &Each : Members)
    All.push_back(Each.Work);
  Result<GpuPort::ChainWork> Work =
      With.Port.chainOf(All, ChainOrder::line(All.size()));
  if (Work.ok())
    Coming = With.Maker.make(*std::move(Work));
  else
    Choice.made(false);
}

/// Sets the nodes of the graph, which are behind the one that clears, to the
/// works and gates as they are now. Where one cannot be set, it goes no more.
void ChainForms::setNodes(GpuPort &Port) {
  for (size_t I = 0; I < Members.size(); ++I)
    if (!Port.setWork(Graph, unsigned(I + 1), Members[I].Work).ok())
      Made.Behind.clear();
}

/// Takes the materials where they are there and the works that they are for
/// come again, whose memory is there then; the first time the graph is made,
/// which reads the gates meanwhile.
void ChainForms::hearMaterials(uint64_t Now, const Tools &With) {
  if (!isReady(MaterialsComing) || Coming.valid() || Now != Hash)
    return;
  Made = MaterialsComing.get();
  if (Made.Behind.empty() || !Made.Memory || !Made.Stuck) {
    Made.Behind.clear();
    return Choice.made(false);
  }
  setGates();
  if (Graph)
    setNodes(With.Port);
  else
    make(With);
}

void ChainForms::hearTime(GpuPort &Port) {
  if (!Timed.First)
    return;
  const auto Long = Port.between(Timed.First, Timed.Last);
  if (!Long)
    return;
  Choice.took(*Long);
  releaseMarks(Port);
}

void ChainForms::releaseMarks(GpuPort &Port) {
  if (!Timed.First)
    return;
  Port.releaseMark(Timed.First);
  Port.releaseMark(Timed.Last);
  Timed = {};
}

void ChainForms::hear(uint64_t Now, const Tools &With) {
  hearTime(With.Port);
  if (isReady(Coming)) {
    const Result<void *> Done = Coming.get();
    Graph = Done.ok() ? *Done : nullptr;
    Choice.made(Done.ok());
  }
  hearMaterials(Now, With);
}

bool ChainForms::isSetTo(std::span<const HeldWork> Works) const {
  for (size_t I = 0; I < Works.size(); ++I)
    if (Works[I].costAfter(Members[I].Kept) != 0)
      return false;
  return true;
}

/// Whether the graph by block is for these works, and its needs hold; else they
/// are asked for anew.
bool ChainForms::canGoByBlock(std::span<const HeldWork> Works, uint64_t Now,
                              const Tools &With) {
  if (!Graph || !Fits || Now != Hash || MaterialsComing.valid() ||
      !isSetTo(Works))
    return false;
  if (Version == With.Relations->version())
    return !Made.Behind.empty();
  if (Asked < MostAsked)
    askMaterials(With);
  return false;
}

/// Where it cannot be timed it is not. Nor does a time count in which a chain
/// has begun to be made: the driver lets one thread in at a time, and the
/// device may have waited for the host.
Status ChainForms::launchTimed(void *Which, void *Stream, const Tools &With) {
  const Result<void *> First = With.Port.mark(Stream);
  Status Done = With.Port.launchChain(Which, Stream);
  if (!First.ok())
    return Done;
  const Result<void *> Behind = With.Port.mark(Stream);
  if (!Behind.ok()) {
    With.Port.releaseMark(*First);
    return Done;
  }
  Timed = {*First, *Behind};
  if (!With.Maker.isIdle())
    releaseMarks(With.Port);
  return Done;
}

Status ChainForms::launch(void *InOrder, std::span<const HeldWork> Works,
                          uint64_t Now, const Tools &With) {
  void *Stream = streamOf(Works.front().work());
  Last = ChainForm::InOrder;
  if (!With.Relations)
    return With.Port.launchChain(InOrder, Stream);
  ++Launches;
  hear(Now, With);
  Repeats = Now == LastHash ? Repeats + 1 : 0;
  LastHash = Now;
  if (isWanted(Now, With))
    ask(Works, Now, With);
  const bool MayTry = Choice.isSettled() || !Timed.First;
  if (MayTry && Choice.next() == ChainForm::ByBlock &&
      canGoByBlock(Works, Now, With))
    Last = ChainForm::ByBlock;
  void *Which = Last == ChainForm::ByBlock ? Graph : InOrder;
  const bool IsTimed = Choice.isTimed() && !Timed.First &&
                       Last == Choice.next() && With.Maker.isIdle();
  return IsTimed ? launchTimed(Which, Stream, With)
                 : With.Port.launchChain(Which, Stream);
}

void ChainForms::release(GpuPort &Port, size_t &Taken) {
  Taken -= bytes();
  if (MaterialsComing.valid())
    Made = MaterialsComing.get();
  if (Coming.valid())
    if (const Result<void *> Done = Coming.get(); Done.ok())
      Graph = *Done;
  if (Graph)
    Port.releaseChain(Graph);
  if (Made.Memory)
    Port.retire(Made.Memory, streamOf(Members.front().Work));
  releaseMarks(Port);
}

} // namespace blockmaestro
