// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: an application by itself with one block on an SM, with two, and
// so on, and what that says of it: its type and its best number of blocks.
// On the data's way: from an Application to bm-sim profile and to the policies
// that start from profiles. docs/management.md says what is measured.
// Invariants: numbers are as good where what is done in a cycle differs by no
// more than a hundredth: the best number is the most that fit where these are
// as good as any, the least of such otherwise. What an application does past L1
// is as good by the same measure. Ownership and threads: plain values; the runs
// are made by several threads.

#ifndef BLOCKMAESTRO_RUNTIME_SIM_MANAGE_PROFILE_H
#define BLOCKMAESTRO_RUNTIME_SIM_MANAGE_PROFILE_H

#include "WarpModel.h"

#include <vector>

namespace blockmaestro::sim {

/// How throughput changes with the number of blocks on an SM.
enum class KernelType : uint8_t { Up, Optimal, Down };

inline constexpr const char *KernelTypeNames[] = {"Up", "Optimal", "Down"};

struct ProfilePoint {
  uint32_t Blocks = 1; ///< On an SM at most.
  WarpCounts Counts;
};

struct Profile {
  std::vector<ProfilePoint> Points; ///< From one block to as many as fit.
  KernelType Type = KernelType::Up;
  uint32_t Best = 1; ///< opt(k) of the paper.
  uint32_t Runs = 0; ///< That the points took: some must be equal.

  const ProfilePoint &best() const { return Points[Best - 1]; }
};

/// Instructions of warps in a cycle, of all SMs.
double throughputOf(const WarpCounts &Of);

/// The part of the time for which the pipelines of integer and single
/// instructions are taken, and that of loads and stores; 0 to 1.
double spUse(const WarpCounts &Of, const Machine &On);
double memoryUse(const WarpCounts &Of, const Machine &On);

/// Blocks on an SM at most, of the launches of an application.
uint32_t mostBlocks(const Application &Of, const Machine &On);

Profile profileOf(const Application &Of, const Machine &On,
                  const RunOptions &How, unsigned Jobs);

/// Whether an application that has its best number of blocks on an SM does less
/// in a cycle where all of them go past L1. Takes a run more.
bool gainsFromL1(const Application &Of, const Profile &Is, const Machine &On,
                 const RunOptions &How);

/// Type and best number of points that were measured.
void categorize(Profile &Of);

} // namespace blockmaestro::sim

#endif
