// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The exported routines of OpenMP for device memory. libomp has none of them
// but those about devices, which it asks of the library that offloads. Devices
// are numbered as Offloading does; the host's memory is that of the initial
// device. Routines that wait for other tasks do so before they begin, and have
// ended when they return.

#include "Offloading.h"

#include <cstdlib>
#include <cstring>
#include <cuda_runtime_api.h>

using namespace blockmaestro;
using namespace blockmaestro::openmp;

extern "C" {
struct HostDependence {
  uint64_t Base;
  uint64_t Bytes;
  uint8_t Flags;
};
__attribute__((weak)) int __kmpc_global_thread_num(CallLocation *);
__attribute__((weak)) void __kmpc_omp_wait_deps(CallLocation *, int32_t,
                                                int32_t, HostDependence *,
                                                int32_t, HostDependence *);
}

namespace {

/// Where memory is; no place for a number that is no device's.
enum class Place { Host, Device, None };

/// Number in OpenMP 6.0, where no other is negative.
constexpr int InitialDevice = -1;

/// Memory of the device needs no images.
Place placeOf(int Device) {
  Offloading &On = offloading();
  if (Device == InitialDevice || Device == On.initialDevice())
    return Place::Host;
  return Device == 0 && On.policy() != OffloadPolicy::Disabled && On.hasDevice()
             ? Place::Device
             : Place::None;
}

cudaMemcpyKind kindOf(Place To, Place From) {
  if (To == Place::Device)
    return From == Place::Device ? cudaMemcpyDeviceToDevice
                                 : cudaMemcpyHostToDevice;
  return From == Place::Device ? cudaMemcpyDeviceToHost : cudaMemcpyHostToHost;
}

uint8_t *bytesAt(void *Begin, size_t Offset) {
  return static_cast<uint8_t *>(Begin) + Offset;
}
const uint8_t *bytesAt(const void *Begin, size_t Offset) {
  return static_cast<const uint8_t *>(Begin) + Offset;
}

struct Rectangle {
  size_t ElementBytes;
  int Dimensions;
  const size_t *Volume;
  const size_t *ToOffsets;
  const size_t *FromOffsets;
  const size_t *ToSizes;
  const size_t *FromSizes;
};

size_t elementsWithin(const size_t *Sizes, int Dimensions) {
  size_t Out = 1;
  for (int I = 1; I < Dimensions; ++I)
    Out *= Sizes[I];
  return Out;
}

Rectangle inner(const Rectangle &Of) {
  return {Of.ElementBytes,  Of.Dimensions - 1,  Of.Volume + 1,
          Of.ToOffsets + 1, Of.FromOffsets + 1, Of.ToSizes + 1,
          Of.FromSizes + 1};
}

/// Rows of the two innermost dimensions are one copy.
cudaError_t copyRectangle(void *To, const void *From, const Rectangle &Of,
                          cudaMemcpyKind Kind) {
  const size_t ToStep =
      Of.ElementBytes * elementsWithin(Of.ToSizes, Of.Dimensions);
  const size_t FromStep =
      Of.ElementBytes * elementsWithin(Of.FromSizes, Of.Dimensions);
  uint8_t *Next = bytesAt(To, Of.ToOffsets[0] * ToStep);
  const uint8_t *Source = bytesAt(From, Of.FromOffsets[0] * FromStep);
  if (Of.Dimensions == 1)
    return cudaMemcpy(Next, Source, Of.Volume[0] * Of.ElementBytes, Kind);
  if (Of.Dimensions == 2)
    return cudaMemcpy2D(
        bytesAt(Next, Of.ToOffsets[1] * Of.ElementBytes), ToStep,
        bytesAt(Source, Of.FromOffsets[1] * Of.ElementBytes), FromStep,
        Of.Volume[1] * Of.ElementBytes, Of.Volume[0], Kind);
  cudaError_t Error = cudaSuccess;
  for (size_t I = 0; Error == cudaSuccess && I < Of.Volume[0]; ++I)
    Error = copyRectangle(Next + I * ToStep, Source + I * FromStep, inner(Of),
                          Kind);
  return Error;
}

/// An object of type omp_depend_t points behind a head with the number of its
/// dependences.
void waitFor(int Count, void *const *Objects) {
  std::vector<HostDependence> All;
  for (int I = 0; I < Count; ++I) {
    const auto *First = static_cast<const HostDependence *>(Objects[I]);
    if (First)
      All.insert(All.end(), First, First + First[-1].Base);
  }
  if (!All.empty() && __kmpc_omp_wait_deps && __kmpc_global_thread_num)
    __kmpc_omp_wait_deps(nullptr, __kmpc_global_thread_num(nullptr),
                         int32_t(All.size()), All.data(), 0, nullptr);
}

constexpr int Done = 0;
constexpr int Failed = -1;

int resultOf(cudaError_t Error) {
  if (Error == cudaSuccess)
    return Done;
  (void)cudaGetLastError();
  return Failed;
}

HostAddress hostAddress(const void *Pointer) {
  return reinterpret_cast<HostAddress>(Pointer);
}

/// Routines have no place in the source that they know of.
void shareOrEnd() {
  if (Status Shared = offloading().shareVariables(); !Shared.ok())
    endProgram(nullptr, Shared.message());
}

} // namespace

extern "C" {

int omp_get_num_devices() {
  Offloading &On = offloading();
  return On.policy() == OffloadPolicy::Disabled ? 0 : On.deviceCount();
}

int __tgt_get_num_devices() { return omp_get_num_devices(); }

int omp_get_initial_device() { return omp_get_num_devices(); }

int omp_get_device_num() { return omp_get_initial_device(); }

void *omp_target_alloc(size_t Bytes, int Device) {
  const Place In = placeOf(Device);
  if (Bytes == 0 || In == Place::None)
    return nullptr;
  if (In == Place::Host)
    return std::malloc(Bytes);
  const Result<DeviceAddress> Made = offloading().Memory.allocate(Bytes);
  if (!Made.ok())
    return nullptr;
  offloading().Data.noteAllocation(*Made, Bytes);
  return reinterpret_cast<void *>(*Made);
}

void omp_target_free(void *Where, int Device) {
  const Place In = placeOf(Device);
  if (In == Place::Host)
    std::free(Where);
  if (!Where || In != Place::Device)
    return;
  offloading().Data.noteAllocation(hostAddress(Where), 0);
  if (Status Freed = offloading().Memory.release(hostAddress(Where));
      !Freed.ok())
    endProgram(nullptr, "omp_target_free: " + Freed.message());
}

int omp_target_memcpy(void *To, const void *From, size_t Bytes, size_t ToOffset,
                      size_t FromOffset, int ToDevice, int FromDevice) {
  const Place Target = placeOf(ToDevice);
  const Place Source = placeOf(FromDevice);
  if (!To || !From || Target == Place::None || Source == Place::None)
    return Failed;
  if (Bytes == 0)
    return Done;
  if (Target == Place::Host && Source == Place::Host) {
    std::memcpy(bytesAt(To, ToOffset), bytesAt(From, FromOffset), Bytes);
    return Done;
  }
  return resultOf(cudaMemcpy(bytesAt(To, ToOffset), bytesAt(From, FromOffset),
                             Bytes, kindOf(Target, Source)));
}

int omp_target_memcpy_async(void *To, const void *From, size_t Bytes,
                            size_t ToOffset, size_t FromOffset, int ToDevice,
                            int FromDevice, int Count, void **Objects) {
  waitFor(Count, Objects);
  return omp_target_memcpy(To, From, Bytes, ToOffset, FromOffset, ToDevice,
                           FromDevice);
}

/// Without pointers: how many dimensions there may be.
int omp_target_memcpy_rect(void *To, const void *From, size_t ElementBytes,
                           int Dimensions, const size_t *Volume,
                           const size_t *ToOffsets, const size_t *FromOffsets,
                           const size_t *ToSizes, const size_t *FromSizes,
                           int ToDevice, int FromDevice) {
  constexpr int AnyNumber = 0x7fffffff;
  if (!To && !From)
    return AnyNumber;
  const Place Target = placeOf(ToDevice);
  const Place Source = placeOf(FromDevice);
  if (!To || !From || ElementBytes == 0 || Dimensions < 1 || !Volume ||
      !ToOffsets || !FromOffsets || !ToSizes || !FromSizes ||
      Target == Place::None || Source == Place::None)
    return Failed;
  for (int I = 0; I < Dimensions; ++I)
    if (Volume[I] == 0)
      return Done;
  return resultOf(copyRectangle(To, From,
                                {ElementBytes, Dimensions, Volume, ToOffsets,
                                 FromOffsets, ToSizes, FromSizes},
                                kindOf(Target, Source)));
}

int omp_target_memcpy_rect_async(void *To, const void *From,
                                 size_t ElementBytes, int Dimensions,
                                 const size_t *Volume, const size_t *ToOffsets,
                                 const size_t *FromOffsets,
                                 const size_t *ToSizes, const size_t *FromSizes,
                                 int ToDevice, int FromDevice, int Count,
                                 void **Objects) {
  waitFor(Count, Objects);
  return omp_target_memcpy_rect(To, From, ElementBytes, Dimensions, Volume,
                                ToOffsets, FromOffsets, ToSizes, FromSizes,
                                ToDevice, FromDevice);
}

void *omp_target_memset(void *Where, int Value, size_t Bytes, int Device) {
  const Place In = placeOf(Device);
  if (!Where || Bytes == 0)
    return Where;
  if (In == Place::Host)
    return std::memset(Where, Value, Bytes);
  if (In != Place::Device || cudaMemset(Where, Value, Bytes) != cudaSuccess ||
      cudaStreamSynchronize(nullptr) != cudaSuccess)
    endProgram(nullptr, "omp_target_memset: the memory is not device " +
                            std::to_string(Device) + "'s");
  return Where;
}

void *omp_target_memset_async(void *Where, int Value, size_t Bytes, int Device,
                              int Count, void **Objects) {
  waitFor(Count, Objects);
  return omp_target_memset(Where, Value, Bytes, Device);
}

int omp_target_is_present(const void *Where, int Device) {
  const Place In = placeOf(Device);
  if (!Where || In == Place::None)
    return 0;
  if (In == Place::Host)
    return 1;
  shareOrEnd();
  return offloading().Data.deviceAddressOf(hostAddress(Where)).has_value();
}

int omp_target_is_accessible(const void *Where, size_t Bytes, int Device) {
  const Place In = placeOf(Device);
  if (!Where || Bytes == 0 || In == Place::None)
    return 0;
  cudaPointerAttributes Found = {};
  const bool Known = resultOf(cudaPointerGetAttributes(&Found, Where)) == Done;
  if (In == Place::Host)
    return !Known || Found.type != cudaMemoryTypeDevice;
  return Known && Found.type != cudaMemoryTypeUnregistered &&
         Found.devicePointer == Where;
}

void *omp_get_mapped_ptr(const void *Where, int Device) {
  const Place In = placeOf(Device);
  if (!Where || In == Place::None)
    return nullptr;
  if (In == Place::Host)
    return const_cast<void *>(Where);
  shareOrEnd();
  const auto Found = offloading().Data.deviceAddressOf(hostAddress(Where));
  return Found ? reinterpret_cast<void *>(*Found) : nullptr;
}

int omp_target_associate_ptr(const void *Host, const void *Where, size_t Bytes,
                             size_t Offset, int Device) {
  if (!Host || !Where || Bytes == 0 || placeOf(Device) != Place::Device)
    return Failed;
  return offloading()
                 .Data
                 .associate(hostAddress(Host), Bytes,
                            hostAddress(Where) + Offset, "")
                 .ok()
             ? Done
             : Failed;
}

int omp_target_disassociate_ptr(const void *Host, int Device) {
  if (!Host || placeOf(Device) != Place::Device)
    return Failed;
  return offloading().Data.disassociate(hostAddress(Host)).ok() ? Done : Failed;
}

} // extern "C"
