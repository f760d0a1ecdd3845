// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: events as other calls see them: an operation whose end they are.
// Threads: any; StreamState::Lock, taken and given back.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_STREAMS_EVENTS_H
#define BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_STREAMS_EVENTS_H

#include "StreamState.h"

namespace blockmaestro::emulated {

/// The operation the event was recorded behind; null when it never was.
cudaError_t eventOperation(cudaEvent_t Event, OperationRef &Out);

/// The event has been recorded behind this operation. The caller holds
/// StreamState::Lock.
cudaError_t recordEvent(StreamState &State, cudaEvent_t Event,
                        OperationRef Behind);

cudaError_t checkRecordFlags(unsigned Flags);

/// The event stands for what has been done so far; nothing happens when it is
/// gone.
Status recordNow(cudaEvent_t Event);

} // namespace blockmaestro::emulated

#endif
