// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Calls.h"
#include "Streams.h"

namespace blockmaestro::emulated {

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
  cudaError_t Wrong = waitForAll();
  return Wrong != cudaSuccess
             ? Wrong
             : emulatedState().Heap.release(HeapKind::Device, Address);
}

cudaError_t cudaFreeHost(void *Address) {
  cudaError_t Wrong = waitForAll();
  return Wrong != cudaSuccess
             ? Wrong
             : emulatedState().Heap.release(HeapKind::Host, Address);
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

} // namespace blockmaestro::emulated
