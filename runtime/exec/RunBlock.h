// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: running one block on the host and reporting it.
// On the data's way: between the host's executors, a BlockRunner and the
// EventSink.
// Threads: any, as BlockRunner::run().

#ifndef BLOCKMAESTRO_RUNTIME_EXEC_RUNBLOCK_H
#define BLOCKMAESTRO_RUNTIME_EXEC_RUNBLOCK_H

#include "Executor.h"

namespace blockmaestro {

/// Now, in the nanoseconds that events count.
uint64_t eventClock();

/// Runs \p Block of \p What as \p Worker. With a sink the block's cost is
/// counted, and a block that succeeded is reported.
Status runBlock(BlockRunner &Runner, EventSink *Sink, const Launch &What,
                uint64_t Block, unsigned Worker);

} // namespace blockmaestro

#endif
