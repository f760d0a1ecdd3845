// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a chunk of a recording: a header with checksums and a body that
// is compressed where that makes it smaller.
// On the data's way: inside runtime/record, below Writer and Reader. The bytes
// are docs/recording.md.
// Invariants: a chunk can be read without any other; no byte of it can change
// unnoticed. Threads: pure functions.

#ifndef BLOCKMAESTRO_RUNTIME_RECORD_CHUNK_H
#define BLOCKMAESTRO_RUNTIME_RECORD_CHUNK_H

#include "Format.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace blockmaestro::record {

inline constexpr size_t ChunkHeaderBytes = 20;

/// CRC-32 (the polynomial of zlib and Ethernet).
uint32_t checksum(const uint8_t *Data, size_t Bytes);

/// Header and body as they lie in the file.
std::vector<uint8_t> packChunk(ChunkType Type,
                               const std::vector<uint8_t> &Body);

/// What lies at the beginning of some bytes.
struct Unpacked {
  ChunkType Type{};
  std::vector<uint8_t> Body;
  size_t Bytes = 0;              ///< In the file; 0 when it is cut off.
  const char *Problem = nullptr; ///< Why it is damaged, if it is.
};

/// How many bytes follow a header, as it says.
size_t storedBytes(const uint8_t *Header);

Unpacked unpackChunk(const uint8_t *Data, size_t Bytes);

} // namespace blockmaestro::record

#endif
