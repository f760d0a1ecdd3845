// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ClusterBlock.h"

namespace blockmaestro {

namespace {

/// The extents of the grid in clusters.
Dim3 clustersOf(const Launch &What) {
  return {What.Grid.X / What.Cluster.X, What.Grid.Y / What.Cluster.Y,
          What.Grid.Z / What.Cluster.Z};
}

} // namespace

ClusterPlace clusterPlace(const Launch &What, uint64_t Block) {
  const Dim3 At = blockOf(Block, What.Grid);
  const Dim3 C = What.Cluster;
  return {linearOf({At.X / C.X, At.Y / C.Y, At.Z / C.Z}, clustersOf(What)),
          uint32_t(linearOf({At.X % C.X, At.Y % C.Y, At.Z % C.Z}, C))};
}

uint64_t blockAt(const Launch &What, ClusterPlace Place) {
  const Dim3 C = What.Cluster;
  const Dim3 Which = blockOf(Place.Cluster, clustersOf(What));
  const Dim3 In = blockOf(Place.Rank, C);
  return linearOf(
      {Which.X * C.X + In.X, Which.Y * C.Y + In.Y, Which.Z * C.Z + In.Z},
      What.Grid);
}

std::shared_ptr<ClusterProgress>
RunningClusters::join(const Launch &What, uint64_t Cluster, bool &First) {
  std::lock_guard<std::mutex> Guard(Lock);
  const Key Which = {&What, What.Id, Cluster};
  Entry &E = ByCluster[Which];
  First = !E.Progress;
  if (First)
    E.Progress = std::make_shared<ClusterProgress>(What.Cluster.count());
  std::shared_ptr<ClusterProgress> Progress = E.Progress;
  if (++E.Begun == What.Cluster.count())
    ByCluster.erase(Which);
  return Progress;
}

Result<RunningBlock::Progress> ClusterBlock::advance() {
  bool Moved = false, Left = false;
  for (uint32_t R = 0; R < Blocks.size(); ++R) {
    if (Known->Ended[R])
      continue;
    Result<RunningBlock::Progress> Came = Blocks[R]->advance();
    if (!Came.ok()) {
      Known->Over = true;
      return Came;
    }
    Moved |= *Came != Progress::Waits;
    Known->Ended[R] = *Came == Progress::Ended;
    Left |= !Known->Ended[R];
  }
  if (Left)
    return Moved ? Progress::Moved : Progress::Waits;
  if (Cost)
    *Cost = Known->Costs[Rank];
  return Progress::Ended;
}

std::string ClusterBlock::waitsFor() const {
  for (uint32_t R = 0; R < Blocks.size(); ++R)
    if (!Known->Ended[R])
      return Blocks[R]->waitsFor();
  return "";
}

Result<RunningBlock::Progress> FollowerBlock::advance() {
  if (!Known->Ended[Rank])
    return Known->Over ? RunningBlock::Progress::Ended
                       : RunningBlock::Progress::Waits;
  if (Cost)
    *Cost = Known->Costs[Rank];
  return RunningBlock::Progress::Ended;
}

} // namespace blockmaestro
