// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "EmulatedCalls.h"
#include "Emulator.h"

#include <cstring>

namespace blockmaestro::emulated {

using Guard = std::lock_guard<std::mutex>;

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
  const auto &[What, Of] = Found->second;
  if (Offset > What.Bytes || Bytes > What.Bytes - Offset)
    return cudaErrorInvalidValue;
  Result<uint64_t> Address = State.Processor->globalAddress(What.Symbol, Of);
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
    Result<uint64_t> Base =
        State.Processor->globalAddress(Each.What.Symbol, Each.Of);
    if (Base.ok() && Where >= *Base && Where - *Base < Each.What.Bytes &&
        Bytes <= Each.What.Bytes - (Where - *Base))
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
  *Bytes = Found->second.What.Bytes;
  return cudaSuccess;
}

} // namespace blockmaestro::emulated
