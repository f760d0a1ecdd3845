// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Calls.h"
#include "Symbols.h"

#include <cstring>

namespace blockmaestro::emulated {

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

} // namespace blockmaestro::emulated
