// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The calls that make arrays and give them back.

#include "Arrays.h"

#include "Allocation.h"
#include "Calls.h"
#include "MemoryState.h"

namespace blockmaestro::emulated {

/// The levels of an array in memory of their own.
static cudaError_t makeLevels(const ArrayShape &Shape, unsigned Count,
                              const char *Call, std::vector<ArrayObject> &Out) {
  cudaError_t Error = layOut(Shape, Count, Out);
  if (Error != cudaSuccess)
    return Error;
  const auto OffsetOf = [](const ArrayObject &Level) {
    return reinterpret_cast<size_t>(Level.Texels.Texels);
  };
  HeapRequest Asked;
  Asked.Bytes = OffsetOf(Out.back()) + Out.back().bytes();
  Asked.Call = Call;
  void *Base = nullptr;
  Error = allocateNow(Asked, &Base);
  for (ArrayObject &Each : Out)
    Each.Texels.Texels = static_cast<uint8_t *>(Base) + OffsetOf(Each);
  return Error;
}

static cudaError_t makeArray(cudaArray_t *Array,
                             const cudaChannelFormatDesc *Desc,
                             cudaExtent Extent, unsigned Flags,
                             const char *Call) {
  if (!Array || !Desc)
    return cudaErrorInvalidValue;
  std::vector<ArrayObject> Made;
  const cudaError_t Error = makeLevels({*Desc, Extent, Flags}, 1, Call, Made);
  if (Error == cudaSuccess)
    *Array = memoryState().Arrays.add(Made[0]);
  return Error;
}

cudaError_t cudaMallocArray(cudaArray_t *Array,
                            const cudaChannelFormatDesc *Desc, size_t Width,
                            size_t Height, unsigned Flags) {
  if (Flags & (cudaArrayLayered | cudaArrayCubemap))
    return cudaErrorInvalidValue;
  return makeArray(Array, Desc, {Width, Height, 0}, Flags, "cudaMallocArray");
}

cudaError_t cudaMalloc3DArray(cudaArray_t *Array,
                              const cudaChannelFormatDesc *Desc,
                              cudaExtent Extent, unsigned Flags) {
  return makeArray(Array, Desc, Extent, Flags, "cudaMalloc3DArray");
}

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *MipmappedArray,
                                     const cudaChannelFormatDesc *Desc,
                                     cudaExtent Extent, unsigned NumLevels,
                                     unsigned Flags) {
  if (!MipmappedArray || !Desc)
    return cudaErrorInvalidValue;
  const ArrayShape Shape = {*Desc, Extent, Flags};
  std::vector<ArrayObject> Made;
  const cudaError_t Error =
      makeLevels(Shape, NumLevels, "cudaMallocMipmappedArray", Made);
  if (Error == cudaSuccess)
    *MipmappedArray = memoryState().Arrays.add(Shape, Made);
  return Error;
}

/// Null is no array and no error.
template <typename Array>
static cudaError_t freeArray(Array Handle, const char *Call) {
  if (!Handle)
    return cudaSuccess;
  uint8_t *Memory = memoryState().Arrays.memoryOf(Handle);
  if (!Memory)
    return cudaErrorInvalidValue;
  const cudaError_t Error = freeNow(HeapKind::Device, Memory, Call);
  if (Error == cudaSuccess)
    memoryState().Arrays.forget(Handle);
  return Error;
}

cudaError_t cudaFreeArray(cudaArray_t Array) {
  return freeArray(Array, "cudaFreeArray");
}

cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t MipmappedArray) {
  return freeArray(MipmappedArray, "cudaFreeMipmappedArray");
}

} // namespace blockmaestro::emulated
