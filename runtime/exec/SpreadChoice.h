// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: whether works are spread over streams from one wait of the host
// to the next, or keep the order of their stream, by the times that both take:
// where the host has just the time to launch, its events cost more than works
// beside each other gain.
// On the data's way: inside Streams.
// Invariants:
//  - Works are spread at first. Once what they touch is known both ways are
//    timed by turns, and works are spread from then on where that is faster.
//  - Where nothing goes beside anything they keep their order untimed.
//  - The other way is tried again later, each time twice as late.
// Threads: values.

#ifndef BLOCKMAESTRO_RUNTIME_EXEC_SPREADCHOICE_H
#define BLOCKMAESTRO_RUNTIME_EXEC_SPREADCHOICE_H

#include "StretchChoices.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace blockmaestro {

/// Of stretches that begin with works of one kind.
class SpreadChoice {
public:
  using Time = std::chrono::nanoseconds;

  /// Whether the works of the next stretch are spread.
  bool spreads() const { return Spread; }
  /// A stretch of so many works has taken so long, as spreads() said before;
  /// so many have gone beside others.
  void took(Time Whole, size_t Works, uint64_t Beside);

  /// So many stretches are spread before any is timed: what is new costs time.
  static constexpr unsigned FirstSpread = 2;
  /// So many of each way are compared, without the slowest.
  static constexpr unsigned Compared = 3;
  /// So many in a row in which nothing went beside are enough.
  static constexpr unsigned MostInVain = 4;
  static constexpr unsigned FirstPatience = 32;
  static constexpr unsigned MostPatience = 4096;

private:
  /// The last stretches of one way, by work.
  struct Times {
    std::array<Time, Compared> Last = {};
    unsigned Count = 0;
    void add(Time Next) { Last[Count++ % Compared] = Next; }
    Time usual() const;
  };
  void choose();
  void settle(bool Way);

  bool Spread = true;
  bool Timing = true;            ///< Both ways come by turns.
  unsigned Stretches = 0;        ///< Since Timing last changed.
  unsigned Vain = 0;             ///< In a row.
  unsigned ToSkip = FirstSpread; ///< Before the first is timed.
  unsigned Patience = FirstPatience;
  Times InOrder, Beside;
};

/// Of all stretches, by the first work behind the wait.
class SpreadChoices : public StretchChoices<SpreadChoice> {
public:
  /// A stretch begins. Whether its works are spread.
  bool begin(const NodeKind &First);
  /// It has ended; see SpreadChoice::took.
  void ended(SpreadChoice::Time Took, size_t Works, uint64_t Beside);
};

} // namespace blockmaestro

#endif
