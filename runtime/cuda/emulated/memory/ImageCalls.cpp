// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The calls about texture and surface objects, and those that ask arrays.

#include "Arrays.h"
#include "Calls.h"
#include "Images.h"
#include "Machine.h"
#include "MemoryState.h"

namespace blockmaestro::emulated {

cudaChannelFormatDesc cudaCreateChannelDesc(int X, int Y, int Z, int W,
                                            cudaChannelFormatKind Kind) {
  return {X, Y, Z, W, Kind};
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc *Desc,
                               cudaArray_const_t Array) {
  const std::optional<ArrayObject> Found = memoryState().Arrays.find(Array);
  if (!Desc || !Found)
    return cudaErrorInvalidValue;
  *Desc = Found->Shape.Channels;
  return cudaSuccess;
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc *Desc, cudaExtent *Extent,
                             unsigned *Flags, cudaArray_t Array) {
  const std::optional<ArrayObject> Found = memoryState().Arrays.find(Array);
  if (!Found)
    return cudaErrorInvalidValue;
  if (Desc)
    *Desc = Found->Shape.Channels;
  if (Extent)
    *Extent = Found->Shape.Extent;
  if (Flags)
    *Flags = Found->Shape.Flags;
  return cudaSuccess;
}

cudaError_t
cudaGetMipmappedArrayLevel(cudaArray_t *LevelArray,
                           cudaMipmappedArray_const_t MipmappedArray,
                           unsigned Level) {
  const std::optional<MipmappedObject> Found =
      memoryState().Arrays.find(MipmappedArray);
  if (!LevelArray || !Found || Level >= Found->Levels.size())
    return cudaErrorInvalidValue;
  *LevelArray = Found->Levels[Level];
  return cudaSuccess;
}

cudaError_t
cudaDeviceGetTexture1DLinearMaxWidth(size_t *MaxWidthInElements,
                                     const cudaChannelFormatDesc *FmtDesc,
                                     int Device) {
  TexelFormat Format;
  if (Device != 0)
    return cudaErrorInvalidDevice;
  if (!MaxWidthInElements || !FmtDesc ||
      formatOf(*FmtDesc, Format) != cudaSuccess)
    return cudaErrorInvalidValue;
  *MaxWidthInElements = MostLinearTexels;
  return cudaSuccess;
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *TexObject,
                                    const cudaResourceDesc *ResDesc,
                                    const cudaTextureDesc *TexDesc,
                                    const cudaResourceViewDesc *ResViewDesc) {
  if (!TexObject || !ResDesc || !TexDesc)
    return cudaErrorInvalidValue;
  ImageSource From = {*ResDesc, *TexDesc, std::nullopt};
  if (ResViewDesc)
    From.View = *ResViewDesc;
  ImageView View;
  const cudaError_t Error = textureView(From, View);
  if (Error == cudaSuccess)
    *TexObject = memoryState().Images.add(From, View);
  return Error;
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t TexObject) {
  return !TexObject || memoryState().Images.remove(TexObject, false)
             ? cudaSuccess
             : cudaErrorInvalidValue;
}

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc *ResDesc,
                                             cudaTextureObject_t TexObject) {
  const auto Found = memoryState().Images.find(TexObject, false);
  if (!ResDesc || !Found)
    return cudaErrorInvalidValue;
  *ResDesc = Found->Resource;
  return cudaSuccess;
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc *TexDesc,
                                            cudaTextureObject_t TexObject) {
  const auto Found = memoryState().Images.find(TexObject, false);
  if (!TexDesc || !Found)
    return cudaErrorInvalidValue;
  *TexDesc = Found->Texture;
  return cudaSuccess;
}

cudaError_t
cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc *ResViewDesc,
                                     cudaTextureObject_t TexObject) {
  const auto Found = memoryState().Images.find(TexObject, false);
  if (!ResViewDesc || !Found || !Found->View)
    return cudaErrorInvalidValue;
  *ResViewDesc = *Found->View;
  return cudaSuccess;
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *SurfObject,
                                    const cudaResourceDesc *ResDesc) {
  if (!SurfObject || !ResDesc)
    return cudaErrorInvalidValue;
  ImageView View;
  const cudaError_t Error = surfaceView(*ResDesc, View);
  if (Error == cudaSuccess)
    *SurfObject = memoryState().Images.add({*ResDesc, {}, std::nullopt}, View);
  return Error;
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t SurfObject) {
  return !SurfObject || memoryState().Images.remove(SurfObject, true)
             ? cudaSuccess
             : cudaErrorInvalidValue;
}

cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc *ResDesc,
                                             cudaSurfaceObject_t SurfObject) {
  const auto Found = memoryState().Images.find(SurfObject, true);
  if (!ResDesc || !Found)
    return cudaErrorInvalidValue;
  *ResDesc = Found->Resource;
  return cudaSuccess;
}

} // namespace blockmaestro::emulated
