// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: runs applications side by side under the policies asked for, with
// the runs that some of these take to choose.
// On the data's way: from Applications and ManagedPolicies to ManagedRuns,
// which bm-sim manage prints. Invariants: the same input gives the same runs,
// whatever the number of jobs. Ownership and threads: the applications and the
// machine outlive it; runs that do not rest on each other are made by as many
// threads as there are jobs.

#ifndef BLOCKMAESTRO_RUNTIME_SIM_MANAGE_MANAGEMENT_H
#define BLOCKMAESTRO_RUNTIME_SIM_MANAGE_MANAGEMENT_H

#include "PolicyNames.h"
#include "Search.h"

#include <vector>

namespace blockmaestro::sim {

/// Whether a policy can be one of these applications; the message is for users.
Status checkPolicy(const ManagedPolicy &By, const Managed &What);

/// In the order of the policies.
std::vector<ManagedRun> runManaged(const Managed &What,
                                   const std::vector<ManagedPolicy> &By);

} // namespace blockmaestro::sim

#endif
