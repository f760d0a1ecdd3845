// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: launch by launch, in the order issued: the reference every other
// executor is compared with.
// On the data's way: an Executor of the emulated device; does not look at what
// a task needs, since everything before it has completed.
// Invariants: submit() returns after the launch has run; the blocks of one
// launch spread over worker threads in no particular order. After a failure no
// further block starts.
// Ownership: the runner and the sink outlive the executor.

#ifndef BLOCKMAESTRO_RUNTIME_EXEC_SERIAL_H
#define BLOCKMAESTRO_RUNTIME_EXEC_SERIAL_H

#include "Executor.h"

#include <memory>

namespace blockmaestro {

/// With \p Workers threads, the caller's among them; fewer where the system
/// gives no more. \p Sink may be null.
std::unique_ptr<Executor> makeSerial(BlockRunner &Runner, EventSink *Sink,
                                     unsigned Workers);

} // namespace blockmaestro

#endif
