// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Calls.h"
#include "MemoryState.h"

namespace blockmaestro::emulated {

/// Whether memory can lie there: on the one device.
static cudaError_t checkLocation(const cudaMemLocation *Where) {
  if (!Where)
    return cudaErrorInvalidValue;
  if (Where->type == cudaMemLocationTypeDevice)
    return Where->id == 0 ? cudaSuccess : cudaErrorInvalidDevice;
  bool OfHost = Where->type == cudaMemLocationTypeHost ||
                Where->type == cudaMemLocationTypeHostNuma ||
                Where->type == cudaMemLocationTypeHostNumaCurrent;
  return OfHost ? cudaErrorNotSupported : cudaErrorInvalidValue;
}

static cudaError_t checkType(cudaMemAllocationType Type) {
  if (Type == cudaMemAllocationTypeManaged)
    return cudaErrorNotSupported;
  return Type == cudaMemAllocationTypePinned ? cudaSuccess
                                             : cudaErrorInvalidValue;
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *Out,
                              const cudaMemPoolProps *Asked) {
  if (!Out || !Asked)
    return cudaErrorInvalidValue;
  cudaError_t Error = checkType(Asked->allocType);
  if (Error == cudaSuccess)
    Error = checkLocation(&Asked->location);
  if (Error == cudaSuccess && Asked->handleTypes != cudaMemHandleTypeNone)
    Error = cudaErrorNotSupported;
  if (Error != cudaSuccess)
    return Error;
  *Out =
      memoryState().Pools.create(Asked->maxSize ? Asked->maxSize : UINT64_MAX);
  return cudaSuccess;
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t Which) {
  return memoryState().Pools.destroy(Which) ? cudaSuccess
                                            : cudaErrorInvalidValue;
}

/// There is never memory that a pool has and nobody uses.
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t Which, size_t) {
  return memoryState().Pools.exists(Which) ? cudaSuccess
                                           : cudaErrorInvalidValue;
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t Which, cudaMemPoolAttr What,
                                    void *Value) {
  return memoryState().Pools.get(Which, What, Value);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t Which, cudaMemPoolAttr What,
                                    void *Value) {
  return memoryState().Pools.set(Which, What, Value);
}

/// The device of a pool always has access to it.
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t Which,
                                 const cudaMemAccessDesc *List, size_t Count) {
  if (!memoryState().Pools.exists(Which) || (!List && Count > 0))
    return cudaErrorInvalidValue;
  for (size_t I = 0; I < Count; ++I) {
    cudaError_t Error = checkLocation(&List[I].location);
    if (Error != cudaSuccess)
      return Error;
    if (List[I].flags != cudaMemAccessFlagsProtReadWrite)
      return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags *Flags, cudaMemPool_t Which,
                                 cudaMemLocation *Where) {
  if (!Flags || !memoryState().Pools.exists(Which))
    return cudaErrorInvalidValue;
  cudaError_t Error = checkLocation(Where);
  if (Error == cudaSuccess)
    *Flags = cudaMemAccessFlagsProtReadWrite;
  return Error;
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *Out, int Device) {
  if (!Out)
    return cudaErrorInvalidValue;
  if (Device != 0)
    return cudaErrorInvalidDevice;
  *Out = memoryState().Pools.defaultPool();
  return cudaSuccess;
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *Out, int Device) {
  if (!Out)
    return cudaErrorInvalidValue;
  if (Device != 0)
    return cudaErrorInvalidDevice;
  *Out = memoryState().Pools.currentPool();
  return cudaSuccess;
}

cudaError_t cudaDeviceSetMemPool(int Device, cudaMemPool_t To) {
  if (Device != 0)
    return cudaErrorInvalidDevice;
  return memoryState().Pools.setCurrent(To) ? cudaSuccess
                                            : cudaErrorInvalidValue;
}

/// The checks of the three calls that name a pool by where its memory lies.
static cudaError_t checkKind(const cudaMemLocation *Where,
                             cudaMemAllocationType Type) {
  cudaError_t Error = checkLocation(Where);
  return Error != cudaSuccess ? Error : checkType(Type);
}

cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t *Out, cudaMemLocation *Where,
                                     cudaMemAllocationType Type) {
  cudaError_t Error = checkKind(Where, Type);
  return Error != cudaSuccess ? Error
                              : emulated::cudaDeviceGetDefaultMemPool(Out, 0);
}

cudaError_t cudaMemGetMemPool(cudaMemPool_t *Out, cudaMemLocation *Where,
                              cudaMemAllocationType Type) {
  cudaError_t Error = checkKind(Where, Type);
  return Error != cudaSuccess ? Error : emulated::cudaDeviceGetMemPool(Out, 0);
}

cudaError_t cudaMemSetMemPool(cudaMemLocation *Where,
                              cudaMemAllocationType Type, cudaMemPool_t To) {
  cudaError_t Error = checkKind(Where, Type);
  return Error != cudaSuccess ? Error : emulated::cudaDeviceSetMemPool(0, To);
}

} // namespace blockmaestro::emulated
