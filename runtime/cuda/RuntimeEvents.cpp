// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The front end's calls for streams and events.

#include "Runtime.h"

#include "HostClock.h"

#include <algorithm>
#include <utility>

namespace blockmaestro {

void Runtime::madeStream(cudaStream_t Stream, unsigned Flags) {
  Guard Held(Lock);
  InFlight.order().made(Stream, !(Flags & cudaStreamNonBlocking));
  Target.streamMade(Stream, Flags);
}

void Runtime::madeEvent(cudaEvent_t Event, unsigned Flags) {
  Guard Held(Lock);
  Target.eventMade(Event, Flags);
}

/// What the call does to streams is known to the device before another thread's
/// call rests on it.
template <typename Known>
cudaError_t Runtime::makeCall(Guard &Held, const DeviceCall &Call, Known Note) {
  const bool Notes = !Finished && Target.seesStreams();
  if (!Notes)
    Held.unlock();
  const cudaError_t Error = Call(calls());
  if (Notes && Error == cudaSuccess)
    Note();
  return Error;
}

cudaError_t Runtime::record(const char *Name, const DeviceCall &Call,
                            const RecordCommand &What, cudaStream_t Stream) {
  Guard Held(Lock);
  if (known() != cudaSuccess)
    return Failure;
  const bool IsHeld = gathered() && Target.gatherRecord(What, Stream);
  cudaError_t Error = cudaSuccess;
  if (const Status Done =
          IsHeld || Finished ? Status() : Target.recordComes(What, Stream);
      !Done.ok())
    Error = failed(Done);
  if (Error == cudaSuccess && !IsHeld)
    Error = submitGathered(Name);
  if (relates() && Runs->takesHostWork()) {
    std::unique_ptr<PreparedWork> Ready;
    if (takesCopies())
      Ready = Target.prepare({What, Stream, Asker::AsyncCall}, true);
    if (Ready)
      return addRecord(Name, *Ready, Stream, What.Event);
    Error = settle(Name, &Executor::fence);
  } else if (Error == cudaSuccess && relates()) {
    Error = leaveToStreams();
    InFlight.order().arrive(Stream);
    InFlight.order().recorded(What.Event, Stream);
  }
  if (IsHeld)
    Gathered.notify();
  if (Error != cudaSuccess || IsHeld)
    return Error;
  return makeCall(Held, Call, [&] { Target.recordMade(What, Stream); });
}

/// Makes the record a node behind all that its stream is behind. Nothing waits
/// for it but whoever asks for the event.
cudaError_t Runtime::addRecord(const char *Name, PreparedWork &What,
                               cudaStream_t Stream, cudaEvent_t Event) {
  Task Next;
  Next.Node = InFlight.next();
  Next.Stream = Stream;
  Next.Needs = InFlight.admitRecord(Event, Stream);
  Next.Work = {Name, std::move(What.Run)};
  FlightNode Mine = {{}, Stream};
  Mine.IsEvent = true;
  keep(Mine);
  InFlight.order().recorded(Event, Stream);
  Status Done = Runs->submit(std::move(Next));
  return Done.ok() ? cudaSuccess : failed(Done);
}

/// What is held in front of the records of these events goes, and what else is
/// held stays so.
cudaError_t Runtime::submitFor(std::span<const cudaEvent_t> Events) {
  Status Done;
  for (cudaEvent_t Each : Events)
    if (Done.ok() && gathered())
      Done = Target.submitFor(Each);
  return Done.ok() ? cudaSuccess : failed(Done);
}

/// What has to come in front of a wait of the stream goes.
cudaError_t Runtime::submitBefore(cudaStream_t Stream) {
  constexpr const char *What = "a stream waits for an event";
  if (!gathered())
    return submitGathered(What);
  const Result<bool> Done = Target.submitBefore(Stream);
  if (!Done.ok())
    return failed(Done.status());
  if (!*Done)
    return submitGathered(What);
  if (Asked.Explain && !gathered())
    Reasons.add("", Runs->fenceText() + std::string(What));
  return cudaSuccess;
}

cudaError_t Runtime::join(const DeviceCall &Call, cudaStream_t Stream,
                          const WaitCommand &What) {
  const cudaEvent_t Event = What.Event;
  Guard Held(Lock);
  if (known() != cudaSuccess)
    return Failure;
  const bool IsHeld = !Finished && What.Flags == cudaEventWaitDefault &&
                      Target.holdWait(Stream, Event);
  cudaError_t Error = cudaSuccess;
  if (IsHeld && gathered())
    Gathered.notify();
  if (!IsHeld) {
    Error = submitFor({&Event, 1});
    if (Error == cudaSuccess)
      Error = submitBefore(Stream);
  }
  if (Error == cudaSuccess && relates()) {
    Error = leaveToStreams();
    InFlight.order().arrive(Stream);
    InFlight.order().waits(Stream, Event);
  }
  if (Error != cudaSuccess || IsHeld)
    return Error;
  return makeCall(Held, Call, [&] { Target.waitMade(Stream, What); });
}

/// Where the executor has the event's record among its tasks, that has run.
cudaError_t Runtime::finishRecord(cudaEvent_t Event) {
  const std::optional<uint64_t> Node = InFlight.recordOf(Event);
  if (!Node || !relates() || !Runs->takesHostWork())
    return cudaSuccess;
  Status Done = Runs->finish({*Node});
  return Done.ok() ? cudaSuccess : failed(Done);
}

/// The host knows that what the events stand for is done.
void Runtime::noteWait(const char *Name, std::span<const cudaEvent_t> Events) {
  for (cudaEvent_t Each : Events)
    InFlight.order().hostWaitedFor(Each);
  if (!Recorder)
    return;
  uint64_t Until = 0;
  for (cudaEvent_t Each : Events)
    Until = std::max(Until, InFlight.recordedUntil(Each));
  if (Until > 0)
    Recorder->wait(Name, Until, HostClock::now());
}

cudaError_t Runtime::observe(const char *Name, const DeviceCall &Call,
                             std::span<const cudaEvent_t> Events) {
  Guard Held(Lock);
  cudaError_t Error = known();
  if (Error == cudaSuccess)
    Error = submitFor(Events);
  if (Error == cudaSuccess)
    Error = submitGathered("the host asks for an event");
  for (cudaEvent_t Each : Events)
    if (Error == cudaSuccess)
      Error = finishRecord(Each);
  Held.unlock();
  if (Error == cudaSuccess)
    Error = wait(Call);
  if (Error != cudaSuccess)
    return Error;
  Held.lock();
  noteWait(Name, Events);
  return cudaSuccess;
}

cudaError_t Runtime::destroy(const DeviceCall &Call, cudaEvent_t Event) {
  Guard Held(Lock);
  cudaError_t Error = known();
  if (Error == cudaSuccess)
    Error = finishRecord(Event);
  InFlight.forget(Event);
  Target.eventGone(Event);
  Held.unlock();
  return Error != cudaSuccess ? Error : Call(calls());
}

} // namespace blockmaestro
