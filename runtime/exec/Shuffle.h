// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: blocks in an adversarial legal order that only the encodings
// restrain, so that a missing dependence shows as a wrong result.
// On the data's way: an Executor of the emulated device.
// Invariants:
//  - A block runs when all its producers have run, by producersOf() and Full
//    alone; a launch that is not named restrains nothing.
//  - The newest launch is in flight with at most Window earlier ones; older
//    ones complete first. Nothing runs before it has to: submit() runs blocks
//    only until the oldest launch beyond the window has completed, drain()
//    runs all.
//  - The seed chooses one of four ways to pick the next block (launch by
//    launch from the newest, ascending or descending; at random; newest and
//    oldest by turns) and the order at random; the same seed and tasks give the
//    same order.
// Ownership: the runner and the sink outlive the executor. Threads: blocks run
// on the caller's thread, as worker 0.

#ifndef BLOCKMAESTRO_RUNTIME_EXEC_SHUFFLE_H
#define BLOCKMAESTRO_RUNTIME_EXEC_SHUFFLE_H

#include "Executor.h"

#include <cstdint>
#include <memory>

namespace blockmaestro {

/// \p Sink may be null.
std::unique_ptr<Executor> makeShuffle(BlockRunner &Runner, EventSink *Sink,
                                      uint64_t Seed, unsigned Window);

} // namespace blockmaestro

#endif
