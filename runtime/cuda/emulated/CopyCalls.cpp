// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Calls.h"
#include "Copies.h"

namespace blockmaestro::emulated {

// Bytes in a row.

cudaError_t cudaMemcpy(void *To, const void *From, size_t Count,
                       cudaMemcpyKind Kind) {
  return copyNow(linearCopy(To, From, Count, Kind));
}

cudaError_t cudaMemcpyAsync(void *To, const void *From, size_t Count,
                            cudaMemcpyKind Kind, cudaStream_t Stream) {
  return copyAsync(linearCopy(To, From, Count, Kind), Stream);
}

// Rows: the pitch counts also for a single one.

static bool pitchesFit(size_t ToPitch, size_t FromPitch, size_t Width,
                       size_t Height) {
  return Width == 0 || Height == 0 || (Width <= ToPitch && Width <= FromPitch);
}

cudaError_t cudaMemcpy2D(void *To, size_t ToPitch, const void *From,
                         size_t FromPitch, size_t Width, size_t Height,
                         cudaMemcpyKind Kind) {
  if (!pitchesFit(ToPitch, FromPitch, Width, Height))
    return cudaErrorInvalidPitchValue;
  return copyNow(planeCopy(To, ToPitch, From, FromPitch, Width, Height, Kind));
}

cudaError_t cudaMemcpy2DAsync(void *To, size_t ToPitch, const void *From,
                              size_t FromPitch, size_t Width, size_t Height,
                              cudaMemcpyKind Kind, cudaStream_t Stream) {
  if (!pitchesFit(ToPitch, FromPitch, Width, Height))
    return cudaErrorInvalidPitchValue;
  return copyAsync(planeCopy(To, ToPitch, From, FromPitch, Width, Height, Kind),
                   Stream);
}

// Boxes.

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *What) {
  return What ? copyNow(*What) : cudaErrorInvalidValue;
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *What,
                              cudaStream_t Stream) {
  return What ? copyAsync(*What, Stream) : cudaErrorInvalidValue;
}

// Between devices, of which there is one.

static cudaError_t checkPeers(int ToDevice, int FromDevice) {
  return ToDevice == 0 && FromDevice == 0 ? cudaSuccess
                                          : cudaErrorInvalidDevice;
}

static cudaMemcpy3DParms withoutDevices(const cudaMemcpy3DPeerParms &What) {
  cudaMemcpy3DParms Out = {};
  Out.srcArray = What.srcArray;
  Out.srcPos = What.srcPos;
  Out.srcPtr = What.srcPtr;
  Out.dstArray = What.dstArray;
  Out.dstPos = What.dstPos;
  Out.dstPtr = What.dstPtr;
  Out.extent = What.extent;
  Out.kind = cudaMemcpyDefault;
  return Out;
}

cudaError_t cudaMemcpyPeer(void *To, int ToDevice, const void *From,
                           int FromDevice, size_t Count) {
  cudaError_t Wrong = checkPeers(ToDevice, FromDevice);
  return Wrong != cudaSuccess
             ? Wrong
             : copyNow(linearCopy(To, From, Count, cudaMemcpyDefault));
}

cudaError_t cudaMemcpyPeerAsync(void *To, int ToDevice, const void *From,
                                int FromDevice, size_t Count,
                                cudaStream_t Stream) {
  cudaError_t Wrong = checkPeers(ToDevice, FromDevice);
  return Wrong != cudaSuccess
             ? Wrong
             : copyAsync(linearCopy(To, From, Count, cudaMemcpyDefault),
                         Stream);
}

cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms *What) {
  if (!What)
    return cudaErrorInvalidValue;
  cudaError_t Wrong = checkPeers(What->dstDevice, What->srcDevice);
  return Wrong != cudaSuccess ? Wrong : copyNow(withoutDevices(*What));
}

cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms *What,
                                  cudaStream_t Stream) {
  if (!What)
    return cudaErrorInvalidValue;
  cudaError_t Wrong = checkPeers(What->dstDevice, What->srcDevice);
  return Wrong != cudaSuccess ? Wrong
                              : copyAsync(withoutDevices(*What), Stream);
}

} // namespace blockmaestro::emulated
