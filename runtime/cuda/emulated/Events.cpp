// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Calls.h"

namespace blockmaestro::emulated {

using Guard = std::lock_guard<std::mutex>;

cudaError_t cudaEventCreate(cudaEvent_t *Event) {
  return emulated::cudaEventCreateWithFlags(Event, cudaEventDefault);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *Event, unsigned Flags) {
  constexpr unsigned Known =
      cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
  if (!Event || (Flags & ~Known))
    return cudaErrorInvalidValue;
  EmulatedState &State = emulatedState();
  Guard Held(State.Lock);
  *Event = reinterpret_cast<cudaEvent_t>(new char);
  State.Events[*Event].Timed = !(Flags & cudaEventDisableTiming);
  return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t Event) {
  EmulatedState &State = emulatedState();
  Guard Held(State.Lock);
  if (!State.Events.erase(Event))
    return cudaErrorInvalidResourceHandle;
  delete reinterpret_cast<char *>(Event);
  return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t Event, cudaStream_t Stream) {
  EmulatedState &State = emulatedState();
  Guard Held(State.Lock);
  auto Found = State.Events.find(Event);
  if (Found == State.Events.end() || !isStream(State, Stream))
    return cudaErrorInvalidResourceHandle;
  Found->second.Recorded = true;
  Found->second.When = std::chrono::steady_clock::now();
  return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t Event) {
  EmulatedState &State = emulatedState();
  Guard Held(State.Lock);
  return State.Events.count(Event) ? cudaSuccess
                                   : cudaErrorInvalidResourceHandle;
}

cudaError_t cudaEventQuery(cudaEvent_t Event) {
  return emulated::cudaEventSynchronize(Event);
}

cudaError_t cudaEventElapsedTime(float *Milliseconds, cudaEvent_t Start,
                                 cudaEvent_t End) {
  if (!Milliseconds)
    return cudaErrorInvalidValue;
  EmulatedState &State = emulatedState();
  Guard Held(State.Lock);
  auto Usable = [&](cudaEvent_t Event) {
    auto Found = State.Events.find(Event);
    return Found != State.Events.end() && Found->second.Timed &&
           Found->second.Recorded;
  };
  if (!Usable(Start) || !Usable(End))
    return cudaErrorInvalidResourceHandle;
  std::chrono::duration<float, std::milli> Passed =
      State.Events[End].When - State.Events[Start].When;
  *Milliseconds = Passed.count();
  return cudaSuccess;
}

} // namespace blockmaestro::emulated
