// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: something that works at one rate for whoever uses it, all of them
// equally: the issue slots of an SM, the bandwidth of memory.
// On the data's way: inside the simulator, where durations are shared.
// Invariants: work is in nanoseconds of the whole rate; while n use it each
// gets an n-th. Kept as one clock that runs at that n-th, so that who comes or
// goes changes no other's number. Times given never fall.
// Ownership and threads: one per simulation.

#ifndef BLOCKMAESTRO_RUNTIME_SIM_SHAREDRATE_H
#define BLOCKMAESTRO_RUNTIME_SIM_SHAREDRATE_H

#include <cstdint>
#include <queue>
#include <vector>

namespace blockmaestro::sim {

class SharedRate {
public:
  static constexpr uint64_t Never = ~uint64_t(0);

  void join(uint64_t Now, double Work, uint32_t Who);
  /// When the next one has all its work done, if nobody comes; rounded up.
  uint64_t next() const;
  /// Takes away one whose work is done by Now, the least work first; false
  /// where there is none.
  bool leave(uint64_t Now, uint32_t &Who);

private:
  struct Goal {
    double Clock;
    uint32_t Who;
  };
  /// Without a branch that could be guessed wrong.
  struct Later {
    bool operator()(const Goal &A, const Goal &B) const {
      return (A.Clock > B.Clock) | ((A.Clock == B.Clock) & (A.Who > B.Who));
    }
  };

  void advance(uint64_t Now);

  std::priority_queue<Goal, std::vector<Goal>, Later> Goals;
  double Clock = 0;
  uint64_t At = 0; ///< When the clock was right.
};

} // namespace blockmaestro::sim

#endif
