// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the scheduling policies, as a table: who launches, what knows of
// the launches in flight, how many these are, and what their blocks wait for.
// On the data's way: chosen by name in bm-sim, read by the simulator.
// A new policy is one line of the table where the existing parameters can say
// it. Ownership and threads: plain values.

#ifndef BLOCKMAESTRO_RUNTIME_SIM_SCHEDULER_H
#define BLOCKMAESTRO_RUNTIME_SIM_SCHEDULER_H

#include "Machine.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace blockmaestro::sim {

/// What a launch costs before its blocks may start.
enum class Launcher : uint8_t {
  Nobody, ///< Nothing.
  Host,   ///< The machine's launch overhead.
  Device, ///< That of a launch by a kernel.
  // As GPUs launch today: nothing but what lies between an end and a start.
  Stream,     ///< The host launches on meanwhile, one call after the other.
  Graph,      ///< All launches are there.
  EarlyGraph, ///< The same, each launched programmatically.
};

/// What knows which launches are in flight.
enum class Tracking : uint8_t {
  /// The command queue: a launch leaves it when it and all earlier ones have
  /// ended.
  Queue,
  /// A window in the host's memory, which a launch leaves when the host has
  /// heard of its end. The host checks one launch after the other against it,
  /// and launches what waits for nothing any more, each into a stream of its
  /// own (ACS-SW).
  HostWindow,
  /// A window in hardware, into which the host launches after the same check,
  /// and which a launch leaves when its end has been compared with all
  /// others (ACS-HW).
  DeviceWindow,
};

/// What a block waits for where launches are related.
enum class Granularity : uint8_t {
  Kernel, ///< All blocks of every related earlier launch.
  Block,  ///< Its own parents.
};

/// Whose ready blocks go first.
enum class Priority : uint8_t { Producer, Consumer };

/// More launches in flight cannot be asked for.
inline constexpr uint32_t MostInFlight = 1000000;

struct Scheduler {
  std::string Name;
  /// Launches that are launching, waiting or running at the same time.
  uint32_t KernelsInFlight;
  bool IsNumbered; ///< There is one for any number of launches in flight.
  Launcher Launches;
  Tracking Knows;
  Granularity Waits;
  Priority First;
  std::string What; ///< One line for people.
  /// Whether blocks run ahead of the earliest launch only while the machine's
  /// buffer of pending updates has room.
  bool BoundsUpdates = false;
  /// Whether the command queue is reordered before (Reorder.h).
  bool Reorders = false;
};

/// What a launch costs under a scheduler on a machine, in nanoseconds.
struct LaunchCosts {
  uint64_t Overhead = 0; ///< Until its blocks may start.
  uint64_t Check = 0;    ///< Before it is in flight, one after the other.
  uint64_t Leaving = 0;  ///< From its end until it is in flight no more.
  uint64_t Call = 0;     ///< Of the host, which makes one after the other.
  uint64_t Hearing = 0;  ///< From an end until the host that waits goes on.
};

LaunchCosts launchCosts(const Scheduler &By, const Machine &On);

/// One for each name without its number, for people.
const std::vector<Scheduler> &schedulerFamilies();

/// Those of the BlockMaestro paper, the one that others are compared with
/// first.
std::vector<Scheduler> paperSchedulers();

/// These, and those of others.
std::vector<Scheduler> schedulers();

/// None where there is none of that name; a number behind the name of one that
/// IsNumbered is the number of its launches in flight, and "+reorder" behind
/// both lets it reorder.
std::optional<Scheduler> findScheduler(std::string_view Name);

/// Those that "paper" or "all" stand for, or the one of that name; none where
/// there is no such.
std::vector<Scheduler> schedulersNamed(std::string_view Name);

/// Adds it where none of them has its name.
void addOnce(std::vector<Scheduler> &To, Scheduler Next);

/// The same with so many launches in flight, and named so, where it
/// IsNumbered.
Scheduler withInFlight(const Scheduler &Of, uint32_t Count);

} // namespace blockmaestro::sim

#endif
