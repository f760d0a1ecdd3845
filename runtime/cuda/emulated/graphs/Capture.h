// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: stream capture: whether work for a stream goes into a graph
// instead of to the device, and which calls may not be made meanwhile.
// On the data's way: every asynchronous call asks capturesInstead() before it
// gives work to the engine; every call that waits, queries or is otherwise
// unsafe asks one of the may...() functions first.
// Invariants: a stream belongs to one capture at most; a capture that went
// wrong stays so until its origin stream ends it.
// Ownership: a capture owns the graph it fills until it ends, unless the
// program gave it one.
// Threads: any; GraphState::Lock, and no lock may be held by the caller. All
// answers cost one load of an atomic while nothing is captured.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_GRAPHS_CAPTURE_H
#define BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_GRAPHS_CAPTURE_H

#include "Command.h"

#include <cuda_runtime_api.h>

namespace blockmaestro::emulated {

/// Whether the stream is captured, so that What became a node of its graph, or
/// the call is not allowed while something is captured: the call returns Out.
/// The stream may be one that does not exist.
bool capturesInstead(cudaStream_t Stream, const Command &What,
                     cudaError_t &Out);

/// The same for memory that the graph allocates.
bool capturesAllocation(cudaStream_t Stream, size_t Bytes, void **Address,
                        cudaError_t &Out);

/// The same for work that no capture takes: executable graphs, callbacks.
bool refusesCapture(cudaStream_t Stream, cudaError_t &Out);

/// The host is about to wait for the stream, or to ask how far it is.
cudaError_t mayWaitForStream(cudaStream_t Stream);
/// The host is about to wait for the event.
cudaError_t mayWaitForEvent(cudaEvent_t Event);
/// The host is about to ask about the event.
cudaError_t mayQueryEvent(cudaEvent_t Event);
/// The host is about to wait for the whole device.
cudaError_t mayWaitForDevice();
/// A call that runs work on the legacy stream and waits for it: cudaMemcpy.
cudaError_t mayUseLegacyStream();
/// A call that CUDA does not allow while a capture is under way that is not
/// relaxed: cudaMalloc, cudaFree and others.
cudaError_t mayCallUnsafely();

/// The stream or event is about to be destroyed.
void forgetStream(cudaStream_t Stream);
void forgetEvent(cudaEvent_t Event);
/// The device is reset: captures end and leave nothing.
void forgetCaptures();

/// Whether work for the stream is for captures to judge: it is captured, or it
/// is the legacy stream while that is tied to a captured one.
bool isCapturing(cudaStream_t Stream);

} // namespace blockmaestro::emulated

#endif
