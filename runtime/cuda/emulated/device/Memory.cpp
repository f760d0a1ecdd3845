// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Allocation.h"

#include "Calls.h"
#include "Capture.h"
#include "GraphState.h"
#include "MemoryState.h"
#include "Streams.h"
#include "Symbols.h"

namespace blockmaestro::emulated {

cudaError_t allocateNow(const HeapRequest &What, void **Out) {
  cudaError_t Error = mayCallUnsafely();
  return Error != cudaSuccess ? Error : takeMemory(What, Out);
}

cudaError_t freeNow(HeapKind Kind, void *Address, const char *Call) {
  if (!Address)
    return cudaSuccess;
  cudaError_t Error = mayCallUnsafely();
  if (Error == cudaSuccess)
    Error = waitForAll();
  if (Error != cudaSuccess || graphState().Memory.free(Address, Error))
    return Error;
  DeviceHeap &Heap = memoryState().Heap;
  std::optional<HeapArea> Old = Heap.find(Address);
  Error = Heap.release(Kind, Address, Call);
  if (Error == cudaSuccess && Old)
    memoryState().Pools.giveBack(Old->Pool, Old->Bytes);
  return Error;
}

static HeapRequest deviceMemory(size_t Bytes, const char *Call) {
  HeapRequest Out;
  Out.Bytes = Bytes;
  Out.Call = Call;
  return Out;
}

cudaError_t cudaMalloc(void **Address, size_t Bytes) {
  return allocateNow(deviceMemory(Bytes, "cudaMalloc"), Address);
}

cudaError_t cudaFree(void *Address) {
  return freeNow(HeapKind::Device, Address, "cudaFree");
}

// Rows, each as long as the next multiple of what rows are aligned to.

static constexpr size_t RowUnit = 512;

/// The pitch of rows and the bytes of so many; false when that is too much.
static bool pitched(size_t Width, size_t Rows, size_t &Pitch, size_t &Bytes) {
  size_t Rounded = 0;
  if (__builtin_add_overflow(Width, RowUnit - 1, &Rounded))
    return false;
  Pitch = Rounded / RowUnit * RowUnit;
  return !__builtin_mul_overflow(Pitch, Rows, &Bytes);
}

cudaError_t cudaMallocPitch(void **Address, size_t *Pitch, size_t Width,
                            size_t Height) {
  if (!Address || !Pitch)
    return cudaErrorInvalidValue;
  size_t Bytes = 0;
  if (!pitched(Width, Height, *Pitch, Bytes))
    return cudaErrorMemoryAllocation;
  return allocateNow(deviceMemory(Bytes, "cudaMallocPitch"), Address);
}

cudaError_t cudaMalloc3D(cudaPitchedPtr *Out, cudaExtent Extent) {
  if (!Out)
    return cudaErrorInvalidValue;
  size_t Rows = 0, Pitch = 0, Bytes = 0;
  if (__builtin_mul_overflow(Extent.height, Extent.depth, &Rows) ||
      !pitched(Extent.width, Rows, Pitch, Bytes))
    return cudaErrorMemoryAllocation;
  void *Address = nullptr;
  cudaError_t Error =
      allocateNow(deviceMemory(Bytes, "cudaMalloc3D"), &Address);
  if (Error == cudaSuccess)
    *Out = {Address, Pitch, Extent.width, Extent.height};
  return Error;
}

cudaError_t cudaMemGetInfo(size_t *Free, size_t *Total) {
  if (!Free || !Total)
    return cudaErrorInvalidValue;
  *Free = memoryState().Heap.free();
  *Total = memoryState().Heap.capacity();
  return cudaSuccess;
}

static cudaMemoryType typeOf(HeapKind Kind) {
  switch (Kind) {
  case HeapKind::Device:
    return cudaMemoryTypeDevice;
  case HeapKind::Managed:
    return cudaMemoryTypeManaged;
  case HeapKind::Host:
  case HeapKind::Registered:
    return cudaMemoryTypeHost;
  }
  return cudaMemoryTypeUnregistered;
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *Attributes,
                                     const void *Pointer) {
  if (!Attributes)
    return cudaErrorInvalidValue;
  void *Address = const_cast<void *>(Pointer);
  *Attributes = {};
  Attributes->device = cudaInvalidDeviceId;
  Attributes->hostPointer = Address;
  std::optional<HeapArea> Found = memoryState().Heap.find(Pointer);
  if (!Found && !inVariable(Pointer, 1))
    return cudaSuccess;
  Attributes->type = Found ? typeOf(Found->Kind) : cudaMemoryTypeDevice;
  Attributes->device = 0;
  Attributes->devicePointer = Address;
  if (Attributes->type == cudaMemoryTypeDevice)
    Attributes->hostPointer = nullptr;
  return cudaSuccess;
}

} // namespace blockmaestro::emulated
