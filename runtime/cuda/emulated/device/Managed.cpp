// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Managed memory: host and device use it at the same time at the same address,
// so that nothing has to move.

#include "Allocation.h"
#include "Calls.h"
#include "Capture.h"
#include "MemoryState.h"
#include "Streams.h"

namespace blockmaestro::emulated {
namespace {

bool isManagedRange(const void *Address, size_t Bytes) {
  const DeviceHeap &Heap = memoryState().Heap;
  std::optional<HeapArea> Found = Heap.find(Address);
  return Bytes > 0 && Found && Found->Kind == HeapKind::Managed &&
         Heap.holds(Address, Bytes);
}

/// The number of a place; the host has one memory.
cudaError_t placeOf(const cudaMemLocation &Where, int &Out) {
  switch (Where.type) {
  case cudaMemLocationTypeDevice:
    Out = Where.id;
    return Where.id == 0 ? cudaSuccess : cudaErrorInvalidDevice;
  case cudaMemLocationTypeHost:
  case cudaMemLocationTypeHostNuma:
  case cudaMemLocationTypeHostNumaCurrent:
    Out = cudaCpuDeviceId;
    return cudaSuccess;
  default:
    return cudaErrorInvalidValue;
  }
}

struct Prefetch {
  const void *Address;
  size_t Bytes;
  int To;
};

cudaError_t checkPrefetch(const void *Address, size_t Bytes,
                          const cudaMemLocation &Where, Prefetch &Out) {
  Out = {Address, Bytes, cudaInvalidDeviceId};
  cudaError_t Error = placeOf(Where, Out.To);
  if (Error == cudaSuccess && !isManagedRange(Address, Bytes))
    Error = cudaErrorInvalidValue;
  return Error;
}

void note(const Prefetch &What) {
  memoryState().Managed.update(What.Address, What.Bytes, [&](Advice &Said) {
    Said.LastPrefetch = What.To;
  });
}

/// A call that cannot be captured has a place in the order of the stream.
cudaError_t markIn(cudaStream_t Stream) {
  cudaError_t Out = cudaSuccess;
  if (refusesCapture(Stream, Out))
    return Out;
  return enqueue(Stream, Work());
}

/// What all calls with lists of ranges refuse.
cudaError_t checkBatch(void **Addresses, const size_t *Sizes, size_t Count,
                       unsigned long long Flags, cudaStream_t Stream) {
  bool Invalid = !Addresses || !Sizes || Count == 0 || Flags != 0 || !Stream ||
                 Stream == cudaStreamLegacy;
  for (size_t I = 0; !Invalid && I < Count; ++I)
    Invalid = !isManagedRange(Addresses[I], Sizes[I]);
  return Invalid ? cudaErrorInvalidValue : cudaSuccess;
}

/// Whether these say from which range on each entry applies.
bool areStarts(const size_t *Starts, size_t Entries, size_t Count) {
  if (!Starts || Entries == 0 || Entries > Count || Starts[0] != 0)
    return false;
  for (size_t I = 1; I < Entries; ++I)
    if (Starts[I] <= Starts[I - 1] || Starts[I] >= Count)
      return false;
  return true;
}

} // namespace

/// No bytes are no error, other than the documentation has it.
cudaError_t cudaMallocManaged(void **Address, size_t Bytes, unsigned Flags) {
  bool Known = Flags == cudaMemAttachGlobal || Flags == cudaMemAttachHost;
  if (!Known)
    return cudaErrorInvalidValue;
  HeapRequest What;
  What.Kind = HeapKind::Managed;
  What.Bytes = Bytes;
  What.Flags = Flags;
  What.Call = "cudaMallocManaged";
  cudaError_t Error = allocateNow(What, Address);
  if (Error == cudaSuccess && *Address)
    memoryState().Managed.forget(*Address, Bytes);
  return Error;
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t Stream, void *Address,
                                     size_t Length, unsigned Flags) {
  std::optional<HeapArea> Found = memoryState().Heap.find(Address);
  bool Whole = Found && Found->Kind == HeapKind::Managed &&
               Found->Base == reinterpret_cast<uintptr_t>(Address) &&
               (Length == 0 || Length == Found->Bytes);
  bool Known =
      Flags == cudaMemAttachGlobal || Flags == cudaMemAttachHost ||
      (Flags == cudaMemAttachSingle && Stream && Stream != cudaStreamLegacy);
  return Whole && Known ? markIn(Stream) : cudaErrorInvalidValue;
}

cudaError_t cudaMemPrefetchAsync(const void *Address, size_t Count,
                                 cudaMemLocation Location, unsigned Flags,
                                 cudaStream_t Stream) {
  if (Flags != 0)
    return cudaErrorInvalidValue;
  Prefetch What;
  cudaError_t Error = checkPrefetch(Address, Count, Location, What);
  if (Error == cudaSuccess)
    Error = markIn(Stream);
  if (Error == cudaSuccess)
    note(What);
  return Error;
}

cudaError_t cudaMemPrefetchBatchAsync(void **Addresses, size_t *Sizes,
                                      size_t Count, cudaMemLocation *Locations,
                                      size_t *Starts, size_t NumLocations,
                                      unsigned long long Flags,
                                      cudaStream_t Stream) {
  cudaError_t Error = checkBatch(Addresses, Sizes, Count, Flags, Stream);
  if (Error == cudaSuccess &&
      (!Locations || !areStarts(Starts, NumLocations, Count)))
    Error = cudaErrorInvalidValue;
  for (size_t I = 0; Error == cudaSuccess && I < NumLocations; ++I) {
    int Unused = 0;
    Error = placeOf(Locations[I], Unused);
  }
  if (Error == cudaSuccess)
    Error = markIn(Stream);
  for (size_t I = 0, Of = 0; Error == cudaSuccess && I < Count; ++I) {
    Of += Of + 1 < NumLocations && Starts[Of + 1] == I;
    Prefetch What;
    (void)checkPrefetch(Addresses[I], Sizes[I], Locations[Of], What);
    note(What);
  }
  return Error;
}

/// What the memory holds is up to us afterwards: it stays.
cudaError_t cudaMemDiscardBatchAsync(void **Addresses, size_t *Sizes,
                                     size_t Count, unsigned long long Flags,
                                     cudaStream_t Stream) {
  cudaError_t Error = checkBatch(Addresses, Sizes, Count, Flags, Stream);
  return Error != cudaSuccess ? Error : markIn(Stream);
}

cudaError_t cudaMemDiscardAndPrefetchBatchAsync(
    void **Addresses, size_t *Sizes, size_t Count, cudaMemLocation *Locations,
    size_t *Starts, size_t NumLocations, unsigned long long Flags,
    cudaStream_t Stream) {
  return emulated::cudaMemPrefetchBatchAsync(
      Addresses, Sizes, Count, Locations, Starts, NumLocations, Flags, Stream);
}

cudaError_t cudaMemAdvise(const void *Address, size_t Count,
                          cudaMemoryAdvise What, cudaMemLocation Location) {
  if (!isManagedRange(Address, Count))
    return cudaErrorInvalidValue;
  int Place = cudaInvalidDeviceId;
  bool NeedsPlace = What == cudaMemAdviseSetPreferredLocation ||
                    What == cudaMemAdviseSetAccessedBy ||
                    What == cudaMemAdviseUnsetAccessedBy;
  cudaError_t Error = NeedsPlace ? placeOf(Location, Place) : cudaSuccess;
  if (Error != cudaSuccess)
    return Error;
  if (What < cudaMemAdviseSetReadMostly || What > cudaMemAdviseUnsetAccessedBy)
    return cudaErrorInvalidValue;
  memoryState().Managed.update(Address, Count, [&](Advice &Said) {
    if (What <= cudaMemAdviseUnsetReadMostly)
      Said.ReadMostly = What == cudaMemAdviseSetReadMostly;
    else if (What <= cudaMemAdviseUnsetPreferredLocation)
      Said.Preferred = Place;
    else
      (Place == 0 ? Said.ByDevice : Said.ByHost) =
          What == cudaMemAdviseSetAccessedBy;
  });
  return cudaSuccess;
}

// What has been said, if it is the same for the whole range.

static Advice commonAdvice(const void *Address, size_t Bytes) {
  Advice Out;
  bool First = true;
  memoryState().Managed.visit(Address, Bytes, [&](const Advice &Each) {
    if (First)
      Out = Each;
    First = false;
    Out.ReadMostly = Out.ReadMostly && Each.ReadMostly;
    Out.ByDevice = Out.ByDevice && Each.ByDevice;
    Out.ByHost = Out.ByHost && Each.ByHost;
    if (Out.Preferred != Each.Preferred)
      Out.Preferred = cudaInvalidDeviceId;
    if (Out.LastPrefetch != Each.LastPrefetch)
      Out.LastPrefetch = cudaInvalidDeviceId;
  });
  return Out;
}

static int typeOf(int Place) {
  if (Place == cudaInvalidDeviceId)
    return cudaMemLocationTypeInvalid;
  return Place == cudaCpuDeviceId ? cudaMemLocationTypeHost
                                  : cudaMemLocationTypeDevice;
}

static int valueOf(const Advice &Said, cudaMemRangeAttribute Which) {
  switch (Which) {
  case cudaMemRangeAttributeReadMostly:
    return Said.ReadMostly;
  case cudaMemRangeAttributePreferredLocation:
    return Said.Preferred;
  case cudaMemRangeAttributeLastPrefetchLocation:
    return Said.LastPrefetch;
  case cudaMemRangeAttributePreferredLocationType:
    return typeOf(Said.Preferred);
  case cudaMemRangeAttributeLastPrefetchLocationType:
    return typeOf(Said.LastPrefetch);
  case cudaMemRangeAttributePreferredLocationId:
    return Said.Preferred == cudaInvalidDeviceId ? 0 : Said.Preferred;
  default:
    return Said.LastPrefetch == cudaInvalidDeviceId ? 0 : Said.LastPrefetch;
  }
}

cudaError_t cudaMemRangeGetAttribute(void *Data, size_t Bytes,
                                     cudaMemRangeAttribute Which,
                                     const void *Address, size_t Count) {
  bool Known = Which >= cudaMemRangeAttributeReadMostly &&
               Which <= cudaMemRangeAttributeLastPrefetchLocationId;
  if (!Data || !Known || !isManagedRange(Address, Count))
    return cudaErrorInvalidValue;
  Advice Said = commonAdvice(Address, Count);
  int *Out = static_cast<int *>(Data);
  if (Which != cudaMemRangeAttributeAccessedBy) {
    if (Bytes != sizeof(int))
      return cudaErrorInvalidValue;
    *Out = valueOf(Said, Which);
    return cudaSuccess;
  }
  if (Bytes == 0 || Bytes % sizeof(int) != 0)
    return cudaErrorInvalidValue;
  size_t Next = 0, Places = Bytes / sizeof(int);
  if (Said.ByDevice)
    Out[Next++] = 0;
  if (Said.ByHost && Next < Places)
    Out[Next++] = cudaCpuDeviceId;
  while (Next < Places)
    Out[Next++] = cudaInvalidDeviceId;
  return cudaSuccess;
}

cudaError_t cudaMemRangeGetAttributes(void **Data, size_t *Sizes,
                                      cudaMemRangeAttribute *Attributes,
                                      size_t NumAttributes, const void *Address,
                                      size_t Count) {
  if (!Data || !Sizes || !Attributes || NumAttributes == 0)
    return cudaErrorInvalidValue;
  cudaError_t Error = cudaSuccess;
  for (size_t I = 0; Error == cudaSuccess && I < NumAttributes; ++I)
    Error = emulated::cudaMemRangeGetAttribute(Data[I], Sizes[I], Attributes[I],
                                               Address, Count);
  return Error;
}

} // namespace blockmaestro::emulated
