// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Memory of the host that the device may touch, at the same address.

#include "Allocation.h"
#include "Calls.h"
#include "Capture.h"
#include "MemoryState.h"
#include "Streams.h"

namespace blockmaestro::emulated {

static cudaError_t allocateHost(void **Address, size_t Bytes, unsigned Flags,
                                const char *Call) {
  HeapRequest What;
  What.Kind = HeapKind::Host;
  What.Bytes = Bytes;
  What.Flags = Flags;
  What.Call = Call;
  return allocateNow(What, Address);
}

cudaError_t cudaMallocHost(void **Address, size_t Bytes) {
  return allocateHost(Address, Bytes, cudaHostAllocDefault, "cudaMallocHost");
}

cudaError_t cudaHostAlloc(void **Address, size_t Bytes, unsigned Flags) {
  constexpr unsigned Known =
      cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
  return Flags & ~Known ? cudaErrorInvalidValue
                        : allocateHost(Address, Bytes, Flags, "cudaHostAlloc");
}

cudaError_t cudaFreeHost(void *Address) {
  return freeNow(HeapKind::Host, Address, "cudaFreeHost");
}

cudaError_t cudaHostRegister(void *Address, size_t Bytes, unsigned Flags) {
  constexpr unsigned Known = cudaHostRegisterPortable | cudaHostRegisterMapped |
                             cudaHostRegisterReadOnly;
  if (Flags & cudaHostRegisterIoMemory)
    return cudaErrorNotSupported;
  if (Flags & ~Known)
    return cudaErrorInvalidValue;
  cudaError_t Error = mayCallUnsafely();
  return Error != cudaSuccess ? Error
                              : memoryState().Heap.add(Address, Bytes, Flags);
}

cudaError_t cudaHostUnregister(void *Address) {
  if (!Address)
    return cudaErrorInvalidValue;
  std::optional<HeapArea> Found = memoryState().Heap.find(Address);
  if (!Found || Found->Kind != HeapKind::Registered ||
      Found->Base != reinterpret_cast<uintptr_t>(Address))
    return cudaErrorHostMemoryNotRegistered;
  return freeNow(HeapKind::Registered, Address, "cudaHostUnregister");
}

/// The area of the host's memory that the address is in.
static std::optional<HeapArea> hostArea(const void *Address) {
  std::optional<HeapArea> Found = memoryState().Heap.find(Address);
  bool OfHost = Found && (Found->Kind == HeapKind::Host ||
                          Found->Kind == HeapKind::Registered);
  return OfHost ? Found : std::nullopt;
}

cudaError_t cudaHostGetDevicePointer(void **Address, void *Host,
                                     unsigned Flags) {
  if (!Address || Flags != 0 || !hostArea(Host))
    return cudaErrorInvalidValue;
  *Address = Host;
  return cudaSuccess;
}

cudaError_t cudaHostGetFlags(unsigned *Flags, void *Host) {
  std::optional<HeapArea> Found = hostArea(Host);
  if (!Flags || !Found)
    return cudaErrorInvalidValue;
  *Flags = Found->Flags;
  return cudaSuccess;
}

} // namespace blockmaestro::emulated
