// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Calls.h"
#include "EngineState.h"
#include "ErrorText.h"
#include "Events.h"
#include "Streams.h"

#include <algorithm>

namespace blockmaestro::emulated {
namespace {

using Guard = std::lock_guard<std::mutex>;

constexpr int LeastPriority = 0;
constexpr int GreatestPriority = -5;

/// Runs Body with the stream of the handle, under the lock.
template <typename Body> cudaError_t withStream(cudaStream_t Stream, Body Run) {
  StreamState &State = streamState();
  Guard Held(State.Lock);
  EmulatedStream *Its = streamOf(State, Stream);
  return Its ? Run(*Its) : cudaErrorInvalidResourceHandle;
}

/// What the legacy stream must not overtake although the stream is no more.
void keepLast(StreamState &State, const EmulatedStream &Stream) {
  if (!(Stream.Flags & cudaStreamNonBlocking) && Stream.Tail &&
      !Stream.Tail->done())
    State.Ended.push_back(Stream.Tail);
}

} // namespace

cudaError_t cudaDeviceGetStreamPriorityRange(int *Least, int *Greatest) {
  if (Least)
    *Least = LeastPriority;
  if (Greatest)
    *Greatest = GreatestPriority;
  return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t *Stream) {
  return emulated::cudaStreamCreateWithPriority(Stream, cudaStreamDefault, 0);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *Stream, unsigned Flags) {
  return emulated::cudaStreamCreateWithPriority(Stream, Flags, 0);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *Stream, unsigned Flags,
                                         int Priority) {
  if (!Stream || (Flags != cudaStreamDefault && Flags != cudaStreamNonBlocking))
    return cudaErrorInvalidValue;
  StreamState &State = streamState();
  auto New = std::make_unique<EmulatedStream>();
  New->Flags = Flags;
  New->Priority = std::clamp(Priority, GreatestPriority, LeastPriority);
  auto Handle = reinterpret_cast<cudaStream_t>(New.get());
  Guard Held(State.Lock);
  New->Id = ++State.LastStreamId;
  State.Streams.emplace(Handle, std::move(New));
  *Stream = Handle;
  return cudaSuccess;
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

cudaError_t cudaStreamGetPriority(cudaStream_t Stream, int *Priority) {
  return withStream(Stream, [&](const EmulatedStream &Its) {
    if (!Priority)
      return cudaErrorInvalidValue;
    *Priority = Its.Priority;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetFlags(cudaStream_t Stream, unsigned *Flags) {
  return withStream(Stream, [&](const EmulatedStream &Its) {
    if (!Flags)
      return cudaErrorInvalidValue;
    *Flags = Its.Flags;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetId(cudaStream_t Stream, unsigned long long *Id) {
  return withStream(Stream, [&](const EmulatedStream &Its) {
    if (!Id)
      return cudaErrorInvalidValue;
    *Id = Its.Id;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetDevice(cudaStream_t Stream, int *Device) {
  return withStream(Stream, [&](const EmulatedStream &) {
    if (!Device)
      return cudaErrorInvalidValue;
    *Device = 0;
    return cudaSuccess;
  });
}

/// The attributes a stream can have.
static bool isStreamAttribute(cudaLaunchAttributeID Which) {
  return Which == cudaLaunchAttributeAccessPolicyWindow ||
         Which == cudaLaunchAttributeSynchronizationPolicy ||
         Which == cudaLaunchAttributePriority ||
         Which == cudaLaunchAttributeMemSyncDomain ||
         Which == cudaLaunchAttributeMemSyncDomainMap;
}

cudaError_t cudaStreamGetAttribute(cudaStream_t Stream,
                                   cudaLaunchAttributeID Attribute,
                                   cudaLaunchAttributeValue *Value) {
  return withStream(Stream, [&](const EmulatedStream &Its) {
    if (!Value || !isStreamAttribute(Attribute))
      return cudaErrorInvalidValue;
    auto Found = Its.Attributes.find(Attribute);
    *Value = Found != Its.Attributes.end() ? Found->second
                                           : cudaLaunchAttributeValue();
    if (Attribute == cudaLaunchAttributePriority)
      Value->priority = Its.Priority;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamSetAttribute(cudaStream_t Stream,
                                   cudaLaunchAttributeID Attribute,
                                   const cudaLaunchAttributeValue *Value) {
  return withStream(Stream, [&](EmulatedStream &Its) {
    if (!Value || !isStreamAttribute(Attribute))
      return cudaErrorInvalidValue;
    if (Attribute == cudaLaunchAttributePriority)
      Its.Priority =
          std::clamp(Value->priority, GreatestPriority, LeastPriority);
    else
      Its.Attributes[Attribute] = *Value;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t To, cudaStream_t From) {
  StreamState &State = streamState();
  Guard Held(State.Lock);
  EmulatedStream *Into = streamOf(State, To);
  EmulatedStream *Of = streamOf(State, From);
  if (!Into || !Of)
    return cudaErrorInvalidResourceHandle;
  Into->Attributes = Of->Attributes;
  Into->Priority = Of->Priority;
  return cudaSuccess;
}

/// The legacy stream is done when the streams it waits for are, too.
cudaError_t cudaStreamSynchronize(cudaStream_t Stream) {
  cudaError_t Error = checkStream(Stream);
  if (Error == cudaSuccess)
    Error = mayWaitForStream(Stream);
  return Error == cudaSuccess ? waitForStream(Stream) : Error;
}

cudaError_t cudaStreamQuery(cudaStream_t Stream) {
  cudaError_t Error = checkStream(Stream);
  if (Error == cudaSuccess)
    Error = mayWaitForStream(Stream);
  if (Error != cudaSuccess)
    return Error;
  OperationRef Last;
  Error = withStream(Stream, [&](const EmulatedStream &Its) {
    Last = Its.Tail;
    return cudaSuccess;
  });
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
