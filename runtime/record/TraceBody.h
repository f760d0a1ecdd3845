// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the entries of a warps chunk: the code of kernels and what the
// warps of traced blocks did in it.
// On the data's way: inside runtime/record, below Writer and Reader. The bytes
// are docs/recording.md.
// Invariants: what is read keeps every promise of WarpTrace.h, and a block has
// as many warps as its launch says, with no lanes but theirs. Codes and routes
// are written once and referred to from then on; what is remembered of them is
// forgotten once it is too much.
// Ownership: codes that are remembered are kept alive. Threads: none inside.

#ifndef BLOCKMAESTRO_RUNTIME_RECORD_TRACEBODY_H
#define BLOCKMAESTRO_RUNTIME_RECORD_TRACEBODY_H

#include "Format.h"
#include "blockmaestro/Recording.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace blockmaestro::record {

class TraceWriter {
public:
  /// What follows is in another chunk.
  void beginChunk();
  /// Adds what a block did.
  void block(const BlockTrace &What, ByteWriter &To);
  uint64_t blocks() const { return Blocks; }

private:
  using Paths = std::unordered_map<std::string, uint64_t>;

  void forgetWhenFull(ByteWriter &To);
  uint64_t numberOf(const std::shared_ptr<const WarpCode> &Code,
                    ByteWriter &To);
  void path(const WarpPath &What, uint64_t Code, Paths &Known, ByteWriter &To);

  struct KnownCode {
    std::shared_ptr<const WarpCode> Code;
    uint64_t Number = 0;
  };
  std::unordered_map<const WarpCode *, KnownCode> Codes;
  /// By the number of their code and what they look like.
  std::unordered_map<std::string, uint64_t> Routes;
  size_t Remembered = 0; ///< Bytes of both.
  uint64_t Blocks = 0;
  uint64_t LastLaunch = 0;
  uint64_t LastBlock = 0;
};

class TraceReader {
public:
  /// Of the file, the newest unless it is said.
  void setVersion(uint32_t Of) { Version = Of; }

  /// Adds the blocks of a chunk to \p Out; null or what is wrong. Of all
  /// launches so far there are the grids, and the threads of a block.
  const char *chunk(ByteReader &From, const std::vector<Dim3> &Grids,
                    const std::vector<uint64_t> &Threads,
                    std::vector<BlockTrace> &Out);

private:
  const char *code(ByteReader &From);
  const char *block(ByteReader &From, const std::vector<Dim3> &Grids,
                    const std::vector<uint64_t> &Threads, BlockTrace &What);
  const char *warps(ByteReader &From, size_t Code, uint64_t Threads,
                    BlockTrace &What);

  /// A route, the number of its code and all lanes it has.
  struct KnownRoute {
    std::shared_ptr<const WarpRoute> Route;
    size_t Code = 0;
    uint32_t Lanes = 0;
  };
  using LanedPath = std::pair<std::shared_ptr<const WarpPath>, uint32_t>;

  const char *path(ByteReader &From, size_t Code, LanedPath &Out);

  uint32_t Version = RecordingVersion;
  std::vector<std::shared_ptr<const WarpCode>> Codes;
  std::vector<KnownRoute> Routes;
  uint64_t LastLaunch = 0;
  uint64_t LastBlock = 0;
};

} // namespace blockmaestro::record

#endif
