// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: stream capture: whether work for a stream goes into a graph
// instead of to the device, and which calls may not be made meanwhile.
// On the data's way: enqueue() asks takeWork() before it gives work to the
// engine; every call that waits, queries or is otherwise unsafe asks one of the
// may...() functions first.
// Invariants: a stream belongs to one capture at most; a capture that went
// wrong stays so until its origin stream ends it.
// Ownership: a capture owns the graph it fills until it ends.
// Threads: any; one lock, never held while anything waits, taken inside that of
// the streams and never the other way round. All answers cost one
// load of an atomic while nothing is captured.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_CAPTURE_H
#define BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_CAPTURE_H

#include "Work.h"

#include <cuda_runtime_api.h>

namespace blockmaestro::emulated {

/// A stream as captures know it; made by streamName() (Streams.h).
struct StreamName {
  const void *Key = nullptr; ///< One for each stream, by whatever handle.
  bool Blocking = true;      ///< Waits for the legacy stream and it for this.
  bool Legacy = false;       ///< Is the legacy stream itself.
};

/// What became of work that was asked for.
struct Taken {
  bool ByGraph = false; ///< It is a node now; nothing is left to do.
  cudaError_t Wrong = cudaSuccess;
};

/// Puts the work into the graph that the stream is captured into, if it is.
Taken takeWork(const StreamName &Stream, const Work &What);

/// The host is about to wait for the stream, or to ask how far it is.
cudaError_t mayWaitForStream(const StreamName &Stream);
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
cudaError_t forgetStream(const StreamName &Stream);
void forgetEvent(cudaEvent_t Event);

bool isCapturing(const StreamName &Stream);
/// The same, by handle; takes the lock of the streams.
bool isCapturing(cudaStream_t Stream);

} // namespace blockmaestro::emulated

#endif
