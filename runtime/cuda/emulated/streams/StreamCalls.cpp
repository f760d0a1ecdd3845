// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Calls.h"
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

} // namespace blockmaestro::emulated
