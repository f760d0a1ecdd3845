// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The calls of Api.def on the emulated device. The front end has drained or
// fenced before each of them as its effect says, and the executors of this
// device run blocks in issue order or wait in fence(); so nothing here waits,
// and streams are names only.

#include "../emulator/Emulator.h"
#include "EmulatedMachine.h"
#include "EmulatedState.h"
#include "ErrorText.h"

#include <cstring>

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

cudaError_t checkStream(cudaStream_t Stream) {
  EmulatedState &State = emulatedState();
  Guard Held(State.Lock);
  return isStream(State, Stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

const EmulatedKernel *kernelOf(const EmulatedState &State, const void *Stub) {
  auto Symbol = State.Stubs.find(Stub);
  if (Symbol == State.Stubs.end())
    return nullptr;
  auto Kernel = State.Kernels.find(Symbol->second);
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

#define BM_CALL(Return, Name, Parameters, Arguments, Effect)                   \
  static Return Name Parameters;
#include "Api.def"
#undef BM_CALL

// Launches: only those that no executor accepts come here.

cudaError_t cudaLaunchKernel(const void *Function, dim3 Grid, dim3 Block,
                             void **, size_t SharedBytes, cudaStream_t Stream) {
  EmulatedState &State = emulatedState();
  Guard Held(State.Lock);
  const EmulatedKernel *Kernel = kernelOf(State, Function);
  cudaError_t Wrong =
      checkLaunch(State, Kernel, Grid, Block, SharedBytes, Stream);
  return Wrong != cudaSuccess ? Wrong : cudaErrorNotSupported;
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *Config,
                                const void *Function, void **Args) {
  if (!Config)
    return cudaErrorInvalidValue;
  return emulated::cudaLaunchKernel(Function, Config->gridDim, Config->blockDim,
                                    Args, Config->dynamicSmemBytes,
                                    Config->stream);
}

// Memory.

cudaError_t cudaMalloc(void **Address, size_t Bytes) {
  return emulatedState().Heap.allocate(HeapKind::Device, Bytes, Address);
}

cudaError_t cudaMallocManaged(void **Address, size_t Bytes, unsigned Flags) {
  bool Known = Flags == cudaMemAttachGlobal || Flags == cudaMemAttachHost;
  if (!Known || Bytes == 0)
    return cudaErrorInvalidValue;
  return emulatedState().Heap.allocate(HeapKind::Device, Bytes, Address);
}

cudaError_t cudaMallocHost(void **Address, size_t Bytes) {
  return emulatedState().Heap.allocate(HeapKind::Host, Bytes, Address);
}

cudaError_t cudaHostAlloc(void **Address, size_t Bytes, unsigned) {
  return emulatedState().Heap.allocate(HeapKind::Host, Bytes, Address);
}

cudaError_t cudaFree(void *Address) {
  return emulatedState().Heap.release(HeapKind::Device, Address);
}

cudaError_t cudaFreeHost(void *Address) {
  return emulatedState().Heap.release(HeapKind::Host, Address);
}

cudaError_t cudaHostGetDevicePointer(void **Address, void *Host, unsigned) {
  if (!Address || !emulatedState().Heap.holds(Host, 1))
    return cudaErrorInvalidValue;
  *Address = Host;
  return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t *Free, size_t *Total) {
  if (!Free || !Total)
    return cudaErrorInvalidValue;
  *Free = emulatedState().Heap.free();
  *Total = emulatedState().Heap.capacity();
  return cudaSuccess;
}

/// The bytes of a device variable, if the copy stays inside it.
static cudaError_t findVariable(const void *Symbol, size_t Bytes, size_t Offset,
                                uint8_t *&Out) {
  EmulatedState &State = emulatedState();
  Guard Held(State.Lock);
  auto Found = State.Variables.find(Symbol);
  if (Found == State.Variables.end() || !State.Processor)
    return cudaErrorInvalidSymbol;
  if (Offset > Found->second.Bytes || Bytes > Found->second.Bytes - Offset)
    return cudaErrorInvalidValue;
  Result<uint64_t> Address =
      State.Processor->globalAddress(Found->second.Symbol);
  if (!Address.ok())
    return cudaErrorInvalidSymbol;
  Out = reinterpret_cast<uint8_t *>(*Address) + Offset;
  return cudaSuccess;
}

/// Whether Address lies in a device variable that has this many bytes left.
static bool inVariable(const void *Address, size_t Bytes) {
  EmulatedState &State = emulatedState();
  Guard Held(State.Lock);
  uint64_t Where = reinterpret_cast<uint64_t>(Address);
  for (const auto &[Host, Each] : State.Variables) {
    Result<uint64_t> Base = State.Processor->globalAddress(Each.Symbol);
    if (Base.ok() && Where >= *Base && Where - *Base < Each.Bytes &&
        Bytes <= Each.Bytes - (Where - *Base))
      return true;
  }
  return false;
}

/// Whether a copy may touch these bytes; on the device they must be inside one
/// allocation or variable, on the host they must not run out of one.
static bool mayCopy(const void *Address, size_t Bytes, bool OnDevice) {
  const DeviceHeap &Heap = emulatedState().Heap;
  if (!OnDevice)
    return !Heap.overruns(Address, Bytes);
  return Heap.holds(Address, Bytes) || inVariable(Address, Bytes);
}

cudaError_t cudaMemcpy(void *To, const void *From, size_t Bytes,
                       cudaMemcpyKind Kind) {
  if (Kind < cudaMemcpyHostToHost || Kind > cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  if (Bytes == 0)
    return cudaSuccess;
  bool ToDevice =
      Kind == cudaMemcpyHostToDevice || Kind == cudaMemcpyDeviceToDevice;
  bool FromDevice =
      Kind == cudaMemcpyDeviceToHost || Kind == cudaMemcpyDeviceToDevice;
  if (!To || !From || !mayCopy(To, Bytes, ToDevice) ||
      !mayCopy(From, Bytes, FromDevice))
    return cudaErrorInvalidValue;
  std::memmove(To, From, Bytes);
  return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void *To, const void *From, size_t Bytes,
                            cudaMemcpyKind Kind, cudaStream_t Stream) {
  cudaError_t Wrong = checkStream(Stream);
  return Wrong != cudaSuccess ? Wrong
                              : emulated::cudaMemcpy(To, From, Bytes, Kind);
}

cudaError_t cudaMemset(void *Address, int Value, size_t Bytes) {
  if (Bytes == 0)
    return cudaSuccess;
  if (!mayCopy(Address, Bytes, true))
    return cudaErrorInvalidValue;
  std::memset(Address, Value, Bytes);
  return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void *Address, int Value, size_t Bytes,
                            cudaStream_t Stream) {
  cudaError_t Wrong = checkStream(Stream);
  return Wrong != cudaSuccess ? Wrong
                              : emulated::cudaMemset(Address, Value, Bytes);
}

// Device variables.

cudaError_t cudaMemcpyToSymbol(const void *Symbol, const void *From,
                               size_t Bytes, size_t Offset,
                               cudaMemcpyKind Kind) {
  if (Kind != cudaMemcpyHostToDevice && Kind != cudaMemcpyDeviceToDevice &&
      Kind != cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  uint8_t *To = nullptr;
  cudaError_t Wrong = findVariable(Symbol, Bytes, Offset, To);
  return Wrong != cudaSuccess ? Wrong
                              : emulated::cudaMemcpy(To, From, Bytes, Kind);
}

cudaError_t cudaMemcpyToSymbolAsync(const void *Symbol, const void *From,
                                    size_t Bytes, size_t Offset,
                                    cudaMemcpyKind Kind, cudaStream_t Stream) {
  cudaError_t Wrong = checkStream(Stream);
  return Wrong != cudaSuccess
             ? Wrong
             : emulated::cudaMemcpyToSymbol(Symbol, From, Bytes, Offset, Kind);
}

cudaError_t cudaMemcpyFromSymbol(void *To, const void *Symbol, size_t Bytes,
                                 size_t Offset, cudaMemcpyKind Kind) {
  if (Kind != cudaMemcpyDeviceToHost && Kind != cudaMemcpyDeviceToDevice &&
      Kind != cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  uint8_t *From = nullptr;
  cudaError_t Wrong = findVariable(Symbol, Bytes, Offset, From);
  return Wrong != cudaSuccess ? Wrong
                              : emulated::cudaMemcpy(To, From, Bytes, Kind);
}

cudaError_t cudaMemcpyFromSymbolAsync(void *To, const void *Symbol,
                                      size_t Bytes, size_t Offset,
                                      cudaMemcpyKind Kind,
                                      cudaStream_t Stream) {
  cudaError_t Wrong = checkStream(Stream);
  return Wrong != cudaSuccess
             ? Wrong
             : emulated::cudaMemcpyFromSymbol(To, Symbol, Bytes, Offset, Kind);
}

cudaError_t cudaGetSymbolAddress(void **Address, const void *Symbol) {
  if (!Address)
    return cudaErrorInvalidValue;
  uint8_t *Found = nullptr;
  cudaError_t Wrong = findVariable(Symbol, 0, 0, Found);
  if (Wrong == cudaSuccess)
    *Address = Found;
  return Wrong;
}

cudaError_t cudaGetSymbolSize(size_t *Bytes, const void *Symbol) {
  if (!Bytes)
    return cudaErrorInvalidValue;
  EmulatedState &State = emulatedState();
  Guard Held(State.Lock);
  auto Found = State.Variables.find(Symbol);
  if (Found == State.Variables.end())
    return cudaErrorInvalidSymbol;
  *Bytes = Found->second.Bytes;
  return cudaSuccess;
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
