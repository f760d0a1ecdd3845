// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The calls that wait for a stream, ask how far it is, or give it work.

#include "Calls.h"
#include "Capture.h"
#include "EngineState.h"
#include "ErrorText.h"
#include "Events.h"
#include "Streams.h"

namespace blockmaestro::emulated {

using Guard = std::lock_guard<std::mutex>;

/// What the legacy stream must not overtake although the stream is no more.
static void keepLast(StreamState &State, const EmulatedStream &Stream) {
  if (!(Stream.Flags & cudaStreamNonBlocking) && Stream.Tail &&
      !Stream.Tail->done())
    State.Ended.push_back(Stream.Tail);
}

cudaError_t cudaStreamDestroy(cudaStream_t Stream) {
  StreamState &State = streamState();
  {
    Guard Held(State.Lock);
    if (!State.Streams.count(Stream))
      return cudaErrorInvalidResourceHandle;
  }
  forgetStream(Stream);
  Guard Held(State.Lock);
  auto Found = State.Streams.find(Stream);
  if (Found == State.Streams.end())
    return cudaErrorInvalidResourceHandle;
  keepLast(State, *Found->second);
  State.Streams.erase(Found);
  return cudaSuccess;
}

/// The legacy stream is done when the streams it waits for are, too.
cudaError_t cudaStreamSynchronize(cudaStream_t Stream) {
  cudaError_t Error = checkStream(Stream);
  if (Error == cudaSuccess)
    Error = mayWaitForStream(Stream);
  return Error == cudaSuccess ? waitForStream(Stream) : Error;
}

static cudaError_t lastOperation(cudaStream_t Stream, OperationRef &Out) {
  StreamState &State = streamState();
  Guard Held(State.Lock);
  const EmulatedStream *Its = streamOf(State, Stream);
  if (!Its)
    return cudaErrorInvalidResourceHandle;
  Out = Its->Tail;
  return cudaSuccess;
}

cudaError_t cudaStreamQuery(cudaStream_t Stream) {
  cudaError_t Error = checkStream(Stream);
  if (Error == cudaSuccess)
    Error = mayWaitForStream(Stream);
  if (Error != cudaSuccess)
    return Error;
  OperationRef Last;
  Error = lastOperation(Stream, Last);
  if (Error == cudaSuccess && Last && !Last->done())
    return cudaErrorNotReady;
  return Error == cudaSuccess ? errorOf(engineState().Runs->failure()) : Error;
}

/// In the legacy stream even a wait for nothing has a place that other streams
/// wait for.
cudaError_t cudaStreamWaitEvent(cudaStream_t Stream, cudaEvent_t Event,
                                unsigned Flags) {
  if (Flags != cudaEventWaitDefault && Flags != cudaEventWaitExternal)
    return cudaErrorInvalidValue;
  OperationRef Before;
  cudaError_t Error = checkStream(Stream);
  if (Error == cudaSuccess)
    Error = eventOperation(Event, Before);
  if (Error != cudaSuccess)
    return Error;
  cudaError_t Out = cudaSuccess;
  if (capturesInstead(Stream, WaitCommand{Event, Flags}, Out))
    return Out;
  const bool OnLegacy = !Stream || Stream == cudaStreamLegacy;
  if (!OnLegacy && (!Before || Before->done()))
    return cudaSuccess;
  return enqueueGroup(Stream, [&](std::span<const OperationRef> After) {
    std::vector<OperationRef> All(After.begin(), After.end());
    All.push_back(Before);
    return engineState().Runs->submit(Work(), All);
  });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t Stream, cudaHostFn_t Function,
                               void *UserData) {
  if (!Function)
    return cudaErrorInvalidValue;
  cudaError_t Out = checkStream(Stream);
  if (Out != cudaSuccess ||
      capturesInstead(Stream, HostCommand{Function, UserData}, Out))
    return Out;
  Work What;
  What.Host = [=] { Function(UserData); };
  return enqueue(Stream, std::move(What));
}

/// Unlike a host function it is called after a failure, too, and told of it.
cudaError_t cudaStreamAddCallback(cudaStream_t Stream,
                                  cudaStreamCallback_t Callback, void *UserData,
                                  unsigned Flags) {
  if (!Callback || Flags != 0)
    return cudaErrorInvalidValue;
  cudaError_t Out = checkStream(Stream);
  if (Out != cudaSuccess || refusesCapture(Stream, Out))
    return Out;
  Work What;
  What.AfterFailure = true;
  What.Host = [=] {
    Callback(Stream, errorOf(engineState().Runs->failure()), UserData);
  };
  return enqueue(Stream, std::move(What));
}

} // namespace blockmaestro::emulated
