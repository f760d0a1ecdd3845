// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Streams.h"

#include "EngineState.h"
#include "ErrorText.h"

#include <utility>

namespace blockmaestro::emulated {
namespace {

using Guard = std::lock_guard<std::mutex>;

bool isBlocking(const EmulatedStream &Stream) {
  return !(Stream.Flags & cudaStreamNonBlocking);
}

void addPending(std::vector<OperationRef> &To, const OperationRef &Which) {
  if (Which && !Which->done())
    To.push_back(Which);
}

/// What the stream's next operation comes after.
std::vector<OperationRef> placeOf(StreamState &State,
                                  const EmulatedStream &Stream) {
  std::vector<OperationRef> After;
  addPending(After, Stream.Tail);
  if (&Stream != &State.Legacy) {
    if (isBlocking(Stream))
      addPending(After, State.Legacy.Tail);
    return After;
  }
  for (const auto &[Handle, Each] : State.Streams)
    if (isBlocking(*Each))
      addPending(After, Each->Tail);
  for (const auto &[Thread, Each] : State.PerThread)
    addPending(After, Each.Tail);
  std::erase_if(State.Ended,
                [](const OperationRef &Each) { return Each->done(); });
  After.insert(After.end(), State.Ended.begin(), State.Ended.end());
  return After;
}

/// Gives the stream what Make submits as its last operation.
template <typename Body>
cudaError_t place(cudaStream_t Stream, Body Make, OperationRef *Out) {
  StreamState &State = streamState();
  Guard Held(State.Lock);
  EmulatedStream *Its = streamOf(State, Stream);
  if (!Its)
    return cudaErrorInvalidResourceHandle;
  Result<OperationRef> Made = Make(*Its, placeOf(State, *Its));
  if (!Made.ok())
    return Made.status().code() == StatusCode::Unsupported
               ? cudaErrorCudartUnloading
               : errorOf(Made.status());
  Its->Tail = *Made;
  if (Out)
    *Out = std::move(*Made);
  return cudaSuccess;
}

cudaError_t enqueueAs(cudaStream_t Stream, Work &What, OperationRef *Out) {
  return place(
      Stream,
      [&](const EmulatedStream &Its, const std::vector<OperationRef> &After) {
        if (What.Priority == 0)
          What.Priority = Its.Priority;
        return engineState().Runs->submit(std::move(What), After);
      },
      Out);
}

} // namespace

EmulatedStream *streamOf(StreamState &State, cudaStream_t Stream) {
  if (!Stream || Stream == cudaStreamLegacy)
    return &State.Legacy;
  if (Stream == cudaStreamPerThread) {
    auto [Found, New] = State.PerThread.try_emplace(std::this_thread::get_id());
    if (New)
      Found->second.Id = ++State.LastStreamId;
    return &Found->second;
  }
  auto Found = State.Streams.find(Stream);
  return Found == State.Streams.end() ? nullptr : Found->second.get();
}

std::optional<StreamName> streamName(cudaStream_t Stream) {
  StreamState &State = streamState();
  Guard Held(State.Lock);
  const EmulatedStream *Its = streamOf(State, Stream);
  if (!Its)
    return std::nullopt;
  return StreamName{Its, isBlocking(*Its), Its == &State.Legacy};
}

cudaError_t checkStream(cudaStream_t Stream) {
  StreamState &State = streamState();
  Guard Held(State.Lock);
  return streamOf(State, Stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

cudaError_t enqueue(cudaStream_t Stream, Work What) {
  return enqueueAs(Stream, What, nullptr);
}

cudaError_t enqueueAndWait(cudaStream_t Stream, Work What) {
  if (Engine::onHostFunctionThread())
    return cudaErrorNotPermitted;
  OperationRef Last;
  cudaError_t Error = enqueueAs(Stream, What, &Last);
  return Error != cudaSuccess ? Error : waitFor(Last);
}

cudaError_t enqueueGroup(cudaStream_t Stream, const Builder &Make) {
  return place(
      Stream,
      [&](const EmulatedStream &, const std::vector<OperationRef> &After) {
        return Make(After);
      },
      nullptr);
}

cudaError_t waitForStream(cudaStream_t Stream) {
  std::vector<OperationRef> Pending;
  {
    StreamState &State = streamState();
    Guard Held(State.Lock);
    const EmulatedStream *Its = streamOf(State, Stream);
    if (!Its)
      return cudaErrorInvalidResourceHandle;
    Pending = placeOf(State, *Its);
  }
  cudaError_t Error = waitFor(nullptr);
  for (const OperationRef &Each : Pending)
    Error = waitFor(Each);
  return Error;
}

cudaError_t waitFor(const OperationRef &Which) {
  if (Engine::onHostFunctionThread())
    return cudaErrorNotPermitted;
  return errorOf(engineState().Runs->wait(Which));
}

cudaError_t waitForAll() {
  if (Engine::onHostFunctionThread())
    return cudaErrorNotPermitted;
  return errorOf(engineState().Runs->waitAll());
}

} // namespace blockmaestro::emulated
