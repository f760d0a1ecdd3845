// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the order of streams: how asynchronous work of a call becomes an
// operation of the engine.
// On the data's way: every call that works on a stream -> here -> Engine.h.
// Invariants:
//  - An operation of a stream comes after the stream's last one. One of the
//    legacy stream also comes after the last ones of all streams that are not
//    non-blocking, and those come after the last of the legacy stream.
//  - The stream of a handle: null and cudaStreamLegacy are the legacy stream,
//    cudaStreamPerThread is a stream of the calling thread, which is blocking.
// Threads: any; StreamState::Lock.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_STREAMS_STREAMS_H
#define BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_STREAMS_STREAMS_H

#include "StreamName.h"
#include "StreamState.h"

#include <functional>
#include <optional>
#include <span>

namespace blockmaestro::emulated {

/// The stream of a handle, or null. The caller holds StreamState::Lock.
EmulatedStream *streamOf(StreamState &State, cudaStream_t Stream);

/// What captures call the stream; nothing when there is no such stream. Takes
/// and gives back StreamState::Lock.
std::optional<StreamName> streamName(cudaStream_t Stream);

/// cudaSuccess when the stream exists.
cudaError_t checkStream(cudaStream_t Stream);

/// Submits \p What in the order of the stream. Throws std::bad_alloc, with
/// nothing changed.
cudaError_t enqueue(cudaStream_t Stream, Work What);

/// The same, and waits until it is done: the device's failure, if any. Fails in
/// a host function, which must not wait.
cudaError_t enqueueAndWait(cudaStream_t Stream, Work What);

/// Submits what comes after the given operations; returns the last operation.
using Builder =
    std::function<Result<OperationRef>(std::span<const OperationRef> After)>;
/// Several operations that together have one place in the order of the stream:
/// Make submits them to the engine, holding StreamState::Lock; it must not
/// wait.
cudaError_t enqueueGroup(cudaStream_t Stream, const Builder &Make);

/// Waits for what the stream's next operation would wait for.
cudaError_t waitForStream(cudaStream_t Stream);

/// Waits: the device's failure, if any.
cudaError_t waitFor(const OperationRef &Which);
cudaError_t waitForAll();

} // namespace blockmaestro::emulated

#endif
