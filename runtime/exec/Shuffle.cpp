// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Shuffle.h"

#include "Readiness.h"
#include "RunBlock.h"

#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace blockmaestro {

namespace {

enum class LaunchChoice { Newest, Random, ByTurns };
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
};

class Shuffle final : public Executor {
public:
  Shuffle(BlockRunner &Runner, EventSink *Sink, uint64_t Seed, unsigned Window)
      : Runner(Runner), Sink(Sink), Window(Window), Numbers(Seed),
        Order(PickingOrders[Seed % std::size(PickingOrders)]) {}

  Status submit(Task Next) override;
  Status drain() override { return runUntilInFlight(0); }

private:
  /// The blocks of one launch that may run, in the order they would.
  using ReadyBlocks = std::set<std::pair<uint64_t, uint64_t>>;

  Status runUntilInFlight(size_t AtMost);
  Status runNext();
  void becomeReady(const std::vector<Readiness::Block> &Blocks);
  std::map<uint64_t, ReadyBlocks>::iterator pickLaunch();
  uint64_t rank(uint64_t Block);

  BlockRunner &Runner;
  EventSink *Sink;
  unsigned Window;
  std::mt19937_64 Numbers;
  PickingOrder Order;
  bool OldestTurn = false;
  Readiness Graph;
  std::map<uint64_t, ReadyBlocks> Ready; ///< By launch; none is empty.
  Status Sticky;
};

Status Shuffle::submit(Task Next) {
  if (Status S = runUntilInFlight(Window); !S.ok())
    return S;
  Sticky = Runner.prepare(*Next.What);
  if (!Sticky.ok())
    return Sticky;
  std::vector<Readiness::Block> Free;
  Sticky = Graph.add(std::move(Next), Free);
  if (Sticky.ok())
    becomeReady(Free);
  return Sticky;
}

/// Runs blocks until at most \p AtMost launches, counted from the oldest that
/// has not completed, are in flight.
Status Shuffle::runUntilInFlight(size_t AtMost) {
  while (Sticky.ok() && Graph.inFlight() > AtMost) {
    Sticky = runNext();
    Graph.retire();
  }
  return Sticky;
}

Status Shuffle::runNext() {
  if (Ready.empty())
    return Status(StatusCode::Device,
                  "no block can run: " + Graph.describeWaiting());
  auto Chosen = pickLaunch();
  auto &[Launch, Blocks] = *Chosen;
  Readiness::Block Which{Launch, Blocks.begin()->second};
  Blocks.erase(Blocks.begin());
  if (Blocks.empty())
    Ready.erase(Chosen);
  const blockmaestro::Launch &What = Graph.launch(Which.Launch);
  if (Status S = runBlock(Runner, Sink, What, Which.Block, 0); !S.ok())
    return S;
  std::vector<Readiness::Block> Free;
  Graph.finish(Which, Free);
  becomeReady(Free);
  return Status();
}

std::map<uint64_t, Shuffle::ReadyBlocks>::iterator Shuffle::pickLaunch() {
  OldestTurn = !OldestTurn;
  if (Order.Launches == LaunchChoice::Random)
    return std::next(Ready.begin(), Numbers() % Ready.size());
  if (Order.Launches == LaunchChoice::ByTurns && OldestTurn)
    return Ready.begin();
  return std::prev(Ready.end());
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

} // namespace

std::unique_ptr<Executor> makeShuffle(BlockRunner &Runner, EventSink *Sink,
                                      uint64_t Seed, unsigned Window) {
  return std::make_unique<Shuffle>(Runner, Sink, Seed, Window);
}

} // namespace blockmaestro
