// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what an SM learns while it runs blocks of two applications: how
// many of each it should have, and how many of these should go past L1, of an
// application of which that is tried. Figure 8 and section 4.4 of Liang and Li,
// Efficient Kernel Management on GPUs, who try it of both.
// On the data's way: told by PairPolicy of every block that comes or ends, with
// what the SM has counted; says the shares that hold from then on.
// Invariants: a sampling period begins when the SM has as many blocks of each,
// and as many that go past L1, as the shares say, and ends when all blocks that
// it had then have ended. Each application keeps a block at the least. While
// bypassing is learned the numbers of blocks stay as they are: stalls of
// periods can be compared only then. Ownership and threads: one for each SM, no
// locks.

#ifndef BLOCKMAESTRO_RUNTIME_SIM_MANAGE_SMLEARNER_H
#define BLOCKMAESTRO_RUNTIME_SIM_MANAGE_SMLEARNER_H

#include "Policies.h"
#include "Room.h"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>

namespace blockmaestro::sim {

using PairShares = std::array<Share, 2>;

/// Of which of the two blocks are tried past L1.
using PastL1 = std::array<bool, 2>;

/// What an SM has of the two, and what a block of each takes.
struct PairOnSm {
  std::array<Residents, 2> Has;
  std::array<BlockSize, 2> Size;
};

/// What an SM has counted since the run began.
struct PairSample {
  uint64_t Time = 0;
  /// Cycles that pipelines were kept, by each: those of integer and single
  /// instructions, and those of loads and stores.
  std::array<uint64_t, 2> Sp{}, LdSt{};
  uint64_t Stalls = 0; ///< Structural and of memory, of both.
};

/// A sampling period that has ended.
struct SamplingPeriod {
  PairShares Limits; ///< While it lasted.
  PairSample Begin, End;
};

class SmLearner {
public:
  explicit SmLearner(const Machine &On) : On(&On) {}

  /// Forgets all but which blocks are here.
  void restart(const PairShares &From, PastL1 OfWhich);

  const PairShares &shares() const { return Now; }

  void given(uint32_t Place) { Here.insert(Place); }
  void ended(uint32_t Place) { Here.erase(Place), Sampled.erase(Place); }

  /// After blocks have come or ended: a period may end, which is returned, and
  /// one begin. Asks for what has been counted if so.
  std::optional<SamplingPeriod>
  step(const PairOnSm &Of, const std::function<PairSample()> &Counted);

private:
  enum class Bypassing { None, First, Second, More, Learned };

  /// Pipelines in a cycle, of the SM and of each application.
  struct Use {
    double Sp = 0, LdSt = 0;
  };

  bool isAsShared(const PairOnSm &Of) const;
  void learn(const PairOnSm &Of, const PairSample &Until);
  bool learnsBypass() const;
  void learnBypass(uint64_t Stalls);
  void tryFirst(uint32_t Which);
  void chooseBypassed();
  void tryOneMore(uint32_t Which);
  void learnBlocks(const PairOnSm &Of, const std::array<Use, 2> &Current);
  void remember(const std::array<Use, 2> &Current);
  void giveOneMore(const PairOnSm &Of, uint32_t Which);

  const Machine *On;
  PastL1 Tried{};
  PairShares Now;
  std::set<uint32_t> Here, Sampled; ///< Places.
  bool IsSampling = false;
  PairSample Begin;
  std::array<Use, 2> History; ///< Of each application.
  bool HasHistory = false;
  Bypassing Phase = Bypassing::None;
  uint64_t StallsOfNone = 0;
  /// With one more of each past L1; of one that is not tried without end.
  std::array<uint64_t, 2> StallsOf = {~uint64_t(0), ~uint64_t(0)};
};

} // namespace blockmaestro::sim

#endif
