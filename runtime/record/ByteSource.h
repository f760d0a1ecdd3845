// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: bytes one after the other, of a file or of memory.
// On the data's way: inside runtime/record, below RecordingStream.
// Invariants: where reading fails there is a negative number, and errno says
// why; a number of bytes less than was asked for is the end.
// Ownership: closes the file; memory outlives it. Threads: one at a time.

#ifndef BLOCKMAESTRO_RUNTIME_RECORD_BYTESOURCE_H
#define BLOCKMAESTRO_RUNTIME_RECORD_BYTESOURCE_H

#include <cstddef>
#include <cstdint>
#include <sys/types.h>
#include <vector>

namespace blockmaestro::record {

class ByteSource {
public:
  explicit ByteSource(int File);
  ByteSource(const uint8_t *Data, size_t Bytes) : Data(Data), Bytes(Bytes) {}
  ~ByteSource();
  ByteSource(const ByteSource &) = delete;
  ByteSource &operator=(const ByteSource &) = delete;

  /// Puts up to Count bytes behind To; how many there were.
  ssize_t read(std::vector<uint8_t> &To, size_t Count);
  uint64_t position() const { return At; }
  /// Only where it is seekable.
  void seek(uint64_t Position) { At = Position; }
  bool isSeekable() const { return Seekable; }

private:
  ssize_t readSome(uint8_t *To, size_t Count);

  int File = -1;
  const uint8_t *Data = nullptr;
  size_t Bytes = 0;
  uint64_t At = 0;
  bool Seekable = true;
};

} // namespace blockmaestro::record

#endif
