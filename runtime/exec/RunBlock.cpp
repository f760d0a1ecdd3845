// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RunBlock.h"

#include <chrono>

namespace blockmaestro {

uint64_t eventClock() {
  auto Now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Now).count();
}

Status runBlock(BlockRunner &Runner, EventSink *Sink, const Launch &What,
                uint64_t Block, unsigned Worker) {
  if (!Sink)
    return Runner.run(What, Block, Worker, nullptr);
  BlockCost Counted;
  BlockCost *Cost = Sink->wantsCosts() ? &Counted : nullptr;
  Event Ran;
  Ran.Launch = What.Id;
  Ran.Block = Block;
  Ran.Where = Worker;
  Ran.Start = eventClock();
  Status Outcome = Runner.run(What, Block, Worker, Cost);
  Ran.End = eventClock();
  if (Outcome.ok())
    Sink->blockRan(Ran, Cost);
  return Outcome;
}

} // namespace blockmaestro
