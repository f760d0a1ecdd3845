// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: which launches are in flight, and when the next may be: the side
// of a scheduler that knows launches but no blocks.
// On the data's way: inside the simulator, which tells it what happens and asks
// what may happen.
// Invariants: launches are issued in order. No more are in flight than the
// scheduler lets, and none whose relations to one in flight the recording does
// not know. All earlier ones have left before one with a barrier is issued.
// Ownership and threads: one per simulation.

#ifndef BLOCKMAESTRO_RUNTIME_SIM_LAUNCHWINDOW_H
#define BLOCKMAESTRO_RUNTIME_SIM_LAUNCHWINDOW_H

#include "Scheduler.h"
#include "Workload.h"

#include <set>
#include <vector>

namespace blockmaestro::sim {

class LaunchWindow {
public:
  LaunchWindow(const Workload &What, const Machine &On, const Scheduler &By);

  /// Earliest launch that has not completed: it, or an earlier one, has not
  /// left.
  uint32_t first() const { return First; }
  /// The one that is issued next.
  uint32_t next() const { return Next; }
  uint32_t mostInFlight() const;
  /// Whether launches leave when they have ended, whatever earlier ones do.
  bool leavesInAnyOrder() const { return By.Knows != Tracking::Queue; }
  /// Whether a launch is launched only when it waits for no other any more.
  bool launchesWhenReady() const { return By.Knows == Tracking::HostWindow; }

  /// Whether next() may be checked, or issued where that takes no time.
  bool mayIssue() const;
  void beginCheck() { Checking = true; }
  /// Returns the launch, which is in flight now.
  uint32_t issue();

  /// The launch waits for nothing but to be launched.
  void ready(uint32_t Launch) { Ready.insert(Launch); }
  /// Takes the earliest that is ready where one may be launched.
  bool takeReady(uint32_t &Launch);
  void beginLaunch() { ++Launching; }
  void endLaunch() { --Launching; }

  void leave(uint32_t Launch);
  /// Whether nothing waits for the whole launch any more.
  bool isOver(uint32_t Launch) const {
    return Launch < First || (leavesInAnyOrder() && Left[Launch]);
  }
  /// Takes away first() where it has left.
  bool complete(uint32_t &Launch);

private:
  const Workload &What;
  const Machine &On;
  const Scheduler &By;
  std::vector<uint8_t> Left;
  std::set<uint32_t> Ready;
  uint32_t First = 0, Next = 0;
  uint32_t InWindow = 0;  ///< Issued, and not left.
  uint32_t Launching = 0; ///< In their overhead.
  uint32_t InStreams = 0; ///< Taken when ready, and not left.
  bool Checking = false;
};

} // namespace blockmaestro::sim

#endif
