// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what bm-sim was asked for.
// On the data's way: from the command line to everything else of bm-sim.
// docs/bm-sim.md lists the options.
// Ownership and threads: plain value and pure functions.

#ifndef BLOCKMAESTRO_TOOLS_BM_SIM_OPTIONS_H
#define BLOCKMAESTRO_TOOLS_BM_SIM_OPTIONS_H

#include "Arrows.h"
#include "Durations.h"
#include "LaunchPolicies.h"
#include "LaunchRange.h"
#include "PolicyNames.h"
#include "Scheduler.h"
#include "WarpScheduler.h"
#include "Workload.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace blockmaestro {

enum class Form { Table, Json, Csv };

/// What is simulated: blocks that take a time, or warps.
enum class Detail { Block, Warp };

/// Manage runs recordings side by side, Profile one with so many blocks an SM,
/// Overlap one whose launches overlap.
enum class Command { Simulate, Compare, Manage, Profile, Overlap };

struct Options {
  Command Does = Command::Simulate;
  std::vector<std::string> Files; ///< As many as the command takes.
  std::string Machine = "titanx-pascal";
  std::vector<std::string> MachineKeys; ///< key=value, in the order given.
  std::vector<sim::Scheduler> Schedulers;
  unsigned InFlight = 0; ///< 0: as their names say.
  sim::DurationChoice Durations;
  sim::HostSource Host = sim::HostSource::None;
  LaunchRange Launches;
  std::string Timeline;
  std::string Sweep; ///< The file that says what to simulate.
  ArrowChoice Arrows;
  Form Output = Form::Table;
  Detail How = Detail::Block;
  sim::WarpPolicy WarpsBy = sim::WarpPolicy::GreedyThenOldest;
  std::vector<sim::ManagedPolicy> Policies;      ///< Of manage, each once.
  std::vector<sim::LaunchPolicy> LaunchPolicies; ///< Of overlap, each once.
  uint64_t Instructions = 0; ///< Of each application; 0: all.
  unsigned Jobs = 0;         ///< 0: as many as there are cores.
  bool Help = false;
  bool Version = false;
  bool Machines = false;
  std::string Simulating; ///< The last option on how to simulate.
  std::string BlocksOnly; ///< The last one that warps know nothing of.
  std::string WarpsOnly;  ///< The last one that blocks know nothing of.
  std::string ManageOnly; ///< The last one of manage, or of it and profile.
};

llvm::Expected<Options> readOptions(llvm::ArrayRef<const char *> Arguments);

/// With as many launches in flight as are asked for; each name once.
std::vector<sim::Scheduler> schedulersOf(const Options &Given);

} // namespace blockmaestro

#endif
