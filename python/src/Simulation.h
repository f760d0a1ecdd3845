// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: bm-sim in process: a recording replayed on a machine that Python
// gives as numbers.
// On the data's way: from a recording and a request to a dictionary of what
// bm-sim's JSON has, and to tables of the blocks' times.
// Invariants: the numbers are bm-sim's. Python runs while it simulates.
// Threads: any number of calls at once.

#ifndef BLOCKMAESTRO_PYTHON_SIMULATION_H
#define BLOCKMAESTRO_PYTHON_SIMULATION_H

#include "blockmaestro/Recording.h"

#include <nanobind/nanobind.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace blockmaestro::python {

struct SimulationRequest {
  std::string File; ///< Of the recording, for messages.
  std::string MachineName;
  /// By their names; none where what was given is no such number.
  std::map<std::string, std::optional<uint64_t>> MachineNumbers;
  std::vector<std::string> Schedulers;
  uint32_t InFlight = 0; ///< 0: as their names say.
  std::string Durations;
  bool HostIsRecorded = false;
  /// The first launch and the last; none: all.
  std::optional<std::pair<uint64_t, uint64_t>> Launches;
  unsigned Jobs = 0;
  bool HasLaunches = true;  ///< Whether the times of launches are told.
  bool HasTimeline = false; ///< Whether those of blocks are.
};

/// A dictionary as bm-sim's JSON; with "timeline", a table for each scheduler,
/// where it is asked for.
nanobind::dict simulate(const Recording &Of, const SimulationRequest &How);

/// Throws where a request is wrong whatever the recording.
void check(const SimulationRequest &How);

/// The names that --help lists, each with what it is.
nanobind::dict schedulerNames();

/// What a machine has where nothing is said: name to value, least and most.
nanobind::dict machineDefaults();

} // namespace blockmaestro::python

#endif
