// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Chunk.h"

#include <zlib.h>

namespace blockmaestro::record {

namespace {

/// Below this many bytes there is nothing to gain.
constexpr size_t WorthPacking = 64;

/// No deflated stream grows to more than this many times its size when it is
/// inflated.
constexpr size_t MostGrowth = 1032;

/// Body compressed, or empty where that does not make it smaller.
std::vector<uint8_t> deflated(const std::vector<uint8_t> &Body) {
  if (Body.size() < WorthPacking)
    return {};
  std::vector<uint8_t> Packed(Body.size() - 1);
  uLongf Bytes = Packed.size();
  if (compress2(Packed.data(), &Bytes, Body.data(), Body.size(),
                Z_BEST_SPEED) != Z_OK)
    return {};
  Packed.resize(Bytes);
  return Packed;
}

/// Fills Body, which has the right size; false where the stream is not of that
/// size or damaged.
bool inflateInto(std::vector<uint8_t> &Body, const uint8_t *From,
                 size_t Bytes) {
  uLongf Size = Body.size();
  uLong Taken = Bytes;
  return uncompress2(Body.data(), &Size, From, &Taken) == Z_OK &&
         Size == Body.size() && Taken == Bytes;
}

} // namespace

uint32_t checksum(const uint8_t *Data, size_t Bytes) {
  return uint32_t(crc32_z(0, Data, Bytes));
}

std::vector<uint8_t> packChunk(ChunkType Type,
                               const std::vector<uint8_t> &Body) {
  std::vector<uint8_t> Packed = deflated(Body);
  const std::vector<uint8_t> &Stored = Packed.empty() ? Body : Packed;
  ByteWriter Chunk;
  Chunk.Bytes.reserve(ChunkHeaderBytes + Stored.size());
  Chunk.word(uint32_t(Type));
  Chunk.word(uint32_t(Stored.size()));
  Chunk.word(uint32_t(Body.size()));
  Chunk.word(checksum(Stored.data(), Stored.size()));
  Chunk.word(checksum(Chunk.Bytes.data(), ChunkHeaderBytes - 4));
  Chunk.Bytes.insert(Chunk.Bytes.end(), Stored.begin(), Stored.end());
  return std::move(Chunk.Bytes);
}

size_t storedBytes(const uint8_t *Header) {
  ByteReader From(Header, ChunkHeaderBytes);
  From.word();
  return From.word();
}

Unpacked unpackChunk(const uint8_t *Data, size_t Bytes) {
  Unpacked Out;
  if (Bytes < ChunkHeaderBytes)
    return Out;
  ByteReader Header(Data, ChunkHeaderBytes);
  Out.Type = ChunkType(Header.word());
  const size_t Stored = Header.word();
  const size_t Plain = Header.word();
  const uint32_t Sum = Header.word();
  if (Header.word() != checksum(Data, ChunkHeaderBytes - 4)) {
    Out.Problem = "a chunk header's checksum is wrong";
    return Out;
  }
  if (Bytes - ChunkHeaderBytes < Stored)
    return Out;
  const uint8_t *Body = Data + ChunkHeaderBytes;
  if (checksum(Body, Stored) != Sum) {
    Out.Problem = "a chunk's checksum is wrong";
    return Out;
  }
  Out.Bytes = ChunkHeaderBytes + Stored;
  if (Plain == Stored) {
    Out.Body.assign(Body, Body + Stored);
    return Out;
  }
  if (Plain / MostGrowth <= Stored)
    Out.Body.resize(Plain);
  if (Out.Body.empty() || !inflateInto(Out.Body, Body, Stored))
    Out.Problem = "a chunk does not unpack to its size";
  return Out;
}

} // namespace blockmaestro::record
