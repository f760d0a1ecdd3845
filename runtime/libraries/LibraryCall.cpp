// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LibraryCall.h"

#include "Process.h"

#include <memory>
#include <new>
#include <utility>

namespace blockmaestro {

TouchedBox rowsOf(const void *First, size_t Width, size_t Count, size_t Pitch) {
  TouchedBox Out;
  Out.Address = reinterpret_cast<uint64_t>(First);
  Out.Width = Width;
  Out.Rows = Count;
  Out.Pitch = Pitch;
  if (Pitch == Width && Count > 0) {
    Out.Width = Width * Count;
    Out.Rows = 1;
  }
  if (Pitch == 0 && Count > 1)
    Out.Rows = 1;
  return Out;
}

TouchedBox batchOf(TouchedBox One, size_t Batch, long long StrideBytes) {
  if (Batch <= 1 || StrideBytes == 0 || One.bytes() == 0)
    return One;
  if (StrideBytes < 0) {
    One.Address -= uint64_t(-StrideBytes) * (Batch - 1);
    StrideBytes = -StrideBytes;
  }
  One.Slices = Batch;
  One.SlicePitch = size_t(StrideBytes);
  return One;
}

void LibraryCall::add(TouchedBox Box, bool Writes) noexcept {
  Box.Writes = Writes;
  try {
    if (Box.bytes() != 0)
      What.Touches.push_back(Box);
  } catch (const std::bad_alloc &) {
    Lost = true;
  }
}

void LibraryCall::answers(void *Host, size_t Bytes) {
  What.Answer = rowsOf(Host, Bytes, 1, Bytes);
  What.Answer.Writes = true;
}

cudaError_t LibraryCall::give(std::function<Status(const MayTouch &)> Run) {
  cudaError_t Error = cudaSuccess;
  Runtime *Front = openRuntime(Error);
  if (!Front)
    return Error;
  What.Run = std::make_shared<const std::function<Status(const MayTouch &)>>(
      std::move(Run));
  return Front->libraryCall({std::move(What), Stream, Asker::AsyncCall});
}

} // namespace blockmaestro
