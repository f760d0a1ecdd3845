// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Calls.h"
#include "Capture.h"
#include "Collector.h"
#include "Copies.h"
#include "Machine.h"
#include "Streams.h"

#include <cstring>

namespace blockmaestro::emulated {
namespace {

bool isEmpty(const FillWork &What) {
  return What.Width == 0 || What.Height == 0 || What.Depth == 0;
}

/// How far it is from the first byte to behind the last; 0 when that does not
/// fit a size.
size_t spanOf(const FillWork &What) {
  size_t Row = 0, Rows = 0, Slices = 0, Out = 0;
  bool Fits =
      !__builtin_mul_overflow(What.Width, What.ElementBytes, &Row) &&
      !__builtin_mul_overflow(What.Pitch, What.Height - 1, &Rows) &&
      !__builtin_mul_overflow(What.SlicePitch, What.Depth - 1, &Slices) &&
      !__builtin_add_overflow(Rows, Slices, &Out) &&
      !__builtin_add_overflow(Out, Row, &Out);
  return Fits ? Out : 0;
}

cudaError_t check(const FillWork &What) {
  size_t Row = What.Width * What.ElementBytes;
  bool HasRows = What.Height > 1 || What.Depth > 1;
  size_t MostPitch = emulatedProperties().memPitch;
  if (HasRows && (What.Pitch > MostPitch || What.Pitch < Row))
    return cudaErrorInvalidValue;
  size_t Bytes = spanOf(What);
  bool Aligned = reinterpret_cast<uintptr_t>(What.To) % What.ElementBytes == 0;
  return Bytes && Aligned && isDeviceRange(What.To, Bytes)
             ? cudaSuccess
             : cudaErrorInvalidValue;
}

void fillRow(char *To, const FillWork &What) {
  if (What.ElementBytes == 1) {
    std::memset(To, static_cast<int>(What.Value), What.Width);
    return;
  }
  for (size_t X = 0; X < What.Width; ++X)
    std::memcpy(To + X * What.ElementBytes, &What.Value, What.ElementBytes);
}

void run(const FillWork &What) {
  char *Base = static_cast<char *>(What.To);
  for (size_t Z = 0; Z < What.Depth; ++Z)
    for (size_t Y = 0; Y < What.Height; ++Y)
      fillRow(Base + Z * What.SlicePitch + Y * What.Pitch, What);
}

std::shared_ptr<WorkShape> shapeOf(const FillWork &What) {
  TouchedBox Box;
  Box.Address = reinterpret_cast<uint64_t>(What.To);
  Box.Width = What.Width * What.ElementBytes;
  Box.Rows = What.Height;
  Box.Pitch = What.Pitch;
  Box.Slices = What.Depth;
  Box.SlicePitch = What.SlicePitch;
  Box.Writes = true;
  Box.HostSees = hostSees(What.To);
  auto Out = std::make_shared<WorkShape>();
  Out->Touches = {Box};
  return Out;
}

FillWork linearFill(void *To, int Value, size_t Bytes) {
  FillWork Out;
  Out.To = To;
  Out.Value = static_cast<unsigned char>(Value);
  Out.Width = Out.Pitch = Bytes;
  return Out;
}

FillWork planeFill(void *To, size_t Pitch, int Value, size_t Width,
                   size_t Height) {
  FillWork Out = linearFill(To, Value, Width);
  Out.Pitch = Pitch;
  Out.Height = Height;
  return Out;
}

FillWork boxFill(const cudaPitchedPtr &To, int Value, cudaExtent Size) {
  FillWork Out = planeFill(To.ptr, To.pitch, Value, Size.width, Size.height);
  Out.Depth = Size.depth;
  Out.SlicePitch = To.pitch * To.ysize;
  return Out;
}

cudaError_t fillAsync(const FillWork &What, cudaStream_t Stream) {
  if (Collector::declines(Stream))
    return cudaSuccess;
  Work Next;
  cudaError_t Wrong = fillWork(What, Next);
  cudaError_t Captured = cudaSuccess;
  if (Wrong != cudaSuccess || capturesInstead(Stream, What, Captured))
    return Wrong != cudaSuccess ? Wrong : Captured;
  return enqueue(Stream, std::move(Next));
}

/// Only a fill of memory of the host is done when the call returns.
cudaError_t fillNow(const FillWork &What) {
  if (Collector::declines(defaultStream()))
    return cudaSuccess;
  Work Next;
  cudaError_t Wrong = fillWork(What, Next);
  if (Wrong == cudaSuccess && !defaultStream())
    Wrong = mayUseLegacyStream();
  if (Wrong != cudaSuccess)
    return Wrong;
  bool OfHost = !isEmpty(What) && emulatedState().Heap.isHost(What.To);
  return OfHost ? enqueueAndWait(defaultStream(), std::move(Next))
                : enqueue(defaultStream(), std::move(Next));
}

} // namespace

cudaError_t fillWork(const FillWork &What, Work &Out) {
  if (isEmpty(What))
    return cudaSuccess;
  cudaError_t Wrong = check(What);
  if (Wrong != cudaSuccess)
    return Wrong;
  Out.Short = [What] {
    run(What);
    return Status();
  };
  if (Collector::current())
    Out.Shape = shapeOf(What);
  return cudaSuccess;
}

cudaError_t cudaMemset(void *Address, int Value, size_t Count) {
  return fillNow(linearFill(Address, Value, Count));
}

cudaError_t cudaMemset2D(void *Address, size_t Pitch, int Value, size_t Width,
                         size_t Height) {
  return fillNow(planeFill(Address, Pitch, Value, Width, Height));
}

cudaError_t cudaMemset3D(cudaPitchedPtr To, int Value, cudaExtent Extent) {
  return fillNow(boxFill(To, Value, Extent));
}

cudaError_t cudaMemsetAsync(void *Address, int Value, size_t Count,
                            cudaStream_t Stream) {
  return fillAsync(linearFill(Address, Value, Count), Stream);
}

cudaError_t cudaMemset2DAsync(void *Address, size_t Pitch, int Value,
                              size_t Width, size_t Height,
                              cudaStream_t Stream) {
  return fillAsync(planeFill(Address, Pitch, Value, Width, Height), Stream);
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr To, int Value, cudaExtent Extent,
                              cudaStream_t Stream) {
  return fillAsync(boxFill(To, Value, Extent), Stream);
}

} // namespace blockmaestro::emulated
