// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Calls.h"
#include "Capture.h"
#include "Emulator.h"
#include "EngineState.h"
#include "ErrorText.h"
#include "GraphState.h"
#include "Limits.h"
#include "MemoryState.h"
#include "Streams.h"

namespace blockmaestro::emulated {

// Errors: the front end keeps the thread's last error.

cudaError_t cudaGetLastError() { return cudaSuccess; }
cudaError_t cudaPeekAtLastError() { return cudaSuccess; }
const char *cudaGetErrorString(cudaError_t Error) { return errorText(Error); }
const char *cudaGetErrorName(cudaError_t Error) { return errorName(Error); }

cudaError_t cudaDeviceSynchronize() {
  cudaError_t Error = mayWaitForDevice();
  return Error == cudaSuccess ? waitForAll() : Error;
}

/// Streams and events are no more; their handles are not to be used again.
static void forgetStreamsAndEvents() {
  StreamState &State = streamState();
  std::lock_guard<std::mutex> Held(State.Lock);
  State.Streams.clear();
  State.Events.clear();
  State.Ended.clear();
  State.PerThread.clear();
  State.Legacy = EmulatedStream();
}

cudaError_t cudaDeviceReset() {
  if (Engine::onHostFunctionThread())
    return cudaErrorNotPermitted;
  EngineState &State = engineState();
  State.Runs->reset();
  forgetCaptures();
  forgetStreamsAndEvents();
  graphState().Memory.clear();
  memoryState().Heap.clear();
  memoryState().Pools.clear();
  memoryState().Managed.clear();
  memoryState().Images.clear();
  memoryState().Arrays.clear();
  if (State.Processor)
    State.Processor->reset();
  resetDeviceSettings();
  return cudaSuccess;
}

cudaError_t cudaGetDevice(int *Device) {
  if (!Device)
    return cudaErrorInvalidValue;
  *Device = 0;
  return cudaSuccess;
}

cudaError_t cudaSetDevice(int Device) {
  return Device == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}

} // namespace blockmaestro::emulated
