// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ByteSource.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <unistd.h>

namespace blockmaestro::record {

/// So much room is made at once, for sizes that a damaged file says.
static constexpr size_t Step = size_t(1) << 20;

ByteSource::ByteSource(int File)
    : File(File), Seekable(::lseek(File, 0, SEEK_CUR) == 0) {}

ByteSource::~ByteSource() {
  if (File >= 0)
    ::close(File);
}

/// At least one byte, but at the end.
ssize_t ByteSource::readSome(uint8_t *To, size_t Count) {
  if (File < 0) {
    const size_t Left = At < Bytes ? Bytes - size_t(At) : 0;
    const size_t Taken = std::min(Count, Left);
    if (Taken > 0)
      std::memcpy(To, Data + At, Taken);
    return ssize_t(Taken);
  }
  for (;;) {
    const ssize_t Got = Seekable ? ::pread(File, To, Count, off_t(At))
                                 : ::read(File, To, Count);
    if (Got >= 0 || errno != EINTR)
      return Got;
  }
}

ssize_t ByteSource::read(std::vector<uint8_t> &To, size_t Count) {
  size_t Had = 0;
  while (Had < Count) {
    const size_t Old = To.size(), Wanted = std::min(Step, Count - Had);
    To.resize(Old + Wanted);
    const ssize_t Got = readSome(To.data() + Old, Wanted);
    To.resize(Old + size_t(std::max<ssize_t>(Got, 0)));
    if (Got < 0)
      return Got;
    if (Got == 0)
      break;
    Had += size_t(Got);
    At += uint64_t(Got);
  }
  return ssize_t(Had);
}

} // namespace blockmaestro::record
