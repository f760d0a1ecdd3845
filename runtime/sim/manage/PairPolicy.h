// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the policies of Liang and Li for two applications at a time:
// static modulation by profiles, which dynamic modulation and cache bypassing
// start from, SM by SM; and ours, which differ from these by a rule each.
// On the data's way: from Profiles to shares, asked by WarpModel block by
// block. docs/management.md says where it differs from the paper. Invariants:
// two applications run at a time; when one of them has ended, the next one is
// of those that wait: the first that prefers other pipelines than the one that
// is left, else the first. An application that is left alone has no limit.
// Ownership and threads: one policy for one run.

#ifndef BLOCKMAESTRO_RUNTIME_SIM_MANAGE_PAIRPOLICY_H
#define BLOCKMAESTRO_RUNTIME_SIM_MANAGE_PAIRPOLICY_H

#include "Profile.h"
#include "SmLearner.h"

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace blockmaestro::sim {

/// What of a profile the policies use.
struct Category {
  KernelType Type = KernelType::Up;
  uint32_t Best = 1;
  bool PrefersSp = false; ///< Its pipelines are kept more than loads' are.
  /// What is done in a cycle with one block on an SM, with two, and so on, over
  /// the most.
  std::vector<double> Speed = {};
  bool GainsFromL1 = true; ///< Of those that were asked; see gainsFromL1().
};

Category categoryOf(const Profile &Of, const Machine &On);

using PairSizes = std::array<BlockSize, 2>;

/// Algorithm 1 of the paper for two launches; nothing where both are Up, which
/// it leaves to the default.
std::optional<PairShares> staticShares(const std::array<Category, 2> &Of,
                                       const PairSizes &Sizes,
                                       const Machine &On);

/// Two launches of one SM, of which the one that is slowed down more gets on
/// as fast as can be, by the profiles; of shares that do as well for it the
/// other one. Nothing where no two blocks fit together.
std::optional<PairShares> balancedShares(const std::array<Category, 2> &Of,
                                         const PairSizes &Sizes,
                                         const Machine &On);

/// Where learning starts: static shares, in which each has a block at the
/// least; of two that are Up the first has half of what it could. Nothing where
/// no two blocks fit together.
std::optional<PairShares> firstShares(const std::array<Category, 2> &Of,
                                      const PairSizes &Sizes,
                                      const Machine &On);

enum class Learns : uint8_t { Nothing, Blocks, Bypass };

/// The paper's policies, or those with a rule of ours.
struct PairRules {
  Learns What = Learns::Nothing;
  /// static:shared: two that are Up get balanced shares, not the default.
  bool BalancesUp = false;
  /// bypass:guarded: blocks are tried past L1 only of an application that gains
  /// nothing from it by itself.
  bool GuardsL1 = false;

  /// The shares that two launches have while nothing is learned.
  std::optional<PairShares> fixed(const std::array<Category, 2> &Of,
                                  const PairSizes &Sizes,
                                  const Machine &On) const;
};

/// What SMs have learned in a run.
struct LearningLog {
  uint64_t Periods = 0; ///< Of all SMs.
  uint64_t Changes = 0; ///< Of these, those with other shares behind them.
  std::vector<SamplingPeriod> OfFirstSm;
};

/// \p Log is told unless it is null.
std::unique_ptr<BlockPolicy> makePairs(std::vector<Category> Of, PairRules By,
                                       LearningLog *Log = nullptr);

} // namespace blockmaestro::sim

#endif
