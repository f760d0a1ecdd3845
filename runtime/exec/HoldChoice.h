// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: whether works are held from one wait of the host to the next, or
// go one by one, by the times that both have taken.
// On the data's way: inside Chained.
// Invariants:
//  - Works are held until that has gained little or nothing for long. Then both
//    ways are timed, and the faster one stays.
//  - Each time that both have been timed the next one is twice as far away: a
//    program whose times vary changes seldom.
//  - What has been chosen holds for stretches of like length. One that becomes
//    much longer is of another part of the program: its works are held.
// Threads: values.

#ifndef BLOCKMAESTRO_RUNTIME_EXEC_HOLDCHOICE_H
#define BLOCKMAESTRO_RUNTIME_EXEC_HOLDCHOICE_H

#include "StretchChoices.h"

#include <array>
#include <chrono>
#include <cstdint>

namespace blockmaestro {

/// What holding the works of a stretch has gained.
enum class HoldGain : uint8_t {
  Much,   ///< What was held cost much less than one by one.
  Little, ///< It did not.
  None,   ///< Nothing was held.
};

/// Of stretches that begin with works of one kind.
class HoldChoice {
public:
  using Time = std::chrono::nanoseconds;

  /// Whether the works of the next stretch go one by one.
  bool goesStraight() const { return Straight != Trying; }
  /// A stretch of so many works has taken so long, as goesStraight() said
  /// before; straight there is no gain to speak of.
  void took(Time Whole, size_t Works, HoldGain Gain);
  /// Whether a stretch of so many works is like those that were timed.
  bool isLike(size_t Works) const { return Works <= 2 * Longest; }

  /// So many stretches in a row gain little before both ways are timed.
  static constexpr unsigned FirstPatience = 32;
  static constexpr unsigned MostPatience = 512;
  /// Of stretches in which nothing was held so many count for one: their works
  /// may yet be worth holding, as a whole.
  static constexpr unsigned IdleForOne = 4;
  /// So many stretches of each way are compared.
  static constexpr unsigned Compared = 8;

private:
  /// The last stretches that went one way.
  class Times {
  public:
    void add(Time Next) { Last[Count++ % Compared] = Next; }
    Time usual() const;

  private:
    std::array<Time, Compared> Last = {};
    unsigned Count = 0;
  };

  bool isFaster(bool Way) const;
  bool counts(HoldGain Gain);

  bool Straight = false;
  bool Trying = false; ///< The other way.
  unsigned Idle = 0;   ///< Stretches in which nothing was held.
  unsigned Count = 0;  ///< Stretches since the way was chosen last.
  unsigned Patience = FirstPatience;
  size_t Longest = 0; ///< Stretch, in works.
  Times Of[2];        ///< Held, straight.
};

/// Of all stretches, by the first work behind the wait.
class HoldChoices : public StretchChoices<HoldChoice> {
public:
  /// A stretch begins. Whether its works go one by one.
  bool begin(const NodeKind &First);
  /// It has so many works by now, one by one. Whether the next one goes so too.
  bool goesOn(size_t Works);
  /// It has ended, after so many works; see HoldChoice::took.
  void ended(HoldChoice::Time Took, size_t Works, HoldGain Gain);

  /// Of longer stretches how they begin is no matter.
  static constexpr size_t MostWorks = 256;
};

} // namespace blockmaestro

#endif
