// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: blocks in an adversarial legal order that only the encodings
// restrain, so that a missing dependence shows as a wrong result.
// On the data's way: an Executor of the emulated device.
// Invariants:
//  - A block runs when all its producers have run, by producersOf() and Full
//    alone; a task that is not named restrains nothing. Work of the host is a
//    task of one block.
//  - The newest task is in flight with at most Window earlier ones; older ones
//    complete first. Nothing runs before it has to: submit() runs blocks only
//    until the oldest task beyond the window has completed, finish() until the
//    named ones have, drain() runs all. None of them returns while a block
//    runs.
//  - In order: the last block of a task to start does so only when all earlier
//    tasks have completed.
//  - The seed chooses one of six ways to pick the block that starts next (task
//    by task from the newest, ascending or descending; at random; newest and
//    oldest by turns; tasks ranked at random once; all blocks ranked at random
//    as they become ready) and the order at random. Up to Workers blocks run at
//    a time; with one worker the same seed and tasks give the same order.
// Ownership: the runner and the sink outlive the executor. Threads: blocks run
// on the caller's thread, as worker 0, and on threads of the executor's own,
// which are started when first there are two blocks that may run.

#ifndef BLOCKMAESTRO_RUNTIME_EXEC_SHUFFLE_H
#define BLOCKMAESTRO_RUNTIME_EXEC_SHUFFLE_H

#include "Executor.h"

#include <cstdint>
#include <memory>

namespace blockmaestro {

struct ShuffleSettings {
  uint64_t Seed = 0;
  unsigned Window = 8;
  bool InOrder = false;
  unsigned Workers = 1; ///< Numbered from 0.
};

/// \p Sink may be null.
std::unique_ptr<Executor> makeShuffle(BlockRunner &Runner, EventSink *Sink,
                                      const ShuffleSettings &Asked);

/// On the caller's thread alone.
inline std::unique_ptr<Executor> makeShuffle(BlockRunner &Runner,
                                             EventSink *Sink, uint64_t Seed,
                                             unsigned Window) {
  return makeShuffle(Runner, Sink, ShuffleSettings{Seed, Window, false, 1});
}

} // namespace blockmaestro

#endif
