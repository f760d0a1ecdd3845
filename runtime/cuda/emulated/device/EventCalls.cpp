// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Calls.h"
#include "Capture.h"
#include "EngineState.h"
#include "ErrorText.h"
#include "Events.h"
#include "Streams.h"

namespace blockmaestro::emulated {

using Guard = std::lock_guard<std::mutex>;

cudaError_t cudaEventCreate(cudaEvent_t *Event) {
  return emulated::cudaEventCreateWithFlags(Event, cudaEventDefault);
}

/// An event for other processes would have to be without times; there are no
/// other processes to share it with.
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *Event, unsigned Flags) {
  constexpr unsigned Known =
      cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
  if (!Event || (Flags & ~Known))
    return cudaErrorInvalidValue;
  if ((Flags & cudaEventInterprocess) && !(Flags & cudaEventDisableTiming))
    return cudaErrorInvalidValue;
  StreamState &State = streamState();
  auto New = std::make_unique<EmulatedEvent>();
  New->Timed = !(Flags & cudaEventDisableTiming);
  auto Handle = reinterpret_cast<cudaEvent_t>(New.get());
  Guard Held(State.Lock);
  State.Events.emplace(Handle, std::move(New));
  *Event = Handle;
  return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t Event) {
  OperationRef Ignored;
  cudaError_t Error = eventOperation(Event, Ignored);
  if (Error != cudaSuccess)
    return Error;
  forgetEvent(Event);
  StreamState &State = streamState();
  Guard Held(State.Lock);
  return State.Events.erase(Event) ? cudaSuccess
                                   : cudaErrorInvalidResourceHandle;
}

cudaError_t cudaEventRecord(cudaEvent_t Event, cudaStream_t Stream) {
  return emulated::cudaEventRecordWithFlags(Event, Stream,
                                            cudaEventRecordDefault);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t Event, cudaStream_t Stream,
                                     unsigned Flags) {
  OperationRef Ignored;
  cudaError_t Out = checkRecordFlags(Flags);
  if (Out == cudaSuccess)
    Out = eventOperation(Event, Ignored);
  if (Out == cudaSuccess)
    Out = checkStream(Stream);
  if (Out != cudaSuccess ||
      capturesInstead(Stream, RecordCommand{Event, Flags}, Out))
    return Out;
  cudaError_t Known = cudaSuccess;
  Out = enqueueGroup(Stream, [&](std::span<const OperationRef> After) {
    Result<OperationRef> Made = engineState().Runs->submit(Work(), After);
    if (Made.ok())
      Known = recordEvent(streamState(), Event, *Made);
    return Made;
  });
  return Out != cudaSuccess ? Out : Known;
}

cudaError_t cudaEventSynchronize(cudaEvent_t Event) {
  OperationRef Behind;
  cudaError_t Error = eventOperation(Event, Behind);
  if (Error == cudaSuccess)
    Error = mayWaitForEvent(Event);
  return Error != cudaSuccess ? Error : waitFor(Behind);
}

cudaError_t cudaEventQuery(cudaEvent_t Event) {
  OperationRef Behind;
  cudaError_t Error = eventOperation(Event, Behind);
  if (Error == cudaSuccess)
    Error = mayQueryEvent(Event);
  if (Error == cudaSuccess && Behind && !Behind->done())
    return cudaErrorNotReady;
  return Error != cudaSuccess ? Error : errorOf(engineState().Runs->failure());
}

/// The operation of an event whose time can be asked for.
static cudaError_t timedOperation(cudaEvent_t Event, OperationRef &Out) {
  StreamState &State = streamState();
  Guard Held(State.Lock);
  auto Found = State.Events.find(Event);
  if (Found == State.Events.end() || !Found->second->Timed ||
      !Found->second->Recorded)
    return cudaErrorInvalidResourceHandle;
  Out = Found->second->Recorded;
  return cudaSuccess;
}

cudaError_t cudaEventElapsedTime(float *Milliseconds, cudaEvent_t Start,
                                 cudaEvent_t End) {
  if (!Milliseconds)
    return cudaErrorInvalidValue;
  OperationRef First, Last;
  for (auto [Event, Out] : {std::pair(Start, &First), std::pair(End, &Last)}) {
    cudaError_t Error = timedOperation(Event, *Out);
    if (Error == cudaSuccess)
      Error = mayQueryEvent(Event);
    if (Error != cudaSuccess)
      return Error;
  }
  if (!First->done() || !Last->done())
    return cudaErrorNotReady;
  std::chrono::duration<float, std::milli> Passed =
      Last->doneAt() - First->doneAt();
  *Milliseconds = Passed.count();
  return cudaSuccess;
}

} // namespace blockmaestro::emulated
