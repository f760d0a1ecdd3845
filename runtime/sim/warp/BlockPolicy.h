// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: who decides which application's next block an SM gets while
// several applications run side by side, and what that may rest on. Launches of
// one recording that overlap are told apart as applications are.
// On the data's way: WarpModel keeps the RunState and asks; policies stand in
// runtime/sim/manage.
// Invariants: a policy names only applications whose block fits. It is asked
// again, SM by SM, whenever a block has ended there, and all over the SMs when
// a launch has begun or an application has no more blocks to give. What it
// answers depends on what it was told alone, so that runs repeat.
// Ownership and threads: one policy for one run, on the thread of the run.

#ifndef BLOCKMAESTRO_RUNTIME_SIM_WARP_BLOCKPOLICY_H
#define BLOCKMAESTRO_RUNTIME_SIM_WARP_BLOCKPOLICY_H

#include "Room.h"
#include "Sm.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace blockmaestro::sim {

/// Blocks of an application on an SM.
struct Residents {
  uint32_t Blocks = 0;
  uint32_t Bypassing = 0; ///< Of these, those that go past L1.
};

struct SmState {
  RoomTaken Taken;
  std::vector<Residents> Of; ///< Each application.
};

struct ApplicationState {
  const RecordedLaunch *Launch = nullptr; ///< That runs; null: it has ended.
  BlockSize Block;                        ///< Of that launch.
  uint64_t Since = 0;                     ///< When that launch began.
  uint64_t Left = 0;  ///< Its blocks that no SM has got yet.
  uint64_t Ready = 0; ///< Of these, those that may start.

  bool hasEnded() const { return Launch == nullptr; }
};

/// What an SM has counted up to a time.
struct SmSample {
  uint64_t Time = 0;
  std::vector<SmCounts> Of; ///< Each application.
  std::array<uint64_t, StallCount> Stalls{};
};

struct RunState {
  const Machine *On = nullptr;
  std::vector<ApplicationState> Applications;
  std::vector<SmState> Sms;
  std::function<SmSample(uint32_t Sm)> Sample; ///< As of now.

  /// Whether an application has a block that may start, and an SM room for it.
  bool canGive(uint32_t Application, uint32_t Sm) const {
    const ApplicationState &A = Applications[Application];
    return A.Ready > 0 && Sms[Sm].Taken.hasRoomFor(A.Block, *On);
  }
};

/// A block that an SM got or that has ended there.
struct PlacedBlock {
  uint32_t Sm = 0;
  uint32_t Place = 0;
  uint32_t Application = 0;
};

class BlockPolicy {
public:
  virtual ~BlockPolicy() = default;

  /// Whose next block an SM gets: an application that canGive(), or none.
  virtual std::optional<uint32_t> next(const RunState &Of, uint32_t Sm) = 0;

  /// Whether that block is to go past L1.
  virtual bool bypasses(const RunState &, uint32_t /*Application*/,
                        uint32_t /*Sm*/) {
    return false;
  }

  /// Launches have begun or applications have ended.
  virtual void launchesChanged(const RunState &) {}
  virtual void blockGiven(const RunState &, const PlacedBlock &) {}
  virtual void blockEnded(const RunState &, const PlacedBlock &) {}
};

} // namespace blockmaestro::sim

#endif
