// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: executors over the emulated device's engine: the one that leaves
// the order to the streams, and a frame for those that run blocks themselves.
// On the data's way: Executor.h -> Streams.h.
// Threads: see Executor.h.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_STREAMS_STREAMEXECUTOR_H
#define BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_STREAMS_STREAMEXECUTOR_H

#include "Executor.h"
#include "blockmaestro/EventSink.h"

#include <functional>
#include <memory>

namespace blockmaestro {

/// Every launch in the order of its stream, as the program has it; drain() and
/// fence() wait for nothing, the calls that follow them do. \p Events may be
/// null. With them, or when the front end has to see all launches for another
/// reason (\p SeesAll), the executor is not plain.
std::unique_ptr<Executor> makeStreamExecutor(EventSink *Events, bool SeesAll);

/// An executor that runs blocks of \p Runner itself, and does so only after all
/// work that the engine has been given. Its workers have numbers from \p First
/// on; they compute as the engine's do.
std::unique_ptr<Executor> makeAfterEngine(
    BlockRunner &Runner, unsigned First,
    const std::function<std::unique_ptr<Executor>(BlockRunner &)> &Make);

} // namespace blockmaestro

#endif
