// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Reader.h"

#include "RecordingStream.h"

#include <utility>

namespace blockmaestro {

/// All that is left of a stream.
static Result<Recording> readAll(Result<RecordingStream> From) {
  if (!From.ok())
    return From.status();
  Recording Out;
  for (;;) {
    Result<bool> More = From->next(Out);
    if (!More.ok())
      return More.status();
    if (!*More)
      return Out;
  }
}

Result<Recording> parseRecording(const uint8_t *Data, size_t Bytes,
                                 const std::string &Name) {
  return readAll(RecordingStream::over(Data, Bytes, Name));
}

Result<Recording> readRecording(const std::string &Path) {
  return readAll(RecordingStream::open(Path));
}

} // namespace blockmaestro
