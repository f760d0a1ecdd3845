// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: which blocks of launches that need each other share an SM: the
// policies of bm-sim overlap, by their names, and runs under them.
// On the data's way: from an Application and the Workload of its recording to
// ManagedRuns, which bm-sim prints. docs/management.md lists the names.
// Invariants: a launch's part is by how many earlier ones are in flight: the
// first has none before it. The same input gives the same runs, whatever the
// number of jobs. Ownership and threads: runs by several threads, each with a
// policy of its own.

#ifndef BLOCKMAESTRO_RUNTIME_SIM_MANAGE_LAUNCHPOLICIES_H
#define BLOCKMAESTRO_RUNTIME_SIM_MANAGE_LAUNCHPOLICIES_H

#include "Search.h"
#include "Workload.h"

#include <string_view>
#include <vector>

namespace blockmaestro::sim {

enum class LaunchPolicyKind : uint8_t {
  Sequential,
  Oldest,
  Newest,
  Even,
  Apart,
  Fine,
};

struct LaunchPolicy {
  LaunchPolicyKind Kind = LaunchPolicyKind::Oldest;
  Shares Limits; ///< Of fine: of the earliest launch in flight, the next, ...
  std::string Name;
};

/// A row of what --help lists; fine stands with its values.
struct LaunchPolicyRow {
  const char *Name;
  LaunchPolicyKind Kind;
  const char *What;
};

const std::vector<LaunchPolicyRow> &launchPolicyRows();

/// A name, or "all"; the message is for users.
Result<std::vector<LaunchPolicy>> parseLaunchPolicies(std::string_view Name);

/// For one run. Sequential is Oldest with one launch in flight.
std::unique_ptr<BlockPolicy> makeLaunchPolicy(const LaunchPolicy &Of);

/// What overlaps: one application, with so many launches in flight at most.
struct Overlapped {
  const Managed &What;
  const Workload &Graph; ///< Of its recording.
  uint32_t InFlight = 2;
};

Status checkPolicy(const LaunchPolicy &By, const Overlapped &Of);

/// In the order of the policies.
std::vector<ManagedRun> runOverlapped(const Overlapped &Of,
                                      const std::vector<LaunchPolicy> &By);

} // namespace blockmaestro::sim

#endif
