// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the events to come, the earliest first.
// On the data's way: inside the simulator, which goes from time to time.
// Invariants: nothing is pushed into the past. Events of one time come in their
// order, also those pushed meanwhile.
//
// Note [Levels of the queue]: times are numbers of digits from 0 to 63. An
// event waits on the level of the highest digit in which its time differs from
// now, in the list of that digit. So all of a level come before all of the
// next, and by their digit. When a level's turn comes, those of its first digit
// are spread over the levels below: an event moves as often as its time has
// digits to go, whatever the number of events.
//
// Ownership and threads: one per simulation.

#ifndef BLOCKMAESTRO_RUNTIME_SIM_EVENTQUEUE_H
#define BLOCKMAESTRO_RUNTIME_SIM_EVENTQUEUE_H

#include "SimEvent.h"

#include <vector>

namespace blockmaestro::sim {

class EventQueue {
public:
  void push(uint64_t Time, const SimEvent &What);

  /// Goes on to the earliest event and says when it is; false where there is
  /// none.
  bool advance(uint64_t &Now);
  /// Takes the next event of this time; false where there is none.
  bool take(SimEvent &What);

private:
  static constexpr unsigned DigitBits = 6, Digits = 1u << DigitBits;
  static constexpr unsigned Levels = (64 + DigitBits - 1) / DigitBits;
  static constexpr uint32_t None = 0;

  struct Waiting {
    uint64_t Time = 0;
    SimEvent What;
    uint32_t Next = None; ///< Of its list, or of those that are free.
  };
  struct Level {
    uint64_t Used = 0; ///< A bit for each digit that has events.
    uint32_t First[Digits] = {};
  };

  void insert(uint32_t Number);
  uint32_t takeFirst(unsigned From);
  void spread(uint32_t First);
  void becomeDue(uint32_t First);

  uint64_t Now = 0;
  Level All[Levels];
  std::vector<Waiting> Pool = std::vector<Waiting>(1); ///< But for None.
  uint32_t Free = None;
  std::vector<SimEvent> Due; ///< Those of this time, as a heap.
};

} // namespace blockmaestro::sim

#endif
