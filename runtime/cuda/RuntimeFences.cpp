// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Of Runtime what ends a chain: calls that wait, that change what is known of
// streams and devices, and failures.

#include "Runtime.h"

#include "ErrorText.h"
#include "HostClock.h"

#include <algorithm>

namespace blockmaestro {

/// An executor failed. What the system would not give can be asked for again;
/// everything else stays.
cudaError_t Runtime::failed(const Status &Why) {
  // The error that CUDA gave, where it was CUDA that failed.
  const cudaError_t Theirs = Why.code() == StatusCode::Device
                                 ? calls().cudaPeekAtLastError()
                                 : cudaSuccess;
  const cudaError_t Error = Theirs != cudaSuccess ? Theirs : errorOf(Why);
  if (Target.failure().ok())
    Reasons.addFailure(Why.message());
  if (Why.code() != StatusCode::Io && Why.code() != StatusCode::OutOfMemory)
    Failure = Error;
  return Error;
}

/// The failure that stays, if there has been one.
cudaError_t Runtime::known() {
  if (Failure == cudaSuccess)
    Failure = errorOf(Target.failure());
  return Failure;
}

/// Drains or fences; nothing is in flight for later launches afterwards. Of
/// what comes behind a fence it may be known which stream it is for.
cudaError_t Runtime::settle(const char *What, Status (Executor::*How)(),
                            const cudaStream_t *For) {
  if (known() != cudaSuccess || Finished)
    return Failure;
  InFlight.clear();
  explainFence(What);
  Status Done = (Runs.get()->*How)();
  if (How == &Executor::fence && For)
    Target.strange(*For);
  else if (How == &Executor::fence && Done.ok())
    Done = Target.strangeAnywhere();
  if (!Done.ok())
    return failed(Done);
  if (Recorder)
    Recorder->barrier(What, How == &Executor::drain, HostClock::now());
  return cudaSuccess;
}

cudaError_t Runtime::fence(const char *What) {
  Guard Held(Lock);
  HostNotices = true;
  return settle(What, &Executor::fence);
}

cudaError_t Runtime::selecting(const char *What) {
  Guard Held(Lock);
  return settle(What, &Executor::fence);
}

cudaError_t Runtime::drain(const char *What) {
  Guard Held(Lock);
  return settle(What, &Executor::drain);
}

cudaError_t Runtime::wait(const DeviceCall &Call,
                          std::chrono::nanoseconds Otherwise) {
  const auto Begin = std::chrono::steady_clock::now();
  const cudaError_t Error = Call(calls());
  const std::chrono::nanoseconds Took =
      std::chrono::steady_clock::now() - Begin;
  Guard Held(Lock);
  if (Error == cudaSuccess && Runs && !Finished)
    Runs->waited(std::max(Took - Otherwise, std::chrono::nanoseconds(0)));
  keepRecorded();
  return Error;
}

cudaError_t Runtime::forgetStream(const char *What, cudaStream_t Stream) {
  Guard Held(Lock);
  const cudaError_t Error = settle(What, &Executor::fence);
  if (Error == cudaSuccess && Runs)
    Runs->forgetStream(Stream);
  Target.streamGone(Stream);
  return Error;
}

void Runtime::deviceSelected() {
  Guard Held(Lock);
  Target.deviceSelected();
}

/// Another thread may launch on the stream before the call returns.
cudaError_t Runtime::beginCapture(const char *Name, const DeviceCall &Call,
                                  cudaStream_t Stream) {
  Guard Held(Lock);
  cudaError_t Error = settle(Name, &Executor::fence);
  if (Error != cudaSuccess)
    return Error;
  Target.captureBegins(Stream);
  Held.unlock();
  Error = Call(calls());
  if (Error != cudaSuccess)
    captureEnded(Stream);
  return Error;
}

cudaError_t Runtime::endCapture(const DeviceCall &Call, cudaStream_t Stream) {
  cudaError_t Error = failure();
  if (Error == cudaSuccess)
    Error = Call(calls());
  if (Error == cudaSuccess)
    captureEnded(Stream);
  return Error;
}

void Runtime::captureEnded(cudaStream_t Stream) {
  Guard Held(Lock);
  Target.captureEnded(Stream);
}

cudaError_t Runtime::driverGiven(const char *What) {
  Guard Held(Lock);
  const cudaError_t Error = settle(What, &Executor::fence);
  Target.driverGiven();
  HostNotices = true;
  return Error;
}

cudaError_t Runtime::memoryShared(const char *What) {
  Guard Held(Lock);
  const cudaError_t Error = settle(What, &Executor::drain);
  Shared = HostNotices = true;
  if (Runs)
    Runs->relateBy(nullptr);
  return Error;
}

cudaError_t Runtime::failure() {
  Guard Held(Lock);
  return known();
}

void Runtime::explainFailure() {
  Guard Held(Lock);
  (void)settle("a launch that failed", &Executor::drain);
}

} // namespace blockmaestro
