// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The GPU's streams and events, as executors ask for them that give works to
// streams of their own.

#include "CudaPort.h"

#include "CallStatus.h"
#include "OnDevice.h"
#include "OwnErrors.h"

namespace blockmaestro {

Result<int> CudaPort::priorityOf(void *Stream) {
  const OnDevice Here(Real, Device);
  const OwnErrors Ours(Real);
  int Priority = 0;
  const cudaError_t Error =
      Real.cudaStreamGetPriority(static_cast<cudaStream_t>(Stream), &Priority);
  if (Error != cudaSuccess)
    return statusOf(Real, Error, "asking for the priority of a stream");
  return Priority;
}

Result<void *> CudaPort::makeStream(int Priority) {
  const OnDevice Here(Real, Device);
  const OwnErrors Ours(Real);
  const NotCaptured Alone(Real);
  cudaStream_t Made = nullptr;
  const cudaError_t Error =
      Real.cudaStreamCreateWithPriority(&Made, cudaStreamNonBlocking, Priority);
  if (Error != cudaSuccess)
    return statusOf(Real, Error, "making a stream");
  return static_cast<void *>(Made);
}

void CudaPort::releaseStream(void *Stream) {
  const OwnErrors Ours(Real);
  (void)Real.cudaStreamDestroy(static_cast<cudaStream_t>(Stream));
}

Result<void *> CudaPort::makeEvent() {
  const OnDevice Here(Real, Device);
  const OwnErrors Ours(Real);
  cudaEvent_t Made = nullptr;
  const cudaError_t Error =
      Real.cudaEventCreateWithFlags(&Made, cudaEventDisableTiming);
  if (Error != cudaSuccess)
    return statusOf(Real, Error, "making an event");
  return static_cast<void *>(Made);
}

void CudaPort::releaseEvent(void *Event) {
  const OwnErrors Ours(Real);
  (void)Real.cudaEventDestroy(static_cast<cudaEvent_t>(Event));
}

Status CudaPort::record(void *Event, void *Stream) {
  const OnDevice Here(Real, Device);
  return statusOf(Real,
                  Real.cudaEventRecord(static_cast<cudaEvent_t>(Event),
                                       static_cast<cudaStream_t>(Stream)),
                  "recording an event");
}

bool CudaPort::hasPassed(void *Event) {
  const OwnErrors Ours(Real);
  const NotCaptured Alone(Real);
  return Real.cudaEventQuery(static_cast<cudaEvent_t>(Event)) == cudaSuccess;
}

Status CudaPort::comeBehind(void *Stream, void *Event) {
  const OnDevice Here(Real, Device);
  return statusOf(Real,
                  Real.cudaStreamWaitEvent(static_cast<cudaStream_t>(Stream),
                                           static_cast<cudaEvent_t>(Event), 0),
                  "having a stream wait for an event");
}

} // namespace blockmaestro
