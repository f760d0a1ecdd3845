// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the lanes that the works of one stream of the program are spread
// over: that stream, which is lane 0, and streams of ours beside it. It knows
// which work is behind which, and has the device know it by events.
// On the data's way: inside Streams; chooses a lane for each work.
// Invariants:
//  - A work is behind all that it is placed behind, and behind the floor: all
//    that came before the last fence, or has left the window.
//  - It is given no event where the order of its lane, or an event that its
//    lane has waited for, does the same.
//  - No two lanes are joined but by an event that has been recorded.
// Ownership: the port and the side streams outlive it. Threads: one caller.
//
// Note [Times of lanes]
// ~~~~~~~~~~~~~~~~~~~~~
// The works of a lane, and what it waits for, are counted. What is in front of
// a work is then, of each lane, a number (a vector clock): LaneClock. A lane
// knows the clock of its last work, an event that of what it was recorded
// behind. A work whose producers are all within the clock of some lane needs no
// event there; and it loses nothing there where the clock of that lane is
// within its own, that is, where it is behind all that the lane is behind
// anyway.
//
// Note [Late events]
// ~~~~~~~~~~~~~~~~~~
// An event stands for all that its stream has been given. One that is recorded
// when the first consumer comes may stand for more works than the producer. To
// record one behind each work would cost a call each. So one is recorded when
// it is needed; where it was late, credit is given to the work, and for as long
// as it has some an event is recorded right behind it.

#ifndef BLOCKMAESTRO_RUNTIME_EXEC_STREAMLANES_H
#define BLOCKMAESTRO_RUNTIME_EXEC_STREAMLANES_H

#include "GpuPort.h"
#include "SideStreams.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace blockmaestro {

/// Of each lane, so many of its works.
class LaneClock {
public:
  static constexpr size_t MostLanes = 16;

  uint64_t &operator[](size_t Lane) { return Times[Lane]; }
  uint64_t operator[](size_t Lane) const { return Times[Lane]; }
  void add(const LaneClock &Other);
  /// Whether all works of the other are among these.
  bool covers(const LaneClock &Other) const;

private:
  std::array<uint64_t, MostLanes> Times{};
};

class StreamLanes {
public:
  /// Events that are recorded right behind a work while it is above 0.
  using Credit = uint8_t;
  static constexpr Credit FullCredit = 16;

  /// Something that has been given to a lane.
  struct Place {
    size_t Lane = 0;
    uint64_t At = 0;  ///< Its number on the lane.
    LaneClock Behind; ///< With itself.
    /// Of the work; null: nobody's.
    Credit *Wants = nullptr;
  };
  struct Counts {
    uint64_t Beside = 0; ///< Works that were not behind all before them.
    uint64_t Events = 0; ///< Waits for one, but for those of joins.
    uint64_t Joins = 0;  ///< Of other lanes into lane 0.
    uint64_t Late = 0;   ///< Events that stood for more than was needed.
  };

  /// Up to \p Most lanes, with \p Own.
  StreamLanes(GpuPort &Port, SideStreams &Sides, void *Own, size_t Most);
  ~StreamLanes();
  StreamLanes(const StreamLanes &) = delete;
  StreamLanes &operator=(const StreamLanes &) = delete;

  /// Chooses a lane for a work that comes behind these, newest first, of which
  /// none is behind another, and has it wait for them. Forks is that work's
  /// credit for an event in front of all that comes behind a fence.
  Result<size_t> choose(std::span<const Place *const> Needs, Credit &Forks);
  void *streamOf(size_t Lane) const { return Lanes[Lane].Stream; }
  /// The lane has been given the work, whose place that is.
  Status enter(size_t Lane, Credit &Wants, Place &Out);

  /// Whether something has come since the last fence.
  bool anySinceFence() const { return !Fresh; }
  /// Whether lane 0 is not behind all.
  bool anyBeside() const;
  /// Lane 0 comes behind all.
  Status join();
  /// And what comes from here on behind lane 0, and what that will have been
  /// given until then.
  Status fence();
  /// Works up to here will leave the window at the next raiseFloor().
  Status markWindow();
  /// They have: they are in front of all that comes.
  void raiseFloor();

  /// Whether what is in front comprises all works so far.
  bool isAll(const LaneClock &InFront) const;
  size_t lanes() const { return Lanes.size(); }
  const Counts &counts() const { return Done; }

private:
  /// An event, and what it stands for; At is 0 until it is recorded.
  struct Mark {
    void *Event = nullptr;
    uint64_t At = 0;
    LaneClock Behind;
    Credit *Wants = nullptr; ///< Of the work that it was recorded for.
  };
  static constexpr size_t RingMarks = 8;
  struct Lane {
    void *Stream = nullptr;
    uint64_t Last = 0;   ///< The number of what it was given last.
    uint64_t Issued = 0; ///< When its last work came, among all.
    LaneClock Clock;     ///< What the next work will be behind.
    std::array<Mark, RingMarks> Ring;
    size_t Next = 0;
    Mark Window; ///< Recorded by markWindow().
  };
  struct Offer {
    size_t Lane = 0;
    bool Delays = true; ///< It is behind more than the work has to be.
    size_t Waits = 0;
  };

  void raiseFloorToAll();
  Status begin(Credit &Forks);
  bool makeEvents(Lane &For);
  void releaseEvents(Lane &Of);
  bool canGrow() const;
  bool grow();
  bool isChain(std::span<const Place *const> Needs) const;
  Offer offer(size_t Lane, std::span<const Place *const> Needs,
              const LaneClock &InFront) const;
  bool isBetter(const Offer &One, const Offer &Other) const;
  Offer bestOffer(std::span<const Place *const> Needs,
                  const LaneClock &InFront) const;
  Status waitFor(size_t Lane, const Place &For, const LaneClock &InFront);
  Result<Mark *> markBehind(const Place &What, const LaneClock &InFront);
  Result<Mark *> markLast(size_t Lane);
  Status record(size_t Lane, Mark &Into);
  Place lastOf(size_t Lane) const;

  GpuPort &Port;
  SideStreams &Sides;
  size_t Most; ///< Lanes.
  std::vector<Lane> Lanes;
  std::vector<Place> Floor;     ///< None is behind another.
  std::vector<Place> NextFloor; ///< From the next raiseFloor() on.
  uint64_t Issued = 0;
  bool Fresh = true; ///< Nothing has come since the last fence.
  bool HasEvents = false;
  Counts Done;
};

} // namespace blockmaestro

#endif
