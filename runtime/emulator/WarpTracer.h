// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what the warps of a block execute, step by step.
// On the data's way: told by traced code (WarpCoding) of every step and every
// access of every thread; when the block has ended it makes a BlockTrace of
// them for the EventSink.
//
// Threads tell one after another, or in turns; a warp executes what its lanes
// have told in the order of their positions (LanePosition), those with the same
// position together, unless the same access goes to shared memory for some of
// them and to global memory for others. What lanes have told is merged when the
// warp's next part begins behind a barrier of the block, where all of them have
// come, and at the end.
// Invariants: what is held is bounded; a block that tells more has no trace.
// Ownership: the context and the sink are borrowed. Threads: one block, one
// thread.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_WARPTRACER_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_WARPTRACER_H

#include "BlockContext.h"
#include "LanePosition.h"
#include "TracedCode.h"

#include "blockmaestro/EventSink.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace blockmaestro {

class WarpTracer {
public:
  /// So many bytes may be held.
  explicit WarpTracer(uint64_t MostBytes = uint64_t(512) << 20)
      : MostBytes(MostBytes) {}

  void begin(const BlockContext &Of, std::shared_ptr<const TracedCode> Code,
             EventSink &Sink);
  /// Thread \p Thread goes to a step, or LeavesFunction.
  void step(uint32_t Thread, uint32_t Step);
  /// It executes an access of its last step; as BlockAccesses::touch().
  void touch(uint32_t Thread, uint32_t Site, uint64_t Address, uint64_t Bytes);
  /// The block has ended: gives its trace to the sink.
  void end();

private:
  struct Touch {
    uint32_t Access; ///< Of its step.
    bool Shared;
    bool Atomic;
    uint64_t Offset; ///< In shared memory, or the address.
    uint64_t Bytes;
  };
  struct Visit {
    uint32_t Step;
    uint32_t FirstTouch;
  };
  /// What a lane has told and its warp has not been merged with.
  struct Told {
    std::vector<Visit> Visits;
    std::vector<Touch> Touches;
    size_t Next = 0; ///< In Visits.
    bool empty() const { return Visits.empty(); }
    /// Behind those of the next visit.
    size_t endOfTouches() const {
      return Next + 1 < Visits.size() ? Visits[Next + 1].FirstTouch
                                      : Touches.size();
    }
  };
  using ToldByLanes = std::array<Told, WarpSize>;
  struct Warp {
    WarpRoute Route;
    std::vector<uint64_t> Sectors;
    uint32_t Round = 0; ///< Of the block's barrier, that lanes tell of.
  };
  /// What lanes of a step touch with one access of it.
  struct Units {
    std::vector<uint64_t> Numbers; ///< Of sectors, or words.
    /// Of atomics, the first of each lane; of other accesses of global memory,
    /// all.
    std::vector<uint64_t> Words;
    bool Atomic = false;
    bool Shared = false;
  };

  Told &tellerOf(uint32_t Thread);
  bool holds(size_t More);
  void merge(uint32_t Number, ToldByLanes &Lanes);
  bool advance(uint32_t Thread, Told &Lane);
  uint32_t leadersOf(uint32_t Warp, uint32_t Active, ToldByLanes &Lanes) const;
  bool touchAlike(const Told &A, const Told &B) const;
  void execute(Warp &To, uint32_t Group, ToldByLanes &Lanes);
  static void addUnits(const Touch &Of, uint32_t Shift,
                       std::vector<uint64_t> &To);
  void gather(const Told &Lane);
  static uint32_t togetherOf(Units &What);
  void addAccess(Warp &To, Units &What);

  const uint64_t MostBytes;
  const BlockContext *Context = nullptr;
  std::shared_ptr<const TracedCode> Code;
  EventSink *Sink = nullptr;
  uint64_t Block = 0; ///< Its number when it began.
  std::vector<Warp> Warps;
  std::vector<LanePosition> Positions; ///< By thread.
  /// By warp; one where threads come one after another.
  std::vector<ToldByLanes> Held;
  std::vector<Units> Accesses; ///< Of the step that is executed.
  uint32_t LastThread = 0;
  uint64_t Bytes = 0; ///< Held.
  bool TooMuch = false;
};

} // namespace blockmaestro

extern "C" {
/// What traced code calls.
void bm_step(blockmaestro::BlockContext *Context, uint32_t Thread,
             uint32_t Step);
}

#endif
