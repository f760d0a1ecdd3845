// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what the body of each chunk means, checked against all chunks
// before it.
// On the data's way: inside runtime/record, below RecordingStream, which finds
// the chunks. The bytes are docs/recording.md.
// Invariants: as those of Recording.h; of what has been read only what later
// chunks refer to is kept: grids, strings, clocks, counts.
// Ownership and threads: plain value; one chunk at a time.

#ifndef BLOCKMAESTRO_RUNTIME_RECORD_CHUNKPARSER_H
#define BLOCKMAESTRO_RUNTIME_RECORD_CHUNKPARSER_H

#include "Format.h"
#include "TraceBody.h"

#include "blockmaestro/Recording.h"

#include <cstdint>
#include <string>
#include <vector>

namespace blockmaestro::record {

/// Each function that reads something returns null or what is wrong.
class ChunkParser {
public:
  /// Of the file, before its first chunk.
  void setVersion(uint32_t Of) {
    Version = Of;
    Warps.setVersion(Of);
  }

  /// Puts what a chunk has behind the lists of To.
  const char *chunk(ChunkType Type, ByteReader From, Recording &To);
  /// Only events and costs, of a blocks chunk that has been read before.
  const char *blocksAgain(ByteReader From, Recording &To);
  bool ended() const { return Ended; }
  const std::vector<Dim3> &grids() const { return Grids; }

private:
  const char *info(ByteReader &From);
  const char *control(ByteReader &From);
  const char *launch(ByteReader &From);
  const char *copy(ByteReader &From);
  const char *observation(ByteReader &From);
  const char *relations(ByteReader &From, RecordedRelation What,
                        Dim3 ConsumerGrid);
  const char *relation(ByteReader &From, RecordedRelation &What,
                       Dim3 ConsumerGrid);
  const char *producer(ByteReader &From, RecordedRelation &What) const;
  Dim3 producerGrid(const RecordedRelation &What) const;
  const char *blocks(ByteReader &From);
  const char *warps(ByteReader &From);
  const char *end(ByteReader &From);
  template <typename Call> Call hostCall(ByteReader &From);
  const char *barrier(ByteReader &From);
  const char *wait(ByteReader &From);
  std::string interned(ByteReader &From);
  HostTime asked(ByteReader &From);
  void readCost(ByteReader &From, BlockCost &Cost) const;

  uint32_t Version = RecordingVersion;
  Recording *Out = nullptr;      ///< Of the chunk that is read.
  std::vector<Dim3> Grids;       ///< Of all launches.
  std::vector<uint64_t> Threads; ///< Of their blocks.
  uint64_t Copies = 0;
  uint64_t Events = 0;
  uint64_t Traces = 0;
  TraceReader Warps;
  /// What the numbers of a cost are in this file; null where unknown.
  std::vector<const CostField *> Fields;
  std::vector<std::string> Interned;
  /// How long each thread of the host has computed.
  std::vector<uint64_t> Host;
  bool Begun = false;
  bool Ended = false;
};

} // namespace blockmaestro::record

#endif
