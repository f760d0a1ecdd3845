// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what the emulated device does with a command.
// On the data's way: calls and graphs -> here -> the engine; the front end's
// executors take prepared work instead.
// Threads: any; the locks of the device's states and GraphState::Lock, taken
// and given back.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_DEVICE_COMMANDS_H
#define BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_DEVICE_COMMANDS_H

#include "Command.h"
#include "PreparedWork.h"

#include <cuda_runtime_api.h>

#include <memory>

namespace blockmaestro::emulated {

/// Does a copy or fill in the order of the stream, or captures it. Waits where
/// CUDA does.
cudaError_t perform(const Request &Asked);

/// A copy, fill or event record as work for an executor. With \p Stages it does
/// not read what the host may change once the call has returned, as far as that
/// can be taken aside. Null for other commands, for what does nothing, and
/// where the call has to say what is wrong.
std::unique_ptr<PreparedWork> prepare(const Request &Asked, bool Stages);

} // namespace blockmaestro::emulated

#endif
