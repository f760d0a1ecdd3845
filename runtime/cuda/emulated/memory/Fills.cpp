// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Copies.h"
#include "Machine.h"
#include "MemoryState.h"

#include <cstring>

namespace blockmaestro::emulated {
namespace {

bool isEmpty(const FillCommand &What) {
  return What.Width == 0 || What.Height == 0 || What.Depth == 0;
}

/// How far it is from the first byte to behind the last; 0 when that does not
/// fit a size.
size_t spanOf(const FillCommand &What) {
  size_t Row = 0, Rows = 0, Slices = 0, Out = 0;
  bool Fits =
      !__builtin_mul_overflow(What.Width, What.ElementBytes, &Row) &&
      !__builtin_mul_overflow(What.Pitch, What.Height - 1, &Rows) &&
      !__builtin_mul_overflow(What.SlicePitch, What.Depth - 1, &Slices) &&
      !__builtin_add_overflow(Rows, Slices, &Out) &&
      !__builtin_add_overflow(Out, Row, &Out);
  return Fits ? Out : 0;
}

cudaError_t check(const FillCommand &What) {
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

void fillRow(char *To, const FillCommand &What) {
  if (What.ElementBytes == 1) {
    std::memset(To, static_cast<int>(What.Value), What.Width);
    return;
  }
  for (size_t X = 0; X < What.Width; ++X)
    std::memcpy(To + X * What.ElementBytes, &What.Value, What.ElementBytes);
}

void run(const FillCommand &What) {
  char *Base = static_cast<char *>(What.To);
  for (size_t Z = 0; Z < What.Depth; ++Z)
    for (size_t Y = 0; Y < What.Height; ++Y)
      fillRow(Base + Z * What.SlicePitch + Y * What.Pitch, What);
}

} // namespace

cudaError_t workOf(const FillCommand &From, Work &Out) {
  if (isEmpty(From))
    return cudaSuccess;
  cudaError_t Error = check(From);
  if (Error != cudaSuccess)
    return Error;
  Out.Short = [From] {
    run(From);
    return Status();
  };
  return cudaSuccess;
}

bool hostWaits(const FillCommand &What, Asker By) {
  return By == Asker::Call && !isEmpty(What) &&
         memoryState().Heap.isHost(What.To);
}

} // namespace blockmaestro::emulated
