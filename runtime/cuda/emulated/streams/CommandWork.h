// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what the engine does for a command.
// On the data's way: Commands.h and graphs -> here -> Launches.h, Copies.h ->
// the engine.
// Threads: any; the locks of the device's states, taken and given back.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_STREAMS_COMMANDWORK_H
#define BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_STREAMS_COMMANDWORK_H

#include "Command.h"
#include "Operation.h"

namespace blockmaestro::emulated {

/// The engine's work for the command, checked; events and memory are the
/// business of whoever asks.
cudaError_t engineWork(const Command &From, Work &Out);

} // namespace blockmaestro::emulated

#endif
