// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CommandOf.h"

namespace blockmaestro {
namespace {

/// Rows of bytes.
cudaMemcpy3DParms planeCopy(void *To, size_t ToPitch, const void *From,
                            size_t FromPitch, size_t Width, size_t Height,
                            cudaMemcpyKind Kind) {
  cudaMemcpy3DParms Out = {};
  Out.dstPtr = {To, ToPitch, Width, Height};
  Out.srcPtr = {const_cast<void *>(From), FromPitch, Width, Height};
  Out.extent = {Width, Height, 1};
  Out.kind = Kind;
  return Out;
}

FillCommand linearFill(void *To, int Value, size_t Bytes) {
  FillCommand Out;
  Out.To = To;
  Out.Value = static_cast<unsigned char>(Value);
  Out.Width = Out.Pitch = Bytes;
  return Out;
}

FillCommand planeFill(void *To, size_t Pitch, int Value, size_t Width,
                      size_t Height) {
  FillCommand Out = linearFill(To, Value, Width);
  Out.Pitch = Pitch;
  Out.Height = Height;
  return Out;
}

cudaError_t checkDevices(int ToDevice, int FromDevice) {
  return ToDevice == 0 && FromDevice == 0 ? cudaSuccess
                                          : cudaErrorInvalidDevice;
}

cudaMemcpy3DParms withoutDevices(const cudaMemcpy3DPeerParms &What) {
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

} // namespace

cudaMemcpy3DParms linearCopy(void *To, const void *From, size_t Bytes,
                             cudaMemcpyKind Kind) {
  return planeCopy(To, Bytes, From, Bytes, Bytes, 1, Kind);
}

cudaError_t CommandOf::operator()(void *To, const void *From, size_t Count,
                                  cudaMemcpyKind Kind) const {
  Out = CopyCommand{linearCopy(To, From, Count, Kind)};
  return cudaSuccess;
}

/// The pitch counts also for a single row.
cudaError_t CommandOf::operator()(void *To, size_t ToPitch, const void *From,
                                  size_t FromPitch, size_t Width, size_t Height,
                                  cudaMemcpyKind Kind) const {
  if (Width != 0 && Height != 0 && (Width > ToPitch || Width > FromPitch))
    return cudaErrorInvalidPitchValue;
  Out =
      CopyCommand{planeCopy(To, ToPitch, From, FromPitch, Width, Height, Kind)};
  return cudaSuccess;
}

cudaError_t CommandOf::operator()(const cudaMemcpy3DParms *What) const {
  if (!What)
    return cudaErrorInvalidValue;
  Out = CopyCommand{*What};
  return cudaSuccess;
}

cudaError_t CommandOf::operator()(void *To, int ToDevice, const void *From,
                                  int FromDevice, size_t Count) const {
  Out = CopyCommand{linearCopy(To, From, Count, cudaMemcpyDefault)};
  return checkDevices(ToDevice, FromDevice);
}

cudaError_t CommandOf::operator()(const cudaMemcpy3DPeerParms *What) const {
  if (!What)
    return cudaErrorInvalidValue;
  Out = CopyCommand{withoutDevices(*What)};
  return checkDevices(What->dstDevice, What->srcDevice);
}

cudaError_t CommandOf::operator()(const void *Symbol, const void *From,
                                  size_t Count, size_t Offset,
                                  cudaMemcpyKind Kind) const {
  if (Kind != cudaMemcpyHostToDevice && Kind != cudaMemcpyDeviceToDevice &&
      Kind != cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  void *To = nullptr;
  const cudaError_t Error = Find(Symbol, Count, Offset, To);
  Out = CopyCommand{linearCopy(To, From, Count, Kind)};
  return Error;
}

cudaError_t CommandOf::operator()(void *To, const void *Symbol, size_t Count,
                                  size_t Offset, cudaMemcpyKind Kind) const {
  if (Kind != cudaMemcpyDeviceToHost && Kind != cudaMemcpyDeviceToDevice &&
      Kind != cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  void *From = nullptr;
  const cudaError_t Error = Find(Symbol, Count, Offset, From);
  Out = CopyCommand{linearCopy(To, From, Count, Kind)};
  return Error;
}

static void placeIn(cudaArray_t To, size_t Byte, size_t Row,
                    cudaMemcpy3DParms &Out) {
  Out.dstPtr = {};
  Out.dstArray = To;
  Out.dstPos = {Byte, Row, 0};
}

static void placeIn(cudaArray_const_t From, size_t Byte, size_t Row,
                    cudaMemcpy3DParms &Out) {
  Out.srcPtr = {};
  Out.srcArray = const_cast<cudaArray_t>(From);
  Out.srcPos = {Byte, Row, 0};
}

cudaError_t CommandOf::operator()(cudaArray_t To, size_t ToByte, size_t ToRow,
                                  const void *From, size_t FromPitch,
                                  size_t Width, size_t Height,
                                  cudaMemcpyKind Kind) const {
  CopyCommand Made = {
      planeCopy(nullptr, 0, From, FromPitch, Width, Height, Kind),
      CopyUnit::Bytes};
  placeIn(To, ToByte, ToRow, Made.What);
  Out = Made;
  return Width > FromPitch && Height != 0 ? cudaErrorInvalidPitchValue
                                          : cudaSuccess;
}

cudaError_t CommandOf::operator()(void *To, size_t ToPitch,
                                  cudaArray_const_t From, size_t FromByte,
                                  size_t FromRow, size_t Width, size_t Height,
                                  cudaMemcpyKind Kind) const {
  CopyCommand Made = {planeCopy(To, ToPitch, nullptr, 0, Width, Height, Kind),
                      CopyUnit::Bytes};
  placeIn(From, FromByte, FromRow, Made.What);
  Out = Made;
  return Width > ToPitch && Height != 0 ? cudaErrorInvalidPitchValue
                                        : cudaSuccess;
}

cudaError_t CommandOf::operator()(cudaArray_t To, size_t ToByte, size_t ToRow,
                                  cudaArray_const_t From, size_t FromByte,
                                  size_t FromRow, size_t Width, size_t Height,
                                  cudaMemcpyKind Kind) const {
  CopyCommand Made = {planeCopy(nullptr, 0, nullptr, 0, Width, Height, Kind),
                      CopyUnit::Bytes};
  placeIn(To, ToByte, ToRow, Made.What);
  placeIn(From, FromByte, FromRow, Made.What);
  Out = Made;
  return cudaSuccess;
}

cudaError_t CommandOf::operator()(cudaArray_t To, size_t ToByte, size_t ToRow,
                                  const void *From, size_t Count,
                                  cudaMemcpyKind Kind) const {
  CopyCommand Made = {linearCopy(nullptr, From, Count, Kind),
                      CopyUnit::BytesAcrossRows};
  placeIn(To, ToByte, ToRow, Made.What);
  Out = Made;
  return cudaSuccess;
}

cudaError_t CommandOf::operator()(void *To, cudaArray_const_t From,
                                  size_t FromByte, size_t FromRow, size_t Count,
                                  cudaMemcpyKind Kind) const {
  CopyCommand Made = {linearCopy(To, nullptr, Count, Kind),
                      CopyUnit::BytesAcrossRows};
  placeIn(From, FromByte, FromRow, Made.What);
  Out = Made;
  return cudaSuccess;
}

cudaError_t CommandOf::operator()(cudaArray_t To, size_t ToByte, size_t ToRow,
                                  cudaArray_const_t From, size_t FromByte,
                                  size_t FromRow, size_t Count,
                                  cudaMemcpyKind Kind) const {
  CopyCommand Made = {linearCopy(nullptr, nullptr, Count, Kind),
                      CopyUnit::BytesAcrossRows};
  placeIn(To, ToByte, ToRow, Made.What);
  placeIn(From, FromByte, FromRow, Made.What);
  Out = Made;
  return cudaSuccess;
}

cudaError_t CommandOf::operator()(void *To, int Value, size_t Count) const {
  Out = linearFill(To, Value, Count);
  return cudaSuccess;
}

cudaError_t CommandOf::operator()(void *To, size_t Pitch, int Value,
                                  size_t Width, size_t Height) const {
  Out = planeFill(To, Pitch, Value, Width, Height);
  return cudaSuccess;
}

cudaError_t CommandOf::operator()(cudaPitchedPtr To, int Value,
                                  cudaExtent Size) const {
  FillCommand Box = planeFill(To.ptr, To.pitch, Value, Size.width, Size.height);
  Box.Depth = Size.depth;
  Box.SlicePitch = To.pitch * To.ysize;
  Out = Box;
  return cudaSuccess;
}

} // namespace blockmaestro
