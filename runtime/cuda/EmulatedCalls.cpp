// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "EmulatedCalls.h"

#include "EmulatedMachine.h"
#include "ErrorText.h"

namespace blockmaestro {

EmulatedState::EmulatedState() : Heap(EmulatedMemoryBytes) {}

EmulatedState &emulatedState() {
  static EmulatedState *State = new EmulatedState;
  return *State;
}

namespace {

using Guard = std::lock_guard<std::mutex>;

bool isStream(const EmulatedState &State, cudaStream_t Stream) {
  return !Stream || Stream == cudaStreamLegacy ||
         Stream == cudaStreamPerThread || State.Streams.count(Stream);
}

const EmulatedKernel *kernelOf(const EmulatedState &State, const void *Stub) {
  auto Record = State.Stubs.find(Stub);
  if (Record == State.Stubs.end())
    return nullptr;
  auto Kernel = State.Kernels.find(Record->second);
  return Kernel == State.Kernels.end() ? nullptr : &Kernel->second;
}

} // namespace

cudaError_t checkLaunch(const EmulatedState &State,
                        const EmulatedKernel *Kernel, dim3 Grid, dim3 Block,
                        size_t SharedBytes, cudaStream_t Stream) {
  if (!isStream(State, Stream))
    return cudaErrorInvalidResourceHandle;
  if (!emulatedShapeFits(Grid, Block))
    return cudaErrorInvalidConfiguration;
  if (!Kernel)
    return cudaErrorInvalidDeviceFunction;
  return SharedBytes > Kernel->MaxDynamicSharedBytes ? cudaErrorInvalidValue
                                                     : cudaSuccess;
}

namespace emulated {

cudaError_t checkStream(cudaStream_t Stream) {
  EmulatedState &State = emulatedState();
  Guard Held(State.Lock);
  return isStream(State, Stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

// Launches: only those that no executor accepts come here.

cudaError_t cudaLaunchKernel(const void *Function, dim3 Grid, dim3 Block,
                             void **Args, size_t SharedBytes,
                             cudaStream_t Stream) {
  EmulatedState &State = emulatedState();
  Guard Held(State.Lock);
  const EmulatedKernel *Kernel = kernelOf(State, Function);
  cudaError_t Wrong =
      checkLaunch(State, Kernel, Grid, Block, SharedBytes, Stream);
  if (Wrong != cudaSuccess)
    return Wrong;
  return !Args && !Kernel->Record->Parameters.empty() ? cudaErrorInvalidValue
                                                      : cudaErrorNotSupported;
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *Config,
                                const void *Function, void **Args) {
  if (!Config)
    return cudaErrorInvalidValue;
  return emulated::cudaLaunchKernel(Function, Config->gridDim, Config->blockDim,
                                    Args, Config->dynamicSmemBytes,
                                    Config->stream);
}

// Streams.

cudaError_t cudaStreamCreate(cudaStream_t *Stream) {
  if (!Stream)
    return cudaErrorInvalidValue;
  EmulatedState &State = emulatedState();
  Guard Held(State.Lock);
  *Stream = reinterpret_cast<cudaStream_t>(new char);
  State.Streams.insert(*Stream);
  return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *Stream, unsigned Flags) {
  if (Flags != cudaStreamDefault && Flags != cudaStreamNonBlocking)
    return cudaErrorInvalidValue;
  return emulated::cudaStreamCreate(Stream);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *Stream, unsigned Flags,
                                         int) {
  return emulated::cudaStreamCreateWithFlags(Stream, Flags);
}

cudaError_t cudaStreamDestroy(cudaStream_t Stream) {
  EmulatedState &State = emulatedState();
  Guard Held(State.Lock);
  if (!State.Streams.erase(Stream))
    return cudaErrorInvalidResourceHandle;
  delete reinterpret_cast<char *>(Stream);
  return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t Stream) {
  return checkStream(Stream);
}

cudaError_t cudaStreamQuery(cudaStream_t Stream) { return checkStream(Stream); }

cudaError_t cudaStreamWaitEvent(cudaStream_t Stream, cudaEvent_t Event,
                                unsigned) {
  EmulatedState &State = emulatedState();
  Guard Held(State.Lock);
  return isStream(State, Stream) && State.Events.count(Event)
             ? cudaSuccess
             : cudaErrorInvalidResourceHandle;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t Stream,
                                  cudaStreamCaptureStatus *Capturing) {
  if (!Capturing)
    return cudaErrorInvalidValue;
  *Capturing = cudaStreamCaptureStatusNone;
  return checkStream(Stream);
}

// Events.

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

// Errors: the front end keeps the thread's last error.

cudaError_t cudaGetLastError() { return cudaSuccess; }
cudaError_t cudaPeekAtLastError() { return cudaSuccess; }
const char *cudaGetErrorString(cudaError_t Error) { return errorText(Error); }
const char *cudaGetErrorName(cudaError_t Error) { return errorName(Error); }

// The device and its kernels.

cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }

cudaError_t cudaDeviceReset() {
  emulatedState().Heap.clear();
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

cudaError_t cudaGetDeviceCount(int *Count) {
  if (!Count)
    return cudaErrorInvalidValue;
  *Count = 1;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *Properties, int Device) {
  if (!Properties)
    return cudaErrorInvalidValue;
  if (Device != 0)
    return cudaErrorInvalidDevice;
  *Properties = emulatedProperties();
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *Value, cudaDeviceAttr Attribute,
                                   int Device) {
  if (Device != 0)
    return cudaErrorInvalidDevice;
  return Value && emulatedAttribute(Attribute, *Value) ? cudaSuccess
                                                       : cudaErrorInvalidValue;
}

cudaError_t cudaDriverGetVersion(int *Version) {
  if (!Version)
    return cudaErrorInvalidValue;
  *Version = CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *Version) {
  return emulated::cudaDriverGetVersion(Version);
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *Attributes,
                                  const void *Function) {
  if (!Attributes)
    return cudaErrorInvalidValue;
  EmulatedState &State = emulatedState();
  Guard Held(State.Lock);
  const EmulatedKernel *Kernel = kernelOf(State, Function);
  if (!Kernel)
    return cudaErrorInvalidDeviceFunction;
  *Attributes = {};
  Attributes->sharedSizeBytes = Kernel->Record->StaticSharedBytes;
  Attributes->maxThreadsPerBlock = emulatedProperties().maxThreadsPerBlock;
  Attributes->maxDynamicSharedSizeBytes =
      static_cast<int>(Kernel->MaxDynamicSharedBytes);
  Attributes->ptxVersion = 90;
  Attributes->binaryVersion = 90;
  return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void *Function,
                                 cudaFuncAttribute Attribute, int Value) {
  EmulatedState &State = emulatedState();
  Guard Held(State.Lock);
  const EmulatedKernel *Kernel = kernelOf(State, Function);
  if (!Kernel)
    return cudaErrorInvalidDeviceFunction;
  if (Attribute == cudaFuncAttributePreferredSharedMemoryCarveout)
    return Value >= -1 && Value <= 100 ? cudaSuccess : cudaErrorInvalidValue;
  size_t Most = emulatedProperties().sharedMemPerBlockOptin -
                Kernel->Record->StaticSharedBytes;
  if (Attribute != cudaFuncAttributeMaxDynamicSharedMemorySize || Value < 0 ||
      static_cast<size_t>(Value) > Most)
    return cudaErrorInvalidValue;
  State.Kernels[State.Stubs[Function]].MaxDynamicSharedBytes =
      static_cast<size_t>(Value);
  return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *Blocks,
                                                          const void *Function,
                                                          int BlockSize,
                                                          size_t SharedBytes) {
  EmulatedState &State = emulatedState();
  Guard Held(State.Lock);
  const EmulatedKernel *Kernel = kernelOf(State, Function);
  if (!Kernel)
    return cudaErrorInvalidDeviceFunction;
  if (!Blocks || BlockSize <= 0)
    return cudaErrorInvalidValue;
  *Blocks = emulatedOccupancy(BlockSize,
                              Kernel->Record->StaticSharedBytes + SharedBytes);
  return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *Blocks, const void *Function, int BlockSize, size_t SharedBytes,
    unsigned) {
  return emulated::cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      Blocks, Function, BlockSize, SharedBytes);
}

} // namespace emulated

RuntimeCalls emulatedCalls() {
  RuntimeCalls Calls;
#define BM_CALL(Return, Name, Parameters, Arguments, Effect)                   \
  Calls.Name = emulated::Name;
#include "Api.def"
#undef BM_CALL
  return Calls;
}

} // namespace blockmaestro
