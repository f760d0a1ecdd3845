// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Serial.h"

#include "RunBlock.h"
#include "WorkerPool.h"

#include <atomic>
#include <mutex>

namespace blockmaestro {

namespace {

/// The failure of the lowest block that failed.
class FirstFailure {
public:
  bool any() const { return Failed.load(std::memory_order_relaxed); }
  void note(uint64_t Block, Status Why) {
    std::lock_guard<std::mutex> Guard(Lock);
    if (!Outcome.ok() && Block > Lowest)
      return;
    Lowest = Block;
    Outcome = std::move(Why);
    Failed.store(true, std::memory_order_relaxed);
  }
  const Status &outcome() const { return Outcome; }

private:
  std::mutex Lock;
  std::atomic<bool> Failed = false;
  uint64_t Lowest = 0;
  Status Outcome;
};

class Serial final : public Executor {
public:
  Serial(BlockRunner &Runner, EventSink *Sink, unsigned Workers)
      : Runner(Runner), Sink(Sink), Pool(Workers) {}

  Status submit(Task Next) override {
    if (Sticky.ok())
      Sticky = Runner.prepare(*Next.What);
    if (Sticky.ok())
      Sticky = runLaunch(*Next.What);
    return Sticky;
  }
  Status drain() override { return Sticky; }

private:
  Status runLaunch(const Launch &What);

  BlockRunner &Runner;
  EventSink *Sink;
  WorkerPool Pool;
  Status Sticky;
};

/// Every worker takes the next block until there is none or one has failed.
Status Serial::runLaunch(const Launch &What) {
  const uint64_t Count = What.Grid.count();
  std::atomic<uint64_t> Next = 0;
  FirstFailure Failure;
  auto TakeBlocks = [&](unsigned Worker) {
    for (uint64_t Block; !Failure.any() && (Block = Next++) < Count;)
      if (Status S = runBlock(Runner, Sink, What, Block, Worker); !S.ok())
        Failure.note(Block, std::move(S));
  };
  if (Count == 1)
    TakeBlocks(0);
  else
    Pool.share(TakeBlocks);
  return Failure.outcome();
}

} // namespace

std::unique_ptr<Executor> makeSerial(BlockRunner &Runner, EventSink *Sink,
                                     unsigned Workers) {
  return std::make_unique<Serial>(Runner, Sink, Workers);
}

} // namespace blockmaestro
