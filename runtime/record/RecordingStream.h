// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a recording file, chunk by chunk, for what need not have all of
// it at once.
// On the data's way: from runtime/record/Writer to Reader, which goes through
// all chunks, and to bm-dump where it sums up or lists blocks.
// Invariants: what comes keeps every promise of Recording.h. Numbers of
// launches, copies and blocks are those of the whole file whatever the caller
// has kept. Memory is that of one chunk, a grid for each launch and the strings
// that the file still refers to; it does not grow with blocks. A file that is
// cut off ends behind its last whole chunk; anything else that is wrong is one
// Status, behind which nothing more may be asked for.
// Ownership: the stream holds the file open; bytes in memory outlive it.
// Threads: one at a time.
//
//   Result<RecordingStream> Stream = RecordingStream::open("app.bmrec");
//   if (!Stream.ok()) ...
//   Recording Some;
//   for (;;) {
//     Result<bool> More = Stream->next(Some);
//     if (!More.ok()) ...
//     if (!*More)
//       break;                      // Some.Truncated says how it ended.
//     use(Some.Launches, Some.Events);
//     Some = Recording();           // Or keep it: then it is all of the file.
//   }

#ifndef BLOCKMAESTRO_RUNTIME_RECORD_RECORDINGSTREAM_H
#define BLOCKMAESTRO_RUNTIME_RECORD_RECORDINGSTREAM_H

#include "blockmaestro/Recording.h"
#include "blockmaestro/Status.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace blockmaestro {

class RecordingStream {
public:
  static Result<RecordingStream> open(const std::string &Path);
  /// From memory; Name is used in messages.
  static Result<RecordingStream> over(const uint8_t *Data, size_t Bytes,
                                      const std::string &Name);
  RecordingStream(RecordingStream &&);
  RecordingStream &operator=(RecordingStream &&);
  ~RecordingStream();

  /// Puts what the next chunk has behind the lists of To; its first four
  /// members are set by the first chunk. False, and To as it was but for
  /// Truncated, when there is none.
  Result<bool> next(Recording &To);

  /// Where the next chunk begins in the file.
  uint64_t position() const;

  /// Puts the blocks of a chunk that has come from next() behind those of To
  /// once more. At is what position() was before it. Not of a pipe.
  Status blocksAt(uint64_t At, Recording &To);

  /// Whether blocksAt can be asked for.
  bool isSeekable() const;

  /// Of all launches so far, by their Id.
  const std::vector<Dim3> &grids() const;

private:
  struct State;
  explicit RecordingStream(std::unique_ptr<State> Of);

  std::unique_ptr<State> Of;
};

} // namespace blockmaestro

#endif
