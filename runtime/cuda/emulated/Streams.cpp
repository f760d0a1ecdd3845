// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Calls.h"

namespace blockmaestro::emulated {

using Guard = std::lock_guard<std::mutex>;

cudaError_t checkStream(cudaStream_t Stream) {
  EmulatedState &State = emulatedState();
  Guard Held(State.Lock);
  return isStream(State, Stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

cudaError_t cudaStreamCreate(cudaStream_t *Stream) {
  if (!Stream)
    return cudaErrorInvalidValue;
  EmulatedState &State = emulatedState();
  Guard Held(State.Lock);
  *Stream = reinterpret_cast<cudaStream_t>(new char);
  State.Streams.insert(*Stream);
  return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *Stream, unsigned Flags) {
  if (Flags != cudaStreamDefault && Flags != cudaStreamNonBlocking)
    return cudaErrorInvalidValue;
  return emulated::cudaStreamCreate(Stream);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *Stream, unsigned Flags,
                                         int) {
  return emulated::cudaStreamCreateWithFlags(Stream, Flags);
}

cudaError_t cudaStreamDestroy(cudaStream_t Stream) {
  EmulatedState &State = emulatedState();
  Guard Held(State.Lock);
  if (!State.Streams.erase(Stream))
    return cudaErrorInvalidResourceHandle;
  delete reinterpret_cast<char *>(Stream);
  return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t Stream) {
  return checkStream(Stream);
}

cudaError_t cudaStreamQuery(cudaStream_t Stream) { return checkStream(Stream); }

cudaError_t cudaStreamWaitEvent(cudaStream_t Stream, cudaEvent_t Event,
                                unsigned) {
  EmulatedState &State = emulatedState();
  Guard Held(State.Lock);
  return isStream(State, Stream) && State.Events.count(Event)
             ? cudaSuccess
             : cudaErrorInvalidResourceHandle;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t Stream,
                                  cudaStreamCaptureStatus *Capturing) {
  if (!Capturing)
    return cudaErrorInvalidValue;
  *Capturing = cudaStreamCaptureStatusNone;
  return checkStream(Stream);
}

} // namespace blockmaestro::emulated
