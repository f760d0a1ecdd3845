// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the blocks of a cluster as blocks under way; see Note [Clusters].
// On the data's way: between OrcEmulator and the FiberBlocks of a cluster.
// Invariants: of the blocks of one cluster that are begun the first is a
// ClusterBlock, the others are FollowerBlocks. Ownership: a cluster's progress
// lives as long as one of them. Threads: a ClusterBlock one worker,
// RunningClusters any.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_CLUSTERBLOCK_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_CLUSTERBLOCK_H

#include "blockmaestro/Event.h"
#include "blockmaestro/Launch.h"

#include "../exec/Executor.h"

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace blockmaestro {

/// Where a block is: its cluster's number in the grid, and its own in the
/// cluster.
struct ClusterPlace {
  uint64_t Cluster = 0;
  uint32_t Rank = 0;
};
ClusterPlace clusterPlace(const Launch &What, uint64_t Block);
/// The linear number of the block that is \p Place.
uint64_t blockAt(const Launch &What, ClusterPlace Place);

/// What has become of the blocks of a cluster.
struct ClusterProgress {
  explicit ClusterProgress(uint32_t Blocks) : Ended(Blocks), Costs(Blocks) {}
  std::vector<std::atomic<bool>> Ended; ///< By rank.
  std::vector<BlockCost> Costs;         ///< Of those.
  std::atomic<bool> Over = false;       ///< Whatever has not ended never will.
};

/// The clusters of which some, but not all blocks have been begun.
class RunningClusters {
public:
  /// Joins a block to its cluster; whether it is the first is in \p First.
  std::shared_ptr<ClusterProgress> join(const Launch &What, uint64_t Cluster,
                                        bool &First);

private:
  struct Entry {
    std::shared_ptr<ClusterProgress> Progress;
    uint64_t Begun = 0;
  };
  using Key = std::tuple<const Launch *, uint64_t, uint64_t>;
  std::mutex Lock;
  std::map<Key, Entry> ByCluster;
};

class ClusterBlock final : public RunningBlock {
public:
  /// \p Blocks by rank; their costs go to \p Known, and that of the block
  /// \p Rank to \p Cost, which may be null. \p AtEnd is called in the end.
  ClusterBlock(std::vector<std::unique_ptr<RunningBlock>> Blocks,
               std::shared_ptr<ClusterProgress> Known, uint32_t Rank,
               BlockCost *Cost, std::function<void()> AtEnd)
      : Blocks(std::move(Blocks)), Known(std::move(Known)), Rank(Rank),
        Cost(Cost), AtEnd(std::move(AtEnd)) {}
  ~ClusterBlock() override {
    Known->Over = true;
    AtEnd();
  }

  Result<RunningBlock::Progress> advance() override;
  std::string waitsFor() const override;

private:
  /// All of them until the last has ended: what they share is the first one's.
  std::vector<std::unique_ptr<RunningBlock>> Blocks;
  std::shared_ptr<ClusterProgress> Known;
  uint32_t Rank;
  BlockCost *Cost;
  std::function<void()> AtEnd;
};

class FollowerBlock final : public RunningBlock {
public:
  FollowerBlock(std::shared_ptr<ClusterProgress> Known, uint32_t Rank,
                BlockCost *Cost)
      : Known(std::move(Known)), Rank(Rank), Cost(Cost) {}

  Result<RunningBlock::Progress> advance() override;

private:
  std::shared_ptr<ClusterProgress> Known;
  uint32_t Rank;
  BlockCost *Cost;
};

} // namespace blockmaestro

#endif
