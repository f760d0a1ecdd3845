// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Calls.h"
#include "Machine.h"

namespace blockmaestro::emulated {

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

} // namespace blockmaestro::emulated
