// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Events.h"

#include "EngineState.h"

namespace blockmaestro::emulated {

using Guard = std::lock_guard<std::mutex>;

cudaError_t eventOperation(cudaEvent_t Event, OperationRef &Out) {
  StreamState &State = streamState();
  Guard Held(State.Lock);
  auto Found = State.Events.find(Event);
  if (Found == State.Events.end())
    return cudaErrorInvalidResourceHandle;
  Out = Found->second->Recorded;
  return cudaSuccess;
}

cudaError_t recordEvent(StreamState &State, cudaEvent_t Event,
                        OperationRef Behind) {
  auto Found = State.Events.find(Event);
  if (Found == State.Events.end())
    return cudaErrorInvalidResourceHandle;
  Found->second->Recorded = std::move(Behind);
  return cudaSuccess;
}

Status recordNow(cudaEvent_t Event) {
  StreamState &State = streamState();
  Guard Held(State.Lock);
  Result<OperationRef> Done = engineState().Runs->submit(Work(), {});
  if (Done.ok())
    (void)recordEvent(State, Event, *Done);
  return Done.status();
}

cudaError_t checkRecordFlags(unsigned Flags) {
  return Flags == cudaEventRecordDefault || Flags == cudaEventRecordExternal
             ? cudaSuccess
             : cudaErrorInvalidValue;
}

} // namespace blockmaestro::emulated
