// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Shuffle.h"

#include "Readiness.h"
#include "RunBlock.h"

#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>
#include <new>
#include <random>
#include <set>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace blockmaestro {

namespace {

enum class LaunchChoice { Newest, Random, ByTurns, Ranked, ByBlock };
enum class BlockChoice { Ascending, Descending, Random };

/// How the next block is picked among those that may run.
struct PickingOrder {
  LaunchChoice Launches;
  BlockChoice Blocks;
};

const PickingOrder PickingOrders[] = {
    {LaunchChoice::Newest, BlockChoice::Ascending},
    {LaunchChoice::Newest, BlockChoice::Descending},
    {LaunchChoice::Random, BlockChoice::Random},
    {LaunchChoice::ByTurns, BlockChoice::Random},
    {LaunchChoice::Ranked, BlockChoice::Random},
    {LaunchChoice::ByBlock, BlockChoice::Random},
};

class Shuffle final : public Executor {
public:
  Shuffle(BlockRunner &Runner, EventSink *Sink, const ShuffleSettings &Asked)
      : Runner(Runner), Sink(Sink), Asked(Asked), Numbers(Asked.Seed),
        Order(PickingOrders[Asked.Seed % std::size(PickingOrders)]) {}
  ~Shuffle() override;

  bool takesStreams() const override { return true; }
  bool takesHostWork() const override { return true; }
  Status submit(Task Next) override;
  Status finish(const std::vector<uint64_t> &Nodes) override;
  Status drain() override;

private:
  using Guard = std::unique_lock<std::mutex>;
  /// The blocks of one task that may run, in the order they would.
  using ReadyBlocks = std::set<std::pair<uint64_t, uint64_t>>;
  struct Place {
    uint64_t Unstarted = 0; ///< Blocks.
    uint64_t Rank = 0;      ///< Where tasks are ranked.
  };
  using ReadyTask = std::map<uint64_t, ReadyBlocks>::iterator;

  void runUntilInFlight(Guard &Held, size_t AtMost);
  void runUntil(Guard &Held, std::function<bool()> Goal);
  void work(Guard &Held);
  template <typename Condition> void sleep(Guard &Held, Condition Until);
  void runNext(Guard &Held, unsigned Worker);
  Status ended(Readiness::Block Which, std::vector<Readiness::Block> &Free);
  Status runOne(const Task &What, uint64_t Block, unsigned Worker);
  bool goesOn() const { return Reached && Sticky.ok() && !Reached(); }
  bool mayStart(uint64_t Node) const;
  bool someMayStart();
  ReadyTask pickTask();
  template <typename Number> ReadyTask lowest(Number Of) const;
  uint64_t rank(uint64_t Block);
  void becomeReady(const std::vector<Readiness::Block> &Blocks);
  void startThreads();
  void serve(unsigned Worker);

  BlockRunner &Runner;
  EventSink *Sink;
  const ShuffleSettings Asked;

  std::mutex Lock; ///< Of everything below.
  std::condition_variable Changed;
  std::mt19937_64 Numbers;
  PickingOrder Order;
  bool OldestTurn = false;
  Readiness Graph;
  std::map<uint64_t, ReadyBlocks> Ready; ///< By task; none is empty.
  std::map<uint64_t, Place> Places;      ///< By task in flight.
  std::vector<ReadyTask> Allowed;        ///< For pickTask() alone.
  std::function<bool()> Reached; ///< What the caller waits for; null: nobody.
  unsigned Running = 0;          ///< Blocks.
  unsigned Sleeping = 0;         ///< Threads that wait for a change.
  bool Stopping = false;
  Status Sticky;
  std::vector<std::thread> Threads;
};

Shuffle::~Shuffle() {
  {
    Guard Held(Lock);
    Stopping = true;
  }
  Changed.notify_all();
  for (std::thread &Each : Threads)
    Each.join();
}

Status Shuffle::submit(Task Next) {
  Guard Held(Lock);
  runUntilInFlight(Held, Asked.Window);
  if (Sticky.ok() && Next.What)
    Sticky = Runner.prepare(*Next.What);
  if (!Sticky.ok())
    return Sticky;
  Places[Next.Node] = {Next.grid().count(),
                       Order.Launches == LaunchChoice::Ranked ? Numbers() : 0};
  std::vector<Readiness::Block> Free;
  Sticky = Graph.add(std::move(Next), Free);
  if (Sticky.ok())
    becomeReady(Free);
  return Sticky;
}

Status Shuffle::drain() {
  Guard Held(Lock);
  runUntilInFlight(Held, 0);
  return Sticky;
}

/// Runs blocks until at most \p AtMost tasks, counted from the oldest that has
/// not completed, are in flight.
void Shuffle::runUntilInFlight(Guard &Held, size_t AtMost) {
  runUntil(Held, [this, AtMost] { return Graph.inFlight() <= AtMost; });
}

Status Shuffle::finish(const std::vector<uint64_t> &Nodes) {
  Guard Held(Lock);
  runUntil(Held, [this, &Nodes] {
    return std::none_of(Nodes.begin(), Nodes.end(), [this](uint64_t Node) {
      return Graph.isInFlight(Node);
    });
  });
  return Sticky;
}

/// Lets the threads work until the goal is reached or something has failed, and
/// none of them runs a block any more.
void Shuffle::runUntil(Guard &Held, std::function<bool()> Goal) {
  Reached = std::move(Goal);
  if (goesOn())
    startThreads();
  while (goesOn())
    work(Held);
  sleep(Held, [this] { return Running == 0; });
  Reached = nullptr;
}

/// The caller's part: runs blocks as long as there is one that may start, then
/// waits for the others to make one ready.
void Shuffle::work(Guard &Held) {
  while (goesOn() && someMayStart())
    runNext(Held, 0);
  if (goesOn() && Running == 0)
    Sticky = Status(StatusCode::Device,
                    "no block can run: " + Graph.describeWaiting());
  sleep(Held, [this] { return !goesOn() || someMayStart() || Running == 0; });
}

template <typename Condition>
void Shuffle::sleep(Guard &Held, Condition Until) {
  ++Sleeping;
  Changed.wait(Held, Until);
  --Sleeping;
}

/// Starts the next block and runs it to its end, without the lock meanwhile.
void Shuffle::runNext(Guard &Held, unsigned Worker) {
  ReadyTask Chosen = pickTask();
  auto &[Node, Blocks] = *Chosen;
  const Readiness::Block Which{Node, Blocks.begin()->second};
  Blocks.erase(Blocks.begin());
  if (Blocks.empty())
    Ready.erase(Chosen);
  --Places[Which.Launch].Unstarted;
  ++Running;
  const Task &What = Graph.task(Which.Launch);
  Held.unlock();
  Status Outcome = runOne(What, Which.Block, Worker);
  Held.lock();
  --Running;
  std::vector<Readiness::Block> Free;
  if (Outcome.ok())
    Outcome = ended(Which, Free);
  if (Sticky.ok())
    Sticky = Outcome;
  bool More = !Free.empty() || Asked.InOrder;
  if (Sleeping > 0 && (More || Running == 0 || !goesOn()))
    Changed.notify_all();
}

/// Adds those to \p Free that wait for nothing any more. Nobody above a thread
/// of our own could catch what the lists throw.
Status Shuffle::ended(Readiness::Block Which,
                      std::vector<Readiness::Block> &Free) {
  try {
    Graph.finish(Which, Free);
    if (!Graph.isInFlight(Which.Launch))
      Places.erase(Which.Launch);
    Graph.retire();
    becomeReady(Free);
    return Status();
  } catch (const std::bad_alloc &) {
    return Status(StatusCode::OutOfMemory, "no memory for blocks in flight");
  }
}

Status Shuffle::runOne(const Task &What, uint64_t Block, unsigned Worker) {
  return What.What ? runBlock(Runner, Sink, *What.What, Block, Worker)
                   : What.Work.Run();
}

/// Whether the next block of the task may be started now.
bool Shuffle::mayStart(uint64_t Node) const {
  return !Asked.InOrder || Places.at(Node).Unstarted > 1 ||
         Node == Graph.oldest();
}

bool Shuffle::someMayStart() {
  return std::any_of(Ready.begin(), Ready.end(),
                     [this](const auto &Each) { return mayStart(Each.first); });
}

/// One of the tasks that have a block that may start; there is one.
Shuffle::ReadyTask Shuffle::pickTask() {
  Allowed.clear();
  for (auto Each = Ready.begin(); Each != Ready.end(); ++Each)
    if (mayStart(Each->first))
      Allowed.push_back(Each);
  OldestTurn = !OldestTurn;
  switch (Order.Launches) {
  case LaunchChoice::Random:
    return Allowed[Numbers() % Allowed.size()];
  case LaunchChoice::Ranked:
    return lowest([this](ReadyTask T) { return Places.at(T->first).Rank; });
  case LaunchChoice::ByBlock:
    return lowest([](ReadyTask T) { return T->second.begin()->first; });
  case LaunchChoice::ByTurns:
    return OldestTurn ? Allowed.front() : Allowed.back();
  case LaunchChoice::Newest:
    break;
  }
  return Allowed.back();
}

/// The one of Allowed for which the number is lowest.
template <typename Number> Shuffle::ReadyTask Shuffle::lowest(Number Of) const {
  return *std::min_element(
      Allowed.begin(), Allowed.end(),
      [&](ReadyTask A, ReadyTask B) { return Of(A) < Of(B); });
}

/// Blocks of one launch run by ascending rank.
uint64_t Shuffle::rank(uint64_t Block) {
  switch (Order.Blocks) {
  case BlockChoice::Ascending:
    return Block;
  case BlockChoice::Descending:
    return ~Block;
  case BlockChoice::Random:
    return Numbers();
  }
  return Block;
}

void Shuffle::becomeReady(const std::vector<Readiness::Block> &Blocks) {
  for (const Readiness::Block &B : Blocks)
    Ready[B.Launch].insert({rank(B.Block), B.Block});
}

/// As many as may run, where that is more than one. Where the system has no
/// thread to give, there are fewer.
void Shuffle::startThreads() {
  bool Several = Ready.size() > 1 ||
                 (Ready.size() == 1 && Ready.begin()->second.size() > 1);
  if (!Several)
    return;
  try {
    while (Threads.size() + 1 < Asked.Workers)
      Threads.emplace_back(&Shuffle::serve, this, unsigned(Threads.size()) + 1);
  } catch (const std::system_error &) {
    return;
  }
  Changed.notify_all();
}

/// The life of a thread.
void Shuffle::serve(unsigned Worker) {
  Guard Held(Lock);
  while (!Stopping) {
    sleep(Held, [this] { return Stopping || (goesOn() && someMayStart()); });
    while (!Stopping && goesOn() && someMayStart())
      runNext(Held, Worker);
  }
}

} // namespace

std::unique_ptr<Executor> makeShuffle(BlockRunner &Runner, EventSink *Sink,
                                      const ShuffleSettings &Asked) {
  return std::make_unique<Shuffle>(Runner, Sink, Asked);
}

} // namespace blockmaestro
