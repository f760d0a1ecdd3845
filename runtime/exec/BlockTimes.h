// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the memory in which blocks on a GPU note when they ran, and the
// way of the notes to the recording.
// On the data's way: from the device code (Gate.h) to an EventSink; asked by
// the GPU executors.
// Invariants:
//  - Every launch has notes of its own, zero when it is launched. They are
//    reported, once, when all of them are whole, which only the notes say: no
//    stream is asked, and nothing is put into one.
//  - Memory is used again only when all that was to be noted in it has been
//    reported or withdrawn, and it is bounded.
//  - The host waits for the GPU in reportRest() and where all memory is taken,
//    never longer than Patience; blocks that have not been seen by then are not
//    reported.
// Ownership: port and sink outlive it. Threads: one caller at a time.

#ifndef BLOCKMAESTRO_RUNTIME_EXEC_BLOCKTIMES_H
#define BLOCKMAESTRO_RUNTIME_EXEC_BLOCKTIMES_H

#include "Gate.h"
#include "GpuPort.h"
#include "blockmaestro/EventSink.h"

#include <chrono>
#include <cstdint>
#include <list>
#include <string>
#include <vector>

namespace blockmaestro {

class BlockTimes {
public:
  /// The blocks of one launch.
  struct Blocks {
    uint64_t Launch;
    uint64_t Count;
  };

  /// In notes, which take 24 bytes.
  struct Limits {
    uint64_t Most = uint64_t(1) << 22;  ///< There is memory for.
    uint64_t Piece = uint64_t(1) << 16; ///< A piece of it has at least.
  };

  /// Patience of 0 is for ever.
  BlockTimes(GpuPort &Port, EventSink &Events,
             std::chrono::nanoseconds Patience)
      : BlockTimes(Port, Events, Patience, Limits()) {}
  BlockTimes(GpuPort &Port, EventSink &Events,
             std::chrono::nanoseconds Patience, const Limits &Allowed)
      : Port(Port), Events(Events), Patience(Patience), Allowed(Allowed) {}
  ~BlockTimes();
  BlockTimes(const BlockTimes &) = delete;
  BlockTimes &operator=(const BlockTimes &) = delete;

  /// Where the blocks of launches that are launched next, together, note when
  /// they run, one after the other; null where they cannot. All before have
  /// been launched.
  BlockTime *place(const std::vector<Blocks> &Of);
  /// Why the last place() gave none; else empty.
  const std::string &whyNone() const { return Refusal; }
  /// What the last place() was for has not been launched after all.
  void withdraw();

  /// The host has waited for some of what was launched: reports what there is.
  void waited();
  /// Waits for all that was launched, and reports it.
  void reportRest();

  /// The most blocks that place() takes.
  uint64_t mostBlocks() const { return Allowed.Most; }

private:
  struct Part {
    Blocks Of;
    uint64_t First; ///< In its piece.
  };
  struct Piece {
    BlockTime *Memory;
    uint64_t Capacity;
    uint64_t Used = 0;
    std::vector<Part> Parts = {}; ///< Not yet reported, in the order launched.
  };

  Piece *findRoom(uint64_t Count);
  Piece *addPiece(uint64_t Capacity);
  void releaseEmpty();
  Status report();
  Status report(Piece &From);
  bool report(const Part &Of, const BlockTime *Notes);
  template <typename Condition> void waitUntil(Condition Holds);

  GpuPort &Port;
  EventSink &Events;
  const std::chrono::nanoseconds Patience;
  const Limits Allowed;
  std::list<Piece> Pieces;
  uint64_t Capacity = 0; ///< Of all pieces.
  uint64_t Pending = 0;  ///< Notes of parts that have not been reported.
  Piece *Last = nullptr; ///< Of the last place().
  size_t LastParts = 0;  ///< That it has added.
  std::string Refusal;
  std::vector<BlockTime> Seen; ///< A piece as it was read last.
};

} // namespace blockmaestro

#endif
