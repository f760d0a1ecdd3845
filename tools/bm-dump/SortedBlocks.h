// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the blocks that ran, by launch and block, of a recording of any
// size.
// On the data's way: from a recording file to EventsCommand.
// Invariants: the file is read to its end before the first block comes, so that
// what is damaged is known by then. At most MostHeld blocks are in memory at a
// time, beside a number for each launch and each chunk; of a pipe, which cannot
// be read twice, all are, packed.
// Ownership: holds the file open. Threads: one.

#ifndef BLOCKMAESTRO_TOOLS_BM_DUMP_SORTEDBLOCKS_H
#define BLOCKMAESTRO_TOOLS_BM_DUMP_SORTEDBLOCKS_H

#include "RecordingInput.h"
#include "RecordingStream.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <compare>
#include <cstdint>
#include <vector>

namespace blockmaestro {

class SortedBlocks {
public:
  static constexpr uint64_t MostHeld = uint64_t(1) << 20;

  /// Reads the file once.
  static llvm::Expected<SortedBlocks> read(const DumpOptions &Given,
                                           uint64_t Held = MostHeld);

  /// Calls Call for each block that is asked for, with times from the first
  /// start in the recording.
  llvm::Error forEach(llvm::function_ref<void(const Event &)> Call);

private:
  struct Key {
    uint64_t Launch = 0;
    uint64_t Block = 0;
    auto operator<=>(const Key &) const = default;
  };
  /// Both inclusive.
  struct KeyRange {
    Key Least, Most;
  };
  struct Chunk {
    uint64_t At;
    KeyRange Keys;
  };

  explicit SortedBlocks(RecordingStream From) : From(std::move(From)) {}

  llvm::Error readOnce();
  void note(uint64_t At, const PackedBlocks<Event> &Blocks);
  std::vector<KeyRange> parts() const;
  void splitLaunch(uint64_t Launch, std::vector<KeyRange> &Into) const;
  llvm::Error readPart(const KeyRange &Of, std::vector<Event> &Out);

  RecordingStream From;
  LaunchSpan Launches;
  uint64_t Most = MostHeld;
  uint64_t FirstStart = ~uint64_t(0);
  std::vector<uint64_t> Counts; ///< Of blocks that ran, by launch.
  std::vector<Chunk> Chunks;
  Recording Kept; ///< The blocks of a pipe.
};

} // namespace blockmaestro

#endif
