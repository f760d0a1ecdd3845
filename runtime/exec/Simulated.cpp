// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Simulated.h"

#include "Readiness.h"
#include "RunBlock.h"
#include "Simulator.h"
#include "blockmaestro/Recording.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace blockmaestro {

const uint64_t MostSimulatedBlocks = sim::MaxBlocks;

namespace {

/// So many tasks are gathered, and so many blocks.
constexpr size_t MostTasks = 64;
constexpr uint64_t MostBlocks = uint64_t(1) << 20;

/// Between 1 and 41 us: mostly longer than the overhead of a launch, which
/// would keep its blocks behind all of the launch before; some shorter, so that
/// blocks overtake each other.
uint64_t madeUpNs(uint64_t Node, uint64_t Block) {
  uint64_t Mixed = Node * 0x9e3779b97f4a7c15 + Block * 0xbf58476d1ce4e5b9 + 1;
  Mixed ^= Mixed >> 31;
  Mixed *= 0x94d049bb133111eb;
  return 1000 + (Mixed >> 20) % 40000;
}

/// A recording of tasks that have not run.
class MadeUp {
public:
  explicit MadeUp(unsigned Window) { Out.Window = Window; }

  Status add(const Task &Next) {
    Numbers[Next.Node] = uint32_t(Places.size());
    Places.push_back({Next.grid(), !Next.What, 0});
    Places.back().Number = Next.What ? addLaunch(Next) : addCopy(Next);
    for (const Dependence &Need : Next.Needs)
      if (Status S = addNeed(Next, Need); !S.ok())
        return S;
    return Status();
  }

  const Recording &recording() const { return Out; }

private:
  struct Place {
    Dim3 Grid;
    bool IsCopy;
    uint64_t Number; ///< Among launches or copies.
  };

  uint64_t addLaunch(const Task &Next) {
    const Launch &What = *Next.What;
    RecordedLaunch L;
    L.Id = Out.Launches.size();
    L.Kernel = What.Kernel->Name;
    L.Grid = What.Grid;
    L.Block = {
        uint32_t(std::min<uint64_t>(What.Block.count(), Limits.ThreadsPerSm))};
    L.SharedBytes = uint32_t(std::min<uint64_t>(
        uint64_t(What.Kernel->StaticSharedBytes) + What.DynamicSharedBytes,
        Limits.SharedBytesPerSm));
    for (uint64_t Block = 0; Block < What.Grid.count(); ++Block)
      Out.Events.add({L.Id, Block, 0, madeUpNs(Next.Node, Block), 0});
    Out.Launches.push_back(std::move(L));
    return Out.Launches.back().Id;
  }

  /// What it touches is said by needs; a megabyte read and written, for it to
  /// take a time.
  uint64_t addCopy(const Task &Next) {
    constexpr uint64_t Bytes = uint64_t(1) << 20;
    RecordedCopy C;
    C.Id = Out.Copies.size();
    C.Before = Out.Launches.size();
    C.Call = Next.Work.Name;
    C.Bytes = Bytes;
    C.Ranges = {{0, Bytes, false}, {0, Bytes, true}};
    Out.Copies.push_back(std::move(C));
    return Out.Copies.back().Id;
  }

  /// Of a producer that is not among the tasks everything has run.
  Status addNeed(const Task &Of, const Dependence &Need) {
    if (Need.Producer >= Of.Node)
      return notEarlier(Need, Of);
    const auto Found = Numbers.find(Need.Producer);
    if (Found == Numbers.end())
      return Status();
    const Place &From = Places[Found->second], &To = Places.back();
    if (Status S = checkBlocks(Need, From.Grid, Of); !S.ok())
      return S;
    RecordedRelation R;
    R.Producer = From.Number;
    R.Consumer = To.Number;
    R.ProducerIsCopy = From.IsCopy;
    R.ConsumerIsCopy = To.IsCopy;
    R.Header = Need.Header;
    for (unsigned D = 0; D < 3; ++D)
      R.Header.ProducerGrid[D] = From.Grid[D];
    R.Pieces = Need.Pieces;
    R.List = Need.List;
    (From.IsCopy || To.IsCopy ? Out.CopyRelations : Out.Relations)
        .push_back(std::move(R));
    return Status();
  }

  const sim::Machine Limits;
  Recording Out;
  std::vector<Place> Places;
  std::map<uint64_t, uint32_t> Numbers; ///< Node to place.
};

Result<std::vector<ScheduledBlock>> simulated(const Recording &What,
                                              const sim::Scheduler &By) {
  const sim::Machine On;
  Result<sim::Workload> Work =
      sim::makeWorkload(What, On, {sim::DurationSource::Events, 0});
  if (!Work.ok())
    return Work.status();
  std::vector<ScheduledBlock> Out;
  for (const sim::BlockTimes &B :
       sim::simulate(*Work, On, By, {/*Timeline=*/true}).Timeline)
    Out.push_back({B.End, B.Launch, B.Block});
  return Out;
}

class Simulated final : public Executor {
public:
  Simulated(BlockRunner &Runner, EventSink *Sink, Schedule By, unsigned Window)
      : Runner(Runner), Sink(Sink), By(std::move(By)), Window(Window) {}

  bool takesStreams() const override { return true; }
  bool takesHostWork() const override { return true; }
  Status submit(Task Next) override;
  Status finish(const std::vector<uint64_t> &Nodes) override;
  Status drain() override;

private:
  bool isGathered(uint64_t Node) const;
  Result<std::vector<ScheduledBlock>> order() const;
  void runGathered();
  Status runInOrder();
  Status runOne(const ScheduledBlock &Which);

  BlockRunner &Runner;
  EventSink *Sink;
  const Schedule By;
  const unsigned Window;
  std::vector<Task> Gathered;
  uint64_t Blocks = 0; ///< Of these.
  Status Sticky;
};

Status Simulated::submit(Task Next) {
  if (Gathered.size() >= MostTasks || Blocks + Next.grid().count() > MostBlocks)
    runGathered();
  if (Sticky.ok() && Next.What)
    Sticky = Runner.prepare(*Next.What);
  if (!Sticky.ok())
    return Sticky;
  Blocks += Next.grid().count();
  Gathered.push_back(std::move(Next));
  return Sticky;
}

bool Simulated::isGathered(uint64_t Node) const {
  return std::any_of(Gathered.begin(), Gathered.end(),
                     [Node](const Task &Each) { return Each.Node == Node; });
}

Status Simulated::finish(const std::vector<uint64_t> &Nodes) {
  const bool Waits =
      std::any_of(Nodes.begin(), Nodes.end(),
                  [this](uint64_t Node) { return isGathered(Node); });
  return Waits ? drain() : Sticky;
}

Status Simulated::drain() {
  runGathered();
  return Sticky;
}

void Simulated::runGathered() {
  if (Sticky.ok() && !Gathered.empty())
    Sticky = runInOrder();
  Gathered.clear();
  Blocks = 0;
}

/// All blocks of what has been gathered, each once.
Result<std::vector<ScheduledBlock>> Simulated::order() const {
  MadeUp Run(Window);
  for (const Task &Each : Gathered)
    if (Status S = Run.add(Each); !S.ok())
      return S;
  Result<std::vector<ScheduledBlock>> Out = By(Run.recording());
  if (!Out.ok())
    return Out;
  if (Out->size() != Blocks)
    return Status(StatusCode::Device, "the simulated scheduler has run " +
                                          std::to_string(Out->size()) + " of " +
                                          std::to_string(Blocks) + " blocks");
  std::sort(Out->begin(), Out->end(),
            [](const ScheduledBlock &A, const ScheduledBlock &B) {
              return std::tie(A.End, A.Task, A.Block) <
                     std::tie(B.End, B.Task, B.Block);
            });
  return Out;
}

Status Simulated::runInOrder() {
  Result<std::vector<ScheduledBlock>> Order = order();
  Status Outcome = Order.status();
  for (size_t I = 0; Outcome.ok() && I < Order->size(); ++I)
    Outcome = runOne((*Order)[I]);
  return Outcome;
}

Status Simulated::runOne(const ScheduledBlock &Which) {
  const Task &Of = Gathered[Which.Task];
  return Of.What ? runBlock(Runner, Sink, *Of.What, Which.Block, 0)
                 : Of.Work.Run();
}

} // namespace

Schedule findSchedule(std::string_view Scheduler) {
  std::optional<sim::Scheduler> Found = sim::findScheduler(Scheduler);
  if (!Found)
    return nullptr;
  return [By = std::move(*Found)](const Recording &What) {
    return simulated(What, By);
  };
}

std::unique_ptr<Executor> makeSimulated(BlockRunner &Runner, EventSink *Sink,
                                        Schedule By, unsigned Window) {
  return std::make_unique<Simulated>(Runner, Sink, std::move(By), Window);
}

} // namespace blockmaestro
