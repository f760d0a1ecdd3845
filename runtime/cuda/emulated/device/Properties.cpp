// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Calls.h"
#include "Machine.h"

#include <algorithm>
#include <cstdio>

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

cudaError_t
cudaDeviceGetHostAtomicCapabilities(unsigned *Capabilities,
                                    const cudaAtomicOperation *Operations,
                                    unsigned Count, int Device) {
  if (Device != 0)
    return cudaErrorInvalidDevice;
  if (!Capabilities || !Operations || Count == 0)
    return cudaErrorInvalidValue;
  for (unsigned I = 0; I < Count; ++I) {
    if (Operations[I] < cudaAtomicOperationIntegerAdd ||
        Operations[I] > cudaAtomicOperationFloatMax)
      return cudaErrorInvalidValue;
    bool Integers = Operations[I] < cudaAtomicOperationFloatAdd;
    Capabilities[I] =
        cudaAtomicCapabilityScalar32 | cudaAtomicCapabilityScalar64 |
        (Integers ? cudaAtomicCapabilitySigned | cudaAtomicCapabilityUnsigned
                  : 0u);
  }
  return cudaSuccess;
}

cudaError_t cudaChooseDevice(int *Device, const cudaDeviceProp *Properties) {
  if (!Device || !Properties)
    return cudaErrorInvalidValue;
  *Device = 0;
  return cudaSuccess;
}

cudaError_t cudaSetValidDevices(int *Devices, int Count) {
  if (Count < 0 || (!Devices && Count > 0))
    return cudaErrorInvalidValue;
  return std::all_of(Devices, Devices + Count, [](int Each) { return !Each; })
             ? cudaSuccess
             : cudaErrorInvalidDevice;
}

// The place on the bus: domain:bus:device.function.

cudaError_t cudaDeviceGetPCIBusId(char *Text, int Bytes, int Device) {
  constexpr int Needed = 13;
  if (Device != 0)
    return cudaErrorInvalidDevice;
  if (!Text || Bytes < Needed)
    return cudaErrorInvalidValue;
  const cudaDeviceProp &P = emulatedProperties();
  std::snprintf(Text, static_cast<size_t>(Bytes), "%04x:%02x:%02x.0",
                static_cast<unsigned>(P.pciDomainID) & 0xffff,
                static_cast<unsigned>(P.pciBusID) & 0xff,
                static_cast<unsigned>(P.pciDeviceID) & 0xff);
  return cudaSuccess;
}

/// Reads domain:bus:device.function, or the same without domain or function.
static bool readPlace(const char *Text, unsigned &Domain, unsigned &Bus,
                      unsigned &Device) {
  unsigned Function = 0;
  char End = 0;
  if (std::sscanf(Text, "%x:%x:%x.%x%c", &Domain, &Bus, &Device, &Function,
                  &End) == 4 ||
      std::sscanf(Text, "%x:%x:%x%c", &Domain, &Bus, &Device, &End) == 3)
    return true;
  Domain = 0;
  return std::sscanf(Text, "%x:%x.%x%c", &Bus, &Device, &Function, &End) == 3;
}

cudaError_t cudaDeviceGetByPCIBusId(int *Device, const char *Text) {
  unsigned Domain = 0, Bus = 0, Number = 0;
  if (!Device || !Text || !readPlace(Text, Domain, Bus, Number))
    return cudaErrorInvalidValue;
  const cudaDeviceProp &P = emulatedProperties();
  if (Domain != static_cast<unsigned>(P.pciDomainID) ||
      Bus != static_cast<unsigned>(P.pciBusID) ||
      Number != static_cast<unsigned>(P.pciDeviceID))
    return cudaErrorInvalidDevice;
  *Device = 0;
  return cudaSuccess;
}

// Peers: there is one device, which is no peer of its own.

cudaError_t cudaDeviceCanAccessPeer(int *Can, int Device, int Peer) {
  if (!Can)
    return cudaErrorInvalidValue;
  if (Device != 0 || Peer != 0)
    return cudaErrorInvalidDevice;
  *Can = 0;
  return cudaSuccess;
}

cudaError_t cudaDeviceEnablePeerAccess(int, unsigned Flags) {
  return Flags ? cudaErrorInvalidValue : cudaErrorInvalidDevice;
}

cudaError_t cudaDeviceDisablePeerAccess(int Peer) {
  return Peer == 0 ? cudaErrorPeerAccessNotEnabled : cudaErrorInvalidDevice;
}

cudaError_t cudaDeviceGetP2PAttribute(int *Value, cudaDeviceP2PAttr, int, int) {
  return Value ? cudaErrorInvalidDevice : cudaErrorInvalidValue;
}

cudaError_t cudaDeviceGetP2PAtomicCapabilities(unsigned *Capabilities,
                                               const cudaAtomicOperation *,
                                               unsigned, int, int) {
  return Capabilities ? cudaErrorInvalidDevice : cudaErrorInvalidValue;
}

// Profilers do not see this device.

cudaError_t cudaProfilerStart() { return cudaSuccess; }
cudaError_t cudaProfilerStop() { return cudaSuccess; }

} // namespace blockmaestro::emulated
